//! What happens to the replicas: quotas, disruption budgets, nodes, and why pods could not be created.

mod failed_creates;
mod nodes;

use std::collections::{BTreeMap, BTreeSet};

use futures::future;
use hpa_engine::model::{
    KubeVersion, Labels, Selector, SnapshotField,
    label_selector::{SelectorIndex, Wording},
};
use hpa_objects::recording::{
    Snapshot,
    wire::{Downstream, FailedCreate, Nodes, NotRead, PodDisruptionBudget, ResourceQuota},
};
use serde::de::DeserializeOwned;

use crate::{
    OPTIONAL_PATIENCE,
    access::{Permission, not_read},
    api_error::ResourceName,
    client::Client,
    path::ApiPath,
};

/// The limits for the pods of a namespace, or of all.
pub(super) struct Downstreams {
    quotas: Result<Vec<ResourceQuota>, NotRead>,
    budgets: Result<BTreeMap<Option<String>, Budgets>, NotRead>,
}

/// The disruption budgets of a namespace that select any pods, and their selectors.
struct Budgets {
    budgets: Vec<PodDisruptionBudget>,
    selectors: SelectorIndex,
}

/// Objects that matter only in some situations.
pub(super) struct FurtherObjects {
    nodes: Option<Result<Nodes, NotRead>>,
    failed_creates: Vec<Option<Result<Vec<FailedCreate>, NotRead>>>,
}

/// Reads the limits for the pods of `namespace`; empty: of all namespaces.
pub(super) async fn read(client: &Client, namespace: &str) -> Downstreams {
    let (quotas, budgets) = future::join(
        list(client, "ResourceQuotas", namespace, QUOTAS),
        list(client, "PodDisruptionBudgets", namespace, BUDGETS),
    )
    .await;
    Downstreams {
        quotas,
        budgets: budgets.map(by_namespace),
    }
}

/// Reads what matters only if pods are missing, wait for a node, or cannot become more: nodes and failed creations, of
/// the listed namespace (empty: of all), or else of each HPA.
pub(super) async fn read_further(
    client: &Client,
    listed_namespace: Option<&str>,
    snapshots: &[Snapshot],
) -> FurtherObjects {
    let (nodes, failed_creates) = future::join(
        async {
            if snapshots.iter().any(nodes::can_matter) {
                Some(nodes::read(client).await)
            } else {
                None
            }
        },
        async {
            match listed_namespace {
                None => {
                    future::join_all(snapshots.iter().map(|snapshot| async {
                        let owner = failed_creates::owner_of_missing_pods(snapshot)?;
                        Some(failed_creates::read(client, &owner).await)
                    }))
                    .await
                }
                Some(namespace) => failed_creates::read_all(client, namespace, snapshots).await,
            }
        },
    )
    .await;
    FurtherObjects {
        nodes,
        failed_creates,
    }
}

impl FurtherObjects {
    /// Adds the data to the snapshots that it was read for.
    pub(super) fn share(self, snapshots: &mut [Snapshot]) {
        for (snapshot, failed_creates) in snapshots.iter_mut().zip(self.failed_creates) {
            let mut surroundings = snapshot.surroundings.take().unwrap_or_default();
            match &self.nodes {
                Some(nodes) if nodes::can_matter(snapshot) => match nodes {
                    Ok(nodes) => surroundings.downstream.nodes = Some(nodes.clone()),
                    Err(reason) => snapshot.not_read.push(reason.clone()),
                },
                _ => {}
            }
            match failed_creates {
                Some(Ok(events)) => surroundings.downstream.failed_creates = events,
                Some(Err(reason)) => snapshot.not_read.push(reason),
                None => {}
            }
            snapshot.surroundings = Some(surroundings);
        }
    }
}

