//! Objects that create pods, and scalable custom resources.

use std::collections::BTreeMap;

use hpa_engine::model::{KnownKind, LabelSelector, PodShare, Selector};
use kubectl_hpa_yaml::YamlNode;

use super::{PodTemplate, read, text_map};
use crate::{Missing, Object, ObjectRef};

/// An object that creates pods or can be scaled: Deployments, Jobs, Pods, custom resources.
// A snapshot's target keeps status and writers; this has what a manifest says.
#[derive(Clone, Debug)]
pub struct Workload {
    /// Its identity.
    pub object: ObjectRef,
    /// `apiVersion`.
    pub api_version: String,
    /// API group. Empty: core.
    pub group: String,
    /// Annotations.
    pub annotations: BTreeMap<String, String>,
    /// `metadata.ownerReferences`.
    pub owners: Vec<WorkloadOwner>,
    /// `spec.replicas`, if written.
    pub replicas: Option<i32>,
    /// The selector of its pods. None: it has none, or the API server would reject it.
    pub selector: Option<Selector>,
    /// `matchLabels` of the selector.
    pub match_labels: Box<[(String, String)]>,
    /// The template of its pods. None if the kind has no template; an error if a quantity in it is invalid.
    template: Option<Result<Box<PodTemplate>, String>>,
    /// `spec.strategy.type`; for StatefulSets `spec.updateStrategy.type`. Empty: not written.
    pub strategy: String,
    /// `maxSurge` of a rolling update.
    pub max_surge: Option<PodShare>,
    /// `maxUnavailable` of a rolling update.
    pub max_unavailable: Option<PodShare>,
    /// `spec.podManagementPolicy`. Empty: not written.
    pub pod_management_policy: String,
    /// `spec.workloadRef` of an Argo Rollout: kind and name.
    pub workload_ref: Option<(String, String)>,
    /// Whether it is from a cluster (it has `metadata.uid`), not from a manifest.
    pub is_stored: bool,
}

/// An owner of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkloadOwner {
    /// `apiVersion`.
    pub api_version: String,
    /// `kind`.
    pub kind: String,
    /// `name`.
    pub name: String,
    /// Whether it is the controlling owner.
    pub is_controller: bool,
}

impl Workload {
    /// Reads an object that creates pods or has `spec.replicas`. None for others.
    pub fn of(object: &Object) -> Option<Self> {
        let node = &object.node;
        let group = match object.group() {
            "extensions" => "apps",
            group => group,
        };
        let is_pod = group.is_empty() && &*object.kind == "Pod";
        let known = KnownKind::in_group(group, &object.kind);
        let template = if is_pod {
            Some(node)
        } else {
            node.at(known.template())
        };
        let has_pods = template.is_some_and(|template| template.at("spec.containers").is_some());
        if !is_pod && !known.has_template() && !has_pods && node.at("spec.replicas").is_none() {
            return None;
        }
        let selector = node.at("spec.selector").map(|selector| {
            if known.has_plain_selector() {
                LabelSelector {
                    match_labels: text_map(Some(selector)),
                    ..LabelSelector::default()
                }
            } else {
                read::label_selector(selector)
            }
        });
        let strategy = node
            .at("spec.strategy")
            .or_else(|| node.at("spec.updateStrategy"));
        let rolling = strategy.and_then(|strategy| strategy.get("rollingUpdate"));
        let owners = node.at("metadata.ownerReferences").map(YamlNode::items);
        Some(Self {
            object: object.reference(),
            api_version: object.api_version.to_string(),
            group: object.group().to_owned(),
            annotations: text_map(node.at("metadata.annotations")),
            owners: owners
                .unwrap_or_default()
                .iter()
                .map(WorkloadOwner::of)
                .collect(),
            replicas: node.at("spec.replicas").and_then(YamlNode::as_i32),
            selector: selector.as_ref().and_then(read::selector),
            match_labels: selector
                .unwrap_or_default()
                .match_labels
                .into_iter()
                .collect(),
            template: template.map(|template| PodTemplate::of(template).map(Box::new)),
            strategy: strategy
                .map(|strategy| read::text(strategy, "type"))
                .unwrap_or_default(),
            max_surge: read::share(rolling.and_then(|rolling| rolling.get("maxSurge"))),
            max_unavailable: read::share(rolling.and_then(|rolling| rolling.get("maxUnavailable"))),
            pod_management_policy: object.text("spec.podManagementPolicy").to_owned(),
            workload_ref: node
                .at("spec.workloadRef")
                .map(|reference| (read::text(reference, "kind"), read::text(reference, "name"))),
            is_stored: node.at("metadata.uid").is_some(),
        })
    }

    /// The template of its pods, or why there is none.
    pub fn pod_template(&self) -> Result<&PodTemplate, Missing> {
        match &self.template {
            Some(Ok(template)) => Ok(template),
            Some(Err(problem)) => Err(Missing::Because(format!("{}: {problem}", self.object))),
            None => Err(Missing::Because(format!(
                "{} has no pod template",
                self.object
            ))),
        }
    }

    /// Whether its selector matches pods with these labels.
    pub fn selects(&self, labels: &BTreeMap<String, String>) -> bool {
        self.selector
            .as_ref()
            .is_some_and(|selector| !selector.is_empty() && selector.matches(labels))
    }
}

impl WorkloadOwner {
    fn of(node: &YamlNode) -> Self {
        Self {
            api_version: read::text(node, "apiVersion"),
            kind: read::text(node, "kind"),
            name: read::text(node, "name"),
            is_controller: node.get("controller").and_then(YamlNode::as_bool) == Some(true),
        }
    }
}
