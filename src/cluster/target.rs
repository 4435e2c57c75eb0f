//! The scale target: its scale subresource, and the object itself for those who read the page.

use futures::future;
use serde::Deserialize;
use serde_json::Value;

use super::{
    access::{Failure, Right, judge, not_read},
    client::{Client, Get, ReadError},
    discovery::{Discovery, Mapping},
    selection::namespace_of,
};
use crate::{
    model::{ApiError, label_selector::Wording},
    recording::wire::{
        FieldManager, Hpa, LabelSelector, NotRead, ObjectReference, Scale, ScaleSpec, ScaleStatus,
        Status, Target,
    },
};

/// Identifies a scale target.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TargetKey {
    /// Namespace of the HPA.
    pub(super) namespace: String,
    /// API group.
    pub(super) group: String,
    /// Kind.
    pub(super) kind: String,
    /// Name.
    pub(super) name: String,
}

/// Identifies the target of an HPA, unless its `apiVersion` can't be read.
pub(super) fn key(hpa: &Hpa) -> Option<TargetKey> {
    let reference = &hpa.spec.scale_target_ref;
    Some(TargetKey {
        namespace: namespace_of(hpa).to_owned(),
        group: group(reference).ok()?.to_owned(),
        kind: reference.kind.clone(),
        name: reference.name.clone(),
    })
}

/// What was read of a scale target.
#[derive(Clone, Debug, Default)]
pub(super) struct TargetReads {
    /// The scale.
    pub(super) scale: Option<Scale>,
    /// What the read of the scale is answered with, if the controller gets that, too.
    pub(super) scale_error: Option<Status>,
    /// The object.
    pub(super) target: Option<Target>,
    /// What was not read.
    pub(super) not_read: Vec<NotRead>,
}

/// Reads the scale and the object that `reference` names.
pub(super) async fn read(
    client: &Client,
    discovery: &Discovery,
    namespace: &str,
    reference: &ObjectReference,
    wording: Wording,
) -> TargetReads {
    let mut reads = TargetReads::default();
    let group = match group(reference) {
        Ok(group) => group,
        Err(error) => {
            reads.scale_error = Some(error);
            return reads;
        }
    };
    let mappings = match discovery.mappings(client, group, &reference.kind).await {
        Ok(mappings) => mappings,
        Err(error) => {
            let right = Right {
                verb: "get",
                group,
                resource: &reference.kind,
                namespace,
            };
            reads.take_scale_failure(judge(error, "scale", right));
            return reads;
        }
    };
    let (scale, object) = future::join(
        read_scale(client, &mappings, namespace, &reference.name),
        read_object(client, &mappings[0], namespace, &reference.name),
    )
    .await;
    let resource = &mappings[0].resource;
    let scale_resource = format!("{resource}/scale");
    let right = Right {
        verb: "get",
        group,
        resource: &scale_resource,
        namespace,
    };
    let is_missing =
        |error: &ReadError| matches!(error, ReadError::Status(status) if status.code == 404);
    match scale {
        Ok(scale) => reads.scale = Some(scale),
        Err(error) => reads.take_scale_failure(judge(error, "scale", right)),
    }
    match object {
        Ok(object) => {
            if reads.scale.is_none()
                && reads.scale_error.is_none()
                && let Some(scale) = object.scale(group, wording)
            {
                reads.scale = Some(scale);
                for not_read in &mut reads.not_read {
                    not_read.why.push_str("; worked out from the target itself");
                }
            }
            reads.target = Some(object.into_target(reference));
        }
        // Nobody needs to be told that a deleted object can't be read.
        Err(error) if is_missing(&error) => {}
        Err(error) => reads
            .not_read
            .push(not_read(&error, "target", Right { resource, ..right })),
    }
    reads
}

/// The group of a reference. Upstream: `schema.ParseGroupVersion`.
pub(super) fn group(reference: &ObjectReference) -> Result<&str, Status> {
    let api_version = reference.api_version.as_deref().unwrap_or_default();
    match api_version.split('/').collect::<Vec<_>>()[..] {
        [_] => Ok(""),
        [group, _] => Ok(group),
        _ => Err(Status {
            message: format!("unexpected GroupVersion string: {api_version}"),
            ..Status::default()
        }),
    }
}

