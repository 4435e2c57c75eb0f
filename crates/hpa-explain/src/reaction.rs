//! How long it takes from a load to pods that are ready for it: every cause in seconds, measured from the timestamps
//! of this workload if it has any.

pub(super) mod pod_start;

use hpa_engine::{
    model::{Behavior, Direction, Provenance, Reading, ScalingRules},
    trace::PodClass,
};
use hpa_words::clock::duration;
use jiff::SignedDuration;

use crate::{Decider, ExplainContext, pods::displayed_metric};

/// One cause of delay.
#[derive(Clone, Debug, PartialEq)]
pub struct DelayView {
    /// Its name: `sync period`.
    pub cause: &'static str,
    /// How long it may take, if seconds can be given.
    pub takes: Option<SignedDuration>,
    /// How that is known: `the windows of the samples`.
    pub known_from: String,
    /// Whether it was measured from timestamps of this workload.
    pub is_measured: bool,
    /// The setting that shortens it.
    pub shortened_by: String,
}

/// All causes in chronological order: from the sample to the ready pod.
pub(super) fn reaction(cx: &ExplainContext<'_>) -> Vec<DelayView> {
    let mut delays = samples(cx);
    delays.push(sync(cx));
    delays.push(tolerance(cx));
    delays.push(window(cx));
    delays.push(policies(cx));
    delays.extend(pod_start::stages(cx));
    delays
}

/// The window of the samples and the age of the oldest.
fn samples(cx: &ExplainContext<'_>) -> Vec<DelayView> {
    let metric = displayed_metric(&cx.facts);
    let is_resource = metric.is_some_and(|metric| metric.resource().is_some());
    let shortened_by = if is_resource {
        "--metric-resolution of metrics-server"
    } else {
        "the scrape interval and the query of the metrics adapter"
    };
    let counted: Vec<_> = metric
        .and_then(|metric| metric.groups)
        .into_iter()
        .flat_map(|groups| &groups.pods)
        .filter(|pod| pod.class == PodClass::Ready)
        .collect();
    let now = cx.clock.now;
    let age = |at: jiff::Timestamp| now.duration_since(at).max(SignedDuration::ZERO);
    let window = counted
        .iter()
        .map(|pod| pod.window)
        .filter(SignedDuration::is_positive)
        .max();
    let oldest = counted
        .iter()
        .filter_map(|pod| pod.sampled)
        .map(age)
        .max()
        .or_else(|| external_age(cx));
    let view = |cause, takes, known_from: &str| DelayView {
        cause,
        takes: Some(takes),
        known_from: known_from.to_owned(),
        is_measured: true,
        shortened_by: shortened_by.to_owned(),
    };
    let mut delays = Vec::new();
    if let Some(window) = window {
        delays.push(view(
            "sample window",
            window,
            "the windows of the samples: each is the mean over that time",
        ));
    }
    if let Some(oldest) = oldest {
        delays.push(view(
            "sample age",
            oldest,
            "the oldest sample that counts now",
        ));
    }
    delays
}

/// The age of the oldest sample of an External metric.
fn external_age(cx: &ExplainContext<'_>) -> Option<SignedDuration> {
    cx.facts
        .observation
        .external_metrics
        .iter()
        .filter_map(|answer| match &answer.answer {
            Reading::Read(series) => Some(series),
            Reading::Failed(_) | Reading::NotRead(_) => None,
        })
        .flatten()
        .filter_map(|series| series.timestamp)
        .map(|at| cx.clock.now.duration_since(at).max(SignedDuration::ZERO))
        .max()
}

fn sync(cx: &ExplainContext<'_>) -> DelayView {
    let period = cx.facts.observation.sync_period();
    let mut known_from = match period.provenance {
        Provenance::Assumed => "the default",
        Provenance::AtLeast | Provenance::Inferred => "what the controller wrote when",
        Provenance::Given => "what was given here",
        Provenance::Observed => "the controller's flags",
    }
    .to_owned();
    if let Some(written) = cx.context.hpa_status_written {
        known_from.push_str(&format!(
            "; its last change of the status is {} old",
            cx.clock.ago(written)
        ));
    }
    if let Some(hpas) = cx.context.surroundings.hpas_of_namespace {
        let hpas_are = if hpas == 1 { "HPA" } else { "HPAs" };
        known_from.push_str(&format!(
            "; {hpas} {hpas_are} in the namespace; hundreds in a cluster stretch it, as the controller works \
             on --concurrent-horizontal-pod-autoscaler-syncs of them at a time"
        ));
    }
    DelayView {
        cause: "sync period",
        takes: Some(period.value),
        known_from,
        is_measured: false,
        shortened_by: "--horizontal-pod-autoscaler-sync-period".to_owned(),
    }
}

