//! Which metrics an adapter says it has.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model;

/// The discovery of the custom or the external metrics API, as far as it has to do with the HPA.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

impl From<&MetricList> for model::MetricList {
    fn from(list: &MetricList) -> Self {
        Self {
            group: list.group.clone(),
            version: list.version.clone(),
            listed: list.listed,
            similar: list.similar.clone(),
            error: list.error.clone(),
        }
    }
}
