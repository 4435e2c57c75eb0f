//! Scale targets, and the objects between them and their pods: of any kind, from a file or a cluster.

use hpa_engine::model::KnownKind;
use hpa_engine::model::label_selector::Wording;
use serde_json::Value;

use super::{
    autoscalers::rollout,
    decode, marks,
    wire::{
        FieldManager, IntermediateOwner, LabelSelector, OwnerReference, Pod, Scale, ScaleSpec,
        ScaleStatus, Target,
    },
};

/// An object with replicas.
pub struct WorkloadObject<'a> {
    /// API group.
    pub group: String,
    /// Namespace.
    pub namespace: String,
    /// `apiVersion`.
    pub api_version: String,
    /// `kind`.
    pub kind: String,
    /// `metadata.name`.
    pub name: String,
    /// The whole object.
    pub value: &'a Value,
}

impl WorkloadObject<'_> {
    /// Its scale subresource, or why the object does not show it.
    pub fn scale(&self, wording: Wording) -> Result<Scale, String> {
        let name = format!("{} {}/{}", self.kind, self.namespace, self.name);
        let status = self.value.get("status").and_then(Value::as_object);
        if status.is_none_or(serde_json::Map::is_empty) {
            return Err(format!("{name} has no status"));
        }
        let selector = self
            .selector(wording)
            .ok_or_else(|| format!("the selector of {name} is unknown"))?;
        Ok(Scale {
            spec: ScaleSpec {
                // The API server's default, which only the built-in kinds have.
                replicas: self
                    .number("/spec/replicas")
                    .unwrap_or(i32::from(self.known().is_built_in_target())),
            },
            status: ScaleStatus {
                replicas: self.number("/status/replicas").unwrap_or(0),
                selector,
            },
        })
    }

    /// A pod from its template, with the object as its owner. None: it has no template.
    pub fn pod_of_template(&self) -> Option<Pod> {
        let mut template = self.value.pointer("/spec/template")?.clone();
        let metadata = template.as_object_mut()?.entry("metadata");
        let metadata = metadata.or_insert_with(|| Value::Object(serde_json::Map::new()));
        // A template has no name, but a pod must have one.
        metadata
            .as_object_mut()?
            .insert("name".to_owned(), self.name.clone().into());
        let mut pod: Pod = decode(&template).ok()?;
        pod.metadata.owner_references = vec![OwnerReference {
            kind: self.kind.clone(),
            name: self.name.clone(),
            controller: Some(true),
        }];
        pod.metadata.namespace = Some(self.namespace.clone());
        Some(pod)
    }

    /// The scale according to the spec alone, as if all replicas existed. None: the position of its selector is
    /// unknown.
    pub fn scale_of_spec(&self, wording: Wording) -> Option<Scale> {
        let replicas = self
            .number("/spec/replicas")
            .unwrap_or(i32::from(self.known().is_built_in_target()));
        Some(Scale {
            spec: ScaleSpec { replicas },
            status: ScaleStatus {
                replicas,
                selector: self.selector(wording)?,
            },
        })
    }

    /// The selector in its string form: computed for built-in kinds, from the status for others.
    fn selector(&self, wording: Wording) -> Option<String> {
        let spec = self.value.pointer("/spec/selector");
        if self.known().has_plain_selector() {
            let selector = LabelSelector {
                match_labels: decode(spec?).ok()?,
                ..LabelSelector::default()
            };
            return print(&selector, wording);
        }
        if self.known().is_built_in_target() {
            return print(&decode(spec?).ok()?, wording);
        }
        let paths = ["/status/selector", "/status/labelSelector"].into_iter();
        let mut texts = paths.filter_map(|path| self.value.pointer(path)?.as_str());
        texts.next().map(str::to_owned)
    }

    /// The object for reports.
    pub fn target(&self) -> Target {
        Target {
            api_version: self.api_version.clone(),
            kind: self.kind.clone(),
            name: self.name.clone(),
            template_containers: self
                .list("/spec/template/spec/containers")
                .chain(self.list("/spec/template/spec/initContainers"))
                .filter_map(|container| Some(container.get("name")?.as_str()?.to_owned()))
                .collect(),
            pod_management_policy: self.text("/spec/podManagementPolicy"),
            priority_class: self.text("/spec/template/spec/priorityClassName"),
            ready_replicas: self.number("/status/readyReplicas"),
            updated_replicas: self.number("/status/updatedReplicas"),
            replicas_written_by: self.replicas_written_by(),
            applied_replicas: self.applied_replicas(),
            created: self
                .value
                .pointer("/metadata/creationTimestamp")
                .and_then(|created| created.as_str()?.parse().ok()),
            marks: marks::of_object(self.value),
            owner: self
                .controller()
                .and_then(|owner| decode::<OwnerReference>(owner).ok()),
            rollout: (self.known().name == KnownKind::ROLLOUT).then(|| rollout(self.value)),
            intermediate_owners: Vec::new(),
        }
    }

    fn replicas_written_by(&self) -> Vec<FieldManager> {
        let mut managers: Vec<FieldManager> = self
            .list("/metadata/managedFields")
            .filter(|fields| fields.pointer("/fieldsV1/f:spec/f:replicas").is_some())
            .filter_map(|fields| decode(fields).ok())
            .collect();
        managers.sort_by_key(|manager| std::cmp::Reverse(manager.time));
        managers
    }

    /// `spec.replicas` of the manifest that kubectl applied last. Drops the rest of the manifest.
    fn applied_replicas(&self) -> Option<i32> {
        let applied = self
            .value
            .pointer("/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration")?;
        let applied: Value = serde_json::from_str(applied.as_str()?).ok()?;
        i32::try_from(applied.pointer("/spec/replicas")?.as_i64()?).ok()
    }

    /// The controlling owner.
    fn controller(&self) -> Option<&Value> {
        self.list("/metadata/ownerReferences")
            .find(|owner| owner.get("controller").and_then(Value::as_bool) == Some(true))
    }

    /// The object as an owner of pods. If it has no owner itself, `owner_kind` and `owner_name` are empty.
    pub fn intermediate_owner(&self) -> IntermediateOwner {
        let text = |value: &Value, field: &str| Some(value.get(field)?.as_str()?.to_owned());
        let owner = |field| text(self.controller()?, field);
        IntermediateOwner {
            kind: self.kind.clone(),
            name: self.name.clone(),
            owner_kind: owner("kind").unwrap_or_default(),
            owner_name: owner("name").unwrap_or_default(),
            revision: self
                .text("/metadata/annotations/deployment.kubernetes.io~1revision")
                .and_then(|revision| revision.parse().ok()),
            failure: self
                .list("/status/conditions")
                .find(|condition| {
                    text(condition, "type").as_deref() == Some("ReplicaFailure")
                        && text(condition, "status").as_deref() == Some("True")
                })
                .and_then(|condition| text(condition, "message")),
        }
    }

    fn known(&self) -> &'static KnownKind {
        KnownKind::in_group(&self.group, &self.kind)
    }

    fn list(&self, pointer: &str) -> impl Iterator<Item = &Value> {
        self.value
            .pointer(pointer)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
    }

    fn text(&self, pointer: &str) -> Option<String> {
        Some(self.value.pointer(pointer)?.as_str()?.to_owned())
    }

    fn number(&self, pointer: &str) -> Option<i32> {
        i32::try_from(self.value.pointer(pointer)?.as_i64()?).ok()
    }
}

fn print(selector: &LabelSelector, wording: Wording) -> Option<String> {
    let selector = selector.to_selector(wording).ok()?;
    Some(selector.to_string())
}
