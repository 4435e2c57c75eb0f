//! Answers of the API server: items, or an error instead.

use hpa_engine::model::{ApiError, Shared};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::null_is_empty;

/// The answer to a list request: `items`, or `error` instead.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "AnswerOf{T}")]
pub struct Answer<T> {
    /// The items; absent: none.
    #[serde(
        default,
        deserialize_with = "null_is_empty",
        skip_serializing_if = "Vec::is_empty"
    )]
    #[serde(bound(deserialize = "T: Deserialize<'de>"))]
    pub items: Shared<T>,
    /// The error of the list request; the controller gets the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ApiError>,
}

/// The answer for the metric at `index` of `spec.metrics`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "IndexedAnswerOf{T}")]
pub struct IndexedAnswer<T> {
    /// Index in `spec.metrics`, from 0.
    pub index: usize,
    /// The items; absent: none.
    #[serde(
        default,
        deserialize_with = "null_is_empty",
        skip_serializing_if = "Vec::is_empty"
    )]
    #[serde(bound(deserialize = "T: Deserialize<'de>"))]
    pub items: Shared<T>,
    /// The error of the request; the controller gets the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ApiError>,
}

impl<T> Answer<T> {
    /// An answer with items.
    pub fn of(items: impl Into<Shared<T>>) -> Self {
        Self {
            items: items.into(),
            error: None,
        }
    }

    /// An answer with an error.
    pub fn refused(error: ApiError) -> Self {
        Self {
            items: Shared::default(),
            error: Some(error),
        }
    }

    /// The same answer, for the metric at `index` of `spec.metrics`.
    pub fn at(self, index: usize) -> IndexedAnswer<T> {
        IndexedAnswer {
            index,
            items: self.items,
            error: self.error,
        }
    }
}
