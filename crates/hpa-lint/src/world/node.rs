//! Nodes.

use std::collections::BTreeMap;

use hpa_engine::model::ResourceList;
use kubectl_hpa_yaml::YamlNode as Tree;

use super::{read, text_map};
use crate::{Object, ObjectRef};

/// A node, with the fields relevant to placing pods.
// A snapshot counts nodes by size; rules look for nodes with the labels that a pod requires.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its identity.
    pub object: ObjectRef,
    /// Labels.
    pub labels: BTreeMap<String, String>,
    /// `spec.unschedulable`: the scheduler places no new pods there.
    pub is_cordoned: bool,
    /// `status.allocatable`, or `status.capacity` if only that is written.
    pub allocatable: ResourceList,
}

impl Node {
    /// Reads a node. If a quantity is invalid, its resources are left empty.
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

    /// Whether it has the labels of a `nodeSelector`.
    pub fn has_labels(&self, selector: &BTreeMap<String, String>) -> bool {
        let mut expected = selector.iter();
        expected.all(|(key, value)| self.labels.get(key) == Some(value))
    }
}
