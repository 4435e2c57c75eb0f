//! What the controller remembers stays small.

use jiff::{SignedDuration, Timestamp};
use kubectl_hpa::{
    engine::decide,
    model::{
        Behavior, ControllerConfig, ExternalMetricValue, Hpa, HpaSpec, HpaStatus, IndexedAnswer,
        Input, KubeVersion, Memory, MetricIdentifier, MetricSpec, MetricTarget, Observation,
        PodsSource, PolicyType, Quantity, Reading, Scale, ScaleTargetRef, ScalingPolicy,
        ScalingRules,
    },
};
use proptest::{collection::vec, option, prelude::*};

use crate::generate::NOW;

const SYNC_PERIOD: i32 = 15;

/// Reconciles in two hours.
const RECONCILES: i32 = 2 * 3600 / SYNC_PERIOD;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// One entry for each reconcile of the window, the one being made, and the first look at the replicas.
    #[test]
    fn memory_never_outgrows_the_windows_and_periods(
        load in vec(0..60_i64, 1..50),
        behavior in option::of(behavior()),
        minor in 23..=38_u32,
    ) {
        let window = behavior.as_ref().map_or(300, longest_window);
        let periods = behavior.as_ref().map(longest_periods);
        let mut observation = observation(minor, behavior);
        let mut memory = Memory::default();
        let mut now = NOW;
        for (_, load) in (0..RECONCILES).zip(load.iter().cycle()) {
            reconcile(&mut observation, &mut memory, now, *load);
            let recommendations = memory.recommendations.as_ref().unwrap().len();
            prop_assert!(recommendations <= entries(window) + 1, "{recommendations} in {window} s");
            let [up, down] = periods.map_or([0, 0], |periods| periods.map(entries));
            prop_assert!(memory.scale_up_events.len() <= up);
            prop_assert!(memory.scale_down_events.len() <= down);
            now += SignedDuration::from_secs(i64::from(SYNC_PERIOD));
        }
    }
}

/// Reconciles that fit a window, both ends included.
fn entries(seconds: i32) -> usize {
    usize::try_from(seconds / SYNC_PERIOD + 1).unwrap()
}

fn longest_window(behavior: &Behavior) -> i32 {
    let window = |rules: &Option<ScalingRules>, default| {
        let rules = rules.as_ref().unwrap();
        rules.stabilization_window_seconds.unwrap_or(default)
    };
    window(&behavior.scale_up, 0).max(window(&behavior.scale_down, 300))
}

fn longest_periods(behavior: &Behavior) -> [i32; 2] {
    let period = |rules: &Option<ScalingRules>| {
        let policies = rules.as_ref().unwrap().policies.as_ref().unwrap();
        let periods = policies.iter().map(|policy| policy.period_seconds);
        periods.max().unwrap()
    };
    [period(&behavior.scale_up), period(&behavior.scale_down)]
}

/// Both directions, with policies that allow enough for many steps.
fn behavior() -> impl Strategy<Value = Behavior> {
    (rules(), rules()).prop_map(|(scale_up, scale_down)| Behavior {
        scale_up: Some(scale_up),
        scale_down: Some(scale_down),
    })
}

fn rules() -> impl Strategy<Value = ScalingRules> {
    let window = prop::sample::select(vec![0, 15, 50, 60, 300, 3600]);
    let period = prop::sample::select(vec![1, 15, 50, 60, 300, 1800]);
    let policy = (1..40_i32, period).prop_map(|(value, period_seconds)| ScalingPolicy {
        policy_type: PolicyType::Pods,
        value,
        period_seconds,
    });
    (option::of(window), vec(policy, 1..4)).prop_map(|(window, policies)| ScalingRules {
        stabilization_window_seconds: window,
        policies: Some(policies),
        ..ScalingRules::default()
    })
}

/// Decides under a load that asks for so many replicas, and follows the decision.
fn reconcile(observation: &mut Observation, memory: &mut Memory, now: Timestamp, load: i64) {
    observation.external_metrics = vec![IndexedAnswer {
        index: 0,
        answer: Reading::Read(vec![ExternalMetricValue {
            labels: Vec::new(),
            timestamp: None,
            value: Quantity::parse(&load.to_string()).unwrap(),
        }]),
    }];
    let outcome = decide(observation, memory, now).outcome.unwrap();
    if let (Reading::Read(scale), Some(replicas)) = (&mut observation.scale, outcome.scale_to) {
        scale.spec_replicas = replicas;
        scale.status_replicas = replicas;
    }
    observation.hpa.status = outcome.status;
}

fn observation(minor: u32, behavior: Option<Behavior>) -> Observation {
    let metric = MetricSpec::External(PodsSource {
        metric: MetricIdentifier {
            name: "queue".to_owned(),
            selector: None,
        },
        metric_target: MetricTarget {
            average_value: Some(Quantity::parse("1").unwrap()),
            ..MetricTarget::default()
        },
    });
    Observation {
        controller: ControllerConfig::defaults(Input::given(KubeVersion { minor, patch: None })),
        hpa: Hpa {
            namespace: "shop".to_owned(),
            name: "web".to_owned(),
            generation: None,
            created: None,
            spec: HpaSpec {
                scale_target: ScaleTargetRef {
                    api_version: None,
                    kind: "Deployment".to_owned(),
                    name: "web".to_owned(),
                },
                min_replicas: None,
                max_replicas: 50,
                metrics: vec![metric],
                behavior,
            },
            status: HpaStatus::default(),
        },
        scale: Reading::Read(Scale {
            spec_replicas: 3,
            status_replicas: 3,
            selector: "app=web".to_owned(),
        }),
        scale_write_error: None,
        status_write_error: None,
        pods: Reading::Read(Vec::new()),
        pod_metrics: Reading::Read(Vec::new()),
        custom_metrics: Vec::new(),
        external_metrics: Vec::new(),
        other_hpas: Vec::new(),
    }
}
