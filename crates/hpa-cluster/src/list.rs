//! Lists, read in pieces so that a large namespace needs little memory at a time.

use std::{mem, time::Duration};

use serde::de::DeserializeOwned;

use super::{
    api_error::ResourceName,
    client::{Client, ClientError, Get, HttpAnswer, JSON},
    list_answer::List,
    path::ApiPath,
    protobuf::{self, FromProtobuf},
};

/// The format in which a list is requested.
pub(super) struct ListFormat<T> {
    accept: &'static str,
    decode: fn(&Client, &HttpAnswer) -> Result<List<T>, ClientError>,
}

impl<T: DeserializeOwned> ListFormat<T> {
    /// JSON.
    pub(super) fn json() -> Self {
        Self {
            accept: JSON,
            decode: Client::decode,
        }
    }

    /// Protobuf, or JSON from a server that does not have it.
    pub(super) fn protobuf() -> Self
    where
        T: FromProtobuf,
    {
        Self {
            accept: protobuf::PREFERRED,
            decode: |client, answer| {
                if !protobuf::is(&answer.content_type) {
                    return client.decode(answer);
                }
                let list = protobuf::list(&answer.body);
                list.map_err(|error| ClientError::NoAnswer(client.unparsable(&error)))
            },
        }
    }
}

/// A piece of a list.
pub(super) enum ListPiece<T> {
    /// The next items.
    Items(Vec<T>),
    /// All items follow again, because the server could not continue.
    FromTheStart,
}

impl Client {
    /// Reads all items of a list of the Kubernetes API.
    pub(super) async fn list<T: DeserializeOwned>(
        &self,
        what: &str,
        path: ApiPath,
        about: ResourceName<'_>,
        patience: Option<Duration>,
    ) -> Result<Vec<T>, ClientError> {
        let format = ListFormat::json();
        self.list_as(format, what, path, about, patience).await
    }

    /// Like [`Self::list`], in another format.
    pub(super) async fn list_as<T>(
        &self,
        format: ListFormat<T>,
        what: &str,
        path: ApiPath,
        about: ResourceName<'_>,
        patience: Option<Duration>,
    ) -> Result<Vec<T>, ClientError> {
        let mut items = Vec::new();
        let take = async |piece| match piece {
            ListPiece::Items(more) => items.extend(more),
            ListPiece::FromTheStart => items.clear(),
        };
        self.for_each_piece(format, what, path, about, patience, take)
            .await?;
        Ok(items)
    }

