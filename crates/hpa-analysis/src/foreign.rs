//! Pods that the selector matches but that do not belong to the scale target.

use hpa_engine::model::{Context, Observation, Pod};

use super::{Belonging, ownership, selected_pods::selected_pods};

/// The pods of the target: those that its selector matches, without the [pods of others](foreign_pods). Pods whose owners
/// were not read may be among them.
pub fn own_pods<'a>(observation: &'a Observation, context: &Context) -> Vec<&'a Pod> {
    let is_other = |pod: &Pod| ownership(pod, observation, context).belonging == Belonging::Other;
    let pods = selected_pods(observation);
    let own: Vec<&Pod> = pods.iter().copied().filter(|pod| !is_other(pod)).collect();
    if own.is_empty() { pods } else { own }
}

/// The selected pods whose owners do not lead to the scale target, in the order of the observation.
///
/// Includes a pod only if that is certain. It is not if an owner between the pod and the target was not read. It is not
/// if no pod at all may belong to the target either, as in a recording without owners, or with kinds that do not own
/// their pods.
pub fn foreign_pods<'a>(observation: &'a Observation, context: &Context) -> Vec<&'a Pod> {
    let mut pods = selected_pods(observation);
    let selected = pods.len();
    pods.retain(|pod| ownership(pod, observation, context).belonging == Belonging::Other);
    if pods.len() == selected {
        pods.clear();
    }
    pods
}
