//! Lists, in pieces so that a large namespace needs little memory at a time.

use std::time::Duration;

use serde::{Deserialize, de::DeserializeOwned};

use super::{
    api_error::ResourceName,
    client::{Client, Get, ReadError},
    path::ApiPath,
};

/// What a list is answered with.
#[derive(Deserialize)]
pub(super) struct List<T> {
    #[serde(default)]
    metadata: ListMeta,
    #[serde(
        default = "Vec::new",
        deserialize_with = "null_is_empty",
        bound(deserialize = "T: Deserialize<'de>")
    )]
    items: Vec<T>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ListMeta {
    #[serde(rename = "continue")]
    next: String,
}

impl Client {
    /// Reads all items of a list of the Kubernetes API.
    pub(super) async fn list<T: DeserializeOwned>(
        &self,
        what: &str,
        path: ApiPath,
        about: ResourceName<'_>,
        patience: Option<Duration>,
    ) -> Result<Vec<T>, ReadError> {
        let path = path.query("limit", PIECE);
        let mut items = Vec::new();
        let mut next = String::new();
        loop {
            let piece: List<T> = self
                .get(&Get {
                    what,
                    path: path
                        .clone()
                        .query_unless_empty("continue", &next)
                        .into_string(),
                    about,
                    patience,
                })
                .await?;
            items.extend(piece.items);
            next = piece.metadata.next;
            if next.is_empty() {
                return Ok(items);
            }
        }
    }

    /// Reads all items of a list that knows no pieces, as those of the metrics APIs.
    pub(super) async fn list_whole<T: DeserializeOwned>(
        &self,
        what: &str,
        path: ApiPath,
        about: ResourceName<'_>,
    ) -> Result<Vec<T>, ReadError> {
        let list: List<T> = self
            .get(&Get {
                what,
                path: path.into_string(),
                about,
                patience: None,
            })
            .await?;
        Ok(list.items)
    }
}

fn null_is_empty<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Deserialize<'de>,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// Items in one piece, as in kubectl.
const PIECE: &str = "500";
