//! Scale targets.

use std::{
    cell::Cell,
    collections::{BTreeMap, BTreeSet},
};

use hpa_engine::model::{KnownKind, SnapshotField, label_selector::Wording};
use hpa_objects::recording::wire::{ObjectReference, Scale};
use serde_json::Value;

use super::{
    sets::Sets,
    unread::{GroupKind, Unread, not_yet},
};
use crate::{
    client::ClientError,
    discovery::Mapping,
    target::{self, FEW, TargetKey, TargetMap, TargetReads},
};

/// What is known about the objects of a kind.
#[derive(Clone, Debug)]
pub(crate) enum KindState {
    /// Nothing yet: discovery is pending.
    Requested,
    /// The kind is watched.
    Watched(Vec<Mapping>),
    /// The objects are cluster-scoped or have no scale, so each is read individually.
    Alone,
    /// The server does not know the kind, or did not answer.
    Unknown(ClientError),
}

/// All targets.
#[derive(Debug, Default)]
pub(crate) struct Targets {
    /// The kinds that HPAs scale.
    pub(crate) kinds: BTreeMap<GroupKind, KindState>,
    /// Targets from watches or lists, or that were read once.
    pub(crate) found: TargetMap,
    /// Targets read individually: their kind cannot be watched or has no scale, or the read failed.
    alone: TargetMap,
    /// The ReplicaSets between targets and their pods.
    pub(crate) sets: Sets,
    /// Targets that are being read.
    pub(crate) reading: BTreeSet<TargetKey>,
    /// When the latest read of a target began, or when it was deleted. Answers to earlier reads are outdated.
    latest: BTreeMap<TargetKey, Turn>,
    turn: Cell<Turn>,
}

/// The order in which reads of targets begin.
pub(crate) type Turn = u64;

