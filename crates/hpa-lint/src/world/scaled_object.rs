//! KEDA's ScaledObjects.

use std::collections::BTreeMap;

use hpa_engine::model;
use hpa_engine::model::KnownKind;
use hpa_objects::recording;
use kubectl_hpa_yaml::YamlNode;

use super::text_map;
use crate::{Object, ObjectRef};

/// A ScaledObject.
#[derive(Clone, Debug)]
pub struct ScaledObject {
    /// Its identity.
    pub object: ObjectRef,
    /// Annotations.
    pub annotations: BTreeMap<String, String>,
    /// Group of `spec.scaleTargetRef`; `apps` if absent.
    pub target_group: String,
    /// Kind of `spec.scaleTargetRef`; `Deployment` if absent.
    pub target_kind: String,
    /// Name of `spec.scaleTargetRef`.
    pub target_name: String,
    /// `spec.minReplicaCount`. Absent means 0.
    pub min_replicas: Option<i32>,
    /// Its other fields.
    pub keda: model::ScaledObject,
    /// `spec.advanced.horizontalPodAutoscalerConfig.name`: name of its HPA. Empty: `keda-hpa-` plus its own name.
    pub hpa_name: String,
}

impl ScaledObject {
    /// Reads a ScaledObject.
    pub fn of(object: &Object) -> Self {
        let target = |field: &str, default: &str| {
            let text = object.text(&format!("spec.scaleTargetRef.{field}"));
            if text.is_empty() { default } else { text }.to_owned()
        };
        let min_replicas = object.node.at("spec.minReplicaCount");
        Self {
            object: object.reference(),
            annotations: text_map(object.node.at("metadata.annotations")),
            target_group: recording::group_of(&target("apiVersion", "apps/v1")).to_owned(),
            target_kind: target("kind", KnownKind::DEPLOYMENT),
            target_name: target("name", ""),
            min_replicas: min_replicas.and_then(YamlNode::as_i32),
            keda: recording::scaled_object(&object.node.to_json()),
            hpa_name: object
                .text("spec.advanced.horizontalPodAutoscalerConfig.name")
                .to_owned(),
        }
    }

    /// Name of the HPA that KEDA creates for it. Upstream: `getHpaName`.
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

    /// Whether it is paused, so that KEDA has deleted its HPA.
    pub fn is_paused(&self) -> bool {
        model::ScaledObject::is_paused(&self.annotations)
    }

    /// Whether its annotation `autoscaling.keda.sh/<name>` pauses it.
    pub fn is_paused_by(&self, name: &str) -> bool {
        model::ScaledObject::is_paused_by(&self.annotations, name)
    }
}
