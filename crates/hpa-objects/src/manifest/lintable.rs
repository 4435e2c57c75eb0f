//! An HPA of any API version for the linter: as written, and with the API server's defaults.

use std::sync::Arc;

use hpa_engine::model;
use kubectl_hpa_yaml::YamlNode;
use serde_json::{Map, Value};

use super::{
    ManifestError, ObjectPlace, defaults,
    documents::FileObject,
    hpa,
    known_fields::{self, PlaceKind, complete, zero_value},
};
use crate::recording::{InvalidField, Within as _, wire};

/// The spec of an HPA in the shape of `autoscaling/v2`.
#[derive(Clone, Debug)]
pub struct Lintable {
    /// As written, without defaults.
    pub written: Arc<wire::HpaSpec>,
    /// With the API server's defaults. Shared with `written` if the defaults change nothing.
    pub defaulted: Arc<wire::HpaSpec>,
    /// `defaulted` in the engine's types. None: it has a value that the API server decodes but rejects.
    pub spec: Option<model::HpaSpec>,
}

/// A spec that the engine supports: as written, and with defaults in the engine's types.
pub type SupportedSpec = (Arc<wire::HpaSpec>, model::HpaSpec);

impl Lintable {
    /// The spec with defaults, and, if the engine supports it, as written and in the engine's types. None: it cannot be
    /// read.
    pub fn parts(lintable: Option<Self>) -> (Option<Arc<wire::HpaSpec>>, Option<SupportedSpec>) {
        let parts = |one: Self| (one.defaulted, one.spec.map(|spec| (one.written, spec)));
        let (defaulted, spec) = lintable.map(parts).unzip();
        (defaulted, spec.flatten())
    }
}

/// Reads an HPA of any API version. Fails with the first field that cannot be read.
pub fn lintable(api_version: &str, node: &YamlNode) -> Result<Lintable, InvalidField> {
    let mut object = FileObject {
        place: ObjectPlace::default(),
        api_version: api_version.to_owned(),
        kind: "HorizontalPodAutoscaler".to_owned(),
        value: node.to_json(),
    };
    as_go_decodes(&mut object)?;
    let mut hpa = match hpa::as_v2(&object).map_err(field) {
        Err(field) if forget_annotation(&mut object, &field.path) => {
            return lintable(api_version, &YamlNode::from_json(object.value));
        }
        read => read?,
    };
    hpa.metadata.namespace.get_or_insert_default();
    let written = hpa.spec.clone();
    defaults::apply(&mut hpa.spec);
    let spec = if let Ok(hpa) = hpa.to_model() {
        Some(hpa.spec)
    } else {
        with_known_words(hpa.clone()).to_model()?;
        None
    };
    let defaulted = Arc::new(hpa.spec);
    Ok(Lintable {
        written: if written == *defaulted {
            Arc::clone(&defaulted)
        } else {
            written.into()
        },
        defaulted,
        spec,
    })
}

/// A spec with the API server's defaults in the engine's types. None if it has a value that the engine does not support.
pub fn with_defaults(mut spec: wire::HpaSpec) -> Option<model::HpaSpec> {
    defaults::apply(&mut spec);
    spec.to_model().ok()
}

/// Replaces unknown words in `behavior` by ones that the engine knows. The API server decodes them as strings and
/// rejects them only in validation, while an invalid quantity cannot be decoded at all.
fn with_known_words(mut hpa: wire::Hpa) -> wire::Hpa {
    let sides = hpa
        .spec
        .behavior
        .iter_mut()
        .flat_map(|behavior| [&mut behavior.scale_up, &mut behavior.scale_down]);
    for rules in sides.flatten() {
        rules.select_policy = None;
        for policy in rules.policies.iter_mut().flatten() {
            "Pods".clone_into(&mut policy.policy_type);
        }
    }
    hpa
}

fn field(error: ManifestError) -> InvalidField {
    match error {
        ManifestError::Field { field, .. } => field,
        other => InvalidField::here(other),
    }
}

/// Fills in the fields that Go's types always have: the API server does not distinguish an absent name from an empty
/// one. Fails if a list is in place of an object.
fn as_go_decodes(object: &mut FileObject) -> Result<(), InvalidField> {
    let has_shape_of_v2 = hpa::is_v2(object);
    let Some(fields) = object.value.as_object_mut() else {
        return Ok(());
    };
    for name in ["metadata", "spec"] {
        let field = fields.entry(name).or_insert(Value::Null);
        if field.is_null() {
            *field = Value::Object(Map::new());
        }
        wants_object(field).within(name)?;
    }
    if let Some(metadata) = fields.get_mut("metadata").and_then(Value::as_object_mut) {
        let name = metadata.entry("name").or_insert(Value::Null);
        if name.is_null() {
            *name = Value::String(String::new());
        }
        for name in ["annotations", "labels"] {
            let texts = metadata.get_mut(name).and_then(Value::as_object_mut);
            nulls_are_empty(texts.into_iter().flat_map(Map::values_mut), PlaceKind::Text);
        }
    }
    let Some(spec) = fields.get_mut("spec") else {
        return Ok(());
    };
    if has_shape_of_v2 {
        fit(spec, known_fields::SchemaPlace::spec()).within("spec")?;
        complete(spec, known_fields::SchemaPlace::spec());
    } else if let Some(target) = spec.get("scaleTargetRef") {
        wants_object(target).within("spec.scaleTargetRef")?;
    }
    Ok(())
}

/// Converts each value as Go's decoder does.
fn fit(value: &mut Value, place: known_fields::SchemaPlace) -> Result<(), InvalidField> {
    match (place.kind(), value) {
        (PlaceKind::Object, value @ Value::Array(_)) => wants_object(value)?,
        (PlaceKind::Object, Value::Object(fields)) => {
            for (name, value) in fields {
                match (place.field(name), value) {
                    (Some(list), Value::Array(items)) if list.kind() == PlaceKind::List => {
                        fit_items(items, list, name)?;
                    }
                    (Some(place), value) => fit(value, place).within(name)?,
                    (None, _) => {}
                }
            }
        }
        (PlaceKind::Map, Value::Object(texts)) => {
            nulls_are_empty(texts.values_mut(), PlaceKind::Text);
        }
        (PlaceKind::Quantity, Value::String(text)) => *text = text.trim().to_owned(),
        _ => {}
    }
    Ok(())
}

fn fit_items(
    items: &mut [Value],
    list: known_fields::SchemaPlace,
    name: &str,
) -> Result<(), InvalidField> {
    if let Some(place) = list.items() {
        nulls_are_empty(items.iter_mut(), place.kind());
        for (index, item) in items.iter_mut().enumerate() {
            fit(item, place).within_item(name, index)?;
        }
    }
    Ok(())
}

fn nulls_are_empty<'a>(values: impl Iterator<Item = &'a mut Value>, kind: PlaceKind) {
    for value in values.filter(|value| value.is_null()) {
        *value = zero_value(kind);
    }
}

fn wants_object(value: &Value) -> Result<(), InvalidField> {
    if value.is_array() {
        return Err(InvalidField::here(
            "invalid type: sequence, expected an object",
        ));
    }
    Ok(())
}

/// Removes an annotation that cannot be read, as the API server does without an error. False if `path` is not one of
/// the annotations with parts of the spec.
fn forget_annotation(object: &mut FileObject, path: &str) -> bool {
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
