//! What would be decided without some of the pods behind the selector.

use std::collections::BTreeSet;

use jiff::Timestamp;

use crate::{
    engine,
    model::{Memory, MetricSpec, Observation, Reading},
    trace::Trace,
};

/// Lets the engine decide as if the pods called `names` did not exist: neither they nor anything measured of them.
/// `memory` is what the controller remembers before.
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

/// Takes pods away, and all that was measured of them.
pub(super) fn remove_pods(world: &mut Observation, names: &BTreeSet<&str>) {
    if let Reading::Read(pods) = &mut world.pods {
        pods.retain(|pod| !names.contains(pod.name.as_str()));
    }
    if let Reading::Read(samples) = &mut world.pod_metrics {
        samples.retain(|sample| !names.contains(sample.name.as_str()));
    }
    let specs = &world.hpa.spec.metrics;
    for answer in &mut world.custom_metrics {
        let is_of_pods = matches!(specs.get(answer.index), Some(MetricSpec::Pods(_)));
        if is_of_pods && let Reading::Read(values) = &mut answer.answer {
            values.retain(|value| !names.contains(value.object.as_str()));
        }
    }
}
