//! HPAs as others see them: what they scale and within which bounds.

use super::read;
use crate::{
    lint::{Object, ObjectRef, object::group_of},
    yaml::Node,
};

/// What an HPA scales and within which bounds, readable as a whole or not.
#[derive(Clone, Debug)]
pub struct TargetingHpa {
    /// What it is called.
    pub object: ObjectRef,
    /// Group of `spec.scaleTargetRef`; empty: core.
    pub target_group: String,
    /// Kind of `spec.scaleTargetRef`.
    pub target_kind: String,
    /// Name of `spec.scaleTargetRef`.
    pub target_name: String,
    /// `spec.minReplicas`, 1 unless written.
    pub min_replicas: i32,
    /// `spec.maxReplicas`, 0 if it is missing.
    pub max_replicas: i32,
}

impl TargetingHpa {
    /// Reads an HPA of any API version.
    pub fn of(object: &Object) -> Self {
        let number = |path: &str| object.node.at(path).and_then(Node::as_i32);
        let target =
            |field: &str| read::text(&object.node, &format!("spec.scaleTargetRef.{field}"));
        Self {
            object: object.reference(),
            target_group: group_of(&target("apiVersion")).to_owned(),
            target_kind: target("kind"),
            target_name: target("name"),
            min_replicas: number("spec.minReplicas").unwrap_or(1),
            max_replicas: number("spec.maxReplicas").unwrap_or(0),
        }
    }
}
