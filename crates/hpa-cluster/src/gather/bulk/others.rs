//! The other HPAs of a namespace whose selectors the controller compares, from the lists.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use hpa_engine::model::{Neighbors, Selector, label_selector::SelectorIndex};
use hpa_objects::recording::{
    Snapshot,
    wire::{Hpa, OtherHpa},
};

use super::{Gathering, TargetMap};
use crate::{
    other_hpas::{is_remembered, unread},
    target,
};

/// The HPAs that the controller remembers, by namespace.
pub(in crate::gather) struct Others(BTreeMap<String, NamespaceObjects>);

struct NamespaceObjects {
    /// HPAs whose selector can be read, as written in the scale, for each distinct selector.
    others: Vec<Vec<Arc<OtherHpa>>>,
    /// The distinct selectors.
    selectors: SelectorIndex,
    /// HPAs whose selector is not known, sorted.
    unknown: Vec<String>,
    /// Those that select pods of a selector, sorted by name; shared by the HPAs with this selector.
    shared: RefCell<BTreeMap<String, Neighbors<OtherHpa>>>,
}

impl Others {
    /// The HPAs of all namespaces that were read.
    pub(super) fn of(gathering: &Gathering<'_>, targets: &TargetMap) -> Self {
        let all = gathering.selected.all.iter();
        Self(
            all.map(|(namespace, hpas)| {
                (
                    namespace.clone(),
                    NamespaceObjects::new(gathering, targets, hpas),
                )
            })
            .collect(),
        )
    }

    /// Adds those that select one of the snapshot's pods: no others can make the selector ambiguous. HPAs with unknown
    /// selectors are named, or counted if there are many.
    pub(in crate::gather) fn share(&self, namespace: &str, snapshot: &mut Snapshot) {
        let own = &snapshot.hpa.metadata.name;
        snapshot.other_hpas = Neighbors::default();
        let Some(of_namespace) = self.0.get(namespace) else {
            return;
        };
        snapshot.not_read.extend(unread(&of_namespace.unknown, own));
        let Some(scale) = &snapshot.scale else {
            return;
        };
        let mut shared = of_namespace.shared.borrow_mut();
        let selector = scale.status.selector.clone();
        let others = shared
            .entry(selector)
            .or_insert_with(|| of_namespace.selecting(snapshot));
        snapshot.other_hpas = others.without(own);
    }
}

impl NamespaceObjects {
    /// All HPAs that select one of the snapshot's pods.
    fn selecting(&self, snapshot: &Snapshot) -> Neighbors<OtherHpa> {
        let pods = snapshot.pods.iter();
        let places: BTreeSet<usize> = pods
            .flat_map(|pod| self.selectors.matching(&pod.metadata.labels))
            .collect();
        let others = places.into_iter().flat_map(|place| &self.others[place]);
        Neighbors::of_each_other(others.cloned().collect())
    }

    fn new(gathering: &Gathering<'_>, targets: &TargetMap, hpas: &[Hpa]) -> Self {
        let leader_since = gathering.plane.leader_since();
        let mut others: Vec<Vec<Arc<OtherHpa>>> = Vec::new();
        let mut places: BTreeMap<String, usize> = BTreeMap::new();
        let mut selectors = Vec::new();
        let mut unknown = Vec::new();
        for hpa in hpas.iter().filter(|hpa| is_remembered(hpa, leader_since)) {
            let Some(reads) = target::key(hpa).and_then(|key| targets.get(&key)) else {
                continue;
            };
            // Without a scale there is no selector to compare with.
            if reads.scale_error.is_some() {
                continue;
            }
            let name = hpa.metadata.name.clone();
            let Some(scale) = &reads.scale else {
                unknown.push(name);
                continue;
            };
            let text = &scale.status.selector;
            let place = if let Some(place) = places.get(text) {
                *place
            } else {
                let Ok(selector) = Selector::parse(text, gathering.plane.wording) else {
                    continue;
                };
                places.insert(text.clone(), selectors.len());
                selectors.push(selector);
                others.push(Vec::new());
                selectors.len() - 1
            };
            others[place].push(Arc::new(OtherHpa {
                name,
                selector: text.clone(),
            }));
        }
        unknown.sort_unstable();
        Self {
            others,
            selectors: SelectorIndex::new(selectors),
            unknown,
            shared: RefCell::default(),
        }
    }
}
