//! The whole known state, and snapshots of it. No requests here.

mod neighbors;

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
};

use hpa_engine::model::{self, HpaKey, KnownKind, Neighbors, Selector, SnapshotField};
use hpa_objects::recording::{
    HpaEvent, Snapshot,
    wire::{IntermediateOwner, KubernetesEvent, NotRead, ObjectReference, OtherHpa, ResourceQuota},
};

use super::{
    hpas::{Hpas, StateUpdate, key_of},
    metrics::{self, Metrics},
    object::{Kept, Name},
    pods::Pods,
    subject::{WatchTask, What, not_yet},
    targets::{self, GroupKind, Targets},
};
use crate::{
    client::Client,
    gather::{ControlPlane, Known, note_skew, object_targets::FEW, selector_of},
    other_hpas::{is_remembered, unread},
    target::{self, TargetKey, TargetReads},
};

/// The known state.
pub(super) struct InformerState {
    pub(super) plane: ControlPlane,
    /// Why HPAs other than the named ones are not known, if so.
    pub(super) unlisted: Option<NotRead>,
    pub(super) watches: Vec<WatchTask>,
    pub(super) hpas: Hpas,
    pub(super) pods: Pods,
    pub(super) targets: Targets,
    pub(super) metrics: BTreeMap<String, Metrics>,
    quotas: BTreeMap<Name, ResourceQuota>,
    events: BTreeMap<HpaKey, BTreeMap<String, KubernetesEvent>>,
    /// The HPA of each Event.
    about: BTreeMap<Name, HpaKey>,
    /// HPAs whose selector is not known.
    unknown: BTreeSet<HpaKey>,
    /// What HPAs share, until something of it changes.
    sharing: RefCell<SharedNeighbors>,
}

/// The neighbors that HPAs share.
#[derive(Default)]
struct SharedNeighbors {
    /// The HPAs that select pods of a selector, by namespace and selector.
    others: BTreeMap<(String, String), Neighbors<OtherHpa>>,
    /// The remembered HPAs with unknown selectors, by namespace; sorted.
    unknown: BTreeMap<String, Vec<String>>,
}

/// The effect of an object's change.
#[derive(Debug, Default)]
pub(super) struct Effect {
    /// An HPA that is new or changed.
    pub(super) hpa: Option<HpaKey>,
    /// A selected HPA that was deleted.
    pub(super) deleted: Option<HpaKey>,
    /// HPAs whose context changed.
    pub(super) around: BTreeSet<HpaKey>,
    /// Targets whose HPAs have another neighbor.
    pub(super) rivals_of: BTreeSet<TargetKey>,
    /// HPAs whose target has another number of replicas.
    pub(super) scaled: BTreeSet<HpaKey>,
    /// A target whose object does not contain its scale.
    pub(super) scale: Option<TargetKey>,
    /// A target that no HPA scaled before.
    pub(super) new_target: Option<TargetKey>,
}

impl InformerState {
    pub(super) fn new(plane: ControlPlane, unlisted: Option<NotRead>, hpas: Hpas) -> Self {
        Self {
            plane,
            unlisted,
            watches: Vec::new(),
            hpas,
            pods: Pods::default(),
            targets: Targets::default(),
            metrics: BTreeMap::new(),
            quotas: BTreeMap::new(),
            events: BTreeMap::new(),
            about: BTreeMap::new(),
            unknown: BTreeSet::new(),
            sharing: RefCell::default(),
        }
    }

    /// Takes the current state of an object from the watch `watch`.
    pub(super) fn put(&mut self, watch: usize, name: Name, kept: Kept) -> Effect {
        match kept {
            Kept::Hpa(written) => self.put_hpa(*written),
            Kept::Pod(pod) => {
                let around = self.pods.put(name, pod);
                self.stop_sharing(&around);
                Effect {
                    around,
                    ..Effect::default()
                }
            }
            Kept::Event(Some(event)) => self.put_event(name, *event),
            Kept::Event(None) => Effect::default(),
            Kept::Quota(quota) => self.put_quota(name, Some(*quota)),
            Kept::Object(object) => self.put_object(watch, &name, *object),
        }
    }

