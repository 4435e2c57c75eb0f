//! Pods.

use std::sync::Arc;

use hpa_engine::model::SnapshotField;
use hpa_objects::recording::wire::{NotRead, Pod};

use super::{
    access::{Permission, not_read},
    api_error::ResourceName,
    client::Client,
    list::ListFormat,
    path::ApiPath,
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
        .list_as(ListFormat::protobuf(), "pods", path, about, None)
        .await
        .map_err(|error| {
            let permission = Permission {
                verb: "list",
                group: "",
                resource: "pods",
                namespace,
            };
            not_read(&error, SnapshotField::Pods, permission)
        })
}
