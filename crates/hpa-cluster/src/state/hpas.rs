//! The HPAs that are watched, and which of them are selected.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use hpa_engine::model::{HpaKey, Neighbors};
use hpa_objects::recording::{
    of_hpa,
    wire::{Autoscaler, Hpa, OtherHpa},
};

use super::{targets::group_kind, unread::GroupKind};
use crate::{
    hpa_resource::namespace_of,
    selection::Matcher,
    target::{self, TargetKey},
    written_hpa::WrittenHpa,
};

/// All HPAs of the watched namespaces.
#[derive(Debug)]
pub(crate) struct Hpas {
    matcher: Matcher,
    /// Boxed, as nodes of the map are half empty.
    all: BTreeMap<HpaKey, Box<HpaEntry>>,
    selected: BTreeSet<HpaKey>,
    by_target: BTreeMap<TargetKey, BTreeSet<HpaKey>>,
    /// The HPAs of a target as each other's neighbors, until one of them changes.
    rivals: RefCell<BTreeMap<TargetKey, Neighbors<Autoscaler>>>,
    /// The groups and kinds of the targets so far: a few, for thousands of targets.
    kinds: BTreeSet<GroupKind>,
}

#[derive(Debug)]
struct HpaEntry {
    written: WrittenHpa,
    /// Its form in the snapshots of other HPAs, which share it.
    as_rival: Arc<Autoscaler>,
    as_other: RefCell<Option<Arc<OtherHpa>>>,
}

/// The effect of a new state of an HPA.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StateUpdate {
    /// No relevant change.
    Same,
    /// It is new, or changed.
    New,
    /// It changed, but nothing that its neighbors contain.
    Own,
    /// It is no longer selected.
    Deselected,
}

impl Hpas {
    /// An empty set.
    pub(crate) fn new(matcher: Matcher) -> Self {
        Self {
            matcher,
            all: BTreeMap::new(),
            selected: BTreeSet::new(),
            by_target: BTreeMap::new(),
            rivals: RefCell::default(),
            kinds: BTreeSet::new(),
        }
    }

    /// Takes the current state of an HPA.
    pub(crate) fn put(&mut self, written: WrittenHpa) -> StateUpdate {
        let key = key_of(&written.hpa);
        let before = self.all.get(&key).map(|entry| &entry.written);
        let is_same = before
            .is_some_and(|before| before.hpa == written.hpa && before.writes == written.writes);
        if is_same {
            return StateUpdate::Same;
        }
        let mut as_rival: Arc<Autoscaler> = of_hpa(&written.hpa).into();
        let known = self.all.get(&key).map(|entry| &entry.as_rival);
        let is_same_rival = known.is_some_and(|known| *known == as_rival);
        if let Some(known) = known.filter(|_| is_same_rival) {
            as_rival = Arc::clone(known);
        }
        let before = before.and_then(|before| target::key(&before.hpa));
        let target = target::key(&written.hpa);
        if !is_same_rival || before != target {
            for target in [&before, &target].into_iter().flatten() {
                self.rivals.get_mut().remove(target);
            }
        }
        let is_own = is_same_rival && before == target;
        if before != target {
            if let Some(before) = before {
                self.leave(&before, &key);
            }
            if let Some(target) = target {
                self.kinds.insert(group_kind(&target));
                let hpas = self.by_target.entry(target).or_default();
                hpas.insert(key.clone());
            }
        }
        let is_selected = self.matcher.matches(&written.hpa);
        let entry = HpaEntry {
            written,
            as_rival,
            as_other: RefCell::default(),
        };
        self.all.insert(key.clone(), Box::new(entry));
        if is_selected {
            let is_new = self.selected.insert(key);
            if is_own && !is_new {
                StateUpdate::Own
            } else {
                StateUpdate::New
            }
        } else if self.selected.remove(&key) {
            StateUpdate::Deselected
        } else {
            StateUpdate::New
        }
    }

    /// Removes an HPA. Returns whether it was selected.
    pub(crate) fn remove(&mut self, key: &HpaKey) -> bool {
        if let Some(before) = self.all.remove(key)
            && let Some(target) = target::key(&before.written.hpa)
        {
            self.leave(&target, key);
        }
        self.selected.remove(key)
    }

