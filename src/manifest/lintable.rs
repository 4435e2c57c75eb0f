//! An HPA of any API version for the linter: as written, and with the API server's defaults.

use serde_json::{Map, Value};

use super::{
    Error, Place, defaults,
    documents::Object,
    hpa,
    known_fields::{self, complete},
};
use crate::{
    model,
    recording::{InvalidField, wire},
    yaml::Node,
};

/// The spec of an HPA in the shape of `autoscaling/v2`.
#[derive(Clone, Debug)]
pub struct Lintable {
    /// As it is written: nothing is filled in.
    pub written: wire::HpaSpec,
    /// With the API server's defaults.
    pub defaulted: wire::HpaSpec,
    /// The same as the engine has it.
    pub spec: model::HpaSpec,
}

/// Reads an HPA of any API version. The error is the first field that cannot be read.
pub fn lintable(api_version: &str, node: &Node) -> Result<Lintable, InvalidField> {
    let mut object = Object {
        place: Place::default(),
        api_version: api_version.to_owned(),
        kind: "HorizontalPodAutoscaler".to_owned(),
        value: node.to_json(),
    };
    as_go_decodes(&mut object);
    let mut hpa = match hpa::as_v2(&object).map_err(field) {
        Err(field) if forget_annotation(&mut object, &field.path) => {
            return lintable(api_version, &Node::from_json(&object.value));
        }
        read => read?,
    };
    hpa.metadata.namespace.get_or_insert_default();
    let written = hpa.spec.clone();
    defaults::apply(&mut hpa.spec);
    let spec = hpa.to_model()?.spec;
    Ok(Lintable {
        written,
        defaulted: hpa.spec,
        spec,
    })
}

fn field(error: Error) -> InvalidField {
    match error {
        Error::Field { field, .. } => field,
        other => InvalidField::here(other),
    }
}

/// Fills in what Go's types always have: the API server does not tell an absent name from an empty one.
fn as_go_decodes(object: &mut Object) {
    let has_shape_of_v2 = hpa::is_v2(object);
    let Some(fields) = object.value.as_object_mut() else {
        return;
    };
    for name in ["metadata", "spec"] {
        let field = fields.entry(name).or_insert(Value::Null);
        if field.is_null() {
            *field = Value::Object(Map::new());
        }
    }
    if let Some(metadata) = fields.get_mut("metadata").and_then(Value::as_object_mut) {
        let name = metadata.entry("name").or_insert(Value::Null);
        if name.is_null() {
            *name = Value::String(String::new());
        }
    }
    if has_shape_of_v2 && let Some(spec) = fields.get_mut("spec") {
        complete(spec, known_fields::Place::spec());
    }
}

/// Takes an annotation away that cannot be read, as the API server does without an error; false if the path is not
/// that of one that holds a part of the spec.
fn forget_annotation(object: &mut Object, path: &str) -> bool {
    let key = path
        .strip_prefix("metadata.annotations[")
        .and_then(|rest| rest.split_once(']'))
        .map(|(key, _)| key);
    let annotations = object
        .value
        .pointer_mut("/metadata/annotations")
        .and_then(Value::as_object_mut);
    match (key, annotations) {
        (Some(key), Some(annotations)) => annotations.remove(key).is_some(),
        _ => false,
    }
}
