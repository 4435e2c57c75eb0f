//! Indexes the contents of a file, so that each HPA finds its objects without a scan.

use std::{
    cell::OnceCell,
    collections::{BTreeMap, BTreeSet},
    iter, mem,
    sync::Arc,
};

use hpa_engine::model::{
    Neighbors, Selector, Shared,
    label_selector::{SelectorIndex, Wording},
};

use super::collection::{Collection, NamedObject, Scalable};
use crate::recording::{
    of_hpa,
    wire::{
        Autoscaler, Condition, Hpa, IntermediateOwner, KubernetesEvent, ObjectReference, OtherHpa,
        Pod, PodMetrics, Scale, Target,
    },
};

/// The contents of a file, by namespace.
#[derive(Default)]
pub(super) struct FileHpas(BTreeMap<String, NamespaceHpas>);

/// The contents of one namespace. Numbers are indices into the collection.
#[derive(Default)]
pub(super) struct NamespaceHpas {
    /// Pods that no known selector selects; all pods before they are sorted by selectors.
    pods: Vec<Arc<Pod>>,
    /// The usages of these pods.
    usages: Vec<Arc<PodMetrics>>,
    /// All pods and usages, computed on demand.
    all: OnceCell<SelectedPods>,
    /// HPAs whose selector the controller may know, but the file does not contain; sorted.
    pub(super) unknown: Vec<String>,
    scalables: BTreeMap<String, Vec<usize>>,
    scales: BTreeMap<String, Scale>,
    owners: Vec<IntermediateOwner>,
    owned_by: BTreeMap<(String, String), Vec<usize>>,
    owner_called: BTreeMap<(String, String), Vec<usize>>,
    events: BTreeMap<String, Vec<KubernetesEvent>>,
    rivals: BTreeMap<(String, String), Neighbors<Autoscaler>>,
    /// The HPAs that the controller may know of, for each distinct selector.
    others: Vec<Vec<Arc<OtherHpa>>>,
    selectors: BTreeMap<String, SelectorMatches>,
}

/// Pods and their usages.
type SelectedPods = (Shared<Arc<Pod>>, Shared<Arc<PodMetrics>>);

/// The matches of one selector.
#[derive(Default)]
struct SelectorMatches {
    /// The pods, shared by all HPAs with this selector.
    pods: Shared<Arc<Pod>>,
    /// Their usages.
    usages: Shared<Arc<PodMetrics>>,
    /// Indices of the selectors that also select one of these pods.
    selectors: BTreeSet<usize>,
    /// Their HPAs, shared by all HPAs with this selector; computed on demand.
    neighbors: OnceCell<Neighbors<OtherHpa>>,
    /// Owners of these pods.
    owners: BTreeSet<usize>,
}

