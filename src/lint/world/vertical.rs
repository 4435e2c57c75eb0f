//! VerticalPodAutoscalers.

use super::read;
use crate::{
    lint::{Object, ObjectRef},
    yaml::Node,
};

/// A VerticalPodAutoscaler.
#[derive(Clone, Debug)]
pub struct Vertical {
    /// What it is called.
    pub object: ObjectRef,
    /// Group of `spec.targetRef`.
    pub target_group: String,
    /// Kind of `spec.targetRef`.
    pub target_kind: String,
    /// Name of `spec.targetRef`.
    pub target_name: String,
    /// `spec.updatePolicy.updateMode`; absent: `Auto`.
    pub update_mode: String,
    /// `spec.resourcePolicy.containerPolicies`: container (`*`: all others), mode, and the controlled resources if
    /// they are written.
    pub containers: Vec<(String, String, Option<Vec<String>>)>,
}

impl Vertical {
    /// Reads a VerticalPodAutoscaler.
    pub fn of(object: &Object) -> Self {
        let policies = object.node.at("spec.resourcePolicy.containerPolicies");
        let or =
            |text: &str, default: &str| if text.is_empty() { default } else { text }.to_owned();
        Self {
            object: object.reference(),
            target_group: crate::lint::object::group_of(object.text("spec.targetRef.apiVersion"))
                .to_owned(),
            target_kind: object.text("spec.targetRef.kind").to_owned(),
            target_name: object.text("spec.targetRef.name").to_owned(),
            update_mode: or(object.text("spec.updatePolicy.updateMode"), "Auto"),
            containers: policies
                .map(Node::items)
                .unwrap_or_default()
                .iter()
                .map(|policy| {
                    let resources = policy.get("controlledResources").map(Node::items);
                    (
                        read::text(policy, "containerName"),
                        or(&read::text(policy, "mode"), "Auto"),
                        resources.map(|items| items.iter().map(read::scalar).collect()),
                    )
                })
                .collect(),
        }
    }
}
