//! Observations of any kind: every type of metric, extreme quantities, missing fields, answers that failed or could
//! not be read.

mod hpa;
mod metrics;
mod pod;
pub(crate) mod situation;
mod text;

use std::sync::Arc;

use hpa_engine::model::{
    ApiError, Architecture, ControllerConfig, FeatureGates, IndexedAnswer, Input, KubeVersion,
    Memory, NotRead, Observation, OtherHpa, Provenance, Reading, Recommendation, Scale, ScaleEvent,
    Shared,
};
use hpa_testing::NOW;
use jiff::{SignedDuration, Timestamp};
use proptest::{collection::vec, option, prelude::*};

pub(crate) use text::quantity;

/// An observation; with `complete`, every part of it was read.
pub(crate) fn observation(complete: bool) -> impl Strategy<Value = Observation> {
    let answers = (
        reading(vec(pod::pod(), 0..8).prop_map(Shared::from), complete),
        reading(
            vec(pod::pod_metrics(), 0..8).prop_map(Shared::from),
            complete,
        ),
        indexed(metrics::metric_values(), complete),
        indexed(metrics::external_values(), complete),
    );
    let rest = (
        controller(),
        hpa::hpa(),
        reading(scale(), complete),
        option::weighted(0.2, api_error()),
        prop_oneof![4 => Just(Vec::new()), 1 => vec(other_hpa(), 1..3)],
    );
    (rest, answers).prop_map(
        move |(
            (controller, hpa, scale, scale_write_error, other_hpas),
            (pods, pod_metrics, custom_metrics, external_metrics),
        )| {
            // Pods come from the controller's cache: if they can't be read here, the controller may still have them.
            let pods = match pods {
                Reading::Failed(_) if complete => Reading::Read(Shared::default()),
                pods => pods,
            };
            Observation {
                controller,
                hpa,
                scale,
                scale_write_error,
                status_write_error: None,
                pods,
                pod_metrics,
                custom_metrics,
                external_metrics,
                other_hpas: other_hpas.into(),
            }
        },
    )
}

/// What the controller may remember.
pub(crate) fn memory() -> impl Strategy<Value = Memory> {
    let recommendation = (any::<i32>(), time()).prop_map(|(replicas, at)| Recommendation {
        replicas,
        at,
        provenance: Provenance::Observed,
    });
    let event =
        (any::<i32>(), time(), any::<bool>()).prop_map(|(replica_change, at, is_outdated)| {
            ScaleEvent {
                replica_change,
                at,
                is_outdated,
                provenance: Provenance::Observed,
            }
        });
    let event = event.boxed();
    (
        option::of(vec(recommendation, 0..5)),
        vec(event.clone(), 0..5),
        vec(event, 0..5),
    )
        .prop_map(
            |(recommendations, scale_up_events, scale_down_events)| Memory {
                recommendations,
                scale_up_events,
                scale_down_events,
            },
        )
}

/// Any known version, any flags and gates.
pub(crate) fn controller() -> impl Strategy<Value = ControllerConfig> {
    let version = (
        KubeVersion::OLDEST.minor..=KubeVersion::NEWEST.minor,
        option::of(0..20_u32),
    )
        .prop_map(|(minor, patch)| KubeVersion { minor, patch });
    let tolerance = prop_oneof![
        Just(0.1),
        0.0..2.0,
        prop::sample::select(vec![0.0, -0.1, f64::INFINITY, f64::NAN]),
    ];
    let periods = [duration(), duration(), duration(), duration()];
    (
        version,
        any::<bool>(),
        tolerance,
        periods,
        any::<[bool; 6]>(),
    )
        .prop_map(|(version, is_arm64, tolerance, periods, gates)| {
            let mut controller = ControllerConfig::defaults(Input::given(version));
            if is_arm64 {
                controller.architecture = Input::given(Architecture::Arm64);
            }
            controller.tolerance = Input::given(tolerance);
            let [sync, downscale, initialization, delay] = periods.map(Input::given);
            controller.sync_period = sync;
            controller.downscale_stabilization = downscale;
            controller.cpu_initialization_period = initialization;
            controller.initial_readiness_delay = delay;
            for (name, is_on) in FeatureGates::NAMES.into_iter().zip(gates) {
                *controller.feature_gates.by_name_mut(name).unwrap() = Input::given(is_on);
            }
            controller
        })
}