    /// Removes an object of the watch `watch`.
    pub(super) fn remove(&mut self, watch: usize, name: &Name) -> Effect {
        match self.watches[watch].what {
            What::Hpas => {
                let (namespace, name) = name.clone();
                self.remove_hpa(&HpaKey { namespace, name })
            }
            What::Pods => {
                let around = self.pods.remove(name);
                self.stop_sharing(&around);
                Effect {
                    around,
                    ..Effect::default()
                }
            }
            // The server drops Events after an hour: this is not a change.
            What::Events => {
                if let Some(hpa) = self.about.remove(name)
                    && let Some(events) = self.events.get_mut(&hpa)
                {
                    events.remove(&name.1);
                    if events.is_empty() {
                        self.events.remove(&hpa);
                    }
                }
                Effect::default()
            }
            What::Quotas => self.put_quota(name.clone(), None),
            What::Objects => {
                let mut around = self.put_set(watch, name, None);
                let key = self.target_key(watch, name);
                if self.targets.remove(&key) {
                    around.extend(self.retarget(&key));
                }
                Effect {
                    around,
                    ..Effect::default()
                }
            }
        }
    }

    pub(super) fn put_hpa(&mut self, written: crate::written_hpa::WrittenHpa) -> Effect {
        let key = key_of(&written.hpa);
        let since = self.plane.leader_since();
        let known = self.hpas.get(&key);
        let was_remembered = known.is_some_and(|one| is_remembered(&one.hpa, since));
        let is_known = was_remembered == is_remembered(&written.hpa, since);
        let before = known.and_then(|one| target::key(&one.hpa));
        let after = target::key(&written.hpa);
        let mut effect = Effect::default();
        match self.hpas.put(written) {
            StateUpdate::Same => return effect,
            StateUpdate::Own if is_known => {
                effect.hpa = Some(key);
                return effect;
            }
            StateUpdate::Own => effect.hpa = Some(key.clone()),
            StateUpdate::New if self.hpas.is_selected(&key) => effect.hpa = Some(key.clone()),
            StateUpdate::New => {}
            StateUpdate::Deselected => effect.deleted = Some(key.clone()),
        }
        *self.sharing.get_mut() = SharedNeighbors::default();
        effect
            .rivals_of
            .extend([before.clone(), after.clone()].into_iter().flatten());
        if before != after {
            self.drop_unwanted(before.as_ref());
            self.refresh(&key);
            effect.new_target = after.filter(|after| !self.targets.is_found(after));
        }
        effect
    }

    pub(super) fn remove_hpa(&mut self, key: &HpaKey) -> Effect {
        let target = self.hpas.get(key).and_then(|one| target::key(&one.hpa));
        let deleted = self.hpas.remove(key).then(|| key.clone());
        self.pods.select(key, None);
        self.unknown.remove(key);
        *self.sharing.get_mut() = SharedNeighbors::default();
        self.drop_unwanted(target.as_ref());
        Effect {
            deleted,
            rivals_of: target.into_iter().collect(),
            ..Effect::default()
        }
    }

    fn drop_unwanted(&mut self, target: Option<&TargetKey>) {
        if let Some(target) = target
            && self.hpas.of_target(target).next().is_none()
        {
            self.targets.remove(target);
        }
    }

    fn put_event(&mut self, name: Name, event: HpaEvent) -> Effect {
        let key = HpaKey {
            namespace: event.namespace,
            name: event.hpa,
        };
        let events = self.events.entry(key.clone()).or_default();
        let before = events.insert(name.1.clone(), event.event);
        let is_new = before.as_ref() != events.get(&name.1);
        self.about.insert(name, key.clone());
        Effect {
            around: BTreeSet::from_iter(is_new.then_some(key)),
            ..Effect::default()
        }
    }

