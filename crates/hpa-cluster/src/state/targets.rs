//! Scale targets, and the ReplicaSets between them and their pods.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
};

use hpa_engine::model::{
    KnownKind, ResourceQuota, Selector, SnapshotField, label_selector::Wording,
};
use hpa_objects::recording::wire::{IntermediateOwner, ObjectReference, Scale};
use serde_json::Value;

use super::{
    pods::{Name, Pods},
    unread::{GroupKind, Unread, not_yet},
};
use crate::{
    client::ClientError,
    discovery::Mapping,
    target::{self, TargetKey, TargetMap, TargetReads},
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
    /// ReplicaSets that own pods or cannot create any, by namespace.
    sets: BTreeMap<String, NamespaceSets>,
    /// Whether a quota has refused pods of any ReplicaSet so far.
    pub(crate) has_quota_refused: bool,
    /// Targets that are being read.
    pub(crate) reading: BTreeSet<TargetKey>,
}

/// A ReplicaSet and its labels.
pub(crate) type Set = (BTreeMap<String, String>, IntermediateOwner);

#[derive(Debug, Default)]
struct NamespaceSets {
    all: BTreeMap<String, Set>,
    /// The ReplicaSets of each selector, cached from the first request until one of the namespace changes.
    of_selectors: RefCell<BTreeMap<String, Vec<IntermediateOwner>>>,
}

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
            self.found.insert(key.clone(), reads);
        }
        is_new
    }

    /// Takes a target that was read by requests: its scale, or all of it. Returns whether it changed.
    pub(crate) fn take_read(
        &mut self,
        key: &TargetKey,
        read: TargetReads,
        unread: &Unread,
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
        if !self.is_alone(key, unread) && read.target.is_some() {
            self.found.insert(key.clone(), read);
            return true;
        }
        let before = self.alone.insert(key.clone(), read);
        before.as_ref() != self.alone.get(key)
    }

    /// Removes a target that was deleted, or that no HPA scales any more.
    pub(crate) fn remove(&mut self, key: &TargetKey) -> bool {
        self.reading.remove(key);
        self.alone.remove(key);
        self.found.remove(key).is_some()
    }

    /// Whether a watch, a list or a read provided it.
    pub(crate) fn is_found(&self, key: &TargetKey) -> bool {
        self.found.contains_key(key)
    }

    /// Whether it was read individually.
    pub(crate) fn was_read(&self, key: &TargetKey) -> bool {
        self.alone.contains_key(key)
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
                        .filter(|reads| !reads.not_read.is_empty())
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

    /// Takes the current state of a ReplicaSet; `None` if it does not exist. Returns its labels if it changed.
    pub(crate) fn put_set(
        &mut self,
        (namespace, name): &Name,
        set: Option<Set>,
    ) -> Option<BTreeMap<String, String>> {
        let sets = self.sets.entry(namespace.clone()).or_default();
        if sets.all.get(name) == set.as_ref() {
            return None;
        }
        sets.of_selectors.take();
        let failure = set.as_ref().and_then(|(_, set)| set.failure.as_deref());
        self.has_quota_refused |= failure.and_then(ResourceQuota::refusal_in).is_some();
        let labels = set.as_ref().map(|(labels, _)| labels.clone());
        let before = match set {
            Some(set) => sets.all.insert(name.clone(), set),
            None => sets.all.remove(name),
        };
        labels.or_else(|| before.map(|(labels, _)| labels))
    }

    /// Assigns the ReplicaSets to the selectors of HPAs, at once for all.
    pub(crate) fn index_sets(&mut self, pods: &Pods) {
        for (namespace, sets) in &mut self.sets {
            let of_selectors = sets.of_selectors.get_mut();
            for text in pods.selectors(namespace) {
                of_selectors.insert(text.to_string(), Vec::new());
            }
            for (labels, set) in sets.all.values() {
                for text in pods.matching(namespace, labels) {
                    if let Some(of_selector) = of_selectors.get_mut(&*text) {
                        of_selector.push(set.clone());
                    }
                }
            }
        }
    }

    /// The ReplicaSets of a namespace that `selector` matches.
    pub(crate) fn sets(&self, namespace: &str, selector: &Selector) -> Vec<IntermediateOwner> {
        let Some(sets) = self.sets.get(namespace) else {
            return Vec::new();
        };
        let matching = || {
            let sets = sets.all.values();
            let matching = sets.filter(|(labels, _)| selector.matches(labels));
            matching.map(|(_, set)| set.clone()).collect()
        };
        let mut of_selectors = sets.of_selectors.borrow_mut();
        let known = of_selectors.entry(selector.to_string());
        known.or_insert_with(matching).clone()
    }
}

/// Whether the object itself contains the data of its scale subresource.
pub(crate) fn has_own_scale(key: &TargetKey) -> bool {
    KnownKind::in_group(&key.group, &key.kind).is_built_in_target()
}

/// Its group and kind.
pub(crate) fn group_kind(key: &TargetKey) -> GroupKind {
    (key.group.clone(), key.kind.clone())
}
