//! Flagger's Canaries.

use kubectl_hpa_yaml::YamlNode;

use super::read;
use crate::{Object, ObjectRef};

/// A Canary.
#[derive(Clone, Debug)]
pub struct Canary {
    /// Its identity.
    pub object: ObjectRef,
    /// Kind of `spec.targetRef`.
    pub target_kind: String,
    /// Name of `spec.targetRef`: the source that Flagger copies to `NAME-primary`.
    pub target_name: String,
    /// Kind and name of `spec.autoscalerRef`, which Flagger also copies.
    pub autoscaler: Option<(String, String)>,
}

impl Canary {
    /// Reads a Canary.
    pub fn of(object: &Object) -> Self {
        let target = |field: &str| read::text(&object.node, &format!("spec.targetRef.{field}"));
        let autoscaler = |reference: &YamlNode| {
            let field = |name: &str| read::text(reference, name);
            (field("kind"), field("name"))
        };
        Self {
            object: object.reference(),
            target_kind: target("kind"),
            target_name: target("name"),
            autoscaler: object.node.at("spec.autoscalerRef").map(autoscaler),
        }
    }
}
