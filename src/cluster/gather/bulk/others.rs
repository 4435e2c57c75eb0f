//! The other HPAs of a namespace whose selectors the controller compares, from what was listed.

use std::collections::BTreeMap;

use super::{Gathering, Targets};
use crate::{
    cluster::{other_hpas::is_remembered, target},
    model::Selector,
    recording::{
        Snapshot,
        wire::{NotRead, OtherHpa},
    },
};

/// The HPAs that the controller remembers, by namespace.
pub(super) struct Others(BTreeMap<String, Vec<Other>>);

struct Other {
    name: String,
    /// As the scale spells it; none: it is not known.
    text: Option<String>,
    /// None: it can't be read.
    selector: Option<Selector>,
}

impl Others {
    /// Those of all namespaces that were read.
    pub(super) fn of(gathering: &Gathering<'_>, targets: &Targets) -> Self {
        let leader_since = gathering.plane.leader_since();
        let of_namespace = |hpas: &Vec<crate::recording::wire::Hpa>| {
            hpas.iter()
                .filter(|hpa| is_remembered(hpa, leader_since))
                .filter_map(|hpa| {
                    let scale = targets.get(&target::key(hpa)?)?;
                    // Without a scale there is no selector to be compared with.
                    if scale.scale_error.is_some() {
                        return None;
                    }
                    let text = scale.scale.as_ref().map(|scale| &scale.status.selector);
                    Some(Other {
                        name: hpa.metadata.name.clone(),
                        selector: text
                            .and_then(|text| Selector::parse(text, gathering.plane.wording).ok()),
                        text: text.cloned(),
                    })
                })
                .collect()
        };
        Self(
            gathering
                .selected
                .all
                .iter()
                .map(|(namespace, hpas)| (namespace.clone(), of_namespace(hpas)))
                .collect(),
        )
    }

    /// Adds to the snapshot those that select one of its pods: no others can make it ambiguous. Selectors that are
    /// not known are named.
    pub(super) fn share(&self, namespace: &str, snapshot: &mut Snapshot) {
        let own = &snapshot.hpa.metadata.name;
        let mut unknown = Vec::new();
        let mut others = Vec::new();
        for other in self.0.get(namespace).into_iter().flatten() {
            if other.name == *own {
                continue;
            }
            let Some(text) = &other.text else {
                unknown.push(other.name.as_str());
                continue;
            };
            let selects = |selector: &Selector| {
                let mut pods = snapshot.pods.iter();
                pods.any(|pod| selector.matches(&pod.metadata.labels))
            };
            if other.selector.as_ref().is_some_and(selects) {
                others.push(OtherHpa {
                    name: other.name.clone(),
                    selector: text.clone(),
                });
            }
        }
        if !unknown.is_empty() {
            snapshot.not_read.push(NotRead {
                what: "otherHpas".to_owned(),
                why: format!(
                    "the selectors of other HPAs of the namespace were not read: {}",
                    unknown.join(", ")
                ),
                remedy: None,
            });
        }
        snapshot.other_hpas = others;
    }
}
