//! What is in a file, so that it is found for each HPA without looking at everything again.

use std::{
    collections::{BTreeMap, BTreeSet},
    mem,
};

use super::collection::{Collection, Named};
use crate::{
    model::{
        Selector, Shared,
        label_selector::{SelectorIndex, Wording},
    },
    recording::{
        Workload,
        wire::{
            Condition, Hpa, IntermediateOwner, KubernetesEvent, ObjectReference, OtherHpa, Pod,
            PodMetrics, Scale,
        },
    },
};

/// What is in a file, by namespace.
#[derive(Default)]
pub(super) struct Found(BTreeMap<String, OfNamespace>);

/// What is in a file of one namespace. Numbers are places in the collection.
#[derive(Default)]
pub(super) struct OfNamespace {
    /// All pods.
    pub(super) pods: Shared<Pod>,
    /// All usages.
    pub(super) usages: Shared<PodMetrics>,
    /// HPAs whose selector may be known to the controller, and is not in the file.
    pub(super) unknown: Vec<String>,
    workloads: BTreeMap<String, Vec<usize>>,
    scales: BTreeMap<String, Scale>,
    owners: Vec<IntermediateOwner>,
    owned_by: BTreeMap<(String, String), Vec<usize>>,
    owner_called: BTreeMap<(String, String), Vec<usize>>,
    events: BTreeMap<String, Vec<KubernetesEvent>>,
    rivals: BTreeMap<(String, String), Vec<usize>>,
    /// The HPAs that the controller may know of, with their selectors.
    others: Vec<OtherHpa>,
    selectors: BTreeMap<String, Selected>,
}

/// What one selector selects.
#[derive(Default)]
struct Selected {
    /// The pods, which all HPAs with this selector share.
    pods: Shared<Pod>,
    /// Their usages.
    usages: Shared<PodMetrics>,
    /// The HPAs among `others` that select one of these pods, too.
    others: BTreeSet<usize>,
    /// Owners of these pods.
    owners: BTreeSet<usize>,
}

impl Found {
    /// Sorts what is in `collection` by namespace. Pods, usages, scales and events are taken out of it.
    pub(super) fn take(collection: &mut Collection, wording: Wording) -> Self {
        let mut found = Self::default();
        for (namespace, pods) in by_namespace(mem::take(&mut collection.pods)) {
            found.of_mut(namespace).pods = pods.into_iter().map(|(_, pod)| pod).collect();
        }
        for (namespace, usages) in by_namespace(mem::take(&mut collection.pod_metrics)) {
            found.of_mut(namespace).usages = usages.into_iter().map(|(_, usage)| usage).collect();
        }
        for (namespace, scales) in by_namespace(mem::take(&mut collection.scales)) {
            let known = &mut found.of_mut(namespace).scales;
            for (name, scale) in scales {
                known.entry(name).or_insert(scale);
            }
        }
        for (namespace, events) in by_namespace(mem::take(&mut collection.events)) {
            let known = &mut found.of_mut(namespace).events;
            for (name, event) in events {
                known.entry(name).or_default().push(event);
            }
        }
        for (place, workload) in collection.workloads.iter().enumerate() {
            let of_namespace = found.of_mut(workload.namespace.clone());
            let called = of_namespace.workloads.entry(workload.name.clone());
            called.or_default().push(place);
            if let Some(owner) = workload.intermediate_owner() {
                of_namespace.add_owner(owner);
            }
        }
        let mut hpas: BTreeMap<&str, Vec<&Hpa>> = BTreeMap::new();
        for (place, hpa) in collection.hpas.iter().enumerate() {
            let namespace = hpa.metadata.namespace.as_deref().unwrap_or_default();
            let target = &hpa.spec.scale_target_ref;
            let key = (target.kind.clone(), target.name.clone());
            let rivals = &mut found.of_mut(namespace.to_owned()).rivals;
            rivals.entry(key).or_default().push(place);
            hpas.entry(namespace).or_default().push(hpa);
        }
        for (namespace, hpas) in hpas {
            if let Some(of_namespace) = found.0.get_mut(namespace) {
                of_namespace.select(&hpas, &collection.workloads, namespace, wording);
            }
        }
        found
    }

    /// What there is of a namespace.
    pub(super) fn of(&self, namespace: &str) -> Option<&OfNamespace> {
        self.0.get(namespace)
    }

    fn of_mut(&mut self, namespace: String) -> &mut OfNamespace {
        self.0.entry(namespace).or_default()
    }
}

