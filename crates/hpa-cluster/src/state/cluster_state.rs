//! The whole known state, and snapshots of it.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
};

use hpa_engine::model::{HpaKey, KnownKind, Neighbors, Selector, SnapshotField};
use hpa_objects::recording::{
    Snapshot,
    wire::{Hpa, KubernetesEvent, NotRead, ObjectReference, OtherHpa, ResourceQuota},
};

use super::{
    hpas::Hpas,
    known::note_skew,
    metrics::Metrics,
    pods::{Name, Pods},
    sets::is_refused,
    targets::{Targets, group_kind},
    unread::{GroupKind, PODS, QUOTAS, Unread},
};
use crate::{
    client::Client,
    control_plane::ControlPlane,
    hpa_resource::namespace_of,
    other_hpas::unread,
    replica_sets,
    target::{self, FEW, TargetKey},
};

/// The known state.
pub(crate) struct ClusterState {
    pub(crate) plane: ControlPlane,
    /// Why HPAs other than the named ones are not known, if so.
    pub(crate) unlisted: Option<NotRead>,
    pub(crate) unread: Unread,
    pub(crate) hpas: Hpas,
    pub(crate) pods: Pods,
    pub(crate) targets: Targets,
    pub(crate) metrics: BTreeMap<String, Metrics>,
    /// `None`: they are read elsewhere.
    pub(crate) quotas: Option<BTreeMap<Name, ResourceQuota>>,
    pub(super) events: BTreeMap<HpaKey, BTreeMap<String, KubernetesEvent>>,
    /// The HPA of each Event.
    pub(super) about: BTreeMap<Name, HpaKey>,
    /// HPAs whose selector is not known.
    pub(crate) unknown: BTreeSet<HpaKey>,
    /// What HPAs share, until something of it changes.
    pub(super) sharing: RefCell<SharedNeighbors>,
}

/// The neighbors that HPAs share.
#[derive(Default)]
pub(super) struct SharedNeighbors {
    /// The HPAs that select pods of a selector, by namespace and selector.
    others: BTreeMap<(String, String), Neighbors<OtherHpa>>,
    /// The remembered HPAs with unknown selectors, by namespace; sorted.
    unknown: BTreeMap<String, Vec<String>>,
}

impl ClusterState {
    pub(crate) fn new(plane: ControlPlane, unlisted: Option<NotRead>, hpas: Hpas) -> Self {
        Self {
            plane,
            unlisted,
            unread: Unread::default(),
            hpas,
            pods: Pods::default(),
            targets: Targets::default(),
            metrics: BTreeMap::new(),
            quotas: None,
            events: BTreeMap::new(),
            about: BTreeMap::new(),
            unknown: BTreeSet::new(),
            sharing: RefCell::default(),
        }
    }

    /// The selector of a target, if it selects any pods.
    pub(super) fn selector(&self, target: &TargetKey) -> Option<Selector> {
        target::selector_of(self.targets.scale(target)?, self.plane.wording)
    }

    /// The selector of an HPA's target, if it selects any pods: otherwise the controller reads no pods either.
    pub(crate) fn selector_of(&self, hpa: &Hpa) -> Option<Selector> {
        self.selector(&target::key(hpa)?)
    }

    /// The HPA as the controller would find it now. `None` if it is not known.
    pub(crate) fn snapshot(&self, client: &Client, key: &HpaKey) -> Option<Snapshot> {
        let mut snapshot = self.known(client, key)?;
        let hpa = &self.hpas.get(key)?.hpa;
        let selector = self.selector_of(hpa);
        if let Some(selector) = &selector {
            self.share_pods(selector, &mut snapshot);
            if KnownKind::of(&hpa.spec.scale_target_ref.kind).is_deployment() {
                self.share_sets(selector, &mut snapshot);
            }
        }
        self.share_others(key, selector.as_ref(), &mut snapshot);
        match self.metrics.get(&key.namespace) {
            Some(metrics) => metrics.share(hpa, selector.as_ref(), &mut snapshot),
            None => Metrics::default().share(hpa, selector.as_ref(), &mut snapshot),
        }
        note_skew(client, &mut snapshot);
        Some(snapshot)
    }

    fn share_pods(&self, selector: &Selector, snapshot: &mut Snapshot) {
        if let Some(reason) = self.unread.of(PODS, SnapshotField::Pods) {
            snapshot.not_read.push(reason);
            return;
        }
        let namespace = namespace_of(&snapshot.hpa);
        snapshot.pods = self.pods.selected(namespace, &selector.to_string());
    }

    fn share_sets(&self, selector: &Selector, snapshot: &mut Snapshot) {
        let namespace = namespace_of(&snapshot.hpa).to_owned();
        let Some(target) = &mut snapshot.target else {
            return;
        };
        let sets = (replica_sets::GROUP, replica_sets::KIND);
        if let Some(reason) = self.unread.of(sets, SnapshotField::IntermediateOwners) {
            snapshot.not_read.push(reason);
            return;
        }
        target.intermediate_owners = self.targets.sets.matching(&namespace, selector);
        if target.intermediate_owners.iter().any(is_refused) {
            self.share_quotas(&namespace, snapshot);
        }
    }

