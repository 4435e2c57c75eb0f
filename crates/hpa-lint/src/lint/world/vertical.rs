//! VerticalPodAutoscalers.

use super::read;
use crate::{
    lint::{Object, ObjectRef},
    model::{ContainerPolicy, VerticalAutoscaler},
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
    /// `spec.resourcePolicy.containerPolicies`; of recommendations it says nothing.
    pub policies: VerticalAutoscaler,
}

impl Vertical {
    /// Reads a VerticalPodAutoscaler.
    pub fn of(object: &Object) -> Self {
        let policies = object.node.at("spec.resourcePolicy.containerPolicies");
        let update_mode = object.text("spec.updatePolicy.updateMode");
        Self {
            object: object.reference(),
            target_group: crate::lint::object::group_of(object.text("spec.targetRef.apiVersion"))
                .to_owned(),
            target_kind: object.text("spec.targetRef.kind").to_owned(),
            target_name: object.text("spec.targetRef.name").to_owned(),
            update_mode: if update_mode.is_empty() {
                "Auto"
            } else {
                update_mode
            }
            .to_owned(),
            policies: VerticalAutoscaler {
                policies: policies
                    .map(Node::items)
                    .unwrap_or_default()
                    .iter()
                    .map(policy)
                    .collect(),
                ..VerticalAutoscaler::default()
            },
        }
    }
}

fn policy(node: &Node) -> ContainerPolicy {
    let resources = node.get("controlledResources").map(Node::items);
    let mode = read::text(node, "mode");
    ContainerPolicy {
        container: read::text(node, "containerName"),
        mode: (!mode.is_empty()).then_some(mode),
        controlled_resources: resources.map(|items| items.iter().map(read::scalar).collect()),
    }
}
