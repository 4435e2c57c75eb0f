//! Everything around the HPAs: the objects of files or of a cluster, as far as rules need them.
//!
//! Each kind of object has its own file, which keeps only the fields that rules need.

mod alert;
mod argo_application;
mod budget;
mod canary;
mod chart_template;
mod claim;
mod crd;
#[cfg(test)]
mod drawn;
mod ingress;
mod intended_kind;
mod keda_group;
mod keda_groups;
mod least_pods;
mod limit_range;
mod name_index;
mod namespace;
mod near;
mod node;
mod overlap;
mod part;
mod pod_template;
mod quota;
mod read;
mod scaled_object;
mod scaler;
mod scoped;
mod scopes;
mod selector_index;
mod service;
mod target_group;
mod target_groups;
mod targeting;
mod template_index;
mod template_pod;
mod together;
mod vertical;
mod workload;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::OnceLock,
};

pub use alert::Alert;
pub use argo_application::{ArgoApplication, IgnoreRule};
pub use budget::BudgetObject;
pub use canary::Canary;
pub use chart_template::ChartTemplate;
pub use claim::Claim;
pub use crd::{Crd, ScalePaths, SchemaType};
pub use ingress::{Backend, Ingress};
pub use intended_kind::{built_in, intended};
use keda_group::KedaGroups;
pub use keda_group::{KedaGroup, KedaPart};
pub use limit_range::LimitRange;
use name_index::NameIndex;
pub use namespace::Namespace;
pub use node::Node;
use part::AnyObject;
pub(super) use part::ObjectPart;
pub use pod_template::{PodTemplate, TemplateContainer, TemplateProbe};
pub use quota::Quota;
pub(super) use read::text as text_at;
pub use read::text_map;
pub use scaled_object::ScaledObject;
pub use scaler::Scaler;
use scopes::ScopedIndices;
pub(super) use scopes::Scopes;
pub use service::Service;
pub use target_group::TargetGroup;
use target_group::TargetGroups;
pub use targeting::TargetingHpa;
pub use template_pod::{RequestOrigin, TemplatePod};
pub use vertical::Vertical;
pub use workload::{Workload, WorkloadOwner};

use super::{Kustomize, Missing, ObjectRef, same_namespace};

/// All known objects by kind, in the order of addition.
#[derive(Clone, Debug, Default)]
pub struct World {
    /// Whether it is the state of a cluster: an object that is not here does not exist.
    is_live: bool,
    /// Kinds that could not be read from a cluster, with the reason.
    not_read: BTreeMap<String, String>,
    /// Number of HPAs in the cluster, if all its namespaces were listed.
    pub hpas_of_cluster: Option<usize>,
    /// HPAs of all versions, linted or not.
    pub hpas: Vec<TargetingHpa>,
    /// Objects that create pods, and scalable custom resources.
    pub workloads: Vec<Workload>,
    /// Services.
    pub services: Vec<Service>,
    /// Ingresses and other routes.
    pub ingresses: Vec<Ingress>,
    /// PodDisruptionBudgets.
    pub budgets: Vec<BudgetObject>,
    /// PersistentVolumeClaims.
    pub claims: Vec<Claim>,
    /// ResourceQuotas.
    pub quotas: Vec<Quota>,
    /// LimitRanges.
    pub limit_ranges: Vec<LimitRange>,
    /// Namespaces, by name.
    pub namespaces: BTreeMap<String, Namespace>,
    /// Nodes.
    pub nodes: Vec<Node>,
    /// CustomResourceDefinitions.
    pub crds: Vec<Crd>,
    /// KEDA's ScaledObjects.
    pub scaled_objects: Vec<ScaledObject>,
    /// VerticalPodAutoscalers.
    pub verticals: Vec<Vertical>,
    /// Other autoscalers.
    pub scalers: Vec<Scaler>,
    /// Argo CD's Applications and ApplicationSets.
    pub argo_applications: Vec<ArgoApplication>,
    /// Flagger's Canaries.
    pub canaries: Vec<Canary>,
    /// Kustomizations and patches.
    pub kustomize: Kustomize,
    /// Helm chart templates, not rendered.
    pub chart_templates: Vec<ChartTemplate>,
    /// Alerts of Prometheus.
    pub alerts: Vec<Alert>,
    /// Namespace, kind and name of all other objects; only their existence matters.
    others: BTreeSet<(String, String, String)>,
    workloads_by_name: NameIndex,
    hpas_by_name: NameIndex,
    hpas_by_target: NameIndex,
    ingresses_by_service: BTreeMap<String, Vec<usize>>,
    workloads_by_reference: BTreeMap<String, Vec<usize>>,
    canaries_by_target: BTreeMap<String, Vec<usize>>,
    scaled_objects_by_target: BTreeMap<String, Vec<usize>>,
    scaled_objects_by_hpa: BTreeMap<String, Vec<usize>>,
    verticals_by_target: BTreeMap<String, Vec<usize>>,
    scalers_by_target: BTreeMap<String, Vec<usize>>,
    /// Computed on demand.
    scoped: OnceLock<ScopedIndices>,
    /// Computed on demand.
    target_groups: TargetGroups,
    /// Computed on demand.
    keda_groups: KedaGroups,
    /// Computed on demand.
    hpas_by_workload: OnceLock<Vec<Vec<usize>>>,
    /// Computed on demand.
    least_pods_by_budget: OnceLock<BTreeMap<ObjectRef, i32>>,
}