    fn share_quotas(&self, namespace: &str, snapshot: &mut Snapshot) {
        if let Some(reason) = self.unread.of(QUOTAS, SnapshotField::ResourceQuotas) {
            snapshot.not_read.push(reason);
            return;
        }
        let Some(quotas) = &self.quotas else {
            return;
        };
        let of_namespace = quotas
            .range((namespace.to_owned(), String::new())..)
            .take_while(|((of, _), _)| of == namespace);
        let surroundings = snapshot.surroundings.get_or_insert_default();
        surroundings.downstream.resource_quotas =
            Some(of_namespace.map(|(_, quota)| quota.clone()).collect());
    }

    /// Adds the other HPAs that select one of its pods: no others can make the selector ambiguous.
    fn share_others(&self, key: &HpaKey, selector: Option<&Selector>, snapshot: &mut Snapshot) {
        let mut sharing = self.sharing.borrow_mut();
        let SharedNeighbors { others, unknown } = &mut *sharing;
        if let Some(selector) = selector {
            let place = (key.namespace.clone(), selector.to_string());
            let others = others
                .entry(place)
                .or_insert_with_key(|(namespace, selector)| self.others(namespace, selector));
            snapshot.other_hpas = others.without(&key.name);
        }
        let unknown = unknown.entry(key.namespace.clone());
        let unknown = unknown.or_insert_with_key(|namespace| self.unknown(namespace));
        snapshot.not_read.extend(unread(unknown, &key.name));
    }

    pub(super) fn events(&self, key: &HpaKey) -> Vec<KubernetesEvent> {
        let events = self.events.get(key).into_iter().flat_map(BTreeMap::values);
        let mut events: Vec<KubernetesEvent> = events.cloned().collect();
        events.sort_by_key(|event| event.last_timestamp);
        events
    }

    /// Whether the latest poll has no data for an HPA, because it came before the HPA or the scale of its target was
    /// known.
    pub(crate) fn is_unpolled(&self, key: &HpaKey) -> bool {
        let metrics = self.metrics.get(&key.namespace);
        !metrics.is_some_and(|metrics| metrics.is_of(&key.name))
    }

    /// Whether the target of an HPA is still being read.
    pub(crate) fn is_awaited(&self, key: &HpaKey) -> bool {
        let target = self.hpas.get(key).and_then(|one| target::key(&one.hpa));
        target.is_some_and(|target| self.targets.is_awaited(&target))
    }

    /// The first targets to read individually, as soon as they are known: up to a few of each kind.
    pub(crate) fn first_alone(&self) -> Vec<TargetKey> {
        let kinds = self.hpas.kinds();
        let alone = kinds.filter(|kind| self.targets.is_kind_alone(kind, &self.unread));
        alone
            .flat_map(|kind| {
                let few = FEW.saturating_sub(self.targets.read_alone(kind));
                let targets = self.hpas.targets().filter(|key| group_kind(key) == *kind);
                self.least_recent(targets.filter(|key| self.targets.latest(key) == 0), few)
            })
            .collect()
    }

    /// The targets of a namespace that a poll reads individually, because their kind cannot be watched or the latest read
    /// failed: a few of each kind, in turns.
    pub(crate) fn next_alone(&self, namespace: &str) -> Vec<TargetKey> {
        let mut by_kind: BTreeMap<GroupKind, Vec<&TargetKey>> = BTreeMap::new();
        for key in self.hpas.targets_in(namespace) {
            if self.targets.is_alone(key, &self.unread) || self.targets.has_failed(key) {
                by_kind.entry(group_kind(key)).or_default().push(key);
            }
        }
        let kinds = by_kind.into_values();
        kinds
            .flat_map(|of_kind| self.least_recent(of_kind.into_iter(), FEW))
            .collect()
    }

    /// The targets that were not read for the longest time; first those of selected HPAs.
    fn least_recent<'a>(
        &self,
        targets: impl Iterator<Item = &'a TargetKey>,
        few: usize,
    ) -> Vec<TargetKey> {
        if few == 0 {
            return Vec::new();
        }
        let mut targets: Vec<&TargetKey> = targets.collect();
        targets.sort_by_cached_key(|key| {
            let mut hpas = self.hpas.of_target(key);
            let is_selected = hpas.any(|(hpa, _)| self.hpas.is_selected(hpa));
            (!is_selected, self.targets.latest(key))
        });
        targets.into_iter().take(few).cloned().collect()
    }

    /// Whether a selected HPA scales a Deployment, whose pods belong to ReplicaSets.
    pub(crate) fn scales_a_deployment(&self) -> bool {
        let mut targets = self.hpas.targets();
        targets.any(|key| {
            let mut hpas = self.hpas.of_target(key);
            KnownKind::of(&key.kind).is_deployment()
                && hpas.any(|(hpa, _)| self.hpas.is_selected(hpa))
        })
    }

    /// The reference with which an HPA names that target.
    pub(crate) fn reference(&self, key: &TargetKey) -> Option<ObjectReference> {
        let (_, hpa) = self.hpas.of_target(key).next()?;
        Some(hpa.spec.scale_target_ref.clone())
    }

    /// The kinds of targets that were not requested yet.
    pub(crate) fn new_kinds(&self) -> Vec<GroupKind> {
        let kinds = self.hpas.kinds();
        kinds
            .filter(|kind| !self.targets.kinds.contains_key(*kind))
            .cloned()
            .collect()
    }
}
