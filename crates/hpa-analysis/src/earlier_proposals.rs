//! What the metrics recommended in the last sync, inferred from the values in the status.

use std::collections::BTreeSet;

use hpa_engine::{
    engine,
    model::{
        Memory, MetricValueStatus, Observation, Pod, Reading,
        quantity::{Overflow, Quantity},
    },
    trace::{Milli, RatioFormula, Trace},
};
use jiff::{SignedDuration, Timestamp};

use super::{
    if_ready::all_ready,
    probe::{UsageProbe, evaluation, first_ratio, proposal},
    without_pods::remove_pods,
};

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
/// the values in the status, with the replicas of that sync and the current pods, except pods created since. A pod that
/// has just started may have counted in another way then. None if a value is absent, or the replicas moved.
pub(super) fn earlier_proposals(observation: &Observation, now: Timestamp) -> Option<(i32, i32)> {
    let mut observation = without_pods_since_rescale(observation);
    let status = &observation.hpa.status;
    if status.current_metrics.len() != observation.hpa.spec.metrics.len() {
        return None;
    }
    let before = status.current_replicas;
    let mut is_moving = false;
    let has_rescaled = has_rescaled(&observation);
    if let Reading::Read(scale) = &mut observation.scale {
        if has_rescaled {
            scale.status_replicas = before;
        }
        is_moving = !has_rescaled && scale.status_replicas != scale.spec_replicas;
    }
    let trace = engine::decide(&observation, &mut Memory::default(), now);
    let mut ratios = trace.metrics().filter_map(first_ratio);
    if is_moving && ratios.any(|ratio| matches!(ratio, RatioFormula::AveragePerReplica { .. })) {
        return None;
    }
    let (mut least, mut most) = proposals_with(&observation, &trace)?;
    for then in otherwise(&observation, &trace) {
        let trace = engine::decide(&then, &mut Memory::default(), now);
        if let Some((low, high)) = proposals_with(&then, &trace) {
            (least, most) = (least.min(low), most.max(high));
        }
    }
    Some((least, most))
}

/// The lowest and the highest proposal with these pods.
fn proposals_with(observation: &Observation, trace: &Trace) -> Option<(i32, i32)> {
    let status = &observation.hpa.status;
    let mut range = None;
    for (index, value) in status.current_metrics.iter().enumerate() {
        let mut probe = UsageProbe::new(observation, trace, index)?;
        probe.set_current(status.current_replicas);
        let mut proposal_at = |end| {
            let total = total_of(trace, index, value.current()?, end)?;
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

/// What the pods may have been in the last sync, beside what they are now: all counted, or those that may just have
/// become what they are without a sample, or left out.
fn otherwise(observation: &Observation, trace: &Trace) -> Vec<Observation> {
    let settled = engine::before(trace.at, SETTLED);
    let Reading::Read(pods) = &observation.pods else {
        return Vec::new();
    };
    let is_new = |pod: &&Pod| {
        let ready = pod.ready.and_then(|ready| ready.last_transition);
        let times = [pod.created, pod.started, ready];
        !pod.is_ready() || times.into_iter().flatten().any(|at| settled <= at)
    };
    let names: BTreeSet<&str> = pods
        .iter()
        .filter(is_new)
        .map(|pod| pod.name.as_str())
        .collect();
    if names.is_empty() {
        return Vec::new();
    }
    let mut left_out = observation.clone();
    remove_pods(&mut left_out, &names);
    let mut without_samples = left_out.clone();
    without_samples.pods = observation.pods.clone();
    let counted = all_ready(observation, trace).map(|(_, counted)| counted);
    [left_out, without_samples]
        .into_iter()
        .chain(counted)
        .collect()
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

/// After this time a pod that is ready has samples of that time, and a new one would have had them before.
const SETTLED: SignedDuration = SignedDuration::from_mins(2);

#[cfg(test)]
mod tests {
    use hpa_engine::model::{
        ControllerConfig, HpaSpec, Input, KubeVersion, MetricSpec, MetricStatus, MetricTarget,
        PodMetrics, ResourceSource, Scale, ScaleTargetRef, quantity::Format,
    };

    use super::*;
    use crate::{testing::at, without_metrics};

    /// Four pods of one core, one of which became ready before `seconds`. The status of the last sync has 200% of a
    /// target of 50%.
    fn proposals(seconds: i64) -> Option<(i32, i32)> {
        let now = at(3600);
        let target = ScaleTargetRef {
            api_version: None,
            kind: "Deployment".to_owned(),
            name: "web".to_owned(),
        };
        let cpu = ResourceSource {
            name: "cpu".to_owned(),
            metric_target: MetricTarget {
                target_type: "Utilization".to_owned(),
                average_utilization: Some(50),
                ..MetricTarget::default()
            },
        };
        let spec = HpaSpec::new(target, 40, vec![MetricSpec::Resource(cpu)]);
        let version = Input::assumed(KubeVersion::NEWEST);
        let mut observation = without_metrics(&spec, &ControllerConfig::defaults(version));
        observation.hpa.spec = spec;
        let core = Quantity::from_milli(1000, Format::DecimalSI);
        let pod = |(index, since): (usize, i64)| {
            Pod::ready(format!("web-{index}"), [("app", "web")], at(3600 - since))
                .requesting("cpu", core.clone())
        };
        let pods: Vec<Pod> = [3000, 3000, 3000, seconds]
            .into_iter()
            .enumerate()
            .map(pod)
            .collect();
        let sample = |pod: &Pod| PodMetrics::new(pod.name.clone(), at(3595), "cpu", core.clone());
        observation.pod_metrics = Reading::Read(pods.iter().map(sample).collect());
        observation.pods = Reading::Read(pods.into_iter().collect());
        observation.scale = Reading::Read(Scale::new(4, "app=web"));
        let status = &mut observation.hpa.status;
        (status.current_replicas, status.desired_replicas) = (4, 4);
        status.current_metrics = vec![MetricStatus::Resource {
            name: "cpu".to_owned(),
            current: MetricValueStatus {
                average_utilization: Some(200),
                ..MetricValueStatus::default()
            },
        }];
        earlier_proposals(&observation, now)
    }

    #[test]
    fn pod_that_has_just_started_may_not_have_counted_in_the_last_sync() {
        let settled = proposals(600).unwrap();
        assert_eq!(settled, (16, 16));
        // Then three had 200% each, and the fourth counted as 0.
        assert_eq!(proposals(60), Some((12, 16)));
    }
}
