//! The scale subresource.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `autoscaling/v1` Scale.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Scale {
    /// `spec`.
    #[serde(default)]
    pub spec: ScaleSpec,
    /// `status`.
    #[serde(default)]
    pub status: ScaleStatus,
}

/// `spec` of a Scale.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ScaleSpec {
    /// `replicas`; absent: 0.
    #[serde(default)]
    pub replicas: i32,
}

/// `status` of a Scale.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ScaleStatus {
    /// `replicas`; absent: 0.
    #[serde(default)]
    pub replicas: i32,
    /// `selector`, a label selector in its string form; absent: empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub selector: String,
}
