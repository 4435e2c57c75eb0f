//! ResourceQuotas.

use super::read;
use crate::{
    lint::{Object, ObjectRef},
    model::{
        Quantity, QuotaResource, QuotaScope, ResourceList, ResourceQuota, find_resource,
        quantity::Format,
    },
    yaml::YamlNode,
};

/// A ResourceQuota.
// Not the one of a snapshot: a manifest has no status, so that its limits are those of the spec, and a part that cannot be
// read takes no other with it.
#[derive(Clone, Debug)]
pub struct Quota {
    /// What it is called.
    pub object: ObjectRef,
    /// `spec.hard`.
    pub hard: ResourceList,
    /// `status.used`; none: it is not counted, as in a manifest.
    pub used: Option<ResourceList>,
    /// `spec.scopes`, and the scopes of `spec.scopeSelector`: it counts only pods to which all apply.
    pub scopes: Vec<QuotaScope>,
}

impl Quota {
    /// Reads a ResourceQuota. One with a quantity that cannot be read limits nothing that we could name.
    pub fn of(object: &Object) -> Self {
        let node = &object.node;
        let plain = node
            .at("spec.scopes")
            .map(YamlNode::items)
            .unwrap_or_default();
        let selected = node.at("spec.scopeSelector.matchExpressions");
        Self {
            object: object.reference(),
            hard: read::resources(node.at("spec.hard")).unwrap_or_default(),
            used: node
                .at("status.used")
                .and_then(|used| read::resources(Some(used)).ok()),
            scopes: plain
                .iter()
                .map(|name| QuotaScope {
                    name: read::scalar(name),
                    operator: "Exists".to_owned(),
                    values: Vec::new(),
                })
                .chain(
                    selected
                        .map(YamlNode::items)
                        .unwrap_or_default()
                        .iter()
                        .map(|one| QuotaScope {
                            name: read::text(one, "scopeName"),
                            operator: read::text(one, "operator"),
                            values: one
                                .get("values")
                                .map(YamlNode::items)
                                .unwrap_or_default()
                                .iter()
                                .map(read::scalar)
                                .collect(),
                        }),
                )
                .collect(),
        }
    }

    /// The quota as a cluster counts it; what is not counted is 0.
    pub fn to_model(&self) -> ResourceQuota {
        let used = |name: &str| {
            let used = self
                .used
                .as_ref()
                .and_then(|used| find_resource(used, name));
            used.cloned()
                .unwrap_or_else(|| Quantity::from_value(0, Format::DecimalSI))
        };
        ResourceQuota {
            name: self.object.name.clone(),
            scopes: self.scopes.clone(),
            resources: self
                .hard
                .iter()
                .map(|(name, hard)| QuotaResource {
                    name: name.clone(),
                    hard: hard.clone(),
                    used: used(name),
                })
                .collect(),
        }
    }
}
