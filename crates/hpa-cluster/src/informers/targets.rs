//! What HPAs scale, and the ReplicaSets between that and their pods.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{
    object::Name,
    subject::{WatchId, WatchTask, not_yet},
};
use crate::{
    client::ClientError,
    discovery::Mapping,
    gather::object_targets,
    model::{SnapshotField, label_selector::Wording},
    recording::{
        WorkloadObject,
        wire::{IntermediateOwner, ObjectReference, Scale},
    },
    target::{TargetKey, TargetReads},
};

/// Group and kind.
pub(super) type GroupKind = (String, String);

/// What is known of the objects of a kind.
#[derive(Clone, Debug)]
pub(super) enum KindState {
    /// Nothing yet: the server is asked where they are.
    Requested,
    /// They are watched.
    Watched(WatchId, Vec<Mapping>),
    /// They lie in no namespace or have no scale, and each is read by itself.
    Alone,
    /// The server doesn't know the kind, or didn't say.
    Unknown(ClientError),
}

/// All targets.
#[derive(Debug, Default)]
pub(super) struct Targets {
    /// The kinds that HPAs scale.
    pub(super) kinds: BTreeMap<GroupKind, KindState>,
    /// What watches gave.
    found: BTreeMap<TargetKey, TargetReads>,
    /// What was read one by one, where nothing may be watched.
    alone: BTreeMap<TargetKey, TargetReads>,
    /// ReplicaSets that own pods or can't make any, with their labels.
    sets: BTreeMap<String, BTreeMap<String, Set>>,
    /// Targets that are being read.
    pub(super) reading: BTreeSet<TargetKey>,
}

/// A ReplicaSet and its labels.
type Set = (BTreeMap<String, String>, IntermediateOwner);

impl Targets {
    /// Takes an object of a watched kind that is a target, as it is now. Whether something of it is new. Its scale is kept if the object
    /// doesn't tell it: it is to be read.
    pub(super) fn put(
        &mut self,
        key: &TargetKey,
        reference: &ObjectReference,
        object: &Value,
        wording: Wording,
    ) -> bool {
        let group = key.group.as_str();
        let mut reads = object_targets::found(&key.namespace, group, reference, object, wording);
        let before = self.found.get(key);
        if !has_own_scale(key) {
            let (scale, scale_error, not_read) = before
                .map(|before| {
                    let TargetReads {
                        scale,
                        scale_error,
                        not_read,
                        ..
                    } = before.clone();
                    (scale, scale_error, not_read)
                })
                .unwrap_or_default();
            (reads.scale, reads.scale_error, reads.not_read) = (scale, scale_error, not_read);
        }
        let is_new = before != Some(&reads);
        if is_new {
            self.found.insert(key.clone(), reads);
        }
        is_new
    }

    /// Takes what was read of a target by requests: its scale, or all of it. Whether something of it is new.
    pub(super) fn take_read(
        &mut self,
        key: &TargetKey,
        read: TargetReads,
        watches: &[WatchTask],
    ) -> bool {
        self.reading.remove(key);
        if let Some(found) = self.found.get_mut(key) {
            if has_own_scale(key) {
                return false; // What the watch gave is newer.
            }
            let target = found.target.take();
            let read = TargetReads { target, ..read };
            let is_new = found.scale != read.scale
                || found.scale_error != read.scale_error
                || found.not_read != read.not_read;
            *found = read;
            return is_new;
        }
        if !self.is_alone(key, watches) && read.target.is_some() {
            self.found.insert(key.clone(), read);
            return true;
        }
        let before = self.alone.insert(key.clone(), read);
        before.as_ref() != self.alone.get(key)
    }

    /// Forgets a target that was deleted, or that nobody scales any more.
    pub(super) fn remove(&mut self, key: &TargetKey) -> bool {
        self.alone.remove(key);
        self.found.remove(key).is_some()
    }

    /// Whether a watch gave it.
    pub(super) fn is_found(&self, key: &TargetKey) -> bool {
        self.found.contains_key(key)
    }

    /// Whether it was read by itself.
    pub(super) fn was_read(&self, key: &TargetKey) -> bool {
        self.alone.contains_key(key)
    }

    /// Whether its scale is known as the server tells it, be it as an error.
    pub(super) fn has_scale(&self, key: &TargetKey) -> bool {
        self.found
            .get(key)
            .is_some_and(|reads| reads.scale.is_some() || reads.scale_error.is_some())
    }