impl FileHpas {
    /// Sorts the contents of `collection` by namespace. Moves pods, usages, scales and events out of it.
    pub(super) fn take(collection: &mut Collection, wording: Wording) -> Self {
        let mut found = Self::default();
        for (namespace, pods) in by_namespace(mem::take(&mut collection.pods)) {
            found.of_mut(namespace).pods = without_names(pods);
        }
        for (namespace, usages) in by_namespace(mem::take(&mut collection.pod_metrics)) {
            found.of_mut(namespace).usages = without_names(usages);
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
        for (place, scalable) in collection.scalables.iter_mut().enumerate() {
            let of_namespace = found.of_mut(scalable.namespace.clone());
            let called = of_namespace.scalables.entry(scalable.target.name.clone());
            called.or_default().push(place);
            if let Some(owner) = scalable.owner.take() {
                of_namespace.add_owner(owner);
            }
        }
        let mut hpas: BTreeMap<&str, Vec<&Hpa>> = BTreeMap::new();
        let mut rivals: BTreeMap<(&str, &str, &str), Vec<Arc<Autoscaler>>> = BTreeMap::new();
        for hpa in &collection.hpas {
            let namespace = hpa.metadata.namespace.as_deref().unwrap_or_default();
            let target = &hpa.spec.scale_target_ref;
            let key = (namespace, target.kind.as_str(), target.name.as_str());
            rivals.entry(key).or_default().push(of_hpa(hpa).into());
            hpas.entry(namespace).or_default().push(hpa);
        }
        for ((namespace, kind, name), rivals) in rivals {
            let of_namespace = found.of_mut(namespace.to_owned());
            let key = (kind.to_owned(), name.to_owned());
            let rivals = Neighbors::of_each_other(rivals);
            of_namespace.rivals.insert(key, rivals);
        }
        for (namespace, hpas) in hpas {
            if let Some(of_namespace) = found.0.get_mut(namespace) {
                of_namespace.select(&hpas, &collection.scalables, namespace, wording);
            }
        }
        found
    }

    /// The contents of a namespace.
    pub(super) fn of(&self, namespace: &str) -> Option<&NamespaceHpas> {
        self.0.get(namespace)
    }

    fn of_mut(&mut self, namespace: String) -> &mut NamespaceHpas {
        self.0.entry(namespace).or_default()
    }
}

impl NamespaceHpas {
    /// The scale target of an HPA.
    pub(super) fn target<'a>(
        &self,
        reference: &ObjectReference,
        scalables: &'a [Scalable],
        namespace: &str,
    ) -> Option<&'a Scalable> {
        let called = self.scalables.get(&reference.name)?.iter();
        let mut called = called.map(|place| &scalables[*place]);
        called.find(|scalable| scalable.is_referenced_by(reference, namespace))
    }

    /// The scale subresource of that object, if the file contains it.
    pub(super) fn scale(&self, name: &str) -> Option<&Scale> {
        self.scales.get(name)
    }

    /// The Events on an HPA, oldest first.
    pub(super) fn events(&self, hpa: &str) -> &[KubernetesEvent] {
        self.events.get(hpa).map_or(&[], Vec::as_slice)
    }

    /// The other HPAs with the same target.
    pub(super) fn rivals(&self, target: &ObjectReference, own: &str) -> Neighbors<Autoscaler> {
        let key = (target.kind.clone(), target.name.clone());
        let rivals = self.rivals.get(&key);
        rivals.map(|rivals| rivals.without(own)).unwrap_or_default()
    }

    /// The pods of `selector` and their usages; all pods if the selector is unknown.
    pub(super) fn selected(&self, selector: Option<&str>) -> SelectedPods {
        match selector.and_then(|selector| self.selectors.get(selector)) {
            Some(selected) => (selected.pods.clone(), selected.usages.clone()),
            None => self.all().clone(),
        }
    }

    /// Whether there are any pods.
    pub(super) fn has_pods(&self) -> bool {
        let mut selected = self.selectors.values();
        !self.pods.is_empty() || selected.any(|selected| !selected.pods.is_empty())
    }

    /// Whether there are any usages.
    pub(super) fn has_usages(&self) -> bool {
        let mut selected = self.selectors.values();
        !self.usages.is_empty() || selected.any(|selected| !selected.usages.is_empty())
    }

    /// All pods and usages, sorted by name.
    fn all(&self) -> &SelectedPods {
        self.all.get_or_init(|| {
            let selected = self.selectors.values();
            let pods = selected.clone().flat_map(|selected| &selected.pods);
            let usages = selected.flat_map(|selected| &selected.usages);
            (
                by_name(self.pods.iter().chain(pods), |pod| &pod.metadata.name),
                by_name(self.usages.iter().chain(usages), |usage| {
                    &usage.metadata.name
                }),
            )
        })
    }

    /// The HPAs that select one of the pods of `selector`. Only these can make it ambiguous.
    pub(super) fn others(&self, selector: &str, own: &str) -> Neighbors<OtherHpa> {
        let Some(selected) = self.selectors.get(selector) else {
            return Neighbors::default();
        };
        let others = selected.neighbors.get_or_init(|| {
            let selectors = selected.selectors.iter();
            let others = selectors.flat_map(|selector| &self.others[*selector]);
            Neighbors::of_each_other(others.cloned().collect())
        });
        others.without(own)
    }

    /// Owners of pods of `selector` that have an owner themselves, and objects that the target owns.
    pub(super) fn owners(&self, selector: Option<&str>, target: &Target) -> Vec<IntermediateOwner> {
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

    /// Finds the HPAs that select the same pods.
    fn select(&mut self, hpas: &[&Hpa], scalables: &[Scalable], namespace: &str, wording: Wording) {
        let mut places: BTreeMap<String, usize> = BTreeMap::new();
        let mut distinct = Vec::new();
        for hpa in hpas {
            let reference = &hpa.spec.scale_target_ref;
            let scale = self
                .scale(&reference.name)
                .map(|scale| scale.status.selector.clone());
            let text = scale.or_else(|| {
                let target = self.target(reference, scalables, namespace)?;
                Some(target.scale.as_ref().ok()?.status.selector.clone())
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
                self.others.push(Vec::new());
                distinct.len() - 1
            });
            if may_be_remembered(hpa) {
                self.others[place].push(Arc::new(OtherHpa {
                    name: name.clone(),
                    selector: text,
                }));
            }
        }
        self.unknown.sort_unstable();
        let mut selected: Vec<SelectorMatches> = Vec::new();
        selected.resize_with(distinct.len(), SelectorMatches::default);
        let index = SelectorIndex::new(distinct);
        let mut places_of_pods: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for pod in mem::take(&mut self.pods) {
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
            places_of_pods.insert(pod.metadata.name.clone(), selecting.clone());
            for place in &selecting {
                let selected = &mut selected[*place];
                selected.owners.extend(&owners);
                selected.selectors.extend(&selecting);
            }
            match hand_out(pod, &selecting) {
                Ok(pods) => pods.for_each(|(place, pod)| selected[place].pods.push(pod)),
                Err(pod) => self.pods.push(pod),
            }
        }
        for usage in mem::take(&mut self.usages) {
            // Some servers of this API omit labels.
            let selecting = if usage.metadata.labels.is_empty() {
                let places = places_of_pods.get(usage.metadata.name.as_str());
                places.cloned().unwrap_or_default()
            } else {
                index.matching(&usage.metadata.labels)
            };
            match hand_out(usage, &selecting) {
                Ok(usages) => usages.for_each(|(place, usage)| selected[place].usages.push(usage)),
                Err(usage) => self.usages.push(usage),
            }
        }
        self.selectors = places
            .into_iter()
            .map(|(text, place)| (text, mem::take(&mut selected[place])))
            .collect();
    }
}

