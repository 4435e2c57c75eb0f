//! The resource of a kind, and the versions in which the server serves it.

use std::collections::BTreeMap;

use futures::lock::Mutex;
use hpa_engine::model::{ApiError, KnownKind};
use serde::Deserialize;

use super::{
    api_error::ResourceName,
    client::{Client, ClientError, Get},
    path::ApiPath,
};

/// The path of a kind's objects. Upstream: `meta.RESTMapping`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mapping {
    /// API group; empty: the core group.
    pub(super) group: String,
    /// Version.
    pub(super) version: String,
    /// Resource, such as `deployments`.
    pub(super) resource: String,
    /// Whether objects are in namespaces.
    pub(super) is_namespaced: bool,
    /// Whether objects have a scale subresource. Objects without one, such as Secrets, are never read, whatever an HPA
    /// names.
    pub(super) has_scale: bool,
}

impl Mapping {
    /// Path of the object `name`.
    pub(super) fn object(&self, namespace: &str, name: &str) -> ApiPath {
        let path = ApiPath::new(&self.group, &self.version);
        let path = if self.is_namespaced {
            path.namespace(namespace)
        } else {
            path
        };
        path.segment(&self.resource).segment(name)
    }

    /// The resource for errors of Go clients.
    pub(super) fn about<'a>(&'a self, name: &'a str) -> ResourceName<'a> {
        ResourceName {
            group: &self.group,
            resource: &self.resource,
            name,
        }
    }
}

/// Group and kind.
type GroupKind = (String, String);

/// The discovery results so far, so that nothing is requested twice.
#[derive(Default)]
pub(super) struct Discovery {
    kinds: Mutex<BTreeMap<GroupKind, Result<Vec<Mapping>, ClientError>>>,
}

impl Discovery {
    /// All mappings of `kind` in `group`, the preferred version first; at least one. Upstream:
    /// `RESTMapper.RESTMappings`, which only uses the group, whatever version a reference names.
    pub(super) async fn mappings(
        &self,
        client: &Client,
        group: &str,
        kind: &str,
    ) -> Result<Vec<Mapping>, ClientError> {
        if let Some((resource, has_scale)) = well_known(group, kind) {
            return Ok(vec![Mapping {
                group: group.to_owned(),
                version: "v1".to_owned(),
                resource,
                is_namespaced: true,
                has_scale,
            }]);
        }
        let key = (group.to_owned(), kind.to_owned());
        // Locked during the request: concurrent callers for the same kind wait for the answer.
        let mut kinds = self.kinds.lock().await;
        if let Some(known) = kinds.get(&key) {
            return known.clone();
        }
        let found = discover(client, group, kind).await;
        kinds.insert(key, found.clone());
        found
    }

    /// Drops failures, so that they are requested again: a kind may exist by now.
    pub(super) fn forget_failures(&self) {
        if let Some(mut kinds) = self.kinds.try_lock() {
            kinds.retain(|_, found| found.is_ok());
        }
    }
}

/// The versions of `group`, the preferred one first; empty if the server does not have the group.
pub(super) async fn versions(client: &Client, group: &str) -> Result<Vec<String>, ClientError> {
    if group.is_empty() {
        return Ok(vec!["v1".to_owned()]);
    }
    let answer: Result<ApiGroup, ClientError> = client
        .get(&Get {
            what: "discovery",
            path: format!("/apis/{group}"),
            about: ResourceName::default(),
            patience: None,
        })
        .await;
    match answer {
        Ok(found) => {
            let mut versions: Vec<String> = found
                .versions
                .into_iter()
                .map(|version| version.version)
                .collect();
            versions.sort_by_key(|version| *version != found.preferred_version.version);
            Ok(versions)
        }
        Err(ClientError::Status(error)) if error.code == 404 => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

async fn discover(client: &Client, group: &str, kind: &str) -> Result<Vec<Mapping>, ClientError> {
    let mut mappings = Vec::new();
    for version in versions(client, group).await? {
        let list: ApiResourceList = client
            .get(&Get {
                what: "discovery",
                path: ApiPath::new(group, &version).into_string(),
                about: ResourceName::default(),
                patience: None,
            })
            .await?;
        let resources = &list.resources;
        let found = resources
            .iter()
            .find(|resource| resource.kind == kind && !resource.name.contains('/'));
        if let Some(resource) = found {
            let scale = format!("{}/scale", resource.name);
            mappings.push(Mapping {
                group: group.to_owned(),
                version,
                resource: resource.name.clone(),
                is_namespaced: resource.namespaced,
                has_scale: resources.iter().any(|other| other.name == scale),
            });
        }
    }
    if mappings.is_empty() {
        return Err(ClientError::Status(ApiError {
            // Upstream: `meta.NoKindMatchError`.
            message: format!("no matches for kind {kind:?} in group {group:?}"),
            reason: String::new(),
            code: 404,
        }));
    }
    Ok(mappings)
}

/// Kinds that have had one path on every server since before the oldest supported controller, so no request is needed;
/// and whether they have a scale.
fn well_known(group: &str, kind: &str) -> Option<(String, bool)> {
    let known = KnownKind::in_group(group, kind);
    match (group, kind) {
        ("networking.k8s.io", "Ingress") => Some(("ingresses".to_owned(), false)),
        ("", "Pod" | "Service") => Some((known.resource(), false)),
        _ => known.is_built_in_target().then(|| (known.resource(), true)),
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ApiGroup {
    #[serde(default)]
    versions: Vec<GroupVersion>,
    #[serde(default)]
    preferred_version: GroupVersion,
}

#[derive(Default, Deserialize)]
struct GroupVersion {
    version: String,
}

#[derive(Deserialize)]
struct ApiResourceList {
    #[serde(default)]
    resources: Vec<ApiResource>,
}

#[derive(Deserialize)]
struct ApiResource {
    name: String,
    kind: String,
    #[serde(default)]
    namespaced: bool,
}
