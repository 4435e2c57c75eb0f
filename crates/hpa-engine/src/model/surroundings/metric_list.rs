//! Which metrics an adapter lists.

/// The discovery of the custom or the external metrics API, reduced to what concerns the HPA.
// Read only if a metric of that API gave no value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, schemars::JsonSchema, serde::Serialize),
    serde(rename_all = "camelCase", default)
)]
pub struct MetricList {
    /// API group.
    pub group: String,
    /// Version.
    pub version: String,
    /// How many metrics it lists.
    pub listed: usize,
    /// Metrics with a name similar to one of the HPA's metrics, sorted: `pods/http_requests`, `queue_depth`.
    pub similar: Vec<String>,
    /// Why the list could not be read.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub error: Option<String>,
}