/// A time near now, or as far away as timestamps allow.
pub(crate) fn time() -> impl Strategy<Value = Timestamp> + Clone {
    prop_oneof![
        8 => (-4000..4000_i64).prop_map(|seconds| NOW + SignedDuration::from_secs(seconds)),
        1 => prop::sample::select(vec![Timestamp::MIN, Timestamp::MAX, NOW]),
    ]
}

fn duration() -> impl Strategy<Value = SignedDuration> {
    prop_oneof![
        8 => (0..4000_i64).prop_map(SignedDuration::from_secs),
        1 => prop::sample::select(vec![
            SignedDuration::ZERO,
            SignedDuration::from_secs(-60),
            SignedDuration::from_nanos(i64::MAX),
            SignedDuration::from_nanos(i64::MIN),
        ]),
    ]
}

fn scale() -> impl Strategy<Value = Scale> {
    let replicas = || prop_oneof![8 => 0..12_i32, 1 => any::<i32>()];
    let selector = prop_oneof![
        16 => Just("app=web".to_owned()),
        1 => prop::sample::select(vec!["", " ", "app in (web", "tier", "app=web,!tier"]).prop_map(str::to_owned),
        1 => ".{0,20}",
    ];
    (replicas(), replicas(), selector).prop_map(|(spec_replicas, status_replicas, selector)| {
        Scale {
            spec_replicas,
            status_replicas,
            selector,
        }
    })
}

fn other_hpa() -> impl Strategy<Value = Arc<OtherHpa>> {
    let selector = prop::sample::select(vec!["app=web", "app=other", "", "app in (web"]);
    (text::name(), selector).prop_map(|(name, selector)| {
        Arc::new(OtherHpa {
            name,
            selector: selector.to_owned(),
        })
    })
}

fn reading<T: std::fmt::Debug + Clone + 'static>(
    read: impl Strategy<Value = T> + 'static,
    complete: bool,
) -> BoxedStrategy<Reading<T>> {
    let read = read.prop_map(Reading::Read);
    let failed = api_error().prop_map(Reading::Failed);
    if complete {
        return prop_oneof![12 => read, 1 => failed].boxed();
    }
    let not_read = text::name().prop_map(|what| {
        Reading::NotRead(NotRead {
            what: what.into(),
            why: "forbidden".to_owned(),
            remedy: None,
            is_forbidden: false,
        })
    });
    prop_oneof![8 => read, 1 => failed, 2 => not_read].boxed()
}

/// Answers for the first metrics of the spec, in any order.
fn indexed<T: std::fmt::Debug + Clone + 'static>(
    items: impl Strategy<Value = Vec<T>> + 'static,
    complete: bool,
) -> impl Strategy<Value = Vec<IndexedAnswer<T>>> {
    vec(reading(items.prop_map(Shared::from), complete), 0..6)
        .prop_map(|answers| {
            let answers = answers.into_iter().enumerate();
            answers
                .map(|(index, answer)| IndexedAnswer { index, answer })
                .collect::<Vec<_>>()
        })
        .prop_shuffle()
}

fn api_error() -> impl Strategy<Value = ApiError> {
    let message = prop_oneof![Just("100% %d gone".to_owned()), ".{0,20}"];
    let reason = prop::sample::select(vec!["Conflict", "Forbidden", ""]);
    (message, reason).prop_map(|(message, reason)| ApiError {
        message,
        reason: reason.to_owned(),
        code: 409,
    })
}
