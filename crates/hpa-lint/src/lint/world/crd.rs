//! CustomResourceDefinitions.

use super::{known_kind::may_mean, read};
use crate::{
    lint::{Object, ObjectRef},
    yaml::YamlNode,
};

/// A CustomResourceDefinition, with the fields relevant to scaling.
#[derive(Clone, Debug)]
pub struct Crd {
    /// Its identity.
    pub object: ObjectRef,
    /// `spec.group`.
    pub group: String,
    /// `spec.names.kind`.
    pub kind: String,
    /// Further names: `plural`, `singular` and `shortNames`.
    names: Vec<String>,
    /// The scale subresource of the first served version that has one.
    pub scale: Option<ScalePaths>,
}

/// A scale subresource of a custom resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScalePaths {
    /// `labelSelectorPath`. Empty if absent.
    pub label_selector: String,
}

impl Crd {
    /// Reads a CustomResourceDefinition of `v1` or `v1beta1`.
    pub fn of(object: &Object) -> Self {
        let spec = object.node.get("spec");
        let short_names = object.node.at("spec.names.shortNames").map(YamlNode::items);
        let short_names = short_names.unwrap_or_default();
        let versions = spec.and_then(|spec| spec.get("versions"));
        let scale = versions
            .map(YamlNode::items)
            .unwrap_or_default()
            .iter()
            .filter(|version| version.get("served").and_then(YamlNode::as_bool) != Some(false))
            .find_map(|version| version.at("subresources.scale"))
            .or_else(|| spec?.at("subresources.scale"));
        Self {
            object: object.reference(),
            group: object.text("spec.group").to_owned(),
            kind: object.text("spec.names.kind").to_owned(),
            names: ["plural", "singular"]
                .map(|name| object.text(&format!("spec.names.{name}")).to_lowercase())
                .into_iter()
                .chain(
                    short_names
                        .iter()
                        .map(|name| read::scalar(name).to_lowercase()),
                )
                .filter(|name| !name.is_empty())
                .collect(),
            scale: scale.map(|scale| ScalePaths {
                label_selector: read::text(scale, "labelSelectorPath"),
            }),
        }
    }

    /// Whether `name` is its kind in another spelling, or one of its other names.
    pub fn is_spelling_of(&self, name: &str) -> bool {
        may_mean(name, &self.kind, self.names.iter().map(String::as_str))
    }
}
