//! Collects the lists of a cluster as the input of the rules.

use std::collections::BTreeSet;

use hpa_cluster::ListedObject;
use hpa_lint::{LintInput, Object};
use hpa_objects::recording::Snapshot;
use kubectl_hpa_yaml::YamlNode;
use serde_json::Value;

/// The data from the cluster so far.
#[derive(Default)]
pub(in crate::commands) struct Collected {
    input: LintInput,
    /// HPAs, until it is known which of them are selected.
    hpas: Vec<(String, Value)>,
    /// Whether ScaledObjects are also linted.
    lints_scaled_objects: bool,
}

impl Collected {
    /// An empty collection.
    pub(in crate::commands) fn new(lints_scaled_objects: bool) -> Self {
        Self {
            lints_scaled_objects,
            ..Self::default()
        }
    }

    /// Takes an object of a list.
    pub(in crate::commands) fn take(&mut self, listed: ListedObject) {
        match listed {
            ListedObject::Found {
                api_version,
                kind,
                mut value,
            } => {
                if kind == HPA {
                    // This is half of the object, and no rule uses it.
                    if let Some(metadata) = value.pointer_mut("/metadata") {
                        metadata
                            .as_object_mut()
                            .map(|it| it.remove("managedFields"));
                    }
                    self.hpas.push((api_version, value));
                } else {
                    let is_linted = self.lints_scaled_objects && kind == "ScaledObject";
                    self.input.add(object(api_version, kind, value, is_linted));
                }
            }
            ListedObject::NotRead { kind, why } => self.input.world.note_not_read(&kind, &why),
        }
    }

    /// All objects; the HPAs of the snapshots are linted. The data of the snapshots is not added yet.
    pub(in crate::commands) fn finish(
        self,
        snapshots: &[Snapshot],
        is_whole_cluster: bool,
    ) -> LintInput {
        let mut input = self.input;
        input.world.set_live();
        let intended: BTreeSet<(&str, &str)> = snapshots
            .iter()
            .map(|snapshot| {
                let metadata = &snapshot.hpa.metadata;
                let namespace = metadata.namespace.as_deref().unwrap_or_default();
                (namespace, metadata.name.as_str())
            })
            .collect();
        if is_whole_cluster {
            input.world.hpas_of_cluster = Some(self.hpas.len());
        }
        for (api_version, value) in self.hpas {
            let text = |pointer| {
                let text = value.pointer(pointer).and_then(Value::as_str);
                text.unwrap_or_default()
            };
            let name = (text("/metadata/namespace"), text("/metadata/name"));
            let is_linted = intended.contains(&name);
            input.add(object(api_version, HPA.to_owned(), value, is_linted));
        }
        input
    }
}

fn object(api_version: String, kind: String, value: Value, is_linted: bool) -> Object {
    Object {
        origin: None,
        api_version: api_version.into(),
        kind: kind.into(),
        node: YamlNode::from_json(value),
        comments: Vec::new().into(),
        is_linted,
    }
}

const HPA: &str = "HorizontalPodAutoscaler";