impl World {
    /// Marks it as the state of a cluster.
    pub fn set_live(&mut self) {
        self.is_live = true;
    }

    /// Whether it is the state of a cluster.
    pub fn is_live(&self) -> bool {
        self.is_live
    }

    /// Records that a kind could not be read from a cluster.
    pub fn note_not_read(&mut self, kind: &str, why: &str) {
        self.not_read.insert(kind.to_owned(), why.to_owned());
    }

    /// The kinds that could not be read, sorted, with the reasons.
    pub fn kinds_not_read(&self) -> &BTreeMap<String, String> {
        &self.not_read
    }

    /// Why an object is missing: its kind could not be read, the cluster does not have it, or it was not given.
    pub fn not_found(&self, kind: &str, name: &str) -> Missing {
        let object = format!("{kind}/{name}");
        match self.require(kind) {
            Err(not_read) => not_read,
            Ok(()) if self.is_live => Missing::NotRead {
                what: object,
                why: "the cluster has none".to_owned(),
            },
            Ok(()) => Missing::NotGiven { object },
        }
    }

    /// Fails if objects of a kind could not be read from a cluster.
    pub fn require(&self, kind: &str) -> Result<(), Missing> {
        match self.not_read.get(kind) {
            None => Ok(()),
            Some(why) => Err(Missing::NotRead {
                what: kind.to_owned(),
                why: why.clone(),
            }),
        }
    }

    /// Adds the data of an object.
    pub(super) fn take(&mut self, part: ObjectPart) {
        self.scoped.take();
        self.target_groups = TargetGroups::default();
        self.keda_groups = KedaGroups::default();
        self.hpas_by_workload.take();
        self.least_pods_by_budget.take();
        match part {
            ObjectPart::Alerts(alerts) => self.alerts.extend(alerts),
            ObjectPart::ArgoApplication(application) => self.argo_applications.push(application),
            ObjectPart::Budget(budget) => self.budgets.push(budget),
            ObjectPart::Canary(canary) => {
                let by_target = self.canaries_by_target.entry(canary.target_name.clone());
                by_target.or_default().push(self.canaries.len());
                self.canaries.push(canary);
            }
            ObjectPart::Claim(claim) => self.claims.push(claim),
            ObjectPart::Crd(crd) => self.crds.push(crd),
            ObjectPart::Hpa(hpa) if hpa.object.name.is_empty() => {}
            ObjectPart::Hpa(hpa) => {
                self.hpas_by_name.forget();
                self.hpas_by_target.forget();
                self.hpas.push(hpa);
            }
            ObjectPart::Ingress(ingress) => {
                for backend in &ingress.services {
                    let by_service = self.ingresses_by_service.entry(backend.name.clone());
                    by_service.or_default().push(self.ingresses.len());
                }
                self.ingresses.push(ingress);
            }
            ObjectPart::LimitRange(limit_range) => self.limit_ranges.push(limit_range),
            ObjectPart::Namespace(namespace) => {
                self.namespaces
                    .insert(namespace.object.name.clone(), namespace);
            }
            ObjectPart::Node(node) => self.nodes.push(node),
            ObjectPart::Quota(quota) => self.quotas.push(quota),
            ObjectPart::ScaledObject(scaled) if scaled.object.name.is_empty() => {}
            ObjectPart::ScaledObject(scaled) => {
                let by_target = self
                    .scaled_objects_by_target
                    .entry(scaled.target_name.clone());
                by_target.or_default().push(self.scaled_objects.len());
                let by_hpa = self.scaled_objects_by_hpa.entry(scaled.name_of_hpa());
                by_hpa.or_default().push(self.scaled_objects.len());
                self.scaled_objects.push(*scaled);
            }
            ObjectPart::Service(service) => self.services.push(service),
            ObjectPart::Vertical(vertical) => {
                let by_target = self.verticals_by_target.entry(vertical.target_name.clone());
                by_target.or_default().push(self.verticals.len());
                self.verticals.push(vertical);
            }
            ObjectPart::Other(scaler, other) => {
                if let Some(scaler) = scaler {
                    let by_target = self.scalers_by_target.entry(scaler.target.name.clone());
                    by_target.or_default().push(self.scalers.len());
                    self.scalers.push(*scaler);
                }
                match other {
                    AnyObject::Workload(workload) => self.add_workload(*workload),
                    AnyObject::Named {
                        kind,
                        name,
                        namespace,
                    } => {
                        self.others.insert((kind, name, namespace));
                    }
                }
            }
        }
    }