    fn put_object(&mut self, watch: usize, name: &Name, mut object: serde_json::Value) -> Effect {
        let kind = &self.watches[watch].kind;
        // Objects in a list do not contain it.
        if let Some(object) = object.as_object_mut() {
            for (field, text) in [("apiVersion", &kind.api_version), ("kind", &kind.kind)] {
                let entry = object.entry(field);
                entry.or_insert_with(|| serde_json::Value::String(text.clone()));
            }
        }
        let mut effect = Effect {
            around: self.put_set(watch, name, Some(&object)),
            ..Effect::default()
        };
        let key = self.target_key(watch, name);
        let Some(reference) = self
            .hpas
            .of_target(&key)
            .next()
            .map(|(_, hpa)| hpa.spec.scale_target_ref.clone())
        else {
            return effect;
        };
        let before = self.targets.replicas(&key);
        let is_new = self
            .targets
            .put(&key, &reference, &object, self.plane.wording);
        if is_new {
            let hpas = self.retarget(&key);
            if before.is_some() && before != self.targets.replicas(&key) {
                effect.scaled.clone_from(&hpas);
            }
            effect.around.extend(hpas);
        }
        effect.scale = (!targets::has_own_scale(&key)).then_some(key);
        effect
    }

    /// Takes the current state of a quota; `None` if it does not exist.
    fn put_quota(&mut self, name: Name, quota: Option<ResourceQuota>) -> Effect {
        if self.quotas.get(&name) == quota.as_ref() {
            return Effect::default();
        }
        let namespace = name.0.clone();
        match quota {
            Some(quota) => self.quotas.insert(name, quota),
            None => self.quotas.remove(&name),
        };
        self.of_quotas(&namespace)
    }

    /// The HPAs of a namespace whose pods a quota has refused; of all namespaces if it is empty.
    pub(super) fn of_quotas(&self, namespace: &str) -> Effect {
        let hpas = self.hpas.selected().iter();
        let refused = hpas
            .filter(|key| namespace.is_empty() || key.namespace == namespace)
            .filter(|key| {
                let target = self.hpas.get(key).and_then(|one| target::key(&one.hpa));
                let selector = target.and_then(|target| self.selector(&target));
                selector.is_some_and(|selector| {
                    self.targets
                        .sets(&key.namespace, &selector)
                        .iter()
                        .any(is_refused)
                })
            });
        Effect {
            around: refused.cloned().collect(),
            ..Effect::default()
        }
    }

    fn put_set(
        &mut self,
        watch: usize,
        name: &Name,
        object: Option<&serde_json::Value>,
    ) -> BTreeSet<HpaKey> {
        if !KnownKind::of(&self.watches[watch].kind.kind).is_replica_set() {
            return BTreeSet::new();
        }
        let Some(labels) = self.targets.put_set(name, object) else {
            return BTreeSet::new();
        };
        let selectors = self.pods.matching(&name.0, &labels);
        self.pods.hpas(&name.0, &selectors.into_iter().collect())
    }

    fn target_key(&self, watch: usize, (namespace, name): &Name) -> TargetKey {
        let kind = &self.watches[watch].kind;
        TargetKey {
            namespace: namespace.clone(),
            group: kind.group.clone(),
            kind: kind.kind.clone(),
            name: name.clone(),
        }
    }

    /// Takes a target that was read by a request. Returns the HPAs for which it changed.
    pub(super) fn take_read(&mut self, key: &TargetKey, read: TargetReads) -> BTreeSet<HpaKey> {
        if self.targets.take_read(key, read, &self.watches) {
            self.retarget(key)
        } else {
            self.refresh_all(key);
            BTreeSet::new()
        }
    }

    /// The HPAs of a target that changed.
    pub(super) fn retarget(&mut self, key: &TargetKey) -> BTreeSet<HpaKey> {
        self.refresh_all(key);
        self.hpas
            .of_target(key)
            .map(|(hpa, _)| hpa.clone())
            .collect()
    }

    fn refresh_all(&mut self, key: &TargetKey) {
        let hpas: Vec<HpaKey> = self
            .hpas
            .of_target(key)
            .map(|(hpa, _)| hpa.clone())
            .collect();
        for hpa in hpas {
            self.refresh(&hpa);
        }
    }

