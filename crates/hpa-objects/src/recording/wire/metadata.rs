//! `metadata` of an object.

use std::collections::BTreeMap;

use hpa_engine::model::Labels;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use super::{null_is_empty, short_list};
use crate::recording::marks;

/// `metav1.ObjectMeta`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ObjectMeta {
    /// `name`.
    pub name: String,
    /// `namespace`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// `generation`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generation: Option<i64>,
    /// `creationTimestamp`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub creation_timestamp: Option<Timestamp>,
    /// `deletionTimestamp`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deletion_timestamp: Option<Timestamp>,
    /// `labels`.
    #[serde(
        default,
        deserialize_with = "null_is_empty",
        skip_serializing_if = "BTreeMap::is_empty"
    )]
    pub labels: Labels,
    /// `annotations`: only those with the prefix `autoscaling.alpha.kubernetes.io/` or `kubectl-hpa/`, `helm.sh/hook`,
    /// and those that name the object's manager.
    #[serde(
        default,
        deserialize_with = "annotations_that_matter",
        skip_serializing_if = "BTreeMap::is_empty"
    )]
    pub annotations: BTreeMap<String, String>,
    /// `ownerReferences`.
    #[serde(
        default,
        deserialize_with = "short_list",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub owner_references: Vec<OwnerReference>,
}

/// `metav1.OwnerReference`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnerReference {
    /// `kind`.
    pub kind: String,
    /// `name`.
    pub name: String,
    /// `controller`: whether this owner manages the object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub controller: Option<bool>,
}

/// The annotation on pods that test or prepare a Helm release.
pub const HELM_HOOK: &str = "helm.sh/hook";

/// Prefixes of the annotations that are kept: `autoscaling/v1` stores parts of the spec in the first.
const ANNOTATION_PREFIXES: [&str; 2] = ["autoscaling.alpha.kubernetes.io/", "kubectl-hpa/"];

fn annotations_that_matter<'de, D>(deserializer: D) -> Result<BTreeMap<String, String>, D::Error>
where
    D: Deserializer<'de>,
{
    let mut annotations: BTreeMap<String, String> = null_is_empty(deserializer)?;
    annotations.retain(|name, _| is_kept_annotation(name));
    Ok(annotations)
}

/// Whether an annotation is kept.
pub fn is_kept_annotation(name: &str) -> bool {
    name == HELM_HOOK
        || marks::is_mark(name)
        || ANNOTATION_PREFIXES
            .iter()
            .any(|prefix| name.starts_with(prefix))
}
