//! Why a recomputation and the controller disagree: which single difference makes all numbers fit.

use jiff::{SignedDuration, Timestamp};

use super::{
    asked_before::{total_of, value_of},
    cross_check::{
        Agreement, Basis, Cause, Compared, Comparison, CrossCheck, Hypothesis, compare_with_status,
        is_steady,
    },
    edit::edit_since_status,
    probe::{counted_pods, evaluation, set_total},
};
use crate::{
    engine,
    model::{Context, ControllerConfig, FeatureGates, Input, KubeVersion, Memory, Observation},
    trace::{MetricStep, Trace},
};

/// Finds reasons for a disagreement with the status, the most probable first.
pub(super) fn add_hypotheses(
    check: &mut CrossCheck,
    observation: &Observation,
    context: &Context,
    memory: &Memory,
    trace: &Trace,
) {
    if check.basis != Basis::Status {
        return;
    }
    let now = trace.at;
    let status = &observation.hpa.status;
    // Until the first decision desiredReplicas is 0, which nobody has wanted, not even where minReplicas is 0.
    let has_decided = observation.hpa.spec.min_replicas() <= status.desired_replicas
        && (status.desired_replicas != 0 || status.last_scale_time.is_some());
    let is_other = trace
        .current()
        .is_some_and(|current| current != status.desired_replicas);
    if has_decided && is_other {
        check.hypotheses.push(Hypothesis {
            cause: Cause::ScaledByOther,
            fits: true,
        });
    }
    let edit = edit_since_status(observation, context, now);
    let is_edited = matches!(check.agreement, Agreement::Differs | Agreement::SpecEdited);
    if let Some(cause @ Cause::EditPending(..)) = edit.clone().filter(|_| is_edited) {
        check.agreement = Agreement::SpecEdited;
        check
            .hypotheses
            .retain(|one| one.cause != Cause::SpecEdited);
        check.hypotheses.insert(0, Hypothesis { cause, fits: true });
    }
    if check.agreement != Agreement::Differs {
        return;
    }
    let explain = |check: &mut CrossCheck, cause, fits| {
        check.hypotheses.push(Hypothesis { cause, fits });
    };
    let metrics_differ = check
        .compared
        .iter()
        .any(|one| matches!(one.what, Compared::Metric(_)) && !one.agrees());
    // Metrics change all the time: if the decision fits the values that the controller saw, nothing else is to be said.
    let innocent = if metrics_differ && fits_with_status_values(observation, memory, trace) {
        Some(Cause::SampleMoved)
    } else if have_pods_moved(observation, trace) {
        Some(Cause::PodsMoved)
    } else if fits(observation, memory, now - sync_period(observation)) {
        Some(Cause::TimePassed)
    } else {
        None
    };
    if let Some(cause) = innocent {
        check.agreement = Agreement::Moved;
        explain(check, cause, true);
        return;
    }
    let is_edited = edit.is_some();
    if let Some(cause) = edit {
        explain(check, cause, false);
    }
    let mut is_explained = false;
    for (cause, controller) in variations(&observation.controller) {
        let mut varied = observation.clone();
        varied.controller = controller;
        if fits(&varied, memory, now) {
            explain(check, cause, true);
            is_explained = true;
        }
    }
    if fits(observation, &Memory::default(), now) {
        explain(check, Cause::Forgot, true);
        is_explained = true;
    }
    if is_explained {
        return;
    }
    if metrics_differ {
        check.agreement = Agreement::Moved;
        explain(check, Cause::SampleMoved, false);
    } else if !is_edited {
        explain(check, Cause::Unexplained, false);
    }
}

fn sync_period(observation: &Observation) -> SignedDuration {
    observation.controller.sync_period.value
}

/// Whether a selected pod came, went or changed its readiness since the last sync can have been.
fn have_pods_moved(observation: &Observation, trace: &Trace) -> bool {
    let since = trace.at - sync_period(observation) - sync_period(observation);
    let pods = observation
        .pods
        .read()
        .map(Vec::as_slice)
        .unwrap_or_default();
    trace
        .metrics()
        .flat_map(|metric| &metric.steps)
        .filter_map(|step| match step {
            MetricStep::GroupPods(groups) => Some(&groups.pods),
            _ => None,
        })
        .flatten()
        .filter_map(|classified| pods.get(classified.pod))
        .any(|pod| {
            let ready = pod.ready.and_then(|ready| ready.last_transition);
            [pod.created, pod.started, pod.deleted, ready]
                .into_iter()
                .flatten()
                .any(|at| since <= at)
        })
}

