//! The objects of a file, sorted by purpose.

use std::sync::Arc;

use hpa_engine::model::{KnownKind, label_selector::Wording};
use jiff::Timestamp;

use super::{
    ManifestError,
    assumed_version::ASSUMED_VERSION,
    documents::{FileObject, Kinds, for_each},
    hpa,
    instant::newest_time,
};
use crate::recording::{
    API_VERSION, AutoscalerKind, CoreEvent, InvalidField, Related, Snapshot, WorkloadObject,
    group_of,
    wire::{
        ExternalMetricValue, Hpa, IntermediateOwner, KubernetesEvent, MetricValue, ObjectReference,
        Pod, PodMetrics, Scale, Target,
    },
};

/// The objects of a file, sorted by purpose. Objects that no HPA needs are dropped.
#[derive(Default)]
pub(super) struct Collection {
    /// HPAs of any version, as v2.
    pub(super) hpas: Vec<Hpa>,
    /// Snapshots in YAML, or as JSON over several lines.
    pub(super) snapshots: Vec<Snapshot>,
    /// Scale subresources.
    pub(super) scales: Vec<NamedObject<Scale>>,
    /// Objects that can be scale targets or own pods.
    pub(super) scalables: Vec<Scalable>,
    /// Other autoscalers.
    pub(super) autoscalers: Vec<Related>,
    /// Pods.
    pub(super) pods: Vec<NamedObject<Arc<Pod>>>,
    /// PodMetrics.
    pub(super) pod_metrics: Vec<NamedObject<Arc<PodMetrics>>>,
    /// Items of `custom.metrics.k8s.io`.
    pub(super) custom_metrics: Vec<NamedObject<MetricValue>>,
    /// Items of `external.metrics.k8s.io`.
    pub(super) external_metrics: Vec<ExternalMetricValue>,
    /// Events on HPAs, oldest first; namespace and name are the HPA's.
    pub(super) events: Vec<NamedObject<KubernetesEvent>>,
    /// The newest time in the objects: they were read then or later. None: they contain no times.
    pub(super) newest_time: Option<Timestamp>,
}

/// What is kept of an object that can be a scale target or own pods.
pub(super) struct Scalable {
    /// API group.
    group: String,
    /// Namespace.
    pub(super) namespace: String,
    /// Its scale subresource, or why the object does not show it.
    pub(super) scale: Result<Scale, String>,
    /// The scale according to the spec alone, as if all replicas existed.
    pub(super) scale_of_spec: Option<Scale>,
    /// A pod from its template.
    pub(super) template: Option<Pod>,
    /// The object for reports.
    pub(super) target: Target,
    /// The object as an intermediate owner of pods, if it is one.
    pub(super) owner: Option<IntermediateOwner>,
}

/// An object with its namespace and name.
pub(super) struct NamedObject<T> {
    /// Its namespace.
    pub(super) namespace: String,
    /// Its name.
    pub(super) name: String,
    /// The object.
    pub(super) object: T,
}

/// Sorts the objects of a file. Fails on the first mistake, or if the file contains no HPA. An HPA with a mistake is left
/// out if `is_chosen` does not hold for its name, labels and target.
pub(super) fn collect(
    text: &[u8],
    file: &str,
    is_chosen: &mut dyn FnMut(&Hpa) -> bool,
) -> Result<Collection, ManifestError> {
    let mut collection = Collection::default();
    let mut kinds = Kinds::default();
    let mut is_left_out = false;
    for_each(text, file, |object| {
        kinds.count(&object);
        let Err(error) = collection.add(&object) else {
            return Ok(());
        };
        match hpa::identity(&object).filter(|hpa| !is_chosen(hpa)) {
            Some(_) => is_left_out = true,
            None => return Err(error),
        }
        Ok(())
    })?;
    if collection.hpas.is_empty() && collection.snapshots.is_empty() && !is_left_out {
        return Err(kinds.no_hpa(file));
    }
    let events = &mut collection.events;
    events.sort_by_key(|event| event.object.last_timestamp);
    Ok(collection)
}

