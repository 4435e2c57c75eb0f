//! The scale target: its scale subresource, and the object itself for pages.

use std::collections::BTreeMap;

use futures::future;
use hpa_engine::model::{ApiError, Selector, SnapshotField, label_selector::Wording};
use hpa_objects::recording::{
    WorkloadObject,
    wire::{Hpa, NotRead, ObjectReference, Scale, Target},
};
use serde_json::Value;

use super::{
    access::{Permission, ReadFailure, not_read},
    api_error::{self, ResourceName},
    client::{Client, ClientError, Get},
    discovery::{Discovery, Mapping},
    hpa_resource::namespace_of,
    path::is_confidential,
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

/// The key of an HPA's target; `None` if its `apiVersion` cannot be parsed.
pub(super) fn key(hpa: &Hpa) -> Option<TargetKey> {
    let reference = &hpa.spec.scale_target_ref;
    Some(TargetKey {
        namespace: namespace_of(hpa).to_owned(),
        group: group(reference).ok()?.to_owned(),
        kind: reference.kind.clone(),
        name: reference.name.clone(),
    })
}

/// The data read of a scale target.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct TargetReads {
    /// The scale.
    pub(super) scale: Option<Scale>,
    /// The error of the scale read, if the controller gets it as well.
    pub(super) scale_error: Option<ApiError>,
    /// The object.
    pub(super) target: Option<Target>,
    /// What was not read.
    pub(super) not_read: Vec<NotRead>,
}

/// Targets by key.
pub(super) type TargetMap = BTreeMap<TargetKey, TargetReads>;

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
            let permission = Permission {
                verb: "get",
                group,
                resource: &reference.kind,
                namespace,
            };
            reads.take_scale_failure(ReadFailure::of(error, SnapshotField::Scale, permission));
            return reads;
        }
    };
    let object = async {
        if mappings[0].has_scale {
            Some(read_object(client, &mappings[0], namespace, &reference.name).await)
        } else {
            None
        }
    };
    let (scale, object) = future::join(
        read_scale(client, &mappings, namespace, &reference.name),
        object,
    )
    .await;
    let resource = &mappings[0].resource;
    let scale_resource = format!("{resource}/scale");
    let permission = Permission {
        verb: "get",
        group,
        resource: &scale_resource,
        namespace,
    };
    let is_missing =
        |error: &ClientError| matches!(error, ClientError::Status(status) if status.code == 404);
    match scale {
        Ok(scale) => reads.scale = Some(scale),
        Err(error) => {
            reads.take_scale_failure(ReadFailure::of(error, SnapshotField::Scale, permission));
        }
    }
    match object {
        Some(Ok(value)) => {
            let object = workload(namespace, group, reference, &value);
            if reads.scale.is_none()
                && reads.scale_error.is_none()
                && let Ok(scale) = object.scale(wording)
            {
                reads.scale = Some(scale);
                for not_read in &mut reads.not_read {
                    not_read.why.push_str("; worked out from the target itself");
                }
            }
            reads.target = Some(object.target());
        }
        // An object that is deleted, or cannot be scaled, need not be reported as not read.
        None => {}
        Some(Err(error)) if is_missing(&error) => {}
        Some(Err(error)) => {
            reads.not_read.push(not_read(
                &error,
                SnapshotField::Target,
                Permission {
                    resource,
                    ..permission
                },
            ));
        }
    }
    reads
}

/// The group of a reference. Upstream: `schema.ParseGroupVersion`.
pub(super) fn group(reference: &ObjectReference) -> Result<&str, ApiError> {
    let api_version = reference.api_version.as_deref().unwrap_or_default();
    match api_version.split('/').collect::<Vec<_>>()[..] {
        [_] => Ok(""),
        [group, _] => Ok(group),
        _ => Err(ApiError {
            message: format!("unexpected GroupVersion string: {api_version}"),
            ..ApiError::default()
        }),
    }
}

impl TargetReads {
    pub(super) fn take_scale_failure(&mut self, failure: ReadFailure) {
        match failure {
            ReadFailure::Shared(status) => self.scale_error = Some(status),
            ReadFailure::Ours(not_read) => self.not_read.push(not_read),
        }
    }
}

