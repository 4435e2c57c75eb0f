//! The answer to a list request.

use serde::Deserialize;

/// The answer to a list request.
#[derive(Deserialize)]
pub(super) struct List<T> {
    #[serde(default)]
    pub(super) kind: String,
    /// That of a `Status`, which is no list.
    #[serde(default)]
    pub(super) message: String,
    #[serde(default)]
    pub(super) metadata: ListMeta,
    /// `None` if the field is missing.
    #[serde(
        default = "Option::default",
        deserialize_with = "null_is_empty",
        bound(deserialize = "T: Deserialize<'de>")
    )]
    pub(super) items: Option<Vec<T>>,
}

impl<T> List<T> {
    /// A list of this kind, without items.
    pub(super) fn of_kind(kind: String) -> Self {
        Self {
            kind,
            message: String::new(),
            metadata: ListMeta::default(),
            items: None,
        }
    }
}

/// `metadata` of a list.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct ListMeta {
    /// `continue`: where the next piece begins; empty: there is none.
    #[serde(rename = "continue")]
    pub(super) next: String,
}

/// An existing list. `null` is an empty one, as in Go.
fn null_is_empty<'de, D, T>(deserializer: D) -> Result<Option<Vec<T>>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Deserialize<'de>,
{
    let items: Option<Vec<T>> = Option::deserialize(deserializer)?;
    Ok(Some(items.unwrap_or_default()))
}