    fn add_workload(&mut self, workload: Workload) {
        let index = self.workloads.len();
        self.workloads_by_name.forget();
        if let Some((_, name)) = &workload.workload_ref {
            let by_reference = self.workloads_by_reference.entry(name.clone());
            by_reference.or_default().push(index);
        }
        self.workloads.push(workload);
    }

    /// Workloads with this name, of any kind and namespace.
    pub fn workloads_called(&self, name: &str) -> impl Iterator<Item = &Workload> {
        let indices = self.indices_of_workloads(name).iter();
        indices.map(|index| &self.workloads[*index])
    }

    /// The places of the workloads with this name.
    fn indices_of_workloads(&self, name: &str) -> &[usize] {
        self.workloads_by_name
            .called(&self.workloads, |one| &one.object.name, name)
    }

    /// Manifests of the same workload without a selector, as in patches. If several workloads have its name, only those
    /// in its folder count.
    pub fn partial_manifests(&self, workload: &Workload) -> impl Iterator<Item = &Workload> {
        let file = |workload: &Workload| workload.object.origin.map(|origin| origin.file);
        let own = file(workload);
        let is_beside = move |one: &Workload| {
            let files = own.zip(file(one));
            files.is_some_and(|(own, other)| self.kustomize.are_in_one_folder(own, other))
        };
        let is_same = |one: &&Workload| {
            one.group == workload.group && one.object.kind == workload.object.kind
        };
        let object = &workload.object;
        let namesakes = self.workloads_called_beside(&object.name, object);
        let namesakes = namesakes.filter(is_same);
        let (whole, partial): (Vec<_>, Vec<_>) = namesakes.partition(|one| one.selector.is_some());
        let is_only = whole.len() <= 1;
        partial.into_iter().filter(move |one| {
            one.object.origin != workload.object.origin && (is_only || is_beside(one))
        })
    }

    /// Why the pods of a workload can differ from its template: a patch changes resources or probes.
    pub fn patched_template(&self, workload: &Workload) -> Option<Missing> {
        let mut partial = self.partial_manifests(workload);
        let by = if partial.any(|one| one.pod_template().is_ok_and(PodTemplate::has_resources)) {
            "another manifest of it".to_owned()
        } else {
            let patches = self
                .kustomize
                .patches_for(&workload.object, &workload.group);
            let applied = patches.iter().find(|one| one.patch.changes_pods())?;
            format!("a patch in {}", applied.kustomization.folder)
        };
        Some(Missing::Because(format!(
            "{by} changes the containers of {}",
            workload.object
        )))
    }

    /// The CustomResourceDefinition of a kind.
    pub fn crd(&self, group: &str, kind: &str) -> Option<&Crd> {
        let mut crds = self.crds.iter();
        crds.find(|crd| crd.group == group && crd.kind == kind)
    }

