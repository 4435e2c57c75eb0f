//! Nodes.

use std::collections::BTreeMap;

use super::{read, text_map};
use crate::{
    lint::{Object, ObjectRef},
    model::ResourceList,
    yaml::YamlNode as Tree,
};

/// A node, as far as pods need room on it.
// A snapshot counts nodes by their size; a rule looks for those whose labels a pod asks for.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it is called.
    pub object: ObjectRef,
    /// Labels.
    pub labels: BTreeMap<String, String>,
    /// `spec.unschedulable`: no further pods are put there.
    pub is_cordoned: bool,
    /// `status.allocatable`, or `status.capacity` if that is all that is written.
    pub allocatable: ResourceList,
}

impl Node {
    /// Reads a node. One with a quantity that cannot be read offers nothing that we could name.
    pub fn of(object: &Object) -> Self {
        let node = &object.node;
        let offered = node
            .at("status.allocatable")
            .or_else(|| node.at("status.capacity"));
        Self {
            object: object.reference(),
            labels: text_map(node.at("metadata.labels")),
            is_cordoned: node.at("spec.unschedulable").and_then(Tree::as_bool) == Some(true),
            allocatable: read::resources(offered).unwrap_or_default(),
        }
    }

    /// Whether its labels are those of a `nodeSelector`.
    pub fn has_labels(&self, selector: &BTreeMap<String, String>) -> bool {
        let mut expected = selector.iter();
        expected.all(|(key, value)| self.labels.get(key) == Some(value))
    }
}
