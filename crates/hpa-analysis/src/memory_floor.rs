//! How far a metric can scale down if its resource does not fall with the load, such as memory.

use std::collections::BTreeSet;

use hpa_engine::{
    engine,
    model::{Memory, Observation, Reading},
    trace::{ClassifiedPod, Milli, PodClass, Trace},
};

use super::probe::{evaluation, groups, proposal, set_total};

/// How far a metric scales down if no pod ever uses less than the lowest usage now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UsageFloor {
    /// Usage of the counted pod that uses least.
    pub floor: Milli,
    /// The fewest replicas that the metric recommends if every pod falls to `floor`, sync after sync.
    pub replicas: i32,
    /// Whether no number of replicas meets the target: with every pod at `floor` the metric asks for more than there are.
    pub is_above_target: bool,
}

/// The fewest replicas that the metric at `index` would recommend if all pods used as little as the lowest one. None if
/// the metric does not measure pods.
pub fn usage_floor(observation: &Observation, trace: &Trace, index: usize) -> Option<UsageFloor> {
    let ready = ready(trace, index)?;
    let floor = ready.iter().filter_map(|pod| pod.usage).min()?;
    usage_floor_at(observation, trace, index, floor)
}

/// Like [`usage_floor`], if every pod falls to `floor`.
pub fn usage_floor_at(
    observation: &Observation,
    trace: &Trace,
    index: usize,
    floor: Milli,
) -> Option<UsageFloor> {
    let ready = ready(trace, index)?;
    let pods = observation.pods.read()?;
    let names: Vec<&str> = ready
        .iter()
        .filter_map(|pod| Some(pods.get(pod.pod)?.name.as_str()))
        .collect();
    let mut replicas = i32::try_from(names.len()).ok()?;
    loop {
        let kept: BTreeSet<String> = names
            .iter()
            .take(usize::try_from(replicas).ok()?)
            .map(|name| (*name).to_owned())
            .collect();
        let proposal = proposed_by(observation, trace, index, &kept, floor)?;
        if replicas <= proposal || proposal < 1 {
            return Some(UsageFloor {
                floor,
                replicas,
                is_above_target: replicas < proposal,
            });
        }
        replicas = proposal;
    }
}

/// Whether all metrics but the one at `index` ask for fewer than `current` replicas, so that the pods are nearly idle. None
/// if there are no others: one read does not separate idle usage from load.
pub fn do_others_ask_for_fewer(trace: &Trace, index: usize, current: i32) -> Option<bool> {
    let mut others = trace
        .metrics()
        .filter(|metric| metric.index != index)
        .peekable();
    others.peek()?;
    Some(others.all(|metric| proposal(metric).is_some_and(|replicas| replicas < current)))
}

fn ready(trace: &Trace, index: usize) -> Option<Vec<&ClassifiedPod>> {
    let groups = groups(evaluation(trace, index)?)?;
    let counted = groups
        .pods
        .iter()
        .filter(|pod| pod.class == PodClass::Ready);
    Some(counted.collect())
}

/// What the metric alone recommends with these pods, each at `floor`, with as many replicas as pods.
fn proposed_by(
    observation: &Observation,
    trace: &Trace,
    index: usize,
    kept: &BTreeSet<String>,
    Milli(floor): Milli,
) -> Option<i32> {
    let replicas = i32::try_from(kept.len()).ok()?;
    let mut world = observation.clone();
    let spec = &mut world.hpa.spec;
    spec.metrics = vec![spec.metrics.get(index)?.clone()];
    (spec.min_replicas, spec.max_replicas) = (Some(1), replicas.max(1));
    if let Reading::Read(scale) = &mut world.scale {
        (scale.spec_replicas, scale.status_replicas) = (replicas, replicas);
    }
    if let Reading::Read(pods) = &mut world.pods {
        pods.retain(|pod| kept.contains(&pod.name));
    }
    if let Reading::Read(samples) = &mut world.pod_metrics {
        samples.retain(|sample| kept.contains(&sample.name));
    }
    let total = floor.checked_mul(replicas.into())?;
    set_total(&mut world, 0, kept, Milli(total));
    let after = engine::decide(&world, &mut Memory::default(), trace.at);
    proposal(evaluation(&after, 0)?)
}
