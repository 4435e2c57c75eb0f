//! Pods behind the selector that do not belong to the scale target.

use super::{Belonging, ownership};
use crate::model::{Context, Observation, Pod, Selector, label_selector::Wording};

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
    let is_others = |pod: &Pod| ownership(pod, observation, context).belonging == Belonging::Other;
    if selected().all(is_others) {
        return Vec::new();
    }
    selected()
        .filter(|pod| is_others(pod))
        .map(|pod| pod.name.clone())
        .collect()
}
