//! How long images of pods took to come.

use jiff::SignedDuration;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model;

/// Images pulled for one pod, as the kubelet's Events tell.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ImagePull {
    /// Name of the pod.
    pub pod: String,
    /// Seconds for all its containers together, waiting included; 0: the images were there already.
    pub seconds: f64,
}

impl From<&ImagePull> for model::ImagePull {
    fn from(pull: &ImagePull) -> Self {
        Self {
            pod: pull.pod.clone(),
            // What no duration can hold was refused with the observation.
            took: SignedDuration::try_from_secs_f64(pull.seconds).unwrap_or_default(),
        }
    }
}