    /// Workloads with this name that belong together with an object, of any kind.
    pub fn workloads_called_beside<'a>(
        &'a self,
        name: &str,
        own: &ObjectRef,
    ) -> impl Iterator<Item = &'a Workload> + use<'a> {
        let called = self.workloads_beside(own, name);
        let together =
            called.filter(|index| self.belong_together(&self.workloads[*index].object, own));
        let together: BTreeSet<usize> = together.collect();
        together.into_iter().map(|index| &self.workloads[index])
    }

    /// Workloads whose `workloadRef` has this name, of any kind and namespace.
    pub fn workloads_referring_to(&self, name: &str) -> impl Iterator<Item = &Workload> {
        let indices = self.workloads_by_reference.get(name).into_iter().flatten();
        indices.map(|index| &self.workloads[*index])
    }

    /// Canaries whose target has this name, of any kind and namespace.
    pub fn canaries_of(&self, target_name: &str) -> impl Iterator<Item = &Canary> {
        let indices = self.canaries_by_target.get(target_name);
        let indices = indices.into_iter().flatten();
        indices.map(|index| &self.canaries[*index])
    }

    /// Workloads that belong together with an object and whose pods the selector of `selecting` matches, including itself.
    pub fn workloads_selected_by<'a>(
        &'a self,
        beside: &'a ObjectRef,
        selecting: &'a Workload,
    ) -> impl Iterator<Item = &'a Workload> {
        let indices = self.indices_selected_by(beside, selecting);
        indices.map(|index| &self.workloads[index])
    }

    fn indices_selected_by<'a>(
        &'a self,
        beside: &'a ObjectRef,
        selecting: &'a Workload,
    ) -> impl Iterator<Item = usize> {
        let templates = self.scoped().templates.beside(&self.kustomize, beside);
        let candidates = templates.flat_map(|some| some.candidates(&selecting.match_labels));
        candidates.filter(move |index| {
            let workload = &self.workloads[*index];
            workload
                .pod_template()
                .is_ok_and(|template| selecting.selects(&template.labels))
                && self.belong_together(beside, &workload.object)
                && self.is_nearest_target(selecting, &workload.object)
        })
    }

    /// VerticalPodAutoscalers whose target has this name, of any kind and namespace.
    pub fn verticals_of(&self, target_name: &str) -> impl Iterator<Item = &Vertical> {
        let indices = self.verticals_by_target.get(target_name);
        let indices = indices.into_iter().flatten();
        indices.map(|index| &self.verticals[*index])
    }

    /// Other autoscalers whose target has this name, of any kind and namespace.
    pub fn scalers_of(&self, target_name: &str) -> impl Iterator<Item = &Scaler> {
        let indices = self.scalers_by_target.get(target_name);
        let indices = indices.into_iter().flatten();
        indices.map(|index| &self.scalers[*index])
    }

    /// HPAs with this name, in any namespace.
    pub fn hpas_called(&self, name: &str) -> impl Iterator<Item = &TargetingHpa> {
        let indices = self.indices_called(name).iter();
        indices.map(|index| &self.hpas[*index])
    }

    /// HPAs whose target has this name, of any kind and namespace.
    pub fn hpas_of(&self, target_name: &str) -> impl Iterator<Item = &TargetingHpa> {
        let indices = self.indices_of(target_name).iter();
        indices.map(|index| &self.hpas[*index])
    }

    fn indices_called(&self, name: &str) -> &[usize] {
        self.hpas_by_name
            .called(&self.hpas, TargetingHpa::name, name)
    }

    fn indices_of(&self, target_name: &str) -> &[usize] {
        self.hpas_by_target
            .called(&self.hpas, TargetingHpa::target_name, target_name)
    }

    /// Services that belong together with an object and select the pods of its target, which have these labels.
    pub fn services_selecting<'a>(
        &'a self,
        beside: &'a ObjectRef,
        target: &'a Workload,
        labels: &'a BTreeMap<String, String>,
    ) -> impl Iterator<Item = &'a Service> {
        let services = self.scoped().services.beside(&self.kustomize, beside);
        let services = services.flat_map(|some| some.candidates(labels));
        services
            .map(|index| &self.services[index])
            .filter(move |service| {
                service.selects(labels)
                    && self.belong_together(beside, &service.object)
                    && self.is_nearest_target(target, &service.object)
            })
    }

    /// The first Ingress or route that belongs together with an object and sends traffic to one of these Services.
    pub fn route_to(&self, beside: &ObjectRef, services: &[&Service]) -> Option<&Ingress> {
        let first = |service: &&Service| {
            let indices = self.ingresses_by_service.get(&service.object.name)?;
            let mut indices = indices.iter().copied();
            indices.find(|index| {
                let ingress = &self.ingresses[*index];
                ingress.sends_to(&beside.namespace, &service.object)
                    && !self.kustomize.are_apart(beside, &ingress.object)
            })
        };
        let index = services.iter().filter_map(first).min()?;
        Some(&self.ingresses[index])
    }

    /// PodDisruptionBudgets that belong together with an object and select the pods of its target, which have these
    /// labels.
    pub fn budgets_selecting<'a>(
        &'a self,
        beside: &'a ObjectRef,
        target: &'a Workload,
        labels: &'a BTreeMap<String, String>,
    ) -> impl Iterator<Item = &'a BudgetObject> {
        let budgets = self.scoped().budgets.beside(&self.kustomize, beside);
        let budgets = budgets.flat_map(|some| some.candidates(labels));
        budgets
            .map(|index| &self.budgets[index])
            .filter(move |budget| {
                budget.selects(labels)
                    && self.belong_together(beside, &budget.object)
                    && self.is_nearest_target(target, &budget.object)
            })
    }

    /// Whether an object with this kind and name exists.
    pub fn has_other(&self, namespace: &str, kind: &str, name: &str) -> bool {
        let from = (kind.to_owned(), name.to_owned(), String::new());
        self.others
            .range(from..)
            .take_while(|(one_kind, one_name, _)| one_kind == kind && one_name == name)
            .any(|(_, _, one_namespace)| same_namespace(one_namespace, namespace))
    }
}
