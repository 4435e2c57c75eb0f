//! The result of a read.

use crate::model::SnapshotField;

/// The result of a read.
#[derive(Clone, Debug, PartialEq)]
pub enum Reading<T> {
    /// It was read.
    Read(T),
    /// The controller gets the same error.
    Failed(ApiError),
    /// We could not read it. This does not show whether the controller could.
    NotRead(NotRead),
}

impl<T> Reading<T> {
    /// The value, if it was read.
    pub fn read(&self) -> Option<&T> {
        match self {
            Self::Read(value) => Some(value),
            Self::Failed(_) | Self::NotRead(_) => None,
        }
    }

    /// Why we could not read it, if so.
    pub fn not_read(&self) -> Option<&NotRead> {
        match self {
            Self::NotRead(not_read) => Some(not_read),
            Self::Read(_) | Self::Failed(_) => None,
        }
    }
}

/// `metav1.Status`: the API server's refusal.
// As the controller gets it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, schemars::JsonSchema, serde::Serialize),
    serde(rename = "Status")
)]
pub struct ApiError {
    /// `message`.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "String::is_empty")
    )]
    pub message: String,
    /// `reason`, such as `NotFound`.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "String::is_empty")
    )]
    pub reason: String,
    /// `code`, the HTTP status.
    #[cfg_attr(feature = "serde", serde(default))]
    pub code: u16,
}

/// What we could not read. This does not show whether the controller could.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, schemars::JsonSchema, serde::Serialize),
    serde(rename_all = "camelCase")
)]
pub struct NotRead {
    /// The snapshot field that is missing: `scale`, `pods`, `podMetrics`, `customMetrics[1]`, …
    #[cfg_attr(feature = "serde", schemars(with = "String"))]
    pub what: SnapshotField,
    /// Why it could not be read.
    // A sentence fragment.
    pub why: String,
    /// What the user can do about it.
    // Such as the missing RBAC rule.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub remedy: Option<String>,
    /// Whether the user lacks a permission, which `remedy` names.
    // As opposed to an object in a file, for example.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "std::ops::Not::not")
    )]
    pub is_forbidden: bool,
}
