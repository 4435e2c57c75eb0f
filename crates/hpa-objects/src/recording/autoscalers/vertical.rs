//! The `VerticalPodAutoscaler`.

use serde::Deserialize;
use serde_json::Value;

use super::pointer::at;
use crate::recording::wire::{ResourceList, VerticalAutoscaler};

/// Fields of a `VerticalPodAutoscaler` besides its update mode.
pub fn vertical(object: &Value) -> VerticalAutoscaler {
    let recommendations: Vec<VpaRecommendation> =
        at(object, "/status/recommendation/containerRecommendations").unwrap_or_default();
    VerticalAutoscaler {
        policies: at(object, "/spec/resourcePolicy/containerPolicies").unwrap_or_default(),
        recommendations: recommendations
            .into_iter()
            .map(|one| {
                let texts = one.target.into_iter();
                let texts = texts.map(|(resource, quantity)| (resource, quantity.0));
                (one.container_name, texts.collect())
            })
            .collect(),
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct VpaRecommendation {
    container_name: String,
    #[serde(default)]
    target: ResourceList,
}
