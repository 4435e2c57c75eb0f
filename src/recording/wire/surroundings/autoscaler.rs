//! Another autoscaler beside the HPA.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model;

/// An object of another autoscaler that has to do with the HPA or its target.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Autoscaler {
    /// `apiVersion`.
    pub api_version: String,
    /// `kind`, such as `ScaledObject`.
    pub kind: String,
    /// `metadata.name`.
    pub name: String,
}

impl From<&Autoscaler> for model::Autoscaler {
    fn from(autoscaler: &Autoscaler) -> Self {
        Self {
            api_version: autoscaler.api_version.clone(),
            kind: autoscaler.kind.clone(),
            name: autoscaler.name.clone(),
        }
    }
}