impl OfNamespace {
    /// The object that an HPA scales.
    pub(super) fn target<'a>(
        &self,
        reference: &ObjectReference,
        workloads: &'a [Workload],
        namespace: &str,
    ) -> Option<&'a Workload> {
        let called = self.workloads.get(&reference.name)?.iter();
        let mut called = called.map(|place| &workloads[*place]);
        called.find(|workload| workload.is_meant_by(reference, namespace))
    }

    /// The scale of that object, if it is in the file as such.
    pub(super) fn scale(&self, name: &str) -> Option<&Scale> {
        self.scales.get(name)
    }

    /// The Events on an HPA, oldest first.
    pub(super) fn events(&self, hpa: &str) -> &[KubernetesEvent] {
        self.events.get(hpa).map_or(&[], Vec::as_slice)
    }

    /// The HPAs on the same target, by their places.
    pub(super) fn rivals(&self, target: &ObjectReference) -> &[usize] {
        let key = (target.kind.clone(), target.name.clone());
        self.rivals.get(&key).map_or(&[], Vec::as_slice)
    }

    /// The pods of `selector` and their usages; all that there are if it is not known.
    pub(super) fn selected(&self, selector: Option<&str>) -> (Shared<Pod>, Shared<PodMetrics>) {
        match selector.and_then(|selector| self.selectors.get(selector)) {
            Some(selected) => (selected.pods.clone(), selected.usages.clone()),
            None => (self.pods.clone(), self.usages.clone()),
        }
    }

    /// The HPAs that select one of the pods of `selector`: no others can make it ambiguous.
    pub(super) fn others(&self, selector: &str) -> impl Iterator<Item = &OtherHpa> {
        let selected = self.selectors.get(selector).into_iter();
        selected.flat_map(|selected| selected.others.iter().map(|place| &self.others[*place]))
    }

    /// What owns pods of `selector` and is owned itself, and what the target owns.
    pub(super) fn owners(
        &self,
        selector: Option<&str>,
        target: &Workload,
    ) -> Vec<IntermediateOwner> {
        let key = (target.kind.clone(), target.name.clone());
        let mut places: BTreeSet<usize> = self
            .owned_by
            .get(&key)
            .into_iter()
            .flatten()
            .copied()
            .collect();
        if let Some(selected) = selector.and_then(|selector| self.selectors.get(selector)) {
            places.extend(&selected.owners);
        }
        let owners = places.into_iter().map(|place| self.owners[place].clone());
        owners.collect()
    }

    fn add_owner(&mut self, owner: IntermediateOwner) {
        let place = self.owners.len();
        let key = (owner.owner_kind.clone(), owner.owner_name.clone());
        self.owned_by.entry(key).or_default().push(place);
        let key = (owner.kind.clone(), owner.name.clone());
        self.owner_called.entry(key).or_default().push(place);
        self.owners.push(owner);
    }

    /// Works out which HPAs select the same pods.
    fn select(&mut self, hpas: &[&Hpa], workloads: &[Workload], namespace: &str, wording: Wording) {
        let mut places: BTreeMap<String, usize> = BTreeMap::new();
        let (mut distinct, mut of_selector) = (Vec::new(), Vec::new());
        for hpa in hpas {
            let reference = &hpa.spec.scale_target_ref;
            let scale = self
                .scale(&reference.name)
                .map(|scale| scale.status.selector.clone());
            let text = scale.or_else(|| {
                let target = self.target(reference, workloads, namespace)?;
                Some(target.scale(wording).ok()?.status.selector)
            });
            let name = &hpa.metadata.name;
            let Some(text) = text else {
                if may_be_remembered(hpa) {
                    self.unknown.push(name.clone());
                }
                continue;
            };
            let Ok(selector) = Selector::parse(&text, wording) else {
                continue;
            };
            let place = *places.entry(text.clone()).or_insert_with(|| {
                distinct.push(selector);
                of_selector.push(Vec::new());
                distinct.len() - 1
            });
            if may_be_remembered(hpa) {
                of_selector[place].push(self.others.len());
                self.others.push(OtherHpa {
                    name: name.clone(),
                    selector: text,
                });
            }
        }
        let mut selected: Vec<Selected> = Vec::new();
        selected.resize_with(distinct.len(), Selected::default);
        let index = SelectorIndex::new(distinct);
        let mut places_of_pods: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for pod in &self.pods {
            let selecting = index.matching(&pod.metadata.labels);
            let owners: Vec<usize> = pod
                .metadata
                .owner_references
                .iter()
                .filter_map(|owner| {
                    let key = (owner.kind.clone(), owner.name.clone());
                    self.owner_called.get(&key)
                })
                .flatten()
                .copied()
                .collect();
            for place in &selecting {
                let selected = &mut selected[*place];
                selected.owners.extend(&owners);
                let others = selecting.iter().flat_map(|other| &of_selector[*other]);
                selected.others.extend(others);
                selected.pods.push(pod.clone());
            }
            places_of_pods.insert(&pod.metadata.name, selecting);
        }
        for usage in &self.usages {
            // Some servers of this API leave labels out.
            let selecting = if usage.metadata.labels.is_empty() {
                let places = places_of_pods.get(usage.metadata.name.as_str());
                places.cloned().unwrap_or_default()
            } else {
                index.matching(&usage.metadata.labels)
            };
            for place in selecting {
                selected[place].usages.push(usage.clone());
            }
        }
        self.selectors = places
            .into_iter()
            .map(|(text, place)| (text, mem::take(&mut selected[place])))
            .collect();
    }
}

/// Whether the controller may know the selector of an HPA: it got as far as measuring for it, or the file does not tell.
fn may_be_remembered(hpa: &Hpa) -> bool {
    let conditions = &hpa.status.conditions;
    let is_measured = |condition: &Condition| condition.condition_type == "ScalingActive";
    conditions.is_empty() || conditions.iter().any(is_measured)
}

fn by_namespace<T>(objects: Vec<Named<T>>) -> BTreeMap<String, Vec<(String, T)>> {
    let mut by_namespace: BTreeMap<String, Vec<(String, T)>> = BTreeMap::new();
    for object in objects {
        let of_namespace = by_namespace.entry(object.namespace).or_default();
        of_namespace.push((object.name, object.object));
    }
    by_namespace
}
