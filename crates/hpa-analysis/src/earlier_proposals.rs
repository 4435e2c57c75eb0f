//! What the metrics recommended in the last sync, inferred from the values in the status.

use std::collections::BTreeSet;

use hpa_engine::{
    engine,
    model::{
        Memory, MetricStatus, MetricValueStatus, Observation, Pod, Reading,
        quantity::{Overflow, Quantity},
    },
    trace::{Milli, RatioFormula, Trace},
};
use jiff::Timestamp;

use super::probe::{UsageProbe, evaluation, first_ratio, proposal};

/// Which end of the range that a rounded status value covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundingEnd {
    /// The lowest usage that rounds to the value.
    Least,
    /// If one value is averaged over the replicas, the whole number in the range. Otherwise halfway between both ends.
    Middle,
    /// The highest usage that rounds to the value.
    Most,
}

impl RoundingEnd {
    /// Both ends.
    pub const BOTH: [Self; 2] = [Self::Least, Self::Most];
    /// Both ends, the middle first.
    pub const ALL: [Self; 3] = [Self::Middle, Self::Least, Self::Most];
}

/// The lowest and the highest recommendation in the last sync: the engine's proposals for every usage that rounds to
/// the values in the status, with the replicas of that sync and the current pods, except pods created since. None if a
/// value is absent.
pub(super) fn earlier_proposals(observation: &Observation, now: Timestamp) -> Option<(i32, i32)> {
    let mut observation = without_pods_since_rescale(observation);
    let status = observation.hpa.status.clone();
    if status.current_metrics.len() != observation.hpa.spec.metrics.len() {
        return None;
    }
    if let (true, Reading::Read(scale)) = (has_rescaled(&observation), &mut observation.scale) {
        scale.status_replicas = status.current_replicas;
    }
    let trace = engine::decide(&observation, &mut Memory::default(), now);
    let mut range = None;
    for (index, value) in status.current_metrics.iter().enumerate() {
        let mut probe = UsageProbe::new(&observation, &trace, index)?;
        probe.set_current(status.current_replicas);
        let mut proposal_at = |end| {
            let total = total_of(&trace, index, value_of(value)?, end)?;
            proposal(&probe.at(total)?)
        };
        let (one, other) = (
            proposal_at(RoundingEnd::Least)?,
            proposal_at(RoundingEnd::Most)?,
        );
        let (least, most) = range.unwrap_or((one, one));
        range = Some((least.max(one.min(other)), most.max(one.max(other))));
    }
    range
}

/// Whether the last sync changed the replicas: its status still has the number from before.
fn has_rescaled(observation: &Observation) -> bool {
    let status = &observation.hpa.status;
    status.current_replicas != status.desired_replicas
}

/// The observation without the pods created by the last rescale: they did not affect it.
pub(super) fn without_pods_since_rescale(observation: &Observation) -> Observation {
    let last = observation.hpa.status.last_scale_time;
    match last.filter(|_| has_rescaled(observation)) {
        Some(at) => without_pods_created_since(observation, at),
        None => observation.clone(),
    }
}

/// The observation without the pods created at `at` or later.
pub(super) fn without_pods_created_since(observation: &Observation, at: Timestamp) -> Observation {
    let mut observation = observation.clone();
    let Reading::Read(pods) = &mut observation.pods else {
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

/// The total usage at `end` for which the metric at `index` shows the values in the status.
pub(super) fn total_of(
    trace: &Trace,
    index: usize,
    value: &MetricValueStatus,
    end: RoundingEnd,
) -> Option<Milli> {
    if end == RoundingEnd::Middle {
        let Milli(least) = total_of(trace, index, value, RoundingEnd::Least)?;
        let Milli(most) = total_of(trace, index, value, RoundingEnd::Most)?;
        return Some(Milli(least.midpoint(most)));
    }
    let milli = |quantity: &Option<Quantity>| {
        quantity
            .as_ref()
            .map(|quantity| quantity.milli_value(Overflow::Saturate))
    };
    let total = match *first_ratio(evaluation(trace, index)?)? {
        // Rounded up.
        RatioFormula::AveragePerReplica {
            status_replicas, ..
        } => {
            let replicas = i64::from(status_replicas);
            let most = milli(&value.average_value)?.checked_mul(replicas)?;
            match end {
                RoundingEnd::Least if 0 < most => most.saturating_sub(replicas.saturating_sub(1)),
                _ => most,
            }
        }
        // Truncated.
        RatioFormula::PodAverage { pods, .. } => {
            let pods = i64::try_from(pods).ok()?;
            let least = milli(&value.average_value)?.checked_mul(pods)?;
            match end {
                RoundingEnd::Least => least,
                _ => least.checked_add(pods.saturating_sub(1))?,
            }
        }
        // Truncated to whole percent.
        RatioFormula::Utilization {
            requests: Milli(requests),
            ..
        } => {
            let percent = i64::from(value.average_utilization?);
            let least_at =
                |percent: i64| Some(requests.checked_mul(percent)?.checked_add(99)? / 100);
            match end {
                RoundingEnd::Least => least_at(percent)?,
                _ => least_at(percent.checked_add(1)?)?.saturating_sub(1),
            }
        }
        RatioFormula::Value { .. } => milli(&value.value)?,
    };
    Some(Milli(total))
}

/// The values of one metric in the status. None if it failed.
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
