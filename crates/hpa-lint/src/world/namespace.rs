//! Namespaces: labels and annotations that apply to all pods in them.

use std::collections::BTreeMap;

use super::text_map;
use crate::{Object, ObjectRef};

/// A Namespace.
#[derive(Clone, Debug)]
pub struct Namespace {
    /// Its identity.
    pub object: ObjectRef,
    /// Labels.
    pub labels: BTreeMap<String, String>,
    /// Annotations.
    pub annotations: BTreeMap<String, String>,
}

impl Namespace {
    /// Reads a Namespace.
    pub fn of(object: &Object) -> Self {
        Self {
            object: object.reference(),
            labels: text_map(object.node.at("metadata.labels")),
            annotations: text_map(object.node.at("metadata.annotations")),
        }
    }
}
