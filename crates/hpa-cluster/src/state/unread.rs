//! Kinds whose objects are not known, and why.

use hpa_engine::model::SnapshotField;
use hpa_objects::recording::wire::NotRead;

/// Group and kind.
pub(crate) type GroupKind = (String, String);

/// Why the objects of some kinds are not known. Of all others they are, or nobody asked for them.
#[derive(Debug, Default)]
pub(crate) struct Unread(Vec<(GroupKind, NotRead)>);

impl Unread {
    /// Records why the objects of a kind are not known; `None`: they are.
    pub(crate) fn set(&mut self, (group, kind): (&str, &str), why: Option<NotRead>) {
        self.0
            .retain(|((of_group, of_kind), _)| of_group != group || of_kind != kind);
        let of = (group.to_owned(), kind.to_owned());
        self.0.extend(why.map(|why| (of, why)));
    }

    /// Why the objects of a kind are not known, if they are not, as the field `what` of a snapshot.
    pub(crate) fn of(&self, (group, kind): (&str, &str), what: SnapshotField) -> Option<NotRead> {
        let mut kinds = self.0.iter();
        let (_, why) =
            kinds.find(|((of_group, of_kind), _)| of_group == group && of_kind == kind)?;
        Some(NotRead {
            what,
            ..why.clone()
        })
    }
}

/// The reason for data that was requested and not answered yet.
pub(crate) fn not_yet(what: SnapshotField) -> NotRead {
    NotRead {
        what,
        why: "not read yet".to_owned(),
        remedy: None,
        is_forbidden: false,
    }
}

/// Group and kind of pods.
pub(crate) const PODS: (&str, &str) = ("", "Pod");
/// Group and kind of Events.
pub(crate) const EVENTS: (&str, &str) = ("", "Event");
/// Group and kind of quotas.
pub(crate) const QUOTAS: (&str, &str) = ("", "ResourceQuota");
