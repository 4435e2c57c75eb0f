//! KEDA's ScaledObjects.

use std::collections::BTreeMap;

use super::{read, text_map};
use crate::{
    lint::{Object, ObjectRef},
    yaml::Node,
};

/// A ScaledObject.
#[derive(Clone, Debug)]
pub struct ScaledObject {
    /// What it is called.
    pub object: ObjectRef,
    /// Annotations.
    pub annotations: BTreeMap<String, String>,
    /// Group of `spec.scaleTargetRef`, `apps` unless written.
    pub target_group: String,
    /// Kind of `spec.scaleTargetRef`, `Deployment` unless written.
    pub target_kind: String,
    /// Name of `spec.scaleTargetRef`.
    pub target_name: String,
    /// `spec.minReplicaCount`; absent: 0.
    pub min_replicas: Option<i32>,
    /// `spec.maxReplicaCount`; absent: 100.
    pub max_replicas: Option<i32>,
    /// `spec.idleReplicaCount`.
    pub idle_replicas: Option<i32>,
    /// `spec.cooldownPeriod`, seconds.
    pub cooldown_period: Option<i32>,
    /// `spec.pollingInterval`, seconds.
    pub polling_interval: Option<i32>,
    /// `spec.triggers`, in order.
    pub triggers: Vec<Trigger>,
    /// `spec.advanced.horizontalPodAutoscalerConfig.name`: name of its HPA; empty: `keda-hpa-` and its own.
    pub hpa_name: String,
}

/// One entry of `spec.triggers`.
#[derive(Clone, Debug)]
pub struct Trigger {
    /// `type`, such as `cpu` or `rabbitmq`.
    pub trigger_type: String,
    /// `metricType`; empty: what the metadata say, or `AverageValue`.
    pub metric_type: String,
    /// `metadata`.
    pub metadata: BTreeMap<String, String>,
    /// `useCachedMetrics`.
    pub uses_cached_metrics: bool,
}

impl ScaledObject {
    /// Reads a ScaledObject.
    pub fn of(object: &Object) -> Self {
        let node = &object.node;
        let number = |path: &str| node.at(path).and_then(Node::as_i32);
        let target = |field: &str, default: &str| {
            let text = object.text(&format!("spec.scaleTargetRef.{field}"));
            if text.is_empty() { default } else { text }.to_owned()
        };
        let triggers = node.at("spec.triggers").map(Node::items);
        Self {
            object: object.reference(),
            annotations: text_map(node.at("metadata.annotations")),
            target_group: crate::lint::object::group_of(&target("apiVersion", "apps/v1"))
                .to_owned(),
            target_kind: target("kind", "Deployment"),
            target_name: target("name", ""),
            min_replicas: number("spec.minReplicaCount"),
            max_replicas: number("spec.maxReplicaCount"),
            idle_replicas: number("spec.idleReplicaCount"),
            cooldown_period: number("spec.cooldownPeriod"),
            polling_interval: number("spec.pollingInterval"),
            triggers: triggers
                .unwrap_or_default()
                .iter()
                .map(|trigger| Trigger {
                    trigger_type: read::text(trigger, "type"),
                    metric_type: read::text(trigger, "metricType"),
                    metadata: text_map(trigger.get("metadata")),
                    uses_cached_metrics: trigger.get("useCachedMetrics").and_then(Node::as_bool)
                        == Some(true),
                })
                .collect(),
            hpa_name: object
                .text("spec.advanced.horizontalPodAutoscalerConfig.name")
                .to_owned(),
        }
    }

    /// Name of the HPA that KEDA makes for it. Upstream: `getHpaName`.
    pub fn name_of_hpa(&self) -> String {
        if self.hpa_name.is_empty() {
            format!("keda-hpa-{}", self.object.name)
        } else {
            self.hpa_name.clone()
        }
    }

    /// Whether it scales the object of this group, kind and name. Versions do not matter.
    pub fn scales(&self, group: &str, kind: &str, name: &str) -> bool {
        self.target_group == group && self.target_kind == kind && self.target_name == name
    }

    /// Whether its annotation `autoscaling.keda.sh/<name>` pauses it.
    pub fn is_paused_by(&self, name: &str) -> bool {
        crate::model::ScaledObject::is_paused_by(&self.annotations, name)
    }
}
