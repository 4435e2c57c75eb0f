//! HPAs as other objects see them: their scale target and bounds.

use std::{
    hash::{DefaultHasher, Hash as _, Hasher as _},
    sync::Arc,
};

use hpa_objects::recording::group_of;
use kubectl_hpa_yaml::{YamlNode, YamlText};

use crate::{Object, ObjectRef};

/// The scale target and bounds of an HPA, even if the HPA as a whole cannot be decoded.
// So it is not read by `manifest`, which rejects an HPA with an invalid field.
#[derive(Clone, Debug)]
pub struct TargetingHpa {
    /// Its identity.
    pub object: Arc<ObjectRef>,
    /// Group of `spec.scaleTargetRef`. Empty: core.
    pub target_group: YamlText,
    /// Kind of `spec.scaleTargetRef`.
    pub target_kind: YamlText,
    /// Name of `spec.scaleTargetRef`.
    pub target_name: YamlText,
    /// `spec.minReplicas`; 1 if absent.
    pub min_replicas: i32,
    /// `spec.maxReplicas`; 0 if absent.
    pub max_replicas: i32,
    /// Equal for HPAs of files with the same content, whatever their names.
    pub content: u64,
}

/// An integer, quoted or not.
fn integer(node: &YamlNode) -> Option<i32> {
    let quoted = || node.as_str()?.trim().parse().ok();
    node.as_i32().or_else(quoted)
}

fn content(node: &YamlNode) -> u64 {
    let mut hasher = DefaultHasher::new();
    let spec = node.at("spec").map(YamlNode::to_json);
    spec.unwrap_or_default().to_string().hash(&mut hasher);
    hasher.finish()
}

impl TargetingHpa {
    pub(super) fn name(&self) -> &str {
        &self.object.name
    }

    pub(super) fn target_name(&self) -> &str {
        &self.target_name
    }

    /// Reads an HPA of any API version.
    pub fn of(object: &Object) -> Self {
        let number = |path: &str| object.node.at(path).and_then(integer);
        let target = |field: &str| object.text(&format!("spec.scaleTargetRef.{field}"));
        Self {
            object: Arc::new(object.reference()),
            target_group: group_of(target("apiVersion")).into(),
            target_kind: target("kind").into(),
            target_name: target("name").into(),
            min_replicas: number("spec.minReplicas").unwrap_or(1),
            max_replicas: number("spec.maxReplicas").unwrap_or(0),
            content: object.origin.map_or(0, |_| content(&object.node)),
        }
    }
}
