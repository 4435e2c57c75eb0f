//! The pods that the selector of the scale matches.

use hpa_engine::model::{Observation, Pod, Selector, label_selector::Wording};

/// The pods that the selector of the scale matches, in the order of the observation. Empty if scale or pods were not
/// read, or if the selector is empty or invalid: the controller then reads no pods.
pub fn selected_pods(observation: &Observation) -> Vec<&Pod> {
    let (Some(scale), Some(pods)) = (observation.scale.read(), observation.pods.read()) else {
        return Vec::new();
    };
    let wording = Wording::of(observation.controller.version.value);
    match Selector::parse(&scale.selector, wording) {
        Ok(selector) if !scale.selector.is_empty() => pods
            .iter()
            .filter(|pod| selector.matches(&pod.labels))
            .collect(),
        _ => Vec::new(),
    }
}