impl Collection {
    fn add(&mut self, object: &FileObject) -> Result<(), ManifestError> {
        self.newest_time = self.newest_time.max(newest_time(&object.value));
        match (object.group(), object.kind.as_str()) {
            ("autoscaling", hpa::KIND) => self.hpas.push(hpa::convert(object)?),
            ("autoscaling", "Scale") => self.scales.push(named(object, object.decode()?)),
            ("", "Pod") => {
                let pod: Arc<Pod> = object.decode()?;
                pod.to_model().map_err(|field| object.error(field))?;
                self.pods.push(named(object, pod));
            }
            ("metrics.k8s.io", "PodMetrics") => {
                let metrics: Arc<PodMetrics> = object.decode()?;
                metrics.to_model().map_err(|field| object.error(field))?;
                self.pod_metrics.push(named(object, metrics));
            }
            ("custom.metrics.k8s.io", "MetricValue") => {
                let value: MetricValue = object.decode()?;
                value.to_model().map_err(|field| object.error(field))?;
                let namespace = object.text("/describedObject/namespace");
                self.custom_metrics.push(NamedObject {
                    namespace: namespace.unwrap_or_default().to_owned(),
                    name: value.name().unwrap_or_default().to_owned(),
                    object: value,
                });
            }
            ("external.metrics.k8s.io", "ExternalMetricValue") => {
                let value: ExternalMetricValue = object.decode()?;
                value.to_model().map_err(|field| object.error(field))?;
                self.external_metrics.push(value);
            }
            ("" | "events.k8s.io", "Event") => self.add_event(object.decode()?),
            ("kubectl-hpa", "Snapshot") => {
                let snapshot: Snapshot = object.decode()?;
                if snapshot.api_version != API_VERSION {
                    let problem = format!(
                        "{:?} is not known here (wanted: {API_VERSION:?})",
                        snapshot.api_version
                    );
                    return Err(object.error(InvalidField::here(problem).in_field("apiVersion")));
                }
                snapshot
                    .observation()
                    .map_err(|field| object.error(field))?;
                if let Some(field) = snapshot.impossible() {
                    return Err(object.error(field));
                }
                self.snapshots.push(snapshot);
            }
            (group, kind) => {
                self.scalables.extend(Scalable::read(object));
                self.autoscalers
                    .extend(AutoscalerKind::of(group, kind).map(|known| Related {
                        known,
                        namespace: object.namespace().to_owned(),
                        value: object.value.clone(),
                    }));
            }
        }
        Ok(())
    }

    fn add_event(&mut self, event: CoreEvent) {
        self.events.extend(event.on_hpa().map(|event| NamedObject {
            namespace: event.namespace,
            name: event.hpa,
            object: event.event,
        }));
    }
}

impl Scalable {
    /// Reads the object, if it has `spec.replicas` or its kind may omit it.
    fn read(object: &FileObject) -> Option<Self> {
        let has_replicas = object.value.pointer("/spec/replicas").is_some();
        let known = KnownKind::in_group(object.group(), &object.kind);
        if !has_replicas && !known.is_built_in_target() {
            return None;
        }
        let workload = WorkloadObject {
            group: object.group().to_owned(),
            namespace: object.namespace().to_owned(),
            api_version: object.api_version.clone(),
            kind: object.kind.clone(),
            name: object.name().to_owned(),
            value: &object.value,
        };
        Some(Self {
            scale: workload.scale(Wording::of(ASSUMED_VERSION)),
            scale_of_spec: workload.scale_of_spec(Wording::of(ASSUMED_VERSION)),
            template: workload.pod_of_template(),
            target: workload.target(),
            owner: Some(workload.intermediate_owner()).filter(|owner| !owner.owner_name.is_empty()),
            group: workload.group,
            namespace: workload.namespace,
        })
    }

    /// Whether `reference` in `namespace` refers to this object. The controller compares the group, not the version.
    pub(super) fn is_referenced_by(&self, reference: &ObjectReference, namespace: &str) -> bool {
        let api_version = reference.api_version.as_deref().unwrap_or_default();
        self.namespace == namespace
            && self.group == group_of(api_version)
            && self.target.kind == reference.kind
            && self.target.name == reference.name
    }
}

fn named<T>(object: &FileObject, decoded: T) -> NamedObject<T> {
    NamedObject {
        namespace: object.namespace().to_owned(),
        name: object.name().to_owned(),
        object: decoded,
    }
}
