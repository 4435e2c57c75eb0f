//! Version, flags and gates of the controller.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::null_is_empty;

/// Version, flags and gates of kube-controller-manager. Absent fields have that version's default.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Controller {
    /// Version of Kubernetes: `1.36` or `1.36.3`.
    pub version: String,
    /// Processor architecture in Go's spelling: `amd64` or `arm64`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub architecture: Option<String>,
    /// `--horizontal-pod-autoscaler-sync-period`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sync_period_seconds: Option<f64>,
    /// `--horizontal-pod-autoscaler-downscale-stabilization`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub downscale_stabilization_seconds: Option<f64>,
    /// `--horizontal-pod-autoscaler-tolerance`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
    /// `--horizontal-pod-autoscaler-cpu-initialization-period`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_initialization_period_seconds: Option<f64>,
    /// `--horizontal-pod-autoscaler-initial-readiness-delay`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub initial_readiness_delay_seconds: Option<f64>,
    /// Feature gates that are set. Those that the HPA controller does not read are ignored.
    #[serde(
        default,
        deserialize_with = "null_is_empty",
        skip_serializing_if = "BTreeMap::is_empty"
    )]
    pub feature_gates: BTreeMap<String, bool>,
    /// The provenance of a field of this section (`tolerance`) or a gate (`HPAScaleToZero`): `observed`, `given`,
    /// `inferred` or `assumed`. Fields that are present but not named here are `given`.
    #[serde(
        default,
        deserialize_with = "null_is_empty",
        skip_serializing_if = "BTreeMap::is_empty"
    )]
    pub provenance: BTreeMap<String, String>,
}
