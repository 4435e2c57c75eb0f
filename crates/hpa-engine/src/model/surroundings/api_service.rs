//! Which Service serves an API of the aggregation layer.

use jiff::Timestamp;

/// An `APIService` of a metrics API.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, schemars::JsonSchema, serde::Serialize),
    serde(rename_all = "camelCase", default)
)]
pub struct ApiService {
    /// `metadata.name`, such as `v1beta1.metrics.k8s.io`.
    pub name: String,
    /// `spec.group`.
    pub group: String,
    /// `spec.version`.
    pub version: String,
    /// `namespace/name` of the backing Service. Absent if the API server serves it itself.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub service: Option<String>,
    /// Whether the condition `Available` is true. Absent if there is no condition.
    #[cfg_attr(
        feature = "serde",
        serde(rename = "available", skip_serializing_if = "Option::is_none")
    )]
    pub is_available: Option<bool>,
    /// Its reason.
    pub reason: String,
    /// Its message.
    pub message: String,
    /// Its last transition.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub since: Option<Timestamp>,
}
