//! Pods, and the ReplicaSets between them and a Deployment.

use std::sync::Arc;

use serde_json::Value;

use super::{
    access::{Right, not_read},
    api_error::ResourceName,
    client::Client,
    path::ApiPath,
};
use crate::{
    model::SnapshotField,
    recording::{
        WorkloadObject,
        wire::{IntermediateOwner, NotRead, Pod},
    },
};

/// Reads the pods that `selector` matches; empty: all pods of the namespace.
pub(super) async fn read(
    client: &Client,
    namespace: &str,
    selector: &str,
) -> Result<Vec<Arc<Pod>>, NotRead> {
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

/// Reads the ReplicaSets that `selector` matches: those that own pods, or report why they cannot create any.
pub(super) async fn read_replica_sets(
    client: &Client,
    namespace: &str,
    selector: &str,
) -> Result<Vec<IntermediateOwner>, NotRead> {
    const GROUP: &str = "apps";
    let path = ApiPath::new(GROUP, "v1")
        .namespace(namespace)
        .segment("replicasets")
        .query_unless_empty("labelSelector", selector);
    let about = ResourceName {
        group: GROUP,
        resource: "replicasets",
        name: "",
    };
    let patience = Some(super::OPTIONAL_PATIENCE);
    let sets = client.list_whole("ReplicaSets", path, about, patience);
    let sets: Vec<Value> = sets.await.map_err(|error| {
        let right = Right {
            verb: "list",
            group: GROUP,
            resource: "replicasets",
            namespace,
        };
        not_read(&error, SnapshotField::IntermediateOwners, right)
    })?;
    Ok(sets.iter().filter_map(replica_set).collect())
}

/// A ReplicaSet that owns pods, or reports why it cannot create any.
pub(super) fn replica_set(value: &Value) -> Option<IntermediateOwner> {
    let text = |pointer| value.pointer(pointer).and_then(Value::as_str);
    let set = WorkloadObject {
        group: "apps".to_owned(),
        namespace: text("/metadata/namespace").unwrap_or_default().to_owned(),
        api_version: "apps/v1".to_owned(),
        kind: "ReplicaSet".to_owned(),
        name: text("/metadata/name").unwrap_or_default().to_owned(),
        value,
    };
    let owner = set.intermediate_owner();
    let replicas = value.pointer("/status/replicas").and_then(Value::as_i64);
    (owner.failure.is_some() || 0 < replicas.unwrap_or(0)).then_some(owner)
}
