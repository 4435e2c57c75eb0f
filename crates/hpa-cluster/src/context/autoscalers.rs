//! Other autoscalers, of kinds that not every cluster has. One list is read for each group that the server has; other
//! groups cause no request.

use std::collections::BTreeMap;

use futures::future;
use hpa_engine::model::SnapshotField;
use hpa_objects::recording::{
    AutoscalerKind, KINDS, Related, Snapshot, autoscaler,
    wire::{Autoscaler, NotRead},
};
use serde_json::Value;

use crate::{
    OPTIONAL_PATIENCE,
    access::{Permission, not_read},
    api_error::ResourceName,
    client::{Client, ClientError},
    path::ApiPath,
};

/// Versions of the API groups that the server has, by group.
pub(crate) type Groups = BTreeMap<String, Vec<String>>;

/// The other autoscalers of a namespace, or of all.
pub(super) struct Autoscalers {
    objects: Vec<Related>,
    not_read: Vec<NotRead>,
}

/// Reads the other autoscalers of `namespace`, of the API groups that the server has.
pub(super) async fn read(
    client: &Client,
    namespace: &str,
    groups: &Result<Groups, ClientError>,
) -> Autoscalers {
    let mut found = Autoscalers {
        objects: Vec::new(),
        not_read: Vec::new(),
    };
    let groups = match groups {
        Ok(groups) => groups,
        Err(error) => {
            found.not_read.push(NotRead {
                what: SnapshotField::Autoscalers,
                why: error.to_string(),
                remedy: None,
                is_forbidden: false,
            });
            return found;
        }
    };
    let lists = KINDS
        .iter()
        .filter(|known| known.is_listed)
        .filter_map(|known| {
            let served = groups.get(known.group)?;
            let version = known
                .versions
                .iter()
                .find(|version| served.iter().any(|one| one == *version))?;
            Some(list(client, namespace, known, version))
        });
    for list in future::join_all(lists).await {
        match list {
            Ok(objects) => found.objects.extend(objects),
            Err(reason) => found.not_read.push(reason),
        }
    }
    found
}

impl Autoscalers {
    /// The autoscalers that concern the HPA of the snapshot.
    pub(super) fn around(&self, snapshot: &mut Snapshot) -> Vec<Autoscaler> {
        snapshot.not_read.extend(self.not_read.iter().cloned());
        self.objects
            .iter()
            .filter_map(|object| autoscaler(object, &snapshot.hpa))
            .collect()
    }
}

async fn list(
    client: &Client,
    namespace: &str,
    known: &'static AutoscalerKind,
    version: &str,
) -> Result<Vec<Related>, NotRead> {
    let about = ResourceName {
        group: known.group,
        resource: known.resource,
        name: "",
    };
    let path = ApiPath::new(known.group, version)
        .namespace_or_all(namespace)
        .segment(known.resource);
    let read: Result<Vec<Value>, ClientError> = client
        .list(known.resource, path, about, Some(OPTIONAL_PATIENCE))
        .await;
    match read {
        Ok(values) => Ok(values
            .into_iter()
            .map(|value| Related {
                known,
                namespace: text(&value, "/metadata/namespace"),
                value,
            })
            .collect()),
        // The group has only other kinds: Argo CD has no Rollouts.
        Err(ClientError::Status(status)) if status.code == 404 => Ok(Vec::new()),
        Err(error) => {
            let permission = Permission {
                verb: "list",
                group: known.group,
                resource: known.resource,
                namespace,
            };
            Err(not_read(
                &error,
                SnapshotField::Other(known.resource.to_owned()),
                permission,
            ))
        }
    }
}

fn text(value: &Value, pointer: &str) -> String {
    let text = value.pointer(pointer).and_then(Value::as_str);
    text.unwrap_or_default().to_owned()
}
