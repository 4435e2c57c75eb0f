//! Pod templates: containers with their resources and probes.

use std::collections::BTreeMap;

use hpa_engine::model::{Quantity, ResourceList, find_resource};
use kubectl_hpa_yaml::YamlNode;

use super::{read, text_map};

/// The template of a workload's pods.
// Unlike a pod's containers, it has no defaults of the API server: rules check what is written.
#[derive(Clone, Debug, Default)]
pub struct PodTemplate {
    /// Labels.
    pub labels: BTreeMap<String, String>,
    /// Annotations.
    pub annotations: BTreeMap<String, String>,
    /// `containers`.
    pub containers: Vec<TemplateContainer>,
    /// `initContainers`.
    pub init_containers: Vec<TemplateContainer>,
    /// `resources.requests` of the pod.
    pub requests: ResourceList,
    /// `resources.limits` of the pod.
    pub limits: ResourceList,
    /// `overhead`, which a RuntimeClass otherwise adds to the pod when it is created.
    pub overhead: ResourceList,
    /// `runtimeClassName`. Empty: not written.
    pub runtime_class: String,
    /// `terminationGracePeriodSeconds`.
    pub termination_grace_period: Option<i64>,
    /// `nodeSelector`.
    pub node_selector: BTreeMap<String, String>,
    /// `priorityClassName`. Empty: not written.
    pub priority_class: String,
    /// The claims of its volumes, which all pods share.
    pub claims: Vec<String>,
}

/// A container of a pod template.
#[derive(Clone, Debug, Default)]
pub struct TemplateContainer {
    /// `name`.
    pub name: String,
    /// `resources.requests`.
    pub requests: ResourceList,
    /// `resources.limits`.
    pub limits: ResourceList,
    /// `restartPolicy: Always`: an init container that keeps running (a sidecar).
    pub is_restartable: bool,
    /// `readinessProbe`.
    pub readiness_probe: Option<TemplateProbe>,
    /// `startupProbe`.
    pub startup_probe: Option<TemplateProbe>,
}

/// A probe, with the API server's defaults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TemplateProbe {
    /// `initialDelaySeconds`.
    pub initial_delay_seconds: i32,
    /// `periodSeconds`.
    pub period_seconds: i32,
    /// `failureThreshold`.
    pub failure_threshold: i32,
    /// `successThreshold`.
    pub success_threshold: i32,
}

impl PodTemplate {
    /// Whether a container has requests or limits.
    pub(super) fn has_resources(&self) -> bool {
        let mut containers = self.containers.iter().chain(&self.init_containers);
        containers.any(|one| !one.requests.is_empty() || !one.limits.is_empty())
    }

    /// Reads a `PodTemplateSpec`. Fails with the first invalid quantity.
    pub(super) fn of(node: &YamlNode) -> Result<Self, String> {
        let spec = node.get("spec");
        let field = |path: &str| spec?.at(path);
        let containers = |path: &str| {
            let items = field(path).map(YamlNode::items).unwrap_or_default();
            let containers: Result<Box<[_]>, _> = items.iter().map(TemplateContainer::of).collect();
            // Most have one container, and a list that grows has room for four.
            containers.map(Vec::from)
        };
        Ok(Self {
            labels: text_map(node.at("metadata.labels")),
            annotations: text_map(node.at("metadata.annotations")),
            containers: containers("containers")?,
            init_containers: containers("initContainers")?,
            requests: read::resources(field("resources.requests"))?,
            limits: read::resources(field("resources.limits"))?,
            overhead: read::resources(field("overhead"))?,
            runtime_class: spec
                .map(|spec| read::text(spec, "runtimeClassName"))
                .unwrap_or_default(),
            termination_grace_period: field("terminationGracePeriodSeconds")
                .and_then(YamlNode::as_i64),
            node_selector: text_map(field("nodeSelector")),
            priority_class: spec
                .map(|spec| read::text(spec, "priorityClassName"))
                .unwrap_or_default(),
            claims: field("volumes")
                .map(YamlNode::items)
                .unwrap_or_default()
                .iter()
                .filter_map(|volume| volume.at("persistentVolumeClaim.claimName")?.as_str())
                .map(str::to_owned)
                .collect(),
        })
    }

    /// The containers that the controller counts: all regular ones, and restartable init containers if the version
    /// counts those (since 1.29).
    pub fn counted(&self, counts_sidecars: bool) -> impl Iterator<Item = &TemplateContainer> {
        let sidecars = self.init_containers.iter();
        self.containers
            .iter()
            .chain(sidecars.filter(move |one| counts_sidecars && one.is_restartable))
    }
}

impl TemplateContainer {
    fn of(node: &YamlNode) -> Result<Self, String> {
        let name = read::text(node, "name");
        if name.is_empty() {
            return Err("a container has no name".to_owned());
        }
        let list = |path: &str| {
            read::resources(node.at(path)).map_err(|problem| format!("container {name}: {problem}"))
        };
        Ok(Self {
            requests: list("resources.requests")?,
            limits: list("resources.limits")?,
            is_restartable: read::text(node, "restartPolicy") == "Always",
            readiness_probe: node.get("readinessProbe").map(TemplateProbe::of),
            startup_probe: node.get("startupProbe").map(TemplateProbe::of),
            name,
        })
    }

    /// The request for `resource` as the API server stores it: a limit without a request also becomes the request.
    pub fn request(&self, resource: &str) -> Option<&Quantity> {
        find_resource(&self.requests, resource).or_else(|| self.limit(resource))
    }

    /// The limit of `resource`.
    pub fn limit(&self, resource: &str) -> Option<&Quantity> {
        find_resource(&self.limits, resource)
    }
}

impl TemplateProbe {
    fn of(node: &YamlNode) -> Self {
        let number = |key: &str, default: i32| {
            let number = node.get(key).and_then(YamlNode::as_i32);
            number.filter(|number| *number != 0).unwrap_or(default)
        };
        Self {
            initial_delay_seconds: number("initialDelaySeconds", 0),
            period_seconds: number("periodSeconds", 10),
            failure_threshold: number("failureThreshold", 3),
            success_threshold: number("successThreshold", 1),
        }
    }
}
