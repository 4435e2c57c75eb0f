//! Which metrics an adapter says it has.

/// The discovery of the custom or the external metrics API, as far as it has to do with the HPA.
// It is asked where a metric of that API gave no value.
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
    /// Those whose names are like that of a metric of the HPA, sorted: `pods/http_requests`, `queue_depth`.
    pub similar: Vec<String>,
    /// Why there is no list.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub error: Option<String>,
}
