//! The kinds of objects that are listed, and how one list is read.

use std::collections::BTreeSet;

use hpa_engine::model::{KnownKind, SnapshotField};
use hpa_objects::recording::{KINDS, wire::NotRead};
use serde_json::Value;

use crate::{
    access::{Permission, not_read},
    api_error::ResourceName,
    client::{Client, ClientError},
    context::Groups,
    hpa_resource::{GROUP, RESOURCE, VERSION},
    list::{ListFormat, ListPiece},
    listed_value::ListedValue,
    path::ApiPath,
    replica_sets,
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

/// Kinds next to workloads that every server has, or that come with their group.
const KNOWN: [(&str, &[&str], &str, &str); 14] = [
    ("", &["v1"], "limitranges", "LimitRange"),
    ("", &["v1"], "resourcequotas", "ResourceQuota"),
    ("", &["v1"], "services", "Service"),
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
];

/// Groups that every server has.
const BUILT_IN: [&str; 5] = ["", "apps", "batch", "networking.k8s.io", "policy"];

/// The kinds that every server has, HPAs and ReplicaSets aside.
pub(super) fn built_in() -> Vec<ListedKind> {
    let workloads = KnownKind::all()
        .filter(|kind| kind.is_built_in() && kind.has_template() && !kind.is_replica_set())
        .map(|kind| ListedKind::new(kind.group(), "v1", &kind.resource(), kind.name));
    let kinds = KNOWN.iter().filter(|(group, ..)| BUILT_IN.contains(group));
    workloads
        .chain(kinds.map(|(group, versions, resource, kind)| {
            ListedKind::new(group, versions[0], resource, kind)
        }))
        .collect()
}

/// ReplicaSets.
pub(super) fn replica_sets() -> ListedKind {
    let (group, resource) = (replica_sets::GROUP, replica_sets::RESOURCE);
    ListedKind::new(group, "v1", resource, replica_sets::KIND)
}

/// CustomResourceDefinitions.
pub(super) fn definitions() -> ListedKind {
    ListedKind::new(
        "apiextensions.k8s.io",
        "v1",
        "customresourcedefinitions",
        DEFINITION,
    )
}

/// HPAs.
pub(super) fn hpas() -> ListedKind {
    ListedKind::new(GROUP, VERSION, RESOURCE, "HorizontalPodAutoscaler")
}

/// The further kinds that this server has according to its groups. If the groups are not known: the names of those
/// kinds.
pub(super) fn of_groups(
    groups: &Result<Groups, ClientError>,
) -> (Vec<ListedKind>, Vec<&'static str>) {
    let mut unknown = Vec::new();
    let mut kinds = Vec::new();
    let autoscalers = KINDS
        .iter()
        .map(|known| (known.group, known.versions, known.resource, known.kind));
    for (group, versions, resource, kind) in KNOWN.into_iter().chain(autoscalers) {
        if BUILT_IN.contains(&group) {
            continue;
        }
        let Ok(groups) = groups else {
            unknown.push(kind);
            continue;
        };
        let version = groups.get(group).and_then(|served| {
            versions
                .iter()
                .find(|version| served.iter().any(|one| one == *version))
        });
        if let Some(version) = version {
            kinds.push(ListedKind::new(group, version, resource, kind));
        }
    }
    kinds.sort();
    kinds.dedup();
    (kinds, unknown)
}

const DEFINITION: &str = "CustomResourceDefinition";

impl ListedKind {
    fn new(group: &str, version: &str, resource: &str, kind: &str) -> Self {
        Self {
            group: group.to_owned(),
            version: version.to_owned(),
            resource: resource.to_owned(),
            kind: kind.to_owned(),
            is_namespaced: !matches!(kind, "Node" | DEFINITION),
        }
    }

    /// `apiVersion` of its objects.
    pub(super) fn api_version(&self) -> String {
        if self.group.is_empty() {
            self.version.clone()
        } else {
            format!("{}/{}", self.group, self.version)
        }
    }

    /// Lists the objects of a namespace (empty: of all), and passes each on once.
    pub(super) async fn list(
        &self,
        client: &Client,
        namespace: &str,
        mut take: impl AsyncFnMut(Value),
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
        // Needed only if the list has to start again.
        let mut seen = BTreeSet::new();
        let piece = async |piece| {
            if let ListPiece::Items(items) = piece {
                for ListedValue(item) in items {
                    if seen.insert(name(&item)) {
                        take(item).await;
                    }
                }
            }
        };
        let read =
            client.for_each_piece(ListFormat::json(), &self.resource, path, about, None, piece);
        match read.await {
            Ok(()) => Ok(()),
            // The group exists but not the kind: Argo CD has no Rollouts.
            Err(ClientError::Status(status)) if status.code == 404 => Ok(()),
            Err(error) => {
                let permission = Permission {
                    verb: "list",
                    group: &self.group,
                    resource: &self.resource,
                    namespace,
                };
                Err(not_read(&error, SnapshotField::Target, permission))
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