/// Whether the engine arrives at everything in the status.
fn fits(observation: &Observation, memory: &Memory, now: Timestamp) -> bool {
    let trace = engine::decide(observation, &mut memory.clone(), now);
    let check = compare_with_status(observation, &trace);
    check.compared.iter().all(Comparison::agrees) && !check.compared.is_empty()
}

/// Whether the decision follows from the values in the status, with everything else as it is.
fn fits_with_status_values(observation: &Observation, memory: &Memory, trace: &Trace) -> bool {
    // After a rescale there is nothing to compare but the values themselves.
    if !is_steady(observation, trace) {
        return true;
    }
    let mut then = observation.clone();
    for (index, value) in observation.hpa.status.current_metrics.iter().enumerate() {
        let total = value_of(value).and_then(|value| total_of(trace, index, value));
        let found = total.zip(evaluation(trace, index));
        let Some((total, evaluation)) = found else {
            // A metric failed then or fails now: what it was is not known, so nothing speaks against it.
            return true;
        };
        let counted = counted_pods(observation, evaluation);
        set_total(&mut then, index, &counted, total);
    }
    let trace = engine::decide(&then, &mut memory.clone(), trace.at);
    let check = compare_with_status(&then, &trace);
    let is_value = |one: &&Comparison| matches!(one.what, Compared::Metric(_));
    check
        .compared
        .iter()
        .filter(|one| !is_value(one))
        .all(Comparison::agrees)
}

/// Controllers that differ from `assumed` in one setting, the most common first.
fn variations(assumed: &ControllerConfig) -> Vec<(Cause, ControllerConfig)> {
    let mut found = Vec::new();
    let mut vary = |cause: Cause, change: &dyn Fn(&mut ControllerConfig)| {
        let mut controller = assumed.clone();
        change(&mut controller);
        if controller != *assumed {
            found.push((cause, controller));
        }
    };
    for tolerance in TOLERANCES {
        vary(
            Cause::Flag("horizontal-pod-autoscaler-tolerance", tolerance.to_string()),
            &|controller| controller.tolerance.value = tolerance,
        );
    }
    for seconds in WINDOWS {
        vary(
            Cause::Flag(
                "horizontal-pod-autoscaler-downscale-stabilization",
                format!("{seconds}s"),
            ),
            &|controller| {
                controller.downscale_stabilization.value = SignedDuration::from_secs(seconds);
            },
        );
    }
    for seconds in INITIALIZATION_PERIODS {
        vary(
            Cause::Flag(
                "horizontal-pod-autoscaler-cpu-initialization-period",
                format!("{seconds}s"),
            ),
            &|controller| {
                controller.cpu_initialization_period.value = SignedDuration::from_secs(seconds);
            },
        );
    }
    for seconds in READINESS_DELAYS {
        vary(
            Cause::Flag(
                "horizontal-pod-autoscaler-initial-readiness-delay",
                format!("{seconds}s"),
            ),
            &|controller| {
                controller.initial_readiness_delay.value = SignedDuration::from_secs(seconds);
            },
        );
    }
    for name in FeatureGates::NAMES {
        let is_on = assumed
            .feature_gates
            .by_name(name)
            .is_some_and(|gate| gate.value);
        vary(Cause::FeatureGate(name, !is_on), &|controller| {
            if let Some(gate) = controller.feature_gates.by_name_mut(name) {
                gate.value = !is_on;
            }
        });
    }
    let minor = assumed.version.value.minor;
    for minor in [minor.saturating_sub(1), minor + 1] {
        let version = KubeVersion { minor, patch: None };
        if (KubeVersion::OLDEST..=KubeVersion::NEWEST).contains(&version) {
            vary(Cause::Version(version), &|controller| {
                controller.version = Input::assumed(version);
                controller.feature_gates = FeatureGates::defaults(version);
            });
        }
    }
    found
}

/// Tolerances that people set.
const TOLERANCES: [f64; 10] = [0.05, 0.15, 0.2, 0.01, 0.02, 0.03, 0.25, 0.3, 0.5, 0.0];

/// Seconds of downscale stabilization that people and managed clusters set.
const WINDOWS: [i64; 9] = [60, 120, 180, 600, 30, 15, 900, 1800, 0];

/// Seconds of the CPU initialization period that people set.
const INITIALIZATION_PERIODS: [i64; 6] = [60, 120, 30, 600, 180, 0];

/// Seconds of the initial readiness delay that people set.
const READINESS_DELAYS: [i64; 5] = [10, 15, 60, 120, 0];