impl Downstreams {
    /// The limits for the pods of the snapshot's target. What was not read is recorded in the snapshot.
    pub(super) fn around(&self, snapshot: &mut Snapshot) -> Downstream {
        let namespace = snapshot.hpa.metadata.namespace.clone();
        let resource_quotas = taken(&self.quotas, &mut snapshot.not_read).map(|quotas| {
            quotas
                .iter()
                .filter(|quota| quota.metadata.namespace == namespace)
                .map(|quota| without_labels(quota, |quota| &mut quota.metadata.labels))
                .collect()
        });
        let budgets = taken(&self.budgets, &mut snapshot.not_read);
        let pod_disruption_budgets = budgets.map(|budgets| {
            let budgets = budgets.get(&namespace);
            let budgets = budgets.map(|budgets| budgets.of(snapshot)).into_iter();
            budgets
                .flatten()
                .map(|budget| without_labels(budget, |budget| &mut budget.metadata.labels))
                .collect()
        });
        Downstream {
            resource_quotas,
            pod_disruption_budgets,
            ..Downstream::default()
        }
    }
}

fn taken<'a, T>(read: &'a Result<T, NotRead>, not_read: &mut Vec<NotRead>) -> Option<&'a T> {
    read.as_ref()
        .map_err(|reason| not_read.push(reason.clone()))
        .ok()
}

fn without_labels<T: Clone>(object: &T, labels: fn(&mut T) -> &mut Labels) -> T {
    let mut object = object.clone();
    *labels(&mut object) = Labels::default();
    object
}

impl Budgets {
    /// The budgets that select a pod of the snapshot. Without any pod that cannot be known, and all are kept.
    fn of(&self, snapshot: &Snapshot) -> Vec<&PodDisruptionBudget> {
        if snapshot.pods.is_empty() {
            return self.budgets.iter().collect();
        }
        let pods = snapshot.pods.iter();
        let places: BTreeSet<usize> = pods
            .flat_map(|pod| self.selectors.matching(&pod.metadata.labels))
            .collect();
        let budget = |place| &self.budgets[place];
        places.into_iter().map(budget).collect()
    }
}

fn by_namespace(all: Vec<PodDisruptionBudget>) -> BTreeMap<Option<String>, Budgets> {
    let mut by_namespace: BTreeMap<Option<String>, (Vec<_>, Vec<_>)> = BTreeMap::new();
    for budget in all {
        if let Some(selector) = selector(&budget) {
            let namespace = budget.metadata.namespace.clone();
            let (budgets, selectors) = by_namespace.entry(namespace).or_default();
            budgets.push(budget);
            selectors.push(selector);
        }
    }
    by_namespace
        .into_iter()
        .map(|(namespace, (budgets, selectors))| {
            let selectors = SelectorIndex::new(selectors);
            (namespace, Budgets { budgets, selectors })
        })
        .collect()
}

/// The selector of a budget; `None` if it selects no pod.
fn selector(budget: &PodDisruptionBudget) -> Option<Selector> {
    // The API server has validated it, so the wording is never shown.
    let wording = Wording::of(KubeVersion::NEWEST);
    let selector = budget.spec.selector.as_ref()?;
    selector.to_selector(wording).ok()
}

/// A kind that is listed.
struct DownstreamKind {
    group: &'static str,
    version: &'static str,
    resource: &'static str,
    field: SnapshotField,
}

const QUOTAS: DownstreamKind = DownstreamKind {
    group: "",
    version: "v1",
    resource: "resourcequotas",
    field: SnapshotField::ResourceQuotas,
};

const BUDGETS: DownstreamKind = DownstreamKind {
    group: "policy",
    version: "v1",
    resource: "poddisruptionbudgets",
    field: SnapshotField::DisruptionBudgets,
};

async fn list<T: DeserializeOwned>(
    client: &Client,
    what: &str,
    namespace: &str,
    kind: DownstreamKind,
) -> Result<Vec<T>, NotRead> {
    let path = ApiPath::new(kind.group, kind.version)
        .namespace_or_all(namespace)
        .segment(kind.resource);
    let about = ResourceName {
        group: kind.group,
        resource: kind.resource,
        name: "",
    };
    client
        .list(what, path, about, Some(OPTIONAL_PATIENCE))
        .await
        .map_err(|error| {
            let permission = Permission {
                verb: "list",
                group: kind.group,
                resource: kind.resource,
                namespace,
            };
            not_read(&error, kind.field, permission)
        })
}