    /// Recomputes what an HPA selects.
    pub(super) fn refresh(&mut self, key: &HpaKey) {
        *self.sharing.get_mut() = SharedNeighbors::default();
        let target = self.hpas.get(key).and_then(|one| target::key(&one.hpa));
        let Some(target) = target else {
            self.pods.select(key, None);
            return;
        };
        let selector = self.selector(&target);
        self.pods.select(key, selector);
        // The controller may remember the selector of a target that does not exist any more.
        let is_unknown = self.targets.scale(&target).is_none();
        if is_unknown {
            self.unknown.insert(key.clone());
        } else {
            self.unknown.remove(key);
        }
    }

    /// The selector of a target, if it selects any pods.
    pub(super) fn selector(&self, target: &TargetKey) -> Option<Selector> {
        selector_of(self.targets.scale(target)?, self.plane.wording)
    }

    /// The HPA as the controller would find it now. `None` if it is not selected.
    pub(super) fn snapshot(&self, client: &Client, key: &HpaKey) -> Option<Snapshot> {
        let written = self.hpas.get(key).filter(|_| self.hpas.is_selected(key))?;
        let hpa = &written.hpa;
        let target = target::key(hpa);
        let rivals = target.as_ref();
        let rivals = rivals.map(|target| self.hpas.rivals(key, target));
        let not_read: Vec<NotRead> = [
            self.watch_of(What::Events)
                .and_then(|watch| watch.not_read(SnapshotField::Events)),
            self.unlisted.clone(),
        ]
        .into_iter()
        .flatten()
        .collect();
        let mut snapshot = Known {
            client,
            plane: &self.plane,
            not_read: &not_read,
            hpa,
            writes: Some(&written.writes),
            rivals: rivals.unwrap_or_default(),
            events: self.events(key),
            target: target
                .as_ref()
                .map(|target| self.targets.reads(target, &self.watches)),
        }
        .snapshot();
        let selector = target.as_ref().and_then(|target| self.selector(target));
        if let Some(selector) = &selector {
            self.share_pods(selector, &mut snapshot);
            if KnownKind::of(&hpa.spec.scale_target_ref.kind).is_deployment() {
                self.share_sets(selector, &mut snapshot);
            }
        }
        self.share_others(key, selector.as_ref(), &mut snapshot);
        match self.metrics.get(&key.namespace) {
            Some(metrics) => metrics.share(hpa, selector.as_ref(), &mut snapshot),
            None => metrics::never_polled(hpa, selector.is_some(), &mut snapshot),
        }
        note_skew(client, &mut snapshot);
        Some(snapshot)
    }

    fn share_pods(&self, selector: &Selector, snapshot: &mut Snapshot) {
        let not_read = self
            .watch_of(What::Pods)
            .and_then(|watch| watch.not_read(SnapshotField::Pods));
        if let Some(reason) = not_read {
            snapshot.not_read.push(reason);
            return;
        }
        let namespace = snapshot.hpa.metadata.namespace.clone();
        let namespace = namespace.unwrap_or_default();
        snapshot.pods = self.pods.selected(&namespace, &selector.to_string());
    }

    fn share_sets(&self, selector: &Selector, snapshot: &mut Snapshot) {
        let namespace = snapshot.hpa.metadata.namespace.clone().unwrap_or_default();
        let watch = self.watches.iter().find(|watch| {
            watch.what == What::Objects
                && KnownKind::of(&watch.kind.kind).is_replica_set()
                && watch.kind.group == "apps"
        });
        let Some(target) = &mut snapshot.target else {
            return;
        };
        let not_read = watch.and_then(|watch| watch.not_read(SnapshotField::IntermediateOwners));
        if let Some(reason) = not_read {
            snapshot.not_read.push(reason);
            return;
        }
        target.intermediate_owners = self.targets.sets(&namespace, selector);
        if target.intermediate_owners.iter().any(is_refused) {
            self.share_quotas(&namespace, snapshot);
        }
    }

