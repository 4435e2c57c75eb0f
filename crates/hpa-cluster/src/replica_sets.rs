//! ReplicaSets: the owners of pods between these and a Deployment.

use std::collections::BTreeMap;

use hpa_engine::{
    model::{KnownKind, SnapshotField},
    serialized::null_is_empty,
};
use hpa_objects::recording::wire::{IntermediateOwner, NotRead, OwnerReference};
use serde::Deserialize;

use super::{
    access::{Permission, not_read},
    api_error::ResourceName,
    client::{Client, ClientError},
    list::{ListFormat, ListPiece},
    path::ApiPath,
};

/// `apps/v1` ReplicaSet, with only the fields that show whose pods it owns.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ReplicaSet {
    pub(super) metadata: SetMetadata,
    pub(super) status: SetStatus,
}

/// `metadata`.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct SetMetadata {
    pub(super) name: String,
    pub(super) namespace: String,
    #[serde(deserialize_with = "null_is_empty")]
    pub(super) labels: BTreeMap<String, String>,
    #[serde(deserialize_with = "null_is_empty")]
    pub(super) annotations: BTreeMap<String, String>,
    #[serde(deserialize_with = "null_is_empty")]
    pub(super) owner_references: Vec<OwnerReference>,
}

/// `status`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct SetStatus {
    pub(super) replicas: i32,
    #[serde(deserialize_with = "null_is_empty")]
    pub(super) conditions: Vec<SetCondition>,
}

/// One entry of `status.conditions`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct SetCondition {
    #[serde(rename = "type")]
    pub(super) condition_type: String,
    pub(super) status: String,
    pub(super) message: String,
}

impl ReplicaSet {
    /// Whether another object creates and scales it.
    pub(super) fn has_controller(&self) -> bool {
        self.controller().is_some()
    }

    fn controller(&self) -> Option<&OwnerReference> {
        let mut owners = self.metadata.owner_references.iter();
        owners.find(|owner| owner.controller == Some(true))
    }

    /// Its labels and its data as an owner of pods, if it owns some for another object, or cannot create any.
    pub(super) fn between(self) -> Option<(BTreeMap<String, String>, IntermediateOwner)> {
        let owner = self.owner().filter(|_| self.has_controller())?;
        Some((self.metadata.labels, owner))
    }

    /// Its data as an owner of pods, if it owns some, or reports why it cannot create any.
    pub(super) fn owner(&self) -> Option<IntermediateOwner> {
        let mut conditions = self.status.conditions.iter();
        let failure = conditions.find(|condition| {
            condition.condition_type == "ReplicaFailure" && condition.status == "True"
        });
        if failure.is_none() && self.status.replicas <= 0 {
            return None;
        }
        let SetMetadata {
            name, annotations, ..
        } = &self.metadata;
        let controller = self.controller();
        let of_controller = |text: fn(&OwnerReference) -> &String| {
            controller.map(text).cloned().unwrap_or_default()
        };
        Some(IntermediateOwner {
            kind: KIND.to_owned(),
            name: name.clone(),
            owner_kind: of_controller(|owner| &owner.kind),
            owner_name: of_controller(|owner| &owner.name),
            revision: annotations
                .get(REVISION)
                .and_then(|revision| revision.parse().ok()),
            failure: failure.map(|condition| condition.message.clone()),
        })
    }
}

/// Reads the owners of pods among the ReplicaSets that `selector` matches.
pub(super) async fn owners(
    client: &Client,
    namespace: &str,
    selector: &str,
) -> Result<Vec<IntermediateOwner>, NotRead> {
    let path = path(namespace).query_unless_empty("labelSelector", selector);
    let patience = Some(super::OPTIONAL_PATIENCE);
    let format = ListFormat::protobuf();
    let sets = client.list_whole_as(format, "ReplicaSets", path, ABOUT, patience);
    let sets: Vec<ReplicaSet> = sets.await.map_err(|error| {
        not_read(
            &error,
            SnapshotField::IntermediateOwners,
            permission(namespace),
        )
    })?;
    Ok(sets.iter().filter_map(ReplicaSet::owner).collect())
}

/// Lists the ReplicaSets of `namespace`; empty: of all namespaces.
pub(super) async fn for_each_piece(
    client: &Client,
    namespace: &str,
    take: impl AsyncFnMut(ListPiece<ReplicaSet>),
) -> Result<(), ClientError> {
    let format = ListFormat::protobuf();
    let path = path(namespace);
    let read = client.for_each_piece(format, RESOURCE, path, ABOUT, None, take);
    match read.await {
        // A server without them.
        Err(ClientError::Status(status)) if status.code == 404 => Ok(()),
        read => read,
    }
}

/// The permission to list them.
pub(super) fn permission(namespace: &str) -> Permission<'_> {
    Permission {
        verb: "list",
        group: GROUP,
        resource: RESOURCE,
        namespace,
    }
}

fn path(namespace: &str) -> ApiPath {
    ApiPath::new(GROUP, "v1")
        .namespace_or_all(namespace)
        .segment(RESOURCE)
}

/// Its kind.
pub(super) const KIND: &str = KnownKind::REPLICA_SET;
/// Its API group.
pub(super) const GROUP: &str = "apps";
/// Its resource.
pub(super) const RESOURCE: &str = "replicasets";
const ABOUT: ResourceName<'static> = ResourceName {
    group: GROUP,
    resource: RESOURCE,
    name: "",
};
const REVISION: &str = "deployment.kubernetes.io/revision";
