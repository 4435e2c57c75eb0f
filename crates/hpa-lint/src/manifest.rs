//! The manifest of an HPA.

use std::{collections::BTreeMap, sync::Arc};

use hpa_objects::{
    manifest::{self, Lintable},
    recording::{InvalidField, wire},
};
use kubectl_hpa_yaml::{Number, Span, YamlNode, YamlValue};

use super::{Object, ObjectRef, fix::value_at, world::text_map, written_path::written_path};

/// The manifest of an HPA of any API version, as written.
#[derive(Clone, Debug)]
pub struct Manifest {
    /// Its identity.
    pub object: Arc<ObjectRef>,
    /// The object.
    pub source: Arc<Object>,
    /// The spec with the API server's defaults, in the shape of `autoscaling/v2`. None: it cannot be decoded, or this is
    /// not for its rules. It may have values that the API server rejects and the engine does not support.
    pub defaulted: Option<Arc<wire::HpaSpec>>,
}

impl Manifest {
    /// The position of a field in the text, or of its nearest parent. Paths are those of `autoscaling/v2`.
    pub fn locate(&self, path: &str) -> Span {
        self.source.node.locate(&written_path(self, path))
    }

    /// The node of a field, if written. Paths are those of `autoscaling/v2`.
    pub fn at(&self, path: &str) -> Option<&YamlNode> {
        self.source.node.at(&written_path(self, path))
    }

    /// Whether the value of a field is not even an integer in quotes.
    pub(super) fn is_misread(&self, path: &str) -> bool {
        match self.at(path).map(|node| &node.value) {
            None | Some(YamlValue::Number(Number::Integer(_))) => false,
            Some(YamlValue::Text(text)) => text.trim().parse::<i32>().is_err(),
            Some(_) => true,
        }
    }

    /// Labels.
    pub fn labels(&self) -> BTreeMap<String, String> {
        text_map(self.source.node.at("metadata.labels"))
    }

    /// An annotation.
    pub fn annotation(&self, key: &str) -> Option<&str> {
        self.source
            .node
            .at("metadata.annotations")?
            .get(key)?
            .as_str()
    }

    /// Version part of `apiVersion`, such as `v2beta1`. Empty: its group is not `autoscaling`.
    pub fn version(&self) -> &str {
        match self.source.api_version.rsplit_once('/') {
            Some(("autoscaling", version)) => version,
            _ => "",
        }
    }
}

/// Decodes an HPA. One of another API group is unknown to every server, and is there on purpose. A quoted integer is read
/// as an integer, so that this mistake does not hide others.
pub(super) fn lintable(object: &Object) -> (Option<Lintable>, Vec<InvalidField>) {
    let mut unquoted: Option<YamlNode> = None;
    let mut invalid: Vec<InvalidField> = Vec::new();
    loop {
        let node = unquoted.as_ref().unwrap_or(&object.node);
        let field = match manifest::lintable(&object.api_version, node) {
            Ok(lintable) => return (Some(lintable), invalid),
            Err(field) => field,
        };
        let is_last = invalid.len() == MOST_INVALID
            || !unquote(
                unquoted.get_or_insert_with(|| object.node.clone()),
                &field.path,
            );
        let is_bound = matches!(&*field.path, "spec.minReplicas" | "spec.maxReplicas");
        // HPA009 reports the bounds. A value that is not an integer even without quotes is reported once.
        let is_known = invalid.last().is_some_and(|last| last.path == field.path);
        if !is_known && (is_last || !is_bound) {
            invalid.push(field);
        }
        if is_last {
            return (None, invalid);
        }
    }
}

/// Maximum number of unreadable fields reported for one HPA.
pub(super) const MOST_INVALID: usize = 20;

/// Converts a quoted integer to an integer. Returns whether it did.
fn unquote(node: &mut YamlNode, path: &str) -> bool {
    let Some(node) = value_at(node, path) else {
        return false;
    };
    let text = node.as_str().unwrap_or_default();
    let Ok(integer) = text.trim().parse::<i32>() else {
        return false;
    };
    node.value = YamlValue::Number(Number::Integer(integer.into()));
    true
}
