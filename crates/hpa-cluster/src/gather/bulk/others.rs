//! The other HPAs of a namespace whose selectors the controller compares, from the lists.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use super::{Gathering, TargetMap};
use crate::{
    model::{Selector, SnapshotField, label_selector::SelectorIndex},
    other_hpas::is_remembered,
    recording::{
        Snapshot,
        wire::{Hpa, NotRead, OtherHpa},
    },
    target,
};

/// The HPAs that the controller remembers, by namespace.
pub(super) struct Others(BTreeMap<String, NamespaceObjects>);

struct NamespaceObjects {
    /// HPAs whose selector can be read, as written in the scale.
    others: Vec<Arc<OtherHpa>>,
    /// Their selectors.
    selectors: SelectorIndex,
    /// HPAs whose selector is not known.
    unknown: Vec<String>,
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
    pub(super) fn share(&self, namespace: &str, snapshot: &mut Snapshot) {
        let own = &snapshot.hpa.metadata.name;
        snapshot.other_hpas = Vec::new();
        let Some(of_namespace) = self.0.get(namespace) else {
            return;
        };
        let unknown = of_namespace.unknown.iter().filter(|name| *name != own);
        let unknown: Vec<&str> = unknown.map(String::as_str).collect();
        if !unknown.is_empty() {
            let of = if unknown.len() <= FEW {
                unknown.join(", ")
            } else {
                format!("{} of them", unknown.len())
            };
            snapshot.not_read.push(NotRead {
                what: SnapshotField::OtherHpas,
                why: format!("the selectors of other HPAs of the namespace were not read: {of}"),
                remedy: None,
                is_forbidden: false,
            });
        }
        let pods = snapshot.pods.iter();
        let places: BTreeSet<usize> = pods
            .flat_map(|pod| of_namespace.selectors.matching(&pod.metadata.labels))
            .collect();
        snapshot.other_hpas = places
            .into_iter()
            .map(|place| &of_namespace.others[place])
            .filter(|other| other.name != *own)
            .cloned()
            .collect();
    }
}

impl NamespaceObjects {
    fn new(gathering: &Gathering<'_>, targets: &TargetMap, hpas: &[Hpa]) -> Self {
        let leader_since = gathering.plane.leader_since();
        let mut others = Vec::new();
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
            if let Ok(selector) = Selector::parse(text, gathering.plane.wording) {
                selectors.push(selector);
                others.push(Arc::new(OtherHpa {
                    name,
                    selector: text.clone(),
                }));
            }
        }
        Self {
            others,
            selectors: SelectorIndex::new(selectors),
            unknown,
        }
    }
}

/// Up to this many names are listed.
const FEW: usize = 3;
