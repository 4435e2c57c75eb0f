//! Changes the pods matched by the selector: all ready, or without pods that are not counted or have other owners.

use std::collections::BTreeSet;

use hpa_engine::{
    model::{Observation, Reading},
    trace::{PodClass, Trace},
};

use super::{Alteration, AlterationKind, Today, Whose};
use crate::{foreign::foreign_pods, if_ready::all_ready, probe::groups};

/// The pod alterations that apply to this observation.
pub(super) fn alterations(
    today: Today<'_>,
    includes: &impl Fn(AlterationKind) -> bool,
) -> Vec<Alteration> {
    let (observation, trace) = (today.observation, &today.analysis.trace);
    let mut found = Vec::new();
    let without = |whose, pods: Vec<String>| {
        (!pods.is_empty()).then_some(Alteration::WithoutPods { whose, pods })
    };
    if includes(AlterationKind::ForeignPods) {
        let pods = foreign_pods(observation, today.context)
            .into_iter()
            .map(|pod| pod.name.clone())
            .collect();
        found.extend(without(Whose::Foreign, pods));
    }
    if includes(AlterationKind::PodsReady)
        && let Some((pods, _)) = all_ready(observation, trace)
    {
        found.push(Alteration::PodsReady { pods });
    }
    if includes(AlterationKind::AbsentPods) {
        found.extend(without(Whose::Absent, absent_pods(observation, trace)));
    }
    found
}

/// The names of the pods that a metric does not count, although they are neither failed nor terminating.
fn absent_pods(observation: &Observation, trace: &Trace) -> Vec<String> {
    let Reading::Read(pods) = &observation.pods else {
        return Vec::new();
    };
    let absent: BTreeSet<usize> = trace
        .metrics()
        .filter_map(groups)
        .flat_map(|groups| &groups.pods)
        .filter(|pod| matches!(pod.class, PodClass::Missing | PodClass::Unready))
        .map(|pod| pod.pod)
        .collect();
    absent
        .into_iter()
        .filter_map(|index| Some(pods.get(index)?.name.clone()))
        .collect()
}
