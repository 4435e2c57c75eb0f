//! How long it took to pull images of pods.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The image pulls of one pod, from the kubelet's Events.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ImagePull {
    /// Name of the pod.
    pub pod: String,
    /// Total seconds for all its containers, including waiting; 0: the images were present already.
    pub seconds: f64,
}
