//! The objects of a file, sorted by what they are for.

use super::{Error, documents::Object, hpa};
use crate::recording::{
    API_VERSION, CoreEvent, InvalidField, KnownKind, Related, Snapshot, Workload,
    wire::{ExternalMetricValue, Hpa, KubernetesEvent, MetricValue, Pod, PodMetrics, Scale},
};

/// The objects of a file, sorted by what they are for. What no HPA needs is left out.
#[derive(Default)]
pub(super) struct Collection {
    /// HPAs of any version, as v2.
    pub(super) hpas: Vec<Hpa>,
    /// Snapshots in YAML, or as JSON over several lines.
    pub(super) snapshots: Vec<Snapshot>,
    /// Scales as the scale subresource gives them.
    pub(super) scales: Vec<Named<Scale>>,
    /// Objects that may be scale targets, or own pods.
    pub(super) workloads: Vec<Workload>,
    /// Other autoscalers.
    pub(super) autoscalers: Vec<Related>,
    /// Pods.
    pub(super) pods: Vec<Named<Pod>>,
    /// PodMetrics.
    pub(super) pod_metrics: Vec<Named<PodMetrics>>,
    /// Items of `custom.metrics.k8s.io`.
    pub(super) custom_metrics: Vec<Named<MetricValue>>,
    /// Items of `external.metrics.k8s.io`.
    pub(super) external_metrics: Vec<ExternalMetricValue>,
    /// Events on HPAs, oldest first; namespace and name are those of the HPA.
    pub(super) events: Vec<Named<KubernetesEvent>>,
}

/// An object and what it is called.
pub(super) struct Named<T> {
    /// Its namespace.
    pub(super) namespace: String,
    /// Its name.
    pub(super) name: String,
    /// The object.
    pub(super) object: T,
}

/// Sorts the objects.
pub(super) fn collect(objects: &[Object]) -> Result<Collection, Error> {
    let mut collection = Collection::default();
    for object in objects {
        collection.add(object)?;
    }
    let events = &mut collection.events;
    events.sort_by_key(|event| event.object.last_timestamp);
    Ok(collection)
}

impl Collection {
    fn add(&mut self, object: &Object) -> Result<(), Error> {
        match (object.group(), object.kind.as_str()) {
            ("autoscaling", "HorizontalPodAutoscaler") => self.hpas.push(hpa::convert(object)?),
            ("autoscaling", "Scale") => self.scales.push(named(object, object.decode()?)),
            ("", "Pod") => {
                let pod: Pod = object.decode()?;
                pod.to_model().map_err(|field| object.error(field))?;
                self.pods.push(named(object, pod));
            }
            ("metrics.k8s.io", "PodMetrics") => {
                let metrics: PodMetrics = object.decode()?;
                metrics.to_model().map_err(|field| object.error(field))?;
                self.pod_metrics.push(named(object, metrics));
            }
            ("custom.metrics.k8s.io", "MetricValue") => {
                let value: MetricValue = object.decode()?;
                value.to_model().map_err(|field| object.error(field))?;
                let namespace = object.text("/describedObject/namespace");
                self.custom_metrics.push(Named {
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
                self.snapshots.push(snapshot);
            }
            (group, kind) => {
                self.workloads.extend(workload(object));
                self.autoscalers
                    .extend(KnownKind::of(group, kind).map(|known| Related {
                        known,
                        namespace: object.namespace().to_owned(),
                        value: object.value.clone(),
                    }));
            }
        }
        Ok(())
    }

    fn add_event(&mut self, event: CoreEvent) {
        self.events.extend(event.on_hpa().map(|event| Named {
            namespace: event.namespace,
            name: event.hpa,
            object: event.event,
        }));
    }
}

/// The object as a workload, if it has `spec.replicas` or is of a kind that may leave it out.
fn workload(object: &Object) -> Option<Workload> {
    let has_replicas = object.value.pointer("/spec/replicas").is_some();
    if !has_replicas && !Workload::may_omit_replicas(object.group(), &object.kind) {
        return None;
    }
    Some(Workload {
        group: object.group().to_owned(),
        namespace: object.namespace().to_owned(),
        api_version: object.api_version.clone(),
        kind: object.kind.clone(),
        name: object.name().to_owned(),
        value: object.value.clone(),
    })
}

fn named<T>(object: &Object, decoded: T) -> Named<T> {
    Named {
        namespace: object.namespace().to_owned(),
        name: object.name().to_owned(),
        object: decoded,
    }
}