impl Targets {
    /// Takes the current state of a target of a watched kind. Returns whether it changed. A scale that the object does
    /// not contain is kept until it is read.
    pub(crate) fn put(
        &mut self,
        key: &TargetKey,
        reference: &ObjectReference,
        object: &Value,
        wording: Wording,
    ) -> bool {
        let group = key.group.as_str();
        let mut reads = target::of_object(&key.namespace, group, reference, object, wording);
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
            self.alone.remove(key);
            self.found.insert(key.clone(), reads);
        }
        is_new
    }

    /// The turn of a read that begins now.
    pub(crate) fn begin(&self) -> Turn {
        self.turn.set(self.turn.get() + 1);
        self.turn.get()
    }

    /// Begins a read of a target, after which earlier ones are outdated; none while it is being read.
    pub(crate) fn begin_reading(&mut self, key: &TargetKey) -> Option<Turn> {
        let begun = self.reading.insert(key.clone()).then(|| self.begin())?;
        self.latest.insert(key.clone(), begun);
        Some(begun)
    }

    /// When the latest read of a target began; 0: never.
    pub(crate) fn latest(&self, key: &TargetKey) -> Turn {
        self.latest.get(key).copied().unwrap_or_default()
    }

    /// Takes a target that was read by requests: its scale, or all of it. Returns whether it changed.
    pub(crate) fn take_read(
        &mut self,
        (key, begun): (&TargetKey, Turn),
        read: TargetReads,
        unread: &Unread,
    ) -> bool {
        if begun < self.latest(key) {
            return false;
        }
        self.latest.insert(key.clone(), begun);
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
        let is_whole = read.scale.is_some() || !has_own_scale(key);
        if !self.is_alone(key, unread) && read.target.is_some() && is_whole {
            self.found.insert(key.clone(), read);
            return true;
        }
        let before = self.alone.insert(key.clone(), read);
        before.as_ref() != self.alone.get(key)
    }

    /// Removes a target that was deleted. Returns whether anything was known of it, or awaited.
    pub(crate) fn remove(&mut self, key: &TargetKey) -> bool {
        let was_known = self.forget(key);
        let now = self.begin();
        self.latest.insert(key.clone(), now);
        was_known
    }

    /// Removes a target that no HPA scales any more.
    pub(crate) fn forget(&mut self, key: &TargetKey) -> bool {
        self.latest.remove(key);
        let was_reading = self.reading.remove(key);
        let was_alone = self.alone.remove(key).is_some();
        self.found.remove(key).is_some() || was_alone || was_reading
    }

    /// Whether a watch, a list or a read provided it.
    pub(crate) fn is_found(&self, key: &TargetKey) -> bool {
        self.found.contains_key(key)
    }

    /// Whether the latest read of it failed, so that it is not known whether it exists.
    pub(crate) fn has_failed(&self, key: &TargetKey) -> bool {
        !self.is_found(key) && self.alone.get(key).is_some_and(is_failed)
    }

    /// How many targets of a kind were read individually, or are being read; at most `FEW`.
    pub(crate) fn read_alone(&self, kind: &GroupKind) -> usize {
        let read = self.alone.keys().chain(&self.reading);
        let of_kind = read.filter(|key| key.group == kind.0 && key.kind == kind.1);
        of_kind.take(FEW).count()
    }

    /// Whether the server's answer for its scale is known, possibly an error.
    pub(crate) fn has_scale(&self, key: &TargetKey) -> bool {
        self.found
            .get(key)
            .is_some_and(|reads| reads.scale.is_some() || reads.scale_error.is_some())
    }

    /// The known state of a target.
    pub(crate) fn reads(&self, key: &TargetKey, unread: &Unread) -> TargetReads {
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
        let awaited = || target::not_listed(&not_yet(SnapshotField::Target));
        let alone = self.alone.get(key);
        match self.kinds.get(&group_kind(key)) {
            None | Some(KindState::Requested) => awaited(),
            Some(KindState::Alone) => alone.cloned().unwrap_or_else(awaited),
            Some(KindState::Unknown(error)) => target::missing(Err(error), key),
            Some(KindState::Watched(mappings)) => {
                match unread.of((&key.group, &key.kind), SnapshotField::Target) {
                    None if self.reading.contains(key) => awaited(),
                    // A read that failed does not show that there is none.
                    None => alone
                        .filter(|reads| is_failed(reads))
                        .cloned()
                        .unwrap_or_else(|| target::missing(Ok(mappings), key)),
                    Some(reason) => alone
                        .cloned()
                        .unwrap_or_else(|| target::not_listed(&reason)),
                }
            }
        }
    }

    /// Whether its scale is not known, not even an error, because the kind or the target is still being read.
    pub(crate) fn is_awaited(&self, key: &TargetKey) -> bool {
        let reads = self.found.get(key).or_else(|| self.alone.get(key));
        let is_known = reads.is_some_and(|reads| {
            reads.scale.is_some() || reads.scale_error.is_some() || !reads.not_read.is_empty()
        });
        let kind = self.kinds.get(&group_kind(key));
        !is_known
            && (matches!(kind, None | Some(KindState::Requested)) || self.reading.contains(key))
    }

    /// Its scale, if known.
    pub(crate) fn scale(&self, key: &TargetKey) -> Option<&Scale> {
        let reads = self.found.get(key).or_else(|| self.alone.get(key))?;
        reads.scale.as_ref()
    }

    /// Its desired replicas; `None` if not known.
    pub(crate) fn replicas(&self, key: &TargetKey) -> Option<i32> {
        self.scale(key).map(|scale| scale.spec.replicas)
    }

    /// Whether it can only be read individually.
    pub(crate) fn is_alone(&self, key: &TargetKey, unread: &Unread) -> bool {
        self.is_kind_alone(&group_kind(key), unread)
    }

    /// Whether objects of a kind can only be read individually.
    pub(crate) fn is_kind_alone(&self, kind: &GroupKind, unread: &Unread) -> bool {
        match self.kinds.get(kind) {
            Some(KindState::Alone) => true,
            Some(KindState::Watched(_)) => unread
                .of((&kind.0, &kind.1), SnapshotField::Target)
                .is_some(),
            _ => false,
        }
    }
}

/// Whether a read shows neither the scale nor that there is none.
fn is_failed(reads: &TargetReads) -> bool {
    let error = reads.scale_error.as_ref();
    reads.scale.is_none() && error.is_none_or(|error| error.code != 404)
}

/// Whether the object itself contains the data of its scale subresource.
pub(crate) fn has_own_scale(key: &TargetKey) -> bool {
    KnownKind::in_group(&key.group, &key.kind).is_built_in_target()
}

/// Its group and kind.
pub(crate) fn group_kind(key: &TargetKey) -> GroupKind {
    (key.group.clone(), key.kind.clone())
}
