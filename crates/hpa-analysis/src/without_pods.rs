//! The decision without some of the selected pods.

use std::collections::BTreeSet;

use hpa_engine::{
    engine,
    model::{Memory, MetricSpec, Observation, Reading},
    trace::Trace,
};
use jiff::Timestamp;

/// Decides as if the pods named `names` and all their samples did not exist. `memory` is what the controller remembers
/// before the sync.
pub fn without_pods(
    observation: &Observation,
    memory: &Memory,
    now: Timestamp,
    names: &BTreeSet<&str>,
) -> Trace {
    let mut world = observation.clone();
    remove_pods(&mut world, names);
    engine::decide(&world, &mut memory.clone(), now)
}

/// Removes pods and all their samples.
pub(super) fn remove_pods(world: &mut Observation, names: &BTreeSet<&str>) {
    if let Reading::Read(pods) = &mut world.pods {
        pods.retain(|pod| !names.contains(pod.name.as_str()));
    }
    if let Reading::Read(samples) = &mut world.pod_metrics {
        samples.retain(|sample| !names.contains(sample.name.as_str()));
    }
    let specs = &world.hpa.spec.metrics;
    for answer in &mut world.custom_metrics {
        let is_of_pods = specs.get(answer.index).is_some_and(MetricSpec::is_pods);
        if is_of_pods && let Reading::Read(values) = &mut answer.answer {
            values.retain(|value| !names.contains(value.object.as_str()));
        }
    }
}
