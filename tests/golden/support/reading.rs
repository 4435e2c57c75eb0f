//! Reads parts of a trace.

use hpa_engine::{
    model::{Condition, MetricStatus, MetricValueStatus},
    trace::{
        GroupPods, LimitRate, MetricEvaluation, MetricOutcome, MetricStep, Outcome, Stabilize,
        Step, Trace,
    },
};

/// The evaluation of the first metric.
#[track_caller]
pub(crate) fn metric(trace: &Trace) -> &MetricEvaluation {
    find(trace, |step| match step {
        Step::Metric(evaluation) => Some(&**evaluation),
        _ => None,
    })
}

/// The proposal of the first metric, or the error that fails it.
#[track_caller]
pub(crate) fn proposal(trace: &Trace) -> Result<i32, &str> {
    match &metric(trace).outcome {
        MetricOutcome::Proposal { replicas, .. } => Ok(*replicas),
        MetricOutcome::Invalid(failure) => Err(&failure.inner),
        MetricOutcome::Unknown(not_read) => panic!("not read: {not_read:?}"),
    }
}

/// The first metric's value in the status.
#[track_caller]
pub(crate) fn status_of_metric(trace: &Trace) -> &MetricValueStatus {
    match &metric(trace).status {
        MetricStatus::ContainerResource { current, .. }
        | MetricStatus::External { current, .. }
        | MetricStatus::Object { current, .. }
        | MetricStatus::Pods { current, .. }
        | MetricStatus::Resource { current, .. } => current,
        MetricStatus::Failed => panic!("the metric failed"),
    }
}

/// The classes of the pods.
#[track_caller]
pub(crate) fn grouped(trace: &Trace) -> &GroupPods {
    let step = metric(trace).steps.iter().find_map(|step| match step {
        MetricStep::GroupPods(group) => Some(group),
        _ => None,
    });
    step.expect("the pods were grouped")
}

#[track_caller]
pub(crate) fn stabilized(trace: &Trace) -> &Stabilize {
    find(trace, |step| match step {
        Step::Stabilize(stabilize) => Some(stabilize),
        _ => None,
    })
}

#[track_caller]
pub(crate) fn limited(trace: &Trace) -> &LimitRate {
    find(trace, |step| match step {
        Step::LimitRate(limit) => Some(limit),
        _ => None,
    })
}

#[track_caller]
pub(crate) fn outcome(trace: &Trace) -> &Outcome {
    trace.outcome.as_ref().expect("everything was read")
}

/// A condition of the status after the reconcile.
pub(crate) fn condition<'t>(trace: &'t Trace, condition_type: &str) -> Option<&'t Condition> {
    outcome(trace)
        .status
        .conditions
        .iter()
        .find(|condition| condition.condition_type == condition_type)
}

#[track_caller]
fn find<'t, T>(trace: &'t Trace, of: impl Fn(&'t Step) -> Option<T>) -> T {
    let found = trace.steps.iter().find_map(of);
    found.unwrap_or_else(|| panic!("no such step: {:#?}", trace.steps))
}