/// Reads the scale. Upstream: `scaleForResourceMappings`.
pub(super) async fn read_scale(
    client: &Client,
    mappings: &[Mapping],
    namespace: &str,
    name: &str,
) -> Result<Scale, ClientError> {
    let mut first_error = None;
    for mapping in mappings {
        let path = mapping.object(namespace, name).segment("scale");
        let path = path.into_string();
        let about = mapping.about(name);
        let answer = if is_confidential(&path) {
            // No request is needed: the controller's answer is known. Upstream: `serviceErrorHandler`, which names
            // nothing.
            let about = ResourceName::default();
            Err(ClientError::Status(api_error::from_text(404, "", about)))
        } else {
            let get = Get {
                what: "scale",
                path,
                about,
                patience: None,
            };
            client.get(&get).await
        };
        match answer {
            Ok(scale) => return Ok(scale),
            // If no version works, the first error counts.
            Err(error) => first_error = first_error.or(Some(error)),
        }
    }
    Err(first_error.unwrap_or_else(|| {
        ClientError::Status(ApiError {
            message: "unrecognized resource".to_owned(),
            ..ApiError::default()
        })
    }))
}

/// The target as read; missing fields come from the HPA's reference.
pub(super) fn workload<'a>(
    namespace: &str,
    group: &str,
    reference: &ObjectReference,
    value: &'a Value,
) -> WorkloadObject<'a> {
    let text = |field: &str| value.get(field).and_then(Value::as_str).map(str::to_owned);
    WorkloadObject {
        group: group.to_owned(),
        namespace: namespace.to_owned(),
        api_version: text("apiVersion").unwrap_or_default(),
        kind: text("kind").unwrap_or_else(|| reference.kind.clone()),
        name: reference.name.clone(),
        value,
    }
}

async fn read_object(
    client: &Client,
    mapping: &Mapping,
    namespace: &str,
    name: &str,
) -> Result<Value, ClientError> {
    client
        .get(&Get {
            what: "target",
            path: mapping.object(namespace, name).into_string(),
            about: mapping.about(name),
            patience: Some(super::OPTIONAL_PATIENCE),
        })
        .await
}

/// The target data in an object.
pub(super) fn of_object(
    namespace: &str,
    group: &str,
    reference: &ObjectReference,
    value: &Value,
    wording: Wording,
) -> TargetReads {
    let object = workload(namespace, group, reference, value);
    TargetReads {
        scale: object.scale(wording).ok(),
        target: Some(object.target()),
        ..TargetReads::default()
    }
}

/// A target of a kind that may not be listed.
pub(super) fn not_listed(reason: &NotRead) -> TargetReads {
    let not_read = |what| NotRead {
        what,
        ..reason.clone()
    };
    TargetReads {
        not_read: vec![
            not_read(SnapshotField::Scale),
            not_read(SnapshotField::Target),
        ],
        ..TargetReads::default()
    }
}

/// A target that the list does not contain, with the answer that its scale would give, so that no request is needed.
pub(super) fn missing(mappings: Result<&[Mapping], &ClientError>, key: &TargetKey) -> TargetReads {
    let TargetKey {
        group, kind, name, ..
    } = key;
    let mut reads = TargetReads::default();
    match mappings {
        Ok(mappings) => {
            let dot = if group.is_empty() { "" } else { "." };
            let resource = &mappings[0].resource;
            reads.scale_error = Some(ApiError {
                message: format!("{resource}{dot}{group} {name:?} not found"),
                reason: "NotFound".to_owned(),
                code: 404,
            });
        }
        Err(error) => {
            reads.take_scale_failure(ReadFailure::of(
                error.clone(),
                SnapshotField::Scale,
                permission(key, kind),
            ));
        }
    }
    reads
}

/// Reads the scale of a target whose object does not contain it.
pub(super) async fn with_scale(
    client: &Client,
    discovery: &Discovery,
    key: &TargetKey,
    mut reads: TargetReads,
) -> TargetReads {
    let mappings = discovery.mappings(client, &key.group, &key.kind).await;
    let read = match &mappings {
        Ok(mappings) => read_scale(client, mappings, &key.namespace, &key.name).await,
        Err(error) => Err(ClientError::clone(error)),
    };
    let resource = match &mappings {
        Ok(mappings) => format!("{}/scale", mappings[0].resource),
        Err(_) => key.kind.clone(),
    };
    match read {
        Ok(scale) => reads.scale = Some(scale),
        Err(error) => {
            reads.take_scale_failure(ReadFailure::of(
                error,
                SnapshotField::Scale,
                permission(key, &resource),
            ));
        }
    }
    reads
}

fn permission<'a>(key: &'a TargetKey, resource: &'a str) -> Permission<'a> {
    Permission {
        verb: "get",
        group: &key.group,
        resource,
        namespace: &key.namespace,
    }
}

/// The selector of a scale, if it selects any pods.
pub(super) fn selector_of(scale: &Scale, wording: Wording) -> Option<Selector> {
    let text = &scale.status.selector;
    if text.is_empty() {
        return None;
    }
    Selector::parse(text, wording).ok()
}

/// Up to this many targets of one kind are read individually if they may not be listed.
pub(super) const FEW: usize = 10;
