//! How long images of pods took to come.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Images pulled for one pod, as the kubelet's Events tell.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ImagePull {
    /// Name of the pod.
    pub pod: String,
    /// Seconds for all its containers together, waiting included; 0: the images were there already.
    pub seconds: f64,
}