/// Whether the controller may know the selector of an HPA: its status shows that the controller got as far as metrics,
/// or the file has no status.
fn may_be_remembered(hpa: &Hpa) -> bool {
    let conditions = &hpa.status.conditions;
    let is_measured = |condition: &Condition| condition.condition_type == "ScalingActive";
    conditions.is_empty() || conditions.iter().any(is_measured)
}

/// One copy for each of `places`; a single one gets the original. Returns `it` as the error if there are none.
fn hand_out<T: Clone>(it: T, places: &[usize]) -> Result<impl Iterator<Item = (usize, T)>, T> {
    if places.is_empty() {
        return Err(it);
    }
    Ok(places.iter().copied().zip(iter::repeat_n(it, places.len())))
}

/// One object for each name, sorted by name as in the API server's lists.
fn by_name<'a, T: Clone + 'a>(
    all: impl Iterator<Item = &'a T>,
    name: impl Fn(&T) -> &String,
) -> Shared<T> {
    let all: BTreeMap<&String, &T> = all.map(|one| (name(one), one)).collect();
    all.into_values().cloned().collect()
}

fn without_names<T>(named: Vec<(String, T)>) -> Vec<T> {
    named.into_iter().map(|(_, object)| object).collect()
}

fn by_namespace<T>(objects: Vec<NamedObject<T>>) -> BTreeMap<String, Vec<(String, T)>> {
    let mut by_namespace: BTreeMap<String, Vec<(String, T)>> = BTreeMap::new();
    for object in objects {
        let of_namespace = by_namespace.entry(object.namespace).or_default();
        of_namespace.push((object.name, object.object));
    }
    by_namespace
}

#[cfg(test)]
mod tests {
    use std::ptr;

    use jiff::Timestamp;

    use crate::manifest::read;

    #[test]
    fn hpas_of_one_target_share_the_list_of_each_other() {
        let mut text = "\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec: {replicas: 1, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}}}
status: {replicas: 1}
---
apiVersion: v1
kind: Pod
metadata: {name: web-1, namespace: shop, labels: {app: web}}
spec: {containers: [{name: main}]}
"
        .to_owned();
        for number in 0..50 {
            text += &format!(
                "---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{name: web-{number}, namespace: shop}}
spec: {{scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}, maxReplicas: 3}}
status:
  conditions: [{{type: ScalingActive, status: \"True\", reason: ValidMetricFound, lastTransitionTime: \"2026-11-01T00:00:00Z\"}}]
"
            );
        }
        let snapshots = read(text.as_bytes(), "all.yaml", Timestamp::UNIX_EPOCH).unwrap();
        let others = |at: usize| snapshots[at].other_hpas.iter();
        let rivals = |at: usize| {
            snapshots[at]
                .surroundings
                .as_ref()
                .unwrap()
                .autoscalers
                .iter()
        };
        for (at, snapshot) in snapshots.iter().enumerate() {
            let own = &snapshot.hpa.metadata.name;
            assert_eq!((others(at).count(), rivals(at).count()), (49, 49));
            assert!(
                others(at).all(|one| one.name != *own) && rivals(at).all(|one| one.name != *own)
            );
            // They are at one place in memory, the list and not only its elements.
            let (third, rival) = (others(at).nth(2).unwrap(), rivals(at).nth(2).unwrap());
            assert!(others(49).any(|one| ptr::eq(one, third)));
            assert!(rivals(49).any(|one| ptr::eq(one, rival)));
        }
    }
}
