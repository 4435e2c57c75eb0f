//! Changes of the known state, and what they affect.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use hpa_engine::model::{HpaKey, KnownKind};
use hpa_objects::recording::{
    HpaEvent,
    wire::{Pod, ResourceQuota},
};
use serde::Deserialize as _;
use serde_json::Value;

use super::{
    cluster_state::{ClusterState, SharedNeighbors},
    hpas::{StateUpdate, key_of},
    pods::Name,
    targets::{Turn, has_own_scale},
    unread::GroupKind,
};
use crate::{
    other_hpas::is_remembered,
    replica_sets::ReplicaSet,
    target::{self, TargetKey, TargetReads},
    written_hpa::WrittenHpa,
};

/// The effect of an object's change.
#[derive(Debug, Default)]
pub(crate) struct Effect {
    /// An HPA that is new or changed.
    pub(crate) hpa: Option<HpaKey>,
    /// A selected HPA that was deleted.
    pub(crate) deleted: Option<HpaKey>,
    /// HPAs whose context changed.
    pub(crate) around: BTreeSet<HpaKey>,
    /// Targets whose HPAs have another neighbor.
    pub(crate) rivals_of: BTreeSet<TargetKey>,
    /// HPAs whose target has another number of replicas.
    pub(crate) scaled: BTreeSet<HpaKey>,
    /// A target whose object does not contain its scale.
    pub(crate) scale: Option<TargetKey>,
    /// A target that no HPA scaled before.
    pub(crate) new_target: Option<TargetKey>,
}

impl ClusterState {
    /// Takes the current state of an HPA.
    pub(crate) fn put_hpa(&mut self, written: WrittenHpa) -> Effect {
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

    /// Removes an HPA.
    pub(crate) fn remove_hpa(&mut self, key: &HpaKey) -> Effect {
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
            self.targets.forget(target);
        }
    }

    /// Takes a pod.
    pub(crate) fn put_pod(&mut self, name: Name, pod: Arc<Pod>) -> Effect {
        let around = self.pods.put(name, pod);
        self.stop_sharing(around)
    }

    /// Removes a pod.
    pub(crate) fn remove_pod(&mut self, name: &Name) -> Effect {
        let around = self.pods.remove(name);
        self.stop_sharing(around)
    }

    /// The pods of these HPAs have changed.
    fn stop_sharing(&mut self, around: BTreeSet<HpaKey>) -> Effect {
        if !around.is_empty() {
            *self.sharing.get_mut() = SharedNeighbors::default();
        }
        Effect {
            around,
            ..Effect::default()
        }
    }

    /// Takes an Event.
    pub(crate) fn put_event(&mut self, name: Name, event: HpaEvent) -> Effect {
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

    /// Takes the current state of an object of a kind that HPAs scale, or of a ReplicaSet.
    pub(crate) fn put_object(&mut self, kind: &GroupKind, name: &Name, object: &Value) -> Effect {
        let mut effect = Effect {
            around: self.put_set(kind, name, Some(object)),
            ..Effect::default()
        };
        let key = target_key(kind, name);
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
            .put(&key, &reference, object, self.plane.wording);
        if is_new {
            let hpas = self.retarget(&key);
            if before.is_some() && before != self.targets.replicas(&key) {
                effect.scaled.clone_from(&hpas);
            }
            effect.around.extend(hpas);
        }
        effect.scale = (!has_own_scale(&key)).then_some(key);
        effect
    }

    /// Removes an Event. The server drops Events after an hour: this is not a change.
    pub(crate) fn remove_event(&mut self, name: &Name) {
        if let Some(hpa) = self.about.remove(name)
            && let Some(events) = self.events.get_mut(&hpa)
        {
            events.remove(&name.1);
            if events.is_empty() {
                self.events.remove(&hpa);
            }
        }
    }

    /// Takes the current state of a quota; `None` if it does not exist.
    pub(crate) fn put_quota(&mut self, name: Name, quota: Option<ResourceQuota>) -> Effect {
        let quotas = self.quotas.get_or_insert_default();
        if quotas.get(&name) == quota.as_ref() {
            return Effect::default();
        }
        let namespace = name.0.clone();
        match quota {
            Some(quota) => quotas.insert(name, quota),
            None => quotas.remove(&name),
        };
        self.of_quotas(&namespace)
    }

    /// The HPAs of a namespace whose pods a quota has refused; of all namespaces if it is empty.
    pub(crate) fn of_quotas(&self, namespace: &str) -> Effect {
        let refused = self.targets.sets.refused();
        let refused = refused.filter(|(of, _)| namespace.is_empty() || *of == namespace);
        Effect {
            around: refused
                .flat_map(|(namespace, labels)| self.matching(namespace, labels))
                .collect(),
            ..Effect::default()
        }
    }

    /// The HPAs whose selector matches these labels.
    fn matching(&self, namespace: &str, labels: &BTreeMap<String, String>) -> BTreeSet<HpaKey> {
        let selectors = self.pods.matching(namespace, labels);
        self.pods.hpas(namespace, &selectors.into_iter().collect())
    }

    /// Removes such an object.
    pub(crate) fn remove_object(&mut self, kind: &GroupKind, name: &Name) -> Effect {
        let mut around = self.put_set(kind, name, None);
        let key = target_key(kind, name);
        if self.hpas.of_target(&key).next().is_some() && self.targets.remove(&key) {
            around.extend(self.retarget(&key));
        }
        Effect {
            around,
            ..Effect::default()
        }
    }

    fn put_set(
        &mut self,
        kind: &GroupKind,
        name: &Name,
        object: Option<&Value>,
    ) -> BTreeSet<HpaKey> {
        if !KnownKind::in_group(&kind.0, &kind.1).is_replica_set() {
            return BTreeSet::new();
        }
        let set = object.and_then(|object| ReplicaSet::deserialize(object).ok());
        let set = set.and_then(ReplicaSet::between);
        let labels = self.targets.sets.put(name, set);
        labels
            .map(|labels| self.matching(&name.0, &labels))
            .unwrap_or_default()
    }

    /// Takes a target that was read by a request since `begun`. Returns the HPAs for which it changed.
    pub(crate) fn take_read(
        &mut self,
        key: &TargetKey,
        begun: Turn,
        read: TargetReads,
    ) -> BTreeSet<HpaKey> {
        if self.hpas.of_target(key).next().is_none() {
            // Its last HPA was deleted meanwhile. A later one reads it again.
            self.targets.forget(key);
            return BTreeSet::new();
        }
        if self.targets.take_read((key, begun), read, &self.unread) {
            self.retarget(key)
        } else {
            self.refresh_all(key);
            BTreeSet::new()
        }
    }

    /// The HPAs of a target that changed.
    pub(crate) fn retarget(&mut self, key: &TargetKey) -> BTreeSet<HpaKey> {
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
    pub(crate) fn refresh(&mut self, key: &HpaKey) {
        *self.sharing.get_mut() = SharedNeighbors::default();
        let target = self.hpas.get(key).and_then(|one| target::key(&one.hpa));
        let Some(target) = target else {
            self.pods.select(key, None);
            self.unknown.remove(key);
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
}

fn target_key((group, kind): &GroupKind, (namespace, name): &Name) -> TargetKey {
    TargetKey {
        namespace: namespace.clone(),
        group: group.clone(),
        kind: kind.clone(),
        name: name.clone(),
    }
}
