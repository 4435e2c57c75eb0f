//! What the metrics asked for in the last reconcile, from the values that it left in the status.

use std::collections::BTreeSet;

use jiff::Timestamp;

use super::probe::{Probe, evaluation, first_ratio, proposal};
use crate::{
    engine,
    model::{
        Memory, MetricStatus, MetricValueStatus, Observation, Pod, Reading,
        quantity::{Overflow, Quantity},
    },
    trace::{Milli, RatioFormula, Trace},
};

/// What the metrics asked for in the last reconcile: the engine's proposals for the values in the status, with the
/// replicas of then and the pods of now, less those that came of it. None if a value is absent, so an estimate is not to
/// be had.
pub(super) fn asked_before(observation: &Observation, now: Timestamp) -> Option<i32> {
    let observation = &without_pods_since_rescale(observation);
    let status = &observation.hpa.status;
    if status.current_metrics.len() != observation.hpa.spec.metrics.len() {
        return None;
    }
    let trace = engine::decide(observation, &mut Memory::default(), now);
    let mut asked = None;
    for (index, value) in status.current_metrics.iter().enumerate() {
        let total = total_of(&trace, index, value_of(value)?)?;
        let mut probe = Probe::new(observation, &trace, index)?;
        probe.set_current(status.current_replicas);
        asked = asked.max(proposal(&probe.at(total)?));
    }
    asked
}

/// If the last reconcile rescaled, the pods made since are its effect and played no part in it.
pub(super) fn without_pods_since_rescale(observation: &Observation) -> Observation {
    let mut observation = observation.clone();
    let status = &observation.hpa.status;
    let has_rescaled = status.current_replicas != status.desired_replicas;
    let (Some(at), true, Reading::Read(pods)) =
        (status.last_scale_time, has_rescaled, &mut observation.pods)
    else {
        return observation;
    };
    let is_new = |pod: &mut Pod| pod.created.is_some_and(|created| at <= created);
    let new: BTreeSet<String> = pods.extract_if(.., is_new).map(|pod| pod.name).collect();
    if let Reading::Read(samples) = &mut observation.pod_metrics {
        samples.retain(|sample| !new.contains(&sample.name));
    }
    for answer in &mut observation.custom_metrics {
        if let Reading::Read(values) = &mut answer.answer {
            values.retain(|value| !new.contains(&value.object));
        }
    }
    observation
}

/// The total usage at which the metric at `index` shows the values that the status has.
pub(super) fn total_of(trace: &Trace, index: usize, value: &MetricValueStatus) -> Option<Milli> {
    let milli = |quantity: &Option<Quantity>| {
        quantity
            .as_ref()
            .map(|quantity| quantity.milli_value(Overflow::Saturate))
    };
    let total = match *first_ratio(evaluation(trace, index)?)? {
        RatioFormula::AveragePerReplica {
            status_replicas, ..
        } => milli(&value.average_value)?.checked_mul(status_replicas.into())?,
        RatioFormula::PodAverage { pods, .. } => {
            milli(&value.average_value)?.checked_mul(i64::try_from(pods).ok()?)?
        }
        RatioFormula::Utilization {
            requests: Milli(requests),
            ..
        } => {
            // The least usage that is cut to that percentage.
            let percent = i64::from(value.average_utilization?);
            let product = requests.checked_mul(percent)?;
            product.checked_add(99)? / 100
        }
        RatioFormula::Value { .. } => milli(&value.value)?,
    };
    Some(Milli(total))
}

/// The values of one metric in the status; none if it failed.
pub(super) fn value_of(status: &MetricStatus) -> Option<&MetricValueStatus> {
    match status {
        MetricStatus::ContainerResource { current, .. }
        | MetricStatus::External { current, .. }
        | MetricStatus::Object { current, .. }
        | MetricStatus::Pods { current, .. }
        | MetricStatus::Resource { current, .. } => Some(current),
        MetricStatus::Failed => None,
    }
}