    fn leave(&mut self, target: &TargetKey, key: &HpaKey) {
        if let Some(hpas) = self.by_target.get_mut(target) {
            hpas.remove(key);
            self.rivals.get_mut().remove(target);
            if hpas.is_empty() {
                self.by_target.remove(target);
            }
        }
    }

    /// The HPA, selected or not.
    pub(crate) fn get(&self, key: &HpaKey) -> Option<&WrittenHpa> {
        self.all.get(key).map(|entry| &entry.written)
    }

    /// Whether the HPA is selected.
    pub(crate) fn is_selected(&self, key: &HpaKey) -> bool {
        self.selected.contains(key)
    }

    /// The selected HPAs.
    pub(crate) fn selected(&self) -> &BTreeSet<HpaKey> {
        &self.selected
    }

    /// The selected HPAs of one namespace.
    pub(crate) fn selected_in(&self, namespace: &str) -> impl Iterator<Item = (&HpaKey, &Hpa)> {
        let first = HpaKey {
            namespace: namespace.to_owned(),
            name: String::new(),
        };
        self.selected
            .range(first..)
            .take_while(move |key| key.namespace == namespace)
            .filter_map(|key| Some((key, &*self.get(key)?.hpa)))
    }

    /// Whether an HPA of this namespace is selected.
    pub(crate) fn has_selected_in(&self, namespace: &str) -> bool {
        self.selected_in(namespace).next().is_some()
    }

    /// All HPAs.
    pub(crate) fn all(&self) -> impl Iterator<Item = &HpaKey> {
        self.all.keys()
    }

    /// The HPAs that scale `target`.
    pub(crate) fn of_target(&self, target: &TargetKey) -> impl Iterator<Item = (&HpaKey, &Hpa)> {
        let hpas = self.by_target.get(target).into_iter().flatten();
        hpas.filter_map(|key| Some((key, &*self.get(key)?.hpa)))
    }

    /// The other HPAs that scale the same target.
    pub(crate) fn rivals(&self, key: &HpaKey, target: &TargetKey) -> Neighbors<Autoscaler> {
        let mut known = self.rivals.borrow_mut();
        let rivals = known.entry(target.clone()).or_insert_with(|| {
            let hpas = self.by_target.get(target).into_iter().flatten();
            // All are in the namespace of the target, so this is the order of their names.
            hpas.filter_map(|rival| Some(Arc::clone(&self.all.get(rival)?.as_rival)))
                .collect()
        });
        rivals.without(&key.name)
    }

    /// An HPA whose target has this selector, for the snapshots of others.
    pub(crate) fn other(&self, key: &HpaKey, selector: &str) -> Option<Arc<OtherHpa>> {
        let mut known = self.all.get(key)?.as_other.borrow_mut();
        if let Some(other) = known.as_ref().filter(|other| other.selector == selector) {
            return Some(Arc::clone(other));
        }
        let other = known.insert(Arc::new(OtherHpa {
            name: key.name.clone(),
            selector: selector.to_owned(),
        }));
        Some(Arc::clone(other))
    }

    /// The scale targets.
    pub(crate) fn targets(&self) -> impl Iterator<Item = &TargetKey> {
        self.by_target.keys()
    }

    /// The scale targets of one namespace.
    pub(crate) fn targets_in(&self, namespace: &str) -> impl Iterator<Item = &TargetKey> {
        let first = TargetKey {
            namespace: namespace.to_owned(),
            group: String::new(),
            kind: String::new(),
            name: String::new(),
        };
        let targets = self.by_target.range(first..).map(|(key, _)| key);
        targets.take_while(move |key| key.namespace == namespace)
    }

    /// The groups and kinds of the scale targets so far.
    pub(crate) fn kinds(&self) -> impl Iterator<Item = &GroupKind> {
        self.kinds.iter()
    }
}

/// The key of an HPA.
pub(crate) fn key_of(hpa: &Hpa) -> HpaKey {
    HpaKey {
        namespace: namespace_of(hpa).to_owned(),
        name: hpa.metadata.name.clone(),
    }
}
