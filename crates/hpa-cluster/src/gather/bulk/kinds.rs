//! The kinds of objects that are listed, and the reading of one list.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::{
    access::{Right, not_read},
    api_error::ResourceName,
    client::{Client, ClientError},
    list::ListPiece,
    model::SnapshotField,
    path::ApiPath,
    recording::{KINDS, wire::NotRead},
    surroundings::Groups,
};

/// A kind that is listed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ListedKind {
    /// API group; empty: core.
    pub(super) group: String,
    /// Version.
    pub(super) version: String,
    /// Resource.
    pub(super) resource: String,
    /// Kind.
    pub(super) kind: String,
    /// Whether objects are in namespaces.
    pub(super) is_namespaced: bool,
}

/// Kinds that every server has, or has if it has the group.
const KNOWN: [(&str, &[&str], &str, &str); 23] = [
    ("", &["v1"], "limitranges", "LimitRange"),
    (
        "",
        &["v1"],
        "replicationcontrollers",
        "ReplicationController",
    ),
    ("", &["v1"], "resourcequotas", "ResourceQuota"),
    ("", &["v1"], "services", "Service"),
    ("apps", &["v1"], "daemonsets", "DaemonSet"),
    ("apps", &["v1"], "deployments", "Deployment"),
    ("apps", &["v1"], "replicasets", "ReplicaSet"),
    ("apps", &["v1"], "statefulsets", "StatefulSet"),
    (
        "autoscaling",
        &["v2"],
        "horizontalpodautoscalers",
        "HorizontalPodAutoscaler",
    ),
    ("batch", &["v1"], "cronjobs", "CronJob"),
    ("batch", &["v1"], "jobs", "Job"),
    ("networking.k8s.io", &["v1"], "ingresses", "Ingress"),
    (
        "policy",
        &["v1"],
        "poddisruptionbudgets",
        "PodDisruptionBudget",
    ),
    (
        "gateway.networking.k8s.io",
        &["v1", "v1beta1"],
        "httproutes",
        "HTTPRoute",
    ),
    (
        "gateway.networking.k8s.io",
        &["v1"],
        "grpcroutes",
        "GRPCRoute",
    ),
    (
        "gateway.networking.k8s.io",
        &["v1alpha2"],
        "tcproutes",
        "TCPRoute",
    ),
    (
        "gateway.networking.k8s.io",
        &["v1", "v1alpha2"],
        "tlsroutes",
        "TLSRoute",
    ),
    ("route.openshift.io", &["v1"], "routes", "Route"),
    (
        "datadoghq.com",
        &["v1alpha1"],
        "watermarkpodautoscalers",
        "WatermarkPodAutoscaler",
    ),
    (
        "autoscaling.internal.knative.dev",
        &["v1alpha1"],
        "podautoscalers",
        "PodAutoscaler",
    ),
    (
        "monitoring.coreos.com",
        &["v1"],
        "prometheusrules",
        "PrometheusRule",
    ),
    ("", &["v1"], "nodes", "Node"),
    (
        "apiextensions.k8s.io",
        &["v1"],
        "customresourcedefinitions",
        "CustomResourceDefinition",
    ),
];

/// Groups that every server has.
const BUILT_IN: [&str; 7] = [
    "",
    "apps",
    "autoscaling",
    "batch",
    "networking.k8s.io",
    "policy",
    "apiextensions.k8s.io",
];

/// The kinds that this server has, as far as its groups tell; CustomResourceDefinitions only if they are wanted. What is
/// beyond the built-in groups cannot be known without the groups: the names of those kinds.
pub(super) fn of_server(
    groups: &Result<Groups, ClientError>,
    wants_definitions: bool,
) -> (Vec<ListedKind>, Vec<&'static str>) {
    let mut unknown = Vec::new();
    let mut kinds = Vec::new();
    let autoscalers = KINDS
        .iter()
        .map(|known| (known.group, known.versions, known.resource, known.kind));
    for (group, versions, resource, kind) in KNOWN.into_iter().chain(autoscalers) {
        if kind == "CustomResourceDefinition" && !wants_definitions {
            continue;
        }
        let version = if BUILT_IN.contains(&group) {
            versions.first()
        } else if let Ok(groups) = groups {
            groups.get(group).and_then(|served| {
                versions
                    .iter()
                    .find(|version| served.iter().any(|one| one == *version))
            })
        } else {
            unknown.push(kind);
            None
        };
        if let Some(version) = version {
            kinds.push(ListedKind {
                group: group.to_owned(),
                version: (*version).to_owned(),
                resource: resource.to_owned(),
                kind: kind.to_owned(),
                is_namespaced: !matches!(kind, "Node" | "CustomResourceDefinition"),
            });
        }
    }
    kinds.sort();
    kinds.dedup();
    (kinds, unknown)
}

impl ListedKind {
    /// `apiVersion` of its objects.
    pub(super) fn api_version(&self) -> String {
        if self.group.is_empty() {
            self.version.clone()
        } else {
            format!("{}/{}", self.group, self.version)
        }
    }

    /// Lists the objects of a namespace, or of all if it is empty, and hands each over once.
    pub(super) async fn list(
        &self,
        client: &Client,
        namespace: &str,
        mut take: impl FnMut(Value),
    ) -> Result<(), NotRead> {
        let about = ResourceName {
            group: &self.group,
            resource: &self.resource,
            name: "",
        };
        let namespace = if self.is_namespaced { namespace } else { "" };
        let path = ApiPath::new(&self.group, &self.version)
            .namespace_or_all(namespace)
            .segment(&self.resource);
        // Needed only if the list has to begin again.
        let mut seen = BTreeSet::new();
        let read = client.for_each_piece(&self.resource, path, about, None, |piece| {
            if let ListPiece::Items(items) = piece {
                for item in items {
                    if seen.insert(name(&item)) {
                        take(item);
                    }
                }
            }
        });
        match read.await {
            Ok(()) => Ok(()),
            // The group is there, the kind is not: Argo CD has no Rollouts.
            Err(ClientError::Status(status)) if status.code == 404 => Ok(()),
            Err(error) => {
                let right = Right {
                    verb: "list",
                    group: &self.group,
                    resource: &self.resource,
                    namespace,
                };
                Err(not_read(&error, SnapshotField::Target, right))
            }
        }
    }
}

/// Namespace and name of an object.
pub(super) fn name(value: &Value) -> (String, String) {
    let text = |pointer| {
        let text = value.pointer(pointer).and_then(Value::as_str);
        text.unwrap_or_default().to_owned()
    };
    (text("/metadata/namespace"), text("/metadata/name"))
}
