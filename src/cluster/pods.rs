//! Pods, and the ReplicaSets between them and a Deployment.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{
    access::{Right, not_read},
    api_error::ResourceName,
    client::{Client, Get},
    path::ApiPath,
};
use crate::{
    model::SnapshotField,
    recording::wire::{IntermediateOwner, NotRead, OwnerReference, Pod},
};

/// Reads the pods that `selector` matches; empty: all of the namespace.
pub(super) async fn read(
    client: &Client,
    namespace: &str,
    selector: &str,
) -> Result<Vec<Pod>, NotRead> {
    let path = ApiPath::new("", "v1")
        .namespace(namespace)
        .segment("pods")
        .query_unless_empty("labelSelector", selector);
    let about = ResourceName {
        group: "",
        resource: "pods",
        name: "",
    };
    client
        .list("pods", path, about, None)
        .await
        .map_err(|error| {
            let right = Right {
                verb: "list",
                group: "",
                resource: "pods",
                namespace,
            };
            not_read(&error, SnapshotField::Pods, right)
        })
}

/// Reads the ReplicaSets that `selector` matches: those that own pods, or say why they can't make any.
pub(super) async fn read_replica_sets(
    client: &Client,
    namespace: &str,
    selector: &str,
) -> Result<Vec<IntermediateOwner>, NotRead> {
    const GROUP: &str = "apps";
    let get = Get {
        what: "ReplicaSets",
        path: ApiPath::new(GROUP, "v1")
            .namespace(namespace)
            .segment("replicasets")
            .query_unless_empty("labelSelector", selector)
            .into_string(),
        about: ResourceName {
            group: GROUP,
            resource: "replicasets",
            name: "",
        },
        patience: Some(super::OPTIONAL_PATIENCE),
    };
    let list: ReplicaSetList = client.get(&get).await.map_err(|error| {
        let right = Right {
            verb: "list",
            group: GROUP,
            resource: "replicasets",
            namespace,
        };
        not_read(&error, SnapshotField::IntermediateOwners, right)
    })?;
    Ok(list
        .items
        .into_iter()
        .filter(|set| 0 < set.status.replicas || set.failure().is_some())
        .map(Into::into)
        .collect())
}

#[derive(Deserialize)]
struct ReplicaSetList {
    #[serde(default)]
    items: Vec<ReplicaSet>,
}

#[derive(Deserialize)]
struct ReplicaSet {
    metadata: ReplicaSetMeta,
    #[serde(default)]
    status: ReplicaSetStatus,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReplicaSetMeta {
    name: String,
    #[serde(default)]
    annotations: BTreeMap<String, String>,
    #[serde(default)]
    owner_references: Vec<OwnerReference>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ReplicaSetStatus {
    replicas: i32,
    conditions: Vec<Condition>,
}

#[derive(Deserialize)]
struct Condition {
    #[serde(rename = "type")]
    condition_type: String,
    status: String,
    #[serde(default)]
    message: String,
}

impl ReplicaSet {
    fn failure(&self) -> Option<&str> {
        self.status
            .conditions
            .iter()
            .find(|condition| {
                condition.condition_type == "ReplicaFailure" && condition.status == "True"
            })
            .map(|condition| condition.message.as_str())
    }
}

impl From<ReplicaSet> for IntermediateOwner {
    fn from(set: ReplicaSet) -> Self {
        let failure = set.failure().map(str::to_owned);
        let revision = set
            .metadata
            .annotations
            .get("deployment.kubernetes.io/revision")
            .and_then(|revision| revision.parse().ok());
        let owner = set
            .metadata
            .owner_references
            .into_iter()
            .find(|owner| owner.controller == Some(true))
            .unwrap_or_default();
        Self {
            kind: "ReplicaSet".to_owned(),
            name: set.metadata.name,
            owner_kind: owner.kind,
            owner_name: owner.name,
            revision,
            failure,
        }
    }
}
