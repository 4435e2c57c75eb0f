//! The capacity of the nodes.

use hpa_engine::model::SnapshotField;
use hpa_objects::recording::{
    Snapshot,
    wire::{NodeShape, Nodes, NotRead, Pod, ResourceList},
};
use serde::Deserialize;

use crate::{
    OPTIONAL_PATIENCE,
    access::{Permission, not_read},
    api_error::ResourceName,
    client::{Client, Get},
    path::ApiPath,
};

/// Whether the nodes matter: a pod is unscheduled, or `maxReplicas` is reached, so that raising it may be considered.
pub(super) fn can_matter(snapshot: &Snapshot) -> bool {
    let is_at_max = snapshot
        .scale
        .as_ref()
        .is_some_and(|scale| snapshot.hpa.spec.max_replicas <= scale.spec.replicas);
    is_at_max || snapshot.pods.iter().any(|pod| waits_for_node(pod))
}

/// Reads the first piece of the node list: in a larger cluster the total says nothing about one workload.
pub(super) async fn read(client: &Client) -> Result<Nodes, NotRead> {
    let get = Get {
        what: "nodes",
        path: ApiPath::new("", "v1")
            .segment("nodes")
            .query("limit", "500")
            .into_string(),
        about: ResourceName {
            group: "",
            resource: "nodes",
            name: "",
        },
        patience: Some(OPTIONAL_PATIENCE),
    };
    let list: NodeList = client.get(&get).await.map_err(|error| {
        let permission = Permission {
            verb: "list",
            group: "",
            resource: "nodes",
            namespace: "",
        };
        not_read(&error, SnapshotField::Nodes, permission)
    })?;
    let mut nodes = Nodes {
        more: !list.metadata.next.is_empty(),
        ..Nodes::default()
    };
    for node in list.items {
        let (unschedulable, allocatable) = (node.spec.unschedulable, node.status.allocatable);
        let same = nodes
            .shapes
            .iter_mut()
            .find(|shape| shape.unschedulable == unschedulable && shape.allocatable == allocatable);
        match same {
            Some(shape) => shape.count += 1,
            None => nodes.shapes.push(NodeShape {
                count: 1,
                unschedulable,
                allocatable,
            }),
        }
    }
    Ok(nodes)
}

fn waits_for_node(pod: &Pod) -> bool {
    pod.metadata.deletion_timestamp.is_none()
        && pod.status.conditions.iter().any(|condition| {
            condition.condition_type == "PodScheduled" && condition.status == "False"
        })
}

#[derive(Deserialize)]
struct NodeList {
    #[serde(default)]
    metadata: NodeListMeta,
    #[serde(default)]
    items: Vec<NodeObject>,
}

#[derive(Default, Deserialize)]
struct NodeListMeta {
    #[serde(rename = "continue", default)]
    next: String,
}

#[derive(Deserialize)]
struct NodeObject {
    #[serde(default)]
    spec: NodeSpec,
    #[serde(default)]
    status: NodeStatus,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct NodeSpec {
    unschedulable: bool,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct NodeStatus {
    allocatable: ResourceList,
}