/// No seconds: how long it takes to leave the tolerance range depends on the load.
fn tolerance(cx: &ExplainContext<'_>) -> DelayView {
    let check = displayed_metric(&cx.facts)
        .or_else(|| cx.facts.winner())
        .and_then(|metric| metric.tolerance.or(metric.adjusted_tolerance));
    let known_from = check.map_or_else(
        || "no metric was compared".to_owned(),
        |check| {
            let up = hpa_words::amount::fraction_as_percent(check.scale_up.value);
            if check.is_within {
                format!("the load has to grow to {up} above the target first")
            } else {
                format!("the load is outside the {up} round the target")
            }
        },
    );
    DelayView {
        cause: "tolerance",
        takes: check
            .filter(|check| !check.is_within)
            .map(|_| SignedDuration::ZERO),
        known_from,
        is_measured: check.is_some(),
        shortened_by: "behavior.scaleUp.tolerance, or a lower target".to_owned(),
    }
}

fn window(cx: &ExplainContext<'_>) -> DelayView {
    let rules = cx.facts.observation.hpa.spec.rules(Direction::Up);
    let window = rules.and_then(ScalingRules::window);
    DelayView {
        cause: "stabilization",
        takes: Some(window.unwrap_or_default()),
        known_from: match window {
            Some(_) => "the spec: a rise has to last so long",
            None => "the spec: no scale-up window",
        }
        .to_owned(),
        is_measured: false,
        shortened_by: "behavior.scaleUp.stabilizationWindowSeconds".to_owned(),
    }
}

/// The time until the desired replicas are reached, step by step.
fn policies(cx: &ExplainContext<'_>) -> DelayView {
    let proposal = cx.facts.proposal();
    let current = cx.facts.current();
    let last = cx
        .analysis
        .timeline
        .last()
        .filter(|last| last.from < last.to && current < proposal);
    // Until the first step the window holds the replicas, which is a delay of its own.
    let is_stabilized = cx.rule.decider() == Decider::Window;
    let from = match cx.analysis.timeline.first() {
        Some(first) if is_stabilized => first.at,
        _ => cx.clock.now,
    };
    let steps = cx.analysis.timeline.len();
    let known_from = match last {
        Some(last) => format!(
            "recomputed: {} is reached in {steps} more {} at {}",
            last.to,
            if steps == 1 { "step" } else { "steps" },
            cx.clock.time(last.at)
        ),
        None => "recomputed: nothing more to wait for".to_owned(),
    };
    DelayView {
        cause: "policies",
        takes: Some(last.map_or(SignedDuration::ZERO, |last| {
            last.at.duration_since(from).max(SignedDuration::ZERO)
        })),
        known_from,
        is_measured: false,
        shortened_by: match &cx.facts.observation.hpa.spec.behavior {
            None => {
                "behavior.scaleUp.policies; without behavior Kubernetes' default applies: at \
                     most double the replicas, or 4, per sync"
            }
            Some(behavior) if has_no_policies(behavior) => {
                "behavior.scaleUp.policies; none are set, so Kubernetes' default policies apply"
            }
            Some(_) => "behavior.scaleUp.policies",
        }
        .to_owned(),
    }
}

fn has_no_policies(behavior: &Behavior) -> bool {
    let rules = behavior.rules(Direction::Up);
    rules
        .and_then(|rules| rules.policies.as_ref())
        .is_none_or(Vec::is_empty)
}

/// The sum of all delays, and the largest; `None` if none of them takes any time.
pub(super) fn total(delays: &[DelayView]) -> Option<(SignedDuration, &DelayView)> {
    let taken = || {
        delays
            .iter()
            .filter_map(|delay| Some((delay, delay.takes?)))
    };
    let sum = taken().fold(SignedDuration::ZERO, |sum, (_, takes)| {
        sum.saturating_add(takes)
    });
    let (largest, _) = taken()
        .filter(|(_, takes)| takes.is_positive())
        .max_by_key(|(_, takes)| *takes)?;
    Some((sum, largest))
}

/// Whole seconds, rounded up: each is the most that it takes.
pub(super) fn seconds(takes: SignedDuration) -> String {
    let up = i64::from(0 < takes.subsec_nanos());
    duration(SignedDuration::from_secs(
        takes.as_secs().saturating_add(up),
    ))
}
