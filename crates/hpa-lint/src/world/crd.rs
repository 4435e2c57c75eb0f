//! CustomResourceDefinitions.

use kubectl_hpa_yaml::YamlNode;

use super::{intended_kind::may_mean, read};
use crate::{Object, ObjectRef};

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
    /// The type that the schema of the version has at that path. None: the version has no schema that lists its fields.
    pub selector_type: Option<SchemaType>,
}

/// The type of a field in the schema of a CustomResourceDefinition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SchemaType {
    /// The schema does not have the field, so the API server drops it.
    Absent,
    /// Its `type`.
    Of(String),
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
            .find_map(|version| {
                let schema = version.at("schema.openAPIV3Schema");
                Some((version.at("subresources.scale")?, schema))
            })
            .or_else(|| Some((spec?.at("subresources.scale")?, None)));
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
            scale: scale.map(|(scale, schema)| {
                let label_selector = read::text(scale, "labelSelectorPath");
                ScalePaths {
                    selector_type: schema.and_then(|schema| type_at(schema, &label_selector)),
                    label_selector,
                }
            }),
        }
    }

    /// Whether `name` is its kind in another spelling, or one of its other names.
    pub fn is_spelling_of(&self, name: &str) -> bool {
        may_mean(name, &self.kind, self.names.iter().map(String::as_str))
    }
}

/// The type of the field at a path such as `.status.selector`. None: some field on the way can have any content.
fn type_at(schema: &YamlNode, path: &str) -> Option<SchemaType> {
    const ANYTHING: &str = "x-kubernetes-preserve-unknown-fields";
    let mut schema = schema;
    for step in path.split('.').filter(|step| !step.is_empty()) {
        if schema.get(ANYTHING).and_then(YamlNode::as_bool) == Some(true) {
            return None;
        }
        let Some(field) = schema.get("properties").and_then(|fields| fields.get(step)) else {
            let is_open = schema.get("additionalProperties").is_some();
            return (!is_open).then_some(SchemaType::Absent);
        };
        schema = field;
    }
    let kind = read::text(schema, "type");
    (!kind.is_empty() && !path.is_empty()).then_some(SchemaType::Of(kind))
}
