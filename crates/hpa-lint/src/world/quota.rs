//! ResourceQuotas.

use hpa_engine::model::{
    Quantity, QuotaResource, QuotaScope, ResourceList, ResourceQuota, find_resource,
    quantity::Format,
};
use kubectl_hpa_yaml::YamlNode;

use super::read;
use crate::{Object, ObjectRef};

/// A ResourceQuota.
// Unlike a snapshot's, it can come from a manifest without a status: its limits are those of the spec, and an invalid
// part does not affect the others.
#[derive(Clone, Debug)]
pub struct Quota {
    /// Its identity.
    pub object: ObjectRef,
    /// `spec.hard`.
    pub hard: ResourceList,
    /// `status.used`. None: unknown, as in a manifest.
    pub used: Option<ResourceList>,
    /// `spec.scopes` and the scopes of `spec.scopeSelector`: the quota counts only pods that match all of them.
    pub scopes: Vec<QuotaScope>,
}

impl Quota {
    /// Reads a ResourceQuota. If a quantity is invalid, its limits are left empty.
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

    /// The quota as in a cluster; unknown usage is 0.
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