    /// What is known of a target.
    pub(super) fn reads(&self, key: &TargetKey, watches: &[WatchTask]) -> TargetReads {
        if let Some(found) = self.found.get(key) {
            let mut reads = found.clone();
            let is_known = reads.scale.is_some()
                || reads.scale_error.is_some()
                || reads
                    .not_read
                    .iter()
                    .any(|reason| reason.what == SnapshotField::Scale);
            if !is_known {
                reads.not_read.push(not_yet(SnapshotField::Scale));
            }
            return reads;
        }
        let unread = || object_targets::not_listed(&not_yet(SnapshotField::Target));
        let alone = self.alone.get(key);
        match self.kinds.get(&group_kind(key)) {
            None | Some(KindState::Requested) => unread(),
            Some(KindState::Alone) => alone.cloned().unwrap_or_else(unread),
            Some(KindState::Unknown(error)) => object_targets::missing(Err(error), key),
            Some(KindState::Watched(id, mappings)) => {
                match watches[id.0].not_read(SnapshotField::Target) {
                    None if self.reading.contains(key) => unread(),
                    None => object_targets::missing(Ok(mappings), key),
                    Some(reason) => alone
                        .cloned()
                        .unwrap_or_else(|| object_targets::not_listed(&reason)),
                }
            }
        }
    }

    /// Whether nothing is known of its scale, not even why, because its kind or itself is still being read.
    pub(super) fn is_awaited(&self, key: &TargetKey) -> bool {
        let reads = self.found.get(key).or_else(|| self.alone.get(key));
        let is_known = reads.is_some_and(|reads| {
            reads.scale.is_some() || reads.scale_error.is_some() || !reads.not_read.is_empty()
        });
        let kind = self.kinds.get(&group_kind(key));
        !is_known
            && (matches!(kind, None | Some(KindState::Requested)) || self.reading.contains(key))
    }

    /// What is known of its scale; none: nothing.
    pub(super) fn scale(&self, key: &TargetKey) -> Option<&Scale> {
        let reads = self.found.get(key).or_else(|| self.alone.get(key))?;
        reads.scale.as_ref()
    }

    /// The replicas that are wanted of it; none: not known.
    pub(super) fn replicas(&self, key: &TargetKey) -> Option<i32> {
        self.scale(key).map(|scale| scale.spec.replicas)
    }

    /// Whether it can be read by itself only.
    pub(super) fn is_alone(&self, key: &TargetKey, watches: &[WatchTask]) -> bool {
        self.is_kind_alone(&group_kind(key), watches)
    }

    /// Whether objects of a kind can be read one by one only.
    pub(super) fn is_kind_alone(&self, kind: &GroupKind, watches: &[WatchTask]) -> bool {
        match self.kinds.get(kind) {
            Some(KindState::Alone) => true,
            Some(KindState::Watched(id, _)) => !watches[id.0].is_complete,
            _ => false,
        }
    }

    /// Takes a ReplicaSet as it is now; none: there is none of this name. Gives its labels if something of it is new.
    pub(super) fn put_set(
        &mut self,
        (namespace, name): &Name,
        object: Option<&Value>,
    ) -> Option<BTreeMap<String, String>> {
        let sets = self.sets.entry(namespace.clone()).or_default();
        let set = object.and_then(object_targets::replica_set);
        if sets.get(name) == set.as_ref() {
            return None;
        }
        let before = match set.clone() {
            Some(set) => sets.insert(name.clone(), set),
            None => sets.remove(name),
        };
        set.or(before).map(|(labels, _)| labels)
    }

    /// The ReplicaSets of a namespace.
    pub(super) fn sets(&self, namespace: &str) -> impl Iterator<Item = &Set> {
        let sets = self.sets.get(namespace);
        sets.into_iter().flat_map(BTreeMap::values)
    }
}

/// Whether the object itself tells what its scale subresource says.
pub(super) fn has_own_scale(key: &TargetKey) -> bool {
    WorkloadObject::may_omit_replicas(&key.group, &key.kind)
}

/// Its group and kind.
pub(super) fn group_kind(key: &TargetKey) -> GroupKind {
    (key.group.clone(), key.kind.clone())
}