impl TargetReads {
    fn take_scale_failure(&mut self, failure: Failure) {
        match failure {
            Failure::Shared(status) => self.scale_error = Some(status),
            Failure::Ours(not_read) => self.not_read.push(not_read),
        }
    }
}

/// Reads the scale. Upstream: `scaleForResourceMappings`.
pub(super) async fn read_scale(
    client: &Client,
    mappings: &[Mapping],
    namespace: &str,
    name: &str,
) -> Result<Scale, ReadError> {
    let mut first_error = None;
    for mapping in mappings {
        let answer = client
            .get(&Get {
                what: "scale",
                path: mapping
                    .object(namespace, name)
                    .segment("scale")
                    .into_string(),
                about: mapping.about(name),
                patience: None,
            })
            .await;
        match answer {
            Ok(scale) => return Ok(scale),
            // If no version works, the error of the first one counts.
            Err(error) => first_error = first_error.or(Some(error)),
        }
    }
    Err(first_error.unwrap_or_else(|| {
        ReadError::Status(ApiError {
            message: "unrecognized resource".to_owned(),
            ..ApiError::default()
        })
    }))
}

async fn read_object(
    client: &Client,
    mapping: &Mapping,
    namespace: &str,
    name: &str,
) -> Result<Object, ReadError> {
    client
        .get(&Get {
            what: "target",
            path: mapping.object(namespace, name).into_string(),
            about: mapping.about(name),
            patience: Some(super::OPTIONAL_PATIENCE),
        })
        .await
}

/// The parts of a workload that many kinds share.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[derive(Default)]
struct Object {
    api_version: String,
    kind: String,
    metadata: ObjectMeta,
    spec: Value,
    status: Value,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ObjectMeta {
    managed_fields: Vec<ManagedFields>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ManagedFields {
    #[serde(flatten)]
    manager: FieldManager,
    #[serde(default)]
    fields_v1: Value,
}

impl Object {
    /// What the scale subresource says, for the kinds of which it is known to repeat these fields.
    fn scale(&self, group: &str, wording: Wording) -> Option<Scale> {
        if group != "apps"
            || !matches!(
                self.kind.as_str(),
                "Deployment" | "ReplicaSet" | "StatefulSet"
            )
        {
            return None;
        }
        let number = |value: &Value, field: &str| match value.get(field) {
            None => Some(0),
            Some(number) => number
                .as_i64()
                .and_then(|number| i32::try_from(number).ok()),
        };
        let selector: LabelSelector =
            serde_json::from_value(self.spec.get("selector")?.clone()).ok()?;
        Some(Scale {
            spec: ScaleSpec {
                replicas: number(&self.spec, "replicas")?,
            },
            status: ScaleStatus {
                replicas: number(&self.status, "replicas")?,
                selector: selector.to_model().to_selector(wording).ok()?.to_string(),
            },
        })
    }

    fn into_target(self, reference: &ObjectReference) -> Target {
        let number = |field: &str| {
            self.status
                .get(field)
                .and_then(Value::as_i64)
                .and_then(|number| i32::try_from(number).ok())
        };
        let mut replicas_written_by: Vec<FieldManager> = self
            .metadata
            .managed_fields
            .into_iter()
            .filter(|fields| fields.fields_v1.pointer("/f:spec/f:replicas").is_some())
            .map(|fields| fields.manager)
            .collect();
        replicas_written_by.sort_by_key(|manager| std::cmp::Reverse(manager.time));
        Target {
            api_version: self.api_version,
            kind: if self.kind.is_empty() {
                reference.kind.clone()
            } else {
                self.kind
            },
            name: reference.name.clone(),
            template_containers: self
                .spec
                .pointer("/template/spec/containers")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .filter_map(|container| container.get("name")?.as_str().map(str::to_owned))
                .collect(),
            ready_replicas: number("readyReplicas"),
            updated_replicas: number("updatedReplicas"),
            replicas_written_by,
            intermediate_owners: Vec::new(),
        }
    }
}
