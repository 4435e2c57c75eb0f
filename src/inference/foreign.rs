//! Pods behind the selector that do not belong to the scale target.

use crate::model::{
    Context, IntermediateOwner, Observation, Owner, Pod, Selector, label_selector::Wording,
};

/// The names of the pods behind the selector whose owners do not lead to the scale target, in the order of the
/// observation.
///
/// A pod is named only where that is sure: not if an owner between it and the target was not read, and not if no pod at
/// all may belong to the target, as in a recording without owners, or with kinds that do not own their pods.
pub fn foreign_pods(observation: &Observation, context: &Context) -> Vec<String> {
    let (Some(scale), Some(pods)) = (observation.scale.read(), observation.pods.read()) else {
        return Vec::new();
    };
    let wording = Wording::of(observation.controller.version.value);
    let Ok(selector) = Selector::parse(&scale.selector, wording) else {
        return Vec::new();
    };
    let selected = || {
        pods.iter()
            .filter(|pod| !scale.selector.is_empty() && selector.matches(&pod.labels))
    };
    let of = |pod: &Pod| belonging(observation, context, pod);
    if selected().all(|pod| of(pod) == Belonging::Others) {
        return Vec::new();
    }
    selected()
        .filter(|pod| of(pod) == Belonging::Others)
        .map(|pod| pod.name.clone())
        .collect()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Belonging {
    Others,
    Target,
    Unknown,
}

fn belonging(observation: &Observation, context: &Context, pod: &Pod) -> Belonging {
    let target = &observation.hpa.spec.scale_target;
    let Some(Owner { kind, name }) = &pod.owner else {
        return Belonging::Others;
    };
    if *kind == target.kind && *name == target.name {
        return Belonging::Target;
    }
    let between: &[IntermediateOwner] = context
        .target
        .as_ref()
        .map_or(&[], |target| &target.intermediate_owners);
    let owner = between
        .iter()
        .find(|owner| owner.kind == *kind && owner.name == *name);
    match owner {
        Some(owner) if owner.owner_kind == target.kind && owner.owner_name == target.name => {
            Belonging::Target
        }
        None if BETWEEN.contains(&kind.as_str()) => Belonging::Unknown,
        Some(_) | None => Belonging::Others,
    }
}

/// Kinds that stand between a pod and what is scaled.
const BETWEEN: [&str; 2] = ["ReplicaSet", "ReplicationController"];
