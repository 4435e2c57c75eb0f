//! Namespace and name of an HPA.

use std::fmt;

/// Identifies an HPA in its cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(
    feature = "serde",
    derive(schemars::JsonSchema, serde::Serialize),
    serde(rename = "HpaName")
)]
pub struct HpaKey {
    /// Its namespace.
    pub namespace: String,
    /// Its name.
    pub name: String,
}

impl fmt::Display for HpaKey {
    /// `namespace/name`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.namespace, self.name)
    }
}
