//! Lists in protobuf. They cost the API server and this program less than half of what they cost in JSON.
//!
//! A message has only the fields that are read. Their numbers are those of `generated.proto` in k8s.io/api and
//! k8s.io/apimachinery, and never change.

mod metadata;
mod pod;
mod replica_set;
#[cfg(test)]
mod tests;

use hpa_objects::recording::{Excess, SizeBudget};
use hyper::body::Bytes;
use prost::{DecodeError, Message, decode_length_delimiter};

use super::list_answer::List;

/// Protobuf, from servers that have it.
pub(super) const PREFERRED: &str = "application/vnd.kubernetes.protobuf, application/json";

/// Whether an answer of this type is protobuf.
pub(super) fn is(content_type: &str) -> bool {
    content_type.starts_with("application/vnd.kubernetes.protobuf")
}

/// An object of a list that can be in protobuf.
pub(super) trait FromProtobuf: Sized {
    /// Its message.
    type Message: Message + Default;

    /// The number of messages in it: each takes memory, and an empty one only two bytes of an answer.
    fn parts(message: &Self::Message) -> usize;

    /// The object.
    fn from_message(message: Self::Message) -> Self;
}

/// Why an answer in protobuf cannot be used.
#[derive(Debug, thiserror::Error)]
pub(super) enum BadProtobuf {
    /// It is not what the API server sends.
    #[error("it does not begin with \"k8s\"")]
    NoPrefix,
    /// A message is broken.
    #[error(transparent)]
    Broken(#[from] DecodeError),
    /// A field is missing, or ends after its message.
    #[error("it ends early")]
    TooShort,
    /// An object is longer than the API server accepts.
    #[error("an object is longer than {} MiB", LONGEST_OBJECT >> 20)]
    TooLong,
    /// It would fill the memory.
    #[error("it has {0}")]
    TooMuch(#[from] Excess),
}

/// Decodes a list.
pub(super) fn list<T: FromProtobuf>(body: &Bytes) -> Result<List<T>, BadProtobuf> {
    let EnclosedObject { kind, mut content } = object(body)?;
    let mut list = List::of_kind(kind);
    if list.kind == "Status" {
        list.message = StatusMessage::decode(content)?.message;
        return Ok(list);
    }
    let budget = SizeBudget::ANSWER;
    let mut items = Vec::new();
    let mut parts = 0;
    while let Some((number, field)) = next_field(&mut content)? {
        match number {
            1 => list.metadata.next = ListMetaMessage::decode(field)?.next,
            2 if LONGEST_OBJECT < field.len() => return Err(BadProtobuf::TooLong),
            2 => {
                let message = T::Message::decode(field)?;
                parts += T::parts(&message);
                items.push(T::from_message(message));
            }
            _ => {}
        }
        if budget.elements < items.len() {
            return Err(Excess::Elements(budget.elements).into());
        }
        if budget.collections < parts {
            return Err(Excess::Collections(budget.collections).into());
        }
    }
    list.items = Some(items);
    Ok(list)
}

/// The error in an answer: its `metav1.Status`, if it is one.
pub(super) fn status(body: &[u8]) -> Option<StatusMessage> {
    let EnclosedObject { kind, content } = object(&Bytes::copy_from_slice(body)).ok()?;
    (kind == "Status").then(|| StatusMessage::decode(content).ok())?
}

/// An object of any kind.
struct EnclosedObject {
    kind: String,
    content: Bytes,
}

fn object(body: &Bytes) -> Result<EnclosedObject, BadProtobuf> {
    if !body.starts_with(PREFIX) {
        return Err(BadProtobuf::NoPrefix);
    }
    let Envelope { type_meta, raw } = Envelope::decode(body.slice(PREFIX.len()..))?;
    Ok(EnclosedObject {
        kind: type_meta.unwrap_or_default().kind,
        // Without it the answer was cut off.
        content: raw.ok_or(BadProtobuf::TooShort)?,
    })
}

/// The next field with a length, by its number. Other fields are skipped.
fn next_field(message: &mut Bytes) -> Result<Option<(usize, Bytes)>, BadProtobuf> {
    while !message.is_empty() {
        // A key is a number of the same form as a length.
        let key = decode_length_delimiter(&mut *message)?;
        let length = match key & 7 {
            0 => {
                decode_length_delimiter(&mut *message)?;
                0
            }
            1 => 8,
            2 => decode_length_delimiter(&mut *message)?,
            5 => 4,
            _ => return Err(BadProtobuf::TooShort),
        };
        if message.len() < length {
            return Err(BadProtobuf::TooShort);
        }
        let field = message.split_to(length);
        if key & 7 == 2 {
            return Ok(Some((key >> 3, field)));
        }
    }
    Ok(None)
}

/// Upstream: `runtime.Unknown`.
#[derive(Clone, PartialEq, Message)]
struct Envelope {
    #[prost(message, optional, tag = "1")]
    type_meta: Option<TypeMetaMessage>,
    #[prost(bytes = "bytes", optional, tag = "2")]
    raw: Option<Bytes>,
}

/// Upstream: `runtime.TypeMeta`.
#[derive(Clone, PartialEq, Message)]
struct TypeMetaMessage {
    #[prost(string, tag = "2")]
    kind: String,
}

/// Upstream: `metav1.ListMeta`.
#[derive(Clone, PartialEq, Message)]
struct ListMetaMessage {
    #[prost(string, tag = "3")]
    next: String,
}

/// Upstream: `metav1.Status`.
#[derive(Clone, PartialEq, Message)]
pub(super) struct StatusMessage {
    #[prost(string, tag = "2")]
    pub(super) status: String,
    #[prost(string, tag = "3")]
    pub(super) message: String,
    #[prost(string, tag = "4")]
    pub(super) reason: String,
    #[prost(int32, tag = "6")]
    pub(super) code: i32,
}

/// The first bytes of each answer. Upstream: `protobuf.Serializer`.
const PREFIX: &[u8] = b"k8s\0";

/// Longest object, in bytes: the API server accepts 3 MiB.
const LONGEST_OBJECT: usize = 4 << 20;
