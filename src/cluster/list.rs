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

/// A part of a list.
pub(super) enum Piece<T> {
    /// The next items.
    Items(Vec<T>),
    /// All items follow again: the server could not go on where it was.
    FromTheStart,
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
        let mut items = Vec::new();
        self.for_each_piece(what, path, about, patience, |piece| match piece {
            Piece::Items(more) => items.extend(more),
            Piece::FromTheStart => items.clear(),
        })
        .await?;
        Ok(items)
    }

    /// Reads a list of the Kubernetes API and hands over one piece after the other.
    pub(super) async fn for_each_piece<T: DeserializeOwned>(
        &self,
        what: &str,
        path: ApiPath,
        about: ResourceName<'_>,
        patience: Option<Duration>,
        mut take: impl FnMut(Piece<T>),
    ) -> Result<(), ReadError> {
        let in_pieces = path.clone().query("limit", PIECE);
        let mut next = String::new();
        loop {
            let piece: Result<List<T>, ReadError> = self
                .get(&Get {
                    what,
                    path: in_pieces
                        .clone()
                        .query_unless_empty("continue", &next)
                        .into_string(),
                    about,
                    patience,
                })
                .await;
            match piece {
                Ok(piece) => {
                    take(Piece::Items(piece.items));
                    next = piece.metadata.next;
                    if next.is_empty() {
                        return Ok(());
                    }
                }
                // The server has forgotten where the list was. Upstream: `ListPager.FullListIfExpired`.
                Err(ReadError::Status(status)) if status.code == 410 && !next.is_empty() => {
                    take(Piece::FromTheStart);
                    take(Piece::Items(
                        self.list_whole(what, path, about, None).await?,
                    ));
                    return Ok(());
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Reads all items of a list that knows no pieces, as those of the metrics APIs, or any list at once.
    pub(super) async fn list_whole<T: DeserializeOwned>(
        &self,
        what: &str,
        path: ApiPath,
        about: ResourceName<'_>,
        patience: Option<Duration>,
    ) -> Result<Vec<T>, ReadError> {
        let list: List<T> = self
            .get(&Get {
                what,
                path: path.into_string(),
                about,
                patience,
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
