//! The target of a patch, and the fields that it writes.

use hpa_objects::recording::group_of;
use kubectl_hpa_yaml::{YamlNode, YamlValue};

use crate::{ObjectRef, world::text_at};

/// A patch: a strategic merge, operations of a JSON patch, or an entry of `replicas`.
#[derive(Clone, Debug)]
pub struct Patch {
    /// Its position.
    pub place: ObjectRef,
    /// Its target. None: the kustomization that lists it defines the target.
    pub(super) target: Option<PatchTarget>,
    /// Whether it deletes the object.
    pub is_deletion: bool,
    /// The fields that it writes.
    pub changes: Vec<PatchedField>,
}

/// A field that a patch writes.
#[derive(Clone, Debug)]
pub struct PatchedField {
    /// The field, such as `spec.replicas`; `[]` stands for any item of a list.
    pub field: String,
    /// The path within the patch.
    pub path: String,
    /// The number that it writes, if any.
    pub number: Option<i32>,
    /// Whether it removes the field.
    pub is_removal: bool,
}

/// The target of a patch. Absent fields match everything.
#[derive(Clone, Debug, Default)]
pub(super) struct PatchTarget {
    group: Option<String>,
    kind: Option<String>,
    name: Option<String>,
    /// Whether only part of it is understood: it has labels, annotations or patterns.
    is_vague: bool,
}

/// Whether a patch targets an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PatchFit {
    /// It targets another object.
    No,
    /// Unknown: its target is not fully understood.
    Maybe,
    /// It targets the object.
    Yes,
}

impl Patch {
    /// Parses a document of a patch. `path` is the path of `node` within `place`.
    pub(crate) fn of(node: &YamlNode, place: ObjectRef, path: &str) -> Self {
        let mut changes = Vec::new();
        if let YamlValue::Sequence(operations) = &node.value {
            for (index, operation) in operations.iter().enumerate() {
                of_operation(operation, &format!("{path}[{index}]"), &mut changes);
            }
            return Self {
                place,
                target: None,
                is_deletion: false,
                changes,
            };
        }
        if let Some(spec) = node.at("spec") {
            let path = match path {
                "" => "spec".to_owned(),
                // There it is a string.
                path => path.to_owned(),
            };
            collect(spec, "spec", &path, &mut changes);
        }
        Self {
            place,
            target: Some(PatchTarget {
                group: Some(group_of(&text_at(node, "apiVersion")).to_owned()),
                kind: Some(text_at(node, "kind")),
                name: Some(text_at(node, "metadata.name")),
                is_vague: false,
            }),
            is_deletion: node.at("$patch").and_then(YamlNode::as_str) == Some("delete"),
            changes,
        }
    }

    /// An entry of `replicas`.
    pub(super) fn of_replicas(
        name: String,
        count: Option<i32>,
        place: ObjectRef,
        path: String,
    ) -> Self {
        Self {
            place,
            target: Some(PatchTarget {
                name: Some(name),
                ..PatchTarget::default()
            }),
            is_deletion: false,
            changes: vec![PatchedField {
                field: "spec.replicas".to_owned(),
                path,
                number: count,
                is_removal: false,
            }],
        }
    }

    /// Its change of `spec.replicas`.
    pub fn replicas(&self) -> Option<&PatchedField> {
        self.changes.iter().find(|one| one.field == "spec.replicas")
    }

    /// Whether it changes the resources or probes of the pod template.
    pub fn changes_pods(&self) -> bool {
        self.changes.iter().any(|one| {
            let template = one.field.strip_prefix("spec.template");
            template.is_some_and(|rest| rest.contains(".resources") || rest.contains("Probe"))
        })
    }
}

impl PatchTarget {
    /// Parses the `target` of an entry of `patches`.
    pub(super) fn of(node: &YamlNode) -> Self {
        let text = |key: &str| node.get(key).and_then(YamlNode::as_str);
        let is_plain = |text: &&str| {
            text.chars()
                .all(|one| one.is_ascii_alphanumeric() || matches!(one, '-' | '.'))
        };
        let plain = |key: &str| text(key).filter(|text| *text != ".*");
        let known = |key: &str| plain(key).filter(is_plain).map(str::to_owned);
        Self {
            group: known("group"),
            kind: known("kind"),
            name: known("name"),
            is_vague: ["group", "kind", "name"]
                .iter()
                .any(|key| plain(key).is_some_and(|text| !is_plain(&text)))
                || ["labelSelector", "annotationSelector", "namespace"]
                    .iter()
                    .any(|key| node.get(key).is_some()),
        }
    }

    /// The kind, if given.
    pub(super) fn kind(&self) -> Option<&str> {
        self.kind.as_deref()
    }

    pub(super) fn fit(&self, group: &str, kind: &str, name: &str) -> PatchFit {
        if fits(self.group.as_deref(), group) {
            self.fit_of_any_group(kind, name)
        } else {
            PatchFit::No
        }
    }

    /// The same for an object whose group is not known.
    pub(super) fn fit_of_any_group(&self, kind: &str, name: &str) -> PatchFit {
        if !fits(self.kind.as_deref(), kind) || !fits(self.name.as_deref(), name) {
            PatchFit::No
        } else if self.is_vague {
            PatchFit::Maybe
        } else {
            PatchFit::Yes
        }
    }
}

fn fits(expected: Option<&str>, own: &str) -> bool {
    expected.is_none_or(|expected| expected == own)
}

fn of_operation(operation: &YamlNode, path: &str, changes: &mut Vec<PatchedField>) {
    let text = |key: &str| operation.get(key).and_then(YamlNode::as_str);
    let (Some(verb), Some(pointer)) = (text("op"), text("path")) else {
        return;
    };
    let field = field_of(pointer);
    match (verb, operation.get("value")) {
        ("test", _) => {}
        ("add" | "replace", Some(value)) => collect(value, &field, path, changes),
        _ => changes.push(PatchedField {
            field,
            path: path.to_owned(),
            number: None,
            is_removal: verb == "remove",
        }),
    }
}

/// Converts `/spec/metrics/0/type` to `spec.metrics[].type`.
fn field_of(pointer: &str) -> String {
    let mut field = String::new();
    for step in pointer.split('/').skip(1) {
        if step == "-" || step.parse::<usize>().is_ok() {
            field.push_str("[]");
            continue;
        }
        if !field.is_empty() {
            field.push('.');
        }
        field.push_str(&step.replace("~1", "/").replace("~0", "~"));
    }
    field
}

fn collect(node: &YamlNode, field: &str, path: &str, changes: &mut Vec<PatchedField>) {
    match &node.value {
        YamlValue::Mapping(entries) if !entries.is_empty() => {
            for entry in entries {
                if entry.key.starts_with('$') {
                    collect(&YamlNode::default(), field, path, changes);
                } else {
                    let field = format!("{field}.{}", entry.key);
                    let path = if path.starts_with("spec") {
                        format!("{path}.{}", entry.key)
                    } else {
                        path.to_owned()
                    };
                    collect(&entry.node, &field, &path, changes);
                }
            }
        }
        YamlValue::Sequence(items) if !items.is_empty() => {
            let field = format!("{field}[]");
            for item in items {
                collect(item, &field, path, changes);
            }
        }
        value => changes.push(PatchedField {
            field: field.to_owned(),
            path: path.to_owned(),
            number: node.as_i32(),
            is_removal: matches!(value, YamlValue::Null),
        }),
    }
}