    /// Reads a list of the Kubernetes API and passes on one piece after the other. The next piece is requested once
    /// `take` has processed the previous one.
    pub(super) async fn for_each_piece<T>(
        &self,
        format: ListFormat<T>,
        what: &str,
        path: ApiPath,
        about: ResourceName<'_>,
        patience: Option<Duration>,
        mut take: impl AsyncFnMut(ListPiece<T>),
    ) -> Result<(), ClientError> {
        let in_pieces = path.clone().query("limit", piece(about));
        let mut next = String::new();
        let mut extent = Extent::default();
        loop {
            let get = Get {
                what,
                path: in_pieces
                    .clone()
                    .query_unless_empty("continue", &next)
                    .into_string(),
                about,
                patience,
            };
            match self.answer(&get, format.accept).await {
                Ok(answer) => {
                    let mut piece = (format.decode)(self, &answer)?;
                    let bytes = answer.body.len();
                    drop(answer);
                    let before = mem::replace(&mut next, mem::take(&mut piece.metadata.next));
                    let items = self.items(piece, about)?;
                    let excess = extent.add(items.len(), bytes);
                    take(ListPiece::Items(items)).await;
                    if next.is_empty() {
                        return Ok(());
                    }
                    let is_same = (next == before).then_some(SAME_PLACE);
                    let is_long = (MOST_OF_PLACE < next.len()).then_some(LONG_PLACE);
                    if let Some(why) = is_same.or(is_long).or(excess) {
                        return Err(ClientError::NoAnswer(self.endless(about.resource, why)));
                    }
                }
                // The continue token has expired. Upstream: `ListPager.FullListIfExpired`.
                Err(ClientError::Status(status)) if status.code == 410 && !next.is_empty() => {
                    take(ListPiece::FromTheStart).await;
                    let whole = self.list_whole_as(format, what, path, about, None);
                    take(ListPiece::Items(whole.await?)).await;
                    return Ok(());
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Reads all items of a list without pieces, as those of the metrics APIs, or any list in one request.
    pub(super) async fn list_whole<T: DeserializeOwned>(
        &self,
        what: &str,
        path: ApiPath,
        about: ResourceName<'_>,
        patience: Option<Duration>,
    ) -> Result<Vec<T>, ClientError> {
        let format = ListFormat::json();
        self.list_whole_as(format, what, path, about, patience)
            .await
    }

    /// Like [`Self::list_whole`], in another format.
    pub(super) async fn list_whole_as<T>(
        &self,
        format: ListFormat<T>,
        what: &str,
        path: ApiPath,
        about: ResourceName<'_>,
        patience: Option<Duration>,
    ) -> Result<Vec<T>, ClientError> {
        let get = Get {
            what,
            path: path.into_string(),
            about,
            patience,
        };
        let answer = self.answer(&get, format.accept).await?;
        self.items((format.decode)(self, &answer)?, about)
    }

    /// The items of an answer. An answer that is not a list of these objects is an error, not an empty list, whatever
    /// its status code.
    fn items<T>(&self, list: List<T>, about: ResourceName<'_>) -> Result<Vec<T>, ClientError> {
        let (kind, is_list) = (list.kind.as_str(), is_list_of(&list.kind, about));
        let what = match (list.items, kind) {
            (Some(items), _) if is_list => return Ok(items),
            (_, "") => "something".to_owned(),
            (_, kind) if list.message.is_empty() => format!("a {kind}"),
            (_, kind) => format!("a {kind} ({})", list.message),
        };
        Err(ClientError::NoAnswer(self.no_list(about.resource, &what)))
    }
}

/// Whether this list kind belongs to the resource. Metrics are named after their object, and other groups may name
/// their resources freely.
fn is_list_of(kind: &str, about: ResourceName<'_>) -> bool {
    let Some(item) = kind.strip_suffix("List") else {
        return false;
    };
    let is_of_kubernetes = !about.group.contains('.') || about.group.ends_with(".k8s.io");
    if item.is_empty() || !is_of_kubernetes || about.group.contains("metrics") {
        return true;
    }
    let item = item.to_lowercase();
    let of = |plural: &str, singular: &str| {
        about
            .resource
            .strip_suffix(plural)
            .is_some_and(|stem| item.strip_suffix(singular) == Some(stem))
    };
    of("", "") || of("s", "") || of("es", "") || of("ies", "y")
}

/// The size of a list so far: a broken server must not continue it forever.
#[derive(Default)]
struct Extent {
    pieces: usize,
    empty_pieces: usize,
    items: usize,
    bytes: u64,
}

impl Extent {
    /// Adds a piece. Returns what is wrong if no valid list can continue after it.
    fn add(&mut self, items: usize, bytes: usize) -> Option<&'static str> {
        self.pieces += 1;
        self.empty_pieces += usize::from(items == 0);
        self.items += items;
        self.bytes += bytes as u64;
        if MOST_EMPTY_PIECES < self.empty_pieces {
            Some("more than 100 pieces of it are empty")
        } else if MOST_PIECES < self.pieces {
            Some(TOO_MANY_PIECES)
        } else if MOST_ITEMS < self.items {
            Some("it has more than 1,000,000 items")
        } else if self.bytes + SLACK < self.items as u64 * LEAST_ITEM {
            Some("its items are shorter than any object of Kubernetes")
        } else if MOST_BYTES < self.bytes {
            Some("its pieces have more than 3 GiB together")
        } else {
            None
        }
    }
}

/// Items in one piece.
fn piece(about: ResourceName<'_>) -> &'static str {
    if about.group.is_empty() && about.resource == "events" {
        EVENTS
    } else {
        PIECE
    }
}

/// Items in one piece, as in kubectl.
const PIECE: &str = "500";
/// Events in one piece. They are small, and API servers do not cache them: each piece is a search through etcd.
const EVENTS: &str = "5000";
/// Most pieces without an item: a piece may be empty if its objects were deleted meanwhile.
const MOST_EMPTY_PIECES: usize = 100;
/// The error if a list continues at the same place.
pub(super) const SAME_PLACE: &str = "its continue token repeats";
/// The error for a continue token that is too long.
const LONG_PLACE: &str = "its continue token is longer than 64 KiB";
/// Longest continue token, in bytes: real ones have some hundred.
const MOST_OF_PLACE: usize = 64 << 10;
/// The error for too many pieces.
pub(super) const TOO_MANY_PIECES: &str = "it has more than 10,000 pieces";
/// Most pieces.
pub(super) const MOST_PIECES: usize = 10_000;
/// Most items: the largest clusters have 150,000 pods.
const MOST_ITEMS: usize = 1_000_000;
/// Most bytes of all pieces: 1.5 times those of the most pods.
const MOST_BYTES: u64 = 3 << 30;
/// Least bytes of an item on average: decoded, each takes thousands, however short it is.
const LEAST_ITEM: u64 = 512;
/// The list may fall short of that average by this many bytes.
const SLACK: u64 = 8 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_of_the_largest_cluster_comes_to_its_end() {
        let mut extent = Extent::default();
        for _ in 0..300 {
            assert_eq!(extent.add(500, 500 * 14_000), None);
        }
    }

    #[test]
    fn no_list_goes_on_without_end() {
        for (items, bytes, why) in [
            (0, 100, "more than 100 pieces of it are empty"),
            (1, 100, "it has more than 10,000 pieces"),
            (500, 500 * 600, "it has more than 1,000,000 items"),
            (
                500,
                500 * 100,
                "its items are shorter than any object of Kubernetes",
            ),
            (1, 60 << 20, "its pieces have more than 3 GiB together"),
        ] {
            let mut extent = Extent::default();
            let end = (0..20_000).find_map(|_| extent.add(items, bytes));
            assert_eq!(end, Some(why));
        }
    }
}
