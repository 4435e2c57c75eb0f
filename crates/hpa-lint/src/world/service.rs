//! Services.

use std::collections::BTreeMap;

use super::{read::text, text_map};
use crate::{Object, ObjectRef};

/// A Service.
#[derive(Clone, Debug)]
pub struct Service {
    /// Its identity.
    pub object: ObjectRef,
    /// `spec.selector`. Empty: it selects no pods; its endpoints come from elsewhere.
    pub selector: BTreeMap<String, String>,
    /// `spec.type: LoadBalancer`: clients outside the cluster can reach it.
    pub is_load_balancer: bool,
}

impl Service {
    /// Reads a Service.
    pub fn of(object: &Object) -> Self {
        Self {
            object: object.reference(),
            selector: text_map(object.node.at("spec.selector")),
            is_load_balancer: text(&object.node, "spec.type") == "LoadBalancer",
        }
    }

    /// Whether it selects pods with these labels.
    pub fn selects(&self, labels: &BTreeMap<String, String>) -> bool {
        !self.selector.is_empty()
            && self
                .selector
                .iter()
                .all(|(key, value)| labels.get(key) == Some(value))
    }
}
