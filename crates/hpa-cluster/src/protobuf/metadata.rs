//! `metadata` of an object.

use std::collections::BTreeMap;

use hpa_objects::recording::wire::{self, is_kept_annotation};
use jiff::Timestamp;
use prost::Message;

/// Upstream: `metav1.ObjectMeta`.
#[derive(Clone, PartialEq, Message)]
pub(super) struct ObjectMetaMessage {
    #[prost(string, tag = "1")]
    pub(super) name: String,
    #[prost(string, tag = "3")]
    pub(super) namespace: String,
    #[prost(int64, tag = "7")]
    generation: i64,
    #[prost(message, optional, tag = "8")]
    creation_timestamp: Option<TimeMessage>,
    #[prost(message, optional, tag = "9")]
    deletion_timestamp: Option<TimeMessage>,
    #[prost(btree_map = "string, string", tag = "11")]
    pub(super) labels: BTreeMap<String, String>,
    #[prost(btree_map = "string, string", tag = "12")]
    pub(super) annotations: BTreeMap<String, String>,
    #[prost(message, repeated, tag = "13")]
    pub(super) owner_references: Vec<OwnerReferenceMessage>,
}

/// Upstream: `metav1.OwnerReference`.
#[derive(Clone, PartialEq, Message)]
pub(super) struct OwnerReferenceMessage {
    #[prost(string, tag = "1")]
    pub(super) kind: String,
    #[prost(string, tag = "3")]
    pub(super) name: String,
    #[prost(bool, optional, tag = "6")]
    pub(super) controller: Option<bool>,
}

/// Upstream: `metav1.Time`. No field is set if there is no time.
#[derive(Clone, Copy, PartialEq, Eq, Message)]
pub(super) struct TimeMessage {
    #[prost(int64, optional, tag = "1")]
    seconds: Option<i64>,
}

impl TimeMessage {
    /// The time; nothing if the API server has none.
    pub(super) fn known(time: Option<Self>) -> Option<Timestamp> {
        Timestamp::from_second(time?.seconds?).ok()
    }
}

impl ObjectMetaMessage {
    /// The number of messages in it.
    pub(super) fn parts(&self) -> usize {
        self.labels.len() + self.annotations.len() + self.owner_references.len()
    }
}

impl From<ObjectMetaMessage> for wire::ObjectMeta {
    fn from(from: ObjectMetaMessage) -> Self {
        let mut annotations = from.annotations;
        annotations.retain(|name, _| is_kept_annotation(name));
        Self {
            name: from.name,
            namespace: written(from.namespace),
            generation: Some(from.generation).filter(|generation| *generation != 0),
            creation_timestamp: TimeMessage::known(from.creation_timestamp),
            deletion_timestamp: TimeMessage::known(from.deletion_timestamp),
            labels: from.labels.into(),
            annotations,
            owner_references: all(from.owner_references),
        }
    }
}

impl From<OwnerReferenceMessage> for wire::OwnerReference {
    fn from(from: OwnerReferenceMessage) -> Self {
        Self {
            kind: from.kind,
            name: from.name,
            controller: from.controller,
        }
    }
}

/// A text that JSON omits if it is empty.
pub(super) fn written(text: String) -> Option<String> {
    Some(text).filter(|text| !text.is_empty())
}

/// A list of other objects.
pub(super) fn all<T, U: From<T>>(from: Vec<T>) -> Vec<U> {
    from.into_iter().map(U::from).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    fn texts<const N: usize>(entries: [(&str, &str); N]) -> BTreeMap<String, String> {
        entries
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into()
    }

    /// A time.
    pub(in super::super) fn time(text: &str) -> TimeMessage {
        let time: Timestamp = text.parse().unwrap();
        TimeMessage {
            seconds: Some(time.as_second()),
        }
    }

    /// The metadata of a pod, with every field that is read.
    pub(in super::super) fn whole() -> ObjectMetaMessage {
        ObjectMetaMessage {
            name: "web-1".to_owned(),
            namespace: "shop".to_owned(),
            generation: 2,
            creation_timestamp: Some(time("2027-01-15T08:00:00Z")),
            deletion_timestamp: Some(time("2027-01-15T09:00:00Z")),
            labels: texts([("app", "web"), ("tier", "front")]),
            annotations: texts([("helm.sh/hook", "test"), ("secret", "left out")]),
            owner_references: vec![OwnerReferenceMessage {
                kind: "ReplicaSet".to_owned(),
                name: "web-5d".to_owned(),
                controller: Some(true),
            }],
        }
    }

    /// The metadata of a pod that has only a name.
    pub(in super::super) fn bare() -> ObjectMetaMessage {
        ObjectMetaMessage {
            name: "web-1".to_owned(),
            creation_timestamp: Some(TimeMessage::default()),
            ..ObjectMetaMessage::default()
        }
    }

    /// The metadata of a ReplicaSet of a Deployment.
    pub(in super::super) fn of_set() -> ObjectMetaMessage {
        ObjectMetaMessage {
            name: "web-5d".to_owned(),
            namespace: "shop".to_owned(),
            labels: texts([("app", "web")]),
            annotations: texts([("deployment.kubernetes.io/revision", "3")]),
            owner_references: vec![OwnerReferenceMessage {
                kind: "Deployment".to_owned(),
                name: "web".to_owned(),
                controller: Some(true),
            }],
            ..ObjectMetaMessage::default()
        }
    }
}
