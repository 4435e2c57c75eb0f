//! ResourceQuotas.

use super::read;
use crate::{
    lint::{Object, ObjectRef},
    model::ResourceList,
    yaml::Node,
};

/// A ResourceQuota.
#[derive(Clone, Debug)]
pub struct Quota {
    /// What it is called.
    pub object: ObjectRef,
    /// `spec.hard`.
    pub hard: ResourceList,
    /// `status.used`; none: nobody has counted, which is so of a manifest.
    pub used: Option<ResourceList>,
    /// `spec.scopes`, and the scopes of `spec.scopeSelector`: it counts only pods to which all apply.
    pub scopes: Vec<String>,
}

impl Quota {
    /// Reads a ResourceQuota. One with a quantity that can't be read limits nothing that we could name.
    pub fn of(object: &Object) -> Self {
        let node = &object.node;
        let plain = node.at("spec.scopes").map(Node::items).unwrap_or_default();
        let selected = node.at("spec.scopeSelector.matchExpressions");
        Self {
            object: object.reference(),
            hard: read::resources(node.at("spec.hard")).unwrap_or_default(),
            used: node
                .at("status.used")
                .and_then(|used| read::resources(Some(used)).ok()),
            scopes: plain
                .iter()
                .map(read::scalar)
                .chain(
                    selected
                        .map(Node::items)
                        .unwrap_or_default()
                        .iter()
                        .map(|one| read::text(one, "scopeName")),
                )
                .collect(),
        }
    }
}