    fn share_quotas(&self, namespace: &str, snapshot: &mut Snapshot) {
        let watch = self.watch_of(What::Quotas);
        let not_read = watch.map_or_else(
            || Some(not_yet(SnapshotField::ResourceQuotas)),
            |watch| watch.not_read(SnapshotField::ResourceQuotas),
        );
        if let Some(reason) = not_read {
            snapshot.not_read.push(reason);
            return;
        }
        let of_namespace = self
            .quotas
            .range((namespace.to_owned(), String::new())..)
            .take_while(|((of, _), _)| of == namespace);
        let surroundings = snapshot.surroundings.get_or_insert_default();
        surroundings.downstream.resource_quotas =
            Some(of_namespace.map(|(_, quota)| quota.clone()).collect());
    }

    /// The pods of these HPAs have changed.
    fn stop_sharing(&mut self, around: &BTreeSet<HpaKey>) {
        if !around.is_empty() {
            *self.sharing.get_mut() = SharedNeighbors::default();
        }
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

    fn events(&self, key: &HpaKey) -> Vec<KubernetesEvent> {
        let events = self.events.get(key).into_iter().flat_map(BTreeMap::values);
        let mut events: Vec<KubernetesEvent> = events.cloned().collect();
        events.sort_by_key(|event| event.last_timestamp);
        events
    }

    /// The watch of a subject that has only one.
    pub(super) fn watch_of(&self, what: What) -> Option<&WatchTask> {
        self.watches.iter().find(|watch| watch.what == what)
    }

    /// Whether the latest poll has no data for an HPA, because it came before the HPA or the scale of its target was
    /// known.
    pub(super) fn is_unpolled(&self, key: &HpaKey) -> bool {
        let metrics = self.metrics.get(&key.namespace);
        !metrics.is_some_and(|metrics| metrics.is_of(&key.name))
    }

    /// Whether the target of an HPA is still being read.
    pub(super) fn is_awaited(&self, key: &HpaKey) -> bool {
        let target = self.hpas.get(key).and_then(|one| target::key(&one.hpa));
        target.is_some_and(|target| self.targets.is_awaited(&target))
    }

    /// The targets that may only be read individually; none of a kind that has too many.
    pub(super) fn alone(&self) -> Vec<TargetKey> {
        let mut alone = Vec::new();
        for kind in self.hpas.kinds() {
            if self.targets.is_kind_alone(kind, &self.watches) {
                let (group, kind) = kind;
                let targets = self.hpas.targets();
                let of_kind = targets.filter(|key| key.group == *group && key.kind == *kind);
                let of_kind: Vec<&TargetKey> = of_kind.take(FEW + 1).collect();
                if of_kind.len() <= FEW {
                    alone.extend(of_kind.into_iter().cloned());
                }
            }
        }
        alone
    }

    /// Whether a selected HPA scales a Deployment, whose pods belong to ReplicaSets.
    pub(super) fn scales_a_deployment(&self) -> bool {
        let mut targets = self.hpas.targets();
        targets.any(|key| {
            let mut hpas = self.hpas.of_target(key);
            KnownKind::of(&key.kind).is_deployment()
                && hpas.any(|(hpa, _)| self.hpas.is_selected(hpa))
        })
    }

    /// The reference with which an HPA names that target.
    pub(super) fn reference(&self, key: &TargetKey) -> Option<ObjectReference> {
        let (_, hpa) = self.hpas.of_target(key).next()?;
        Some(hpa.spec.scale_target_ref.clone())
    }

    /// The kinds of targets that were not requested yet.
    pub(super) fn new_kinds(&self) -> Vec<GroupKind> {
        let kinds = self.hpas.kinds();
        kinds
            .filter(|kind| !self.targets.kinds.contains_key(*kind))
            .cloned()
            .collect()
    }
}

fn is_refused(set: &IntermediateOwner) -> bool {
    let failure = set.failure.as_deref();
    failure.and_then(model::ResourceQuota::refusal_in).is_some()
}
