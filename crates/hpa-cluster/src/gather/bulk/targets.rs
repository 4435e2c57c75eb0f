//! Finds the scale targets in the lists.

use std::collections::{BTreeMap, BTreeSet};

use futures::{StreamExt as _, stream};
use hpa_engine::model::{KnownKind, label_selector::Wording};
use hpa_objects::recording::wire::{Hpa, NotRead};
use serde_json::Value;

use super::{Gathering, kinds::ListedKind};
use crate::{
    PARALLEL,
    discovery::Mapping,
    target::{self, FEW, TargetKey, TargetMap, TargetReads},
};

/// The required targets, and their data from the lists.
pub(super) struct FoundTargets<'a> {
    requested: BTreeMap<TargetKey, &'a Hpa>,
    /// The targets of the selected HPAs.
    selected: BTreeSet<TargetKey>,
    found: TargetMap,
    refused: BTreeMap<(String, String), NotRead>,
    wording: Wording,
}

impl<'a> FoundTargets<'a> {
    /// The targets of all HPAs in the namespaces: the controller compares their selectors.
    pub(super) fn requested(gathering: &'a Gathering<'_>) -> Self {
        let selected = &gathering.selected;
        Self {
            requested: selected
                .known()
                .filter_map(|hpa| Some((target::key(hpa)?, &**hpa)))
                .collect(),
            selected: selected.hpas().filter_map(target::key).collect(),
            found: TargetMap::new(),
            refused: BTreeMap::new(),
            wording: gathering.plane.wording,
        }
    }

    /// Whether a target has a kind that is not built into Kubernetes.
    pub(super) fn has_custom_kind(&self) -> bool {
        self.requested.keys().any(|key| key.group.contains('.'))
    }

    /// Whether a target has this kind.
    pub(super) fn has_kind(&self, group: &str, kind: &str) -> bool {
        let mut keys = self.requested.keys();
        keys.any(|key| key.group == group && key.kind == kind)
    }

    /// The groups and kinds of the targets.
    pub(super) fn kinds(&self) -> BTreeSet<(String, String)> {
        let keys = self.requested.keys();
        keys.map(|key| (key.group.clone(), key.kind.clone()))
            .collect()
    }

    /// Takes the data of an object if it is a target. Returns whether it is.
    pub(super) fn offer(
        &mut self,
        group: &str,
        kind: &str,
        namespace: &str,
        name: &str,
        value: &Value,
    ) -> bool {
        let key = TargetKey {
            namespace: namespace.to_owned(),
            group: group.to_owned(),
            kind: kind.to_owned(),
            name: name.to_owned(),
        };
        let Some(hpa) = self.requested.get(&key) else {
            return false;
        };
        let reference = &hpa.spec.scale_target_ref;
        let reads = target::of_object(namespace, group, reference, value, self.wording);
        self.found.insert(key, reads);
        true
    }

    /// Records that a kind could not be listed.
    pub(super) fn note_refused(&mut self, group: &str, kind: &str, reason: NotRead) {
        self.refused
            .insert((group.to_owned(), kind.to_owned()), reason);
    }

    /// Reads what the lists do not contain, and records for the other targets why they were not found.
    pub(super) async fn finish(self, gathering: &Gathering<'_>) -> TargetMap {
        let mut by_kind: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for key in &self.selected {
            *by_kind.entry((&key.group, &key.kind)).or_default() += 1;
        }
        let mut targets = self.found;
        let (selected, refused) = (&self.selected, &self.refused);
        let rest: Vec<(&TargetKey, &Hpa, TargetReads)> = self
            .requested
            .iter()
            .filter_map(|(key, hpa)| {
                let reads = targets.remove(key).unwrap_or_default();
                if reads.scale.is_none() {
                    return Some((key, *hpa, reads));
                }
                targets.insert(key.clone(), reads);
                None
            })
            .collect();
        let by_kind = &by_kind;
        let read: Vec<(TargetKey, TargetReads)> = stream::iter(rest)
            .map(|(key, hpa, reads)| async move {
                let refused = refused.get(&(key.group.clone(), key.kind.clone()));
                let is_selected = selected.contains(key);
                let number = by_kind.get(&(&*key.group, &*key.kind)).copied();
                let reads = match (refused, reads.target.is_some()) {
                    (Some(_), _) if is_selected && number.is_some_and(|number| number <= FEW) => {
                        let reference = &hpa.spec.scale_target_ref;
                        let (client, discovery) = (gathering.client, &gathering.discovery);
                        let wording = gathering.plane.wording;
                        target::read(client, discovery, &key.namespace, reference, wording).await
                    }
                    (Some(reason), _) => target::not_listed(reason),
                    (None, true) if is_selected => {
                        let (client, discovery) = (gathering.client, &gathering.discovery);
                        target::with_scale(client, discovery, key, reads).await
                    }
                    (None, true) => reads,
                    (None, false) => unlisted(gathering, key, is_selected).await,
                };
                (key.clone(), reads)
            })
            .buffered(PARALLEL)
            .collect()
            .await;
        targets.extend(read);
        targets
    }
}

/// The list requests for these groups and kinds, if they can be scaled.
pub(super) async fn other_kinds(
    gathering: &Gathering<'_>,
    requested: impl Iterator<Item = (String, String)>,
) -> Vec<ListedKind> {
    let mut kinds = Vec::new();
    for (group, kind) in requested {
        let mappings = gathering
            .discovery
            .mappings(gathering.client, &group, &kind)
            .await;
        if let Some(Mapping {
            version,
            resource,
            is_namespaced,
            has_scale: true,
            ..
        }) = mappings
            .ok()
            .and_then(|mappings| mappings.into_iter().next())
        {
            kinds.push(ListedKind {
                group,
                version,
                resource,
                kind,
                is_namespaced,
            });
        }
    }
    kinds
}

/// A target that no list contains: it is missing, or its kind cannot be scaled and so was not listed.
async fn unlisted(gathering: &Gathering<'_>, key: &TargetKey, is_selected: bool) -> TargetReads {
    let (client, discovery) = (gathering.client, &gathering.discovery);
    let mappings = discovery.mappings(client, &key.group, &key.kind).await;
    match &mappings {
        Ok(mappings) if !mappings[0].has_scale => {
            let reads = TargetReads::default();
            if is_selected {
                target::with_scale(client, discovery, key, reads).await
            } else {
                reads
            }
        }
        _ => target::missing(mappings.as_deref(), key),
    }
}

/// Whether another listed object creates this one: ReplicaSets of a Deployment, Jobs of a CronJob.
pub(super) fn is_made_by_another(kind: &str, value: &Value) -> bool {
    let owners = value
        .pointer("/metadata/ownerReferences")
        .and_then(Value::as_array);
    let mut owners = owners.into_iter().flatten();
    KnownKind::of(kind).is_made_by_another()
        && owners.any(|owner| owner.get("controller").and_then(Value::as_bool) == Some(true))
}
