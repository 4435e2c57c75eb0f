//! Pods behind the selector that do not belong to the scale target.

use super::{Belonging, ownership, selected_pods::selected_pods};
use crate::model::{Context, Observation, Pod};

/// The pods behind the selector whose owners do not lead to the scale target, in the order of the observation.
///
/// A pod is among them only where that is sure: not if an owner between it and the target was not read, and not if no pod
/// at all may belong to the target, as in a recording without owners, or with kinds that do not own their pods.
pub fn foreign_pods<'a>(observation: &'a Observation, context: &Context) -> Vec<&'a Pod> {
    let mut pods = selected_pods(observation);
    let selected = pods.len();
    pods.retain(|pod| ownership(pod, observation, context).belonging == Belonging::Other);
    if pods.len() == selected {
        pods.clear();
    }
    pods
}
