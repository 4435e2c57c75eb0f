//! All pods and usages that HPAs select: one list of each, for the namespace or for all.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use futures::future;
use hpa_engine::model::SnapshotField;
use hpa_objects::recording::wire::{self, NotRead, Pod, PodMetrics};
use tokio::sync::SetOnce;

use super::Gathering;
use crate::{
    access::{Permission, not_read},
    api_error::ResourceName,
    gather::conditional::when,
    hpa_resource::namespace_of,
    list::{ListFormat, ListPiece},
    metrics::{MetricReading, needs_pod_metrics},
    path::ApiPath,
    state::{ClusterState, SelectorUsages},
    target::{self, TargetKey},
};

/// The results of the lists, besides the pods, which are in the state.
pub(super) struct ListedPods {
    pods: Result<(), NotRead>,
    /// `None` if no HPA needs them.
    usages: Option<Result<UsagesByNamespace, NotRead>>,
    /// The selector of the requests; empty: all pods.
    selector: String,
}

/// Reads the lists; only pods that some HPA selects are kept. If there are several targets, the lists start before
/// their selectors are known, which come with the `state`.
pub(super) async fn read(
    gathering: &Gathering<'_>,
    state: &SetOnce<RefCell<ClusterState>>,
) -> ListedPods {
    let hpas = gathering.selected.hpas();
    let targets: BTreeSet<TargetKey> = hpas.filter_map(target::key).collect();
    if 1 < targets.len() {
        let listed = list_both(gathering, gathering.namespace, "", state).await;
        // Without permission to list all namespaces, listing one may be allowed.
        if listed.is_whole() || 1 < selectors(gathering, state).await.len() {
            return listed;
        }
    }
    let selectors = selectors(gathering, state).await;
    // A first list may have ended early.
    state.wait().await.borrow_mut().pods.clear();
    let mut selectors = selectors.iter();
    match (selectors.next(), selectors.next()) {
        (None, _) => ListedPods {
            pods: Ok(()),
            usages: None,
            selector: String::new(),
        },
        // The pods of a single target are requested with its selector.
        (Some((namespace, selector)), None) => {
            list_both(gathering, namespace, selector, state).await
        }
        (Some(_), Some(_)) => list_both(gathering, gathering.namespace, "", state).await,
    }
}

/// The distinct selectors of the selected HPAs, with their namespaces.
async fn selectors<'a>(
    gathering: &'a Gathering<'_>,
    state: &SetOnce<RefCell<ClusterState>>,
) -> BTreeSet<(&'a str, String)> {
    let state = state.wait().await.borrow();
    let hpas = gathering.selected.hpas();
    hpas.filter_map(|hpa| {
        let selector = state.selector_of(hpa)?;
        Some((namespace_of(hpa), selector.to_string()))
    })
    .collect()
}

impl ListedPods {
    fn is_whole(&self) -> bool {
        self.pods.is_ok() && !matches!(self.usages, Some(Err(_)))
    }

    /// Why the pods are not known, if so.
    pub(super) fn not_read(&self) -> Option<NotRead> {
        self.pods.as_ref().err().cloned()
    }

    /// The usages of a namespace; they are taken once.
    pub(super) fn take_usages(&mut self, namespace: &str) -> Option<SelectorUsages> {
        let answer = match self.usages.as_mut()? {
            Ok((items, error)) => Ok(wire::Answer {
                items: items.remove(namespace).unwrap_or_default().into(),
                error: error.clone(),
            }),
            Err(reason) => Err(reason.clone()),
        };
        Some(SelectorUsages::new(answer, self.selector.clone()))
    }
}

async fn list_both(
    gathering: &Gathering<'_>,
    namespace: &str,
    selector: &str,
    state: &SetOnce<RefCell<ClusterState>>,
) -> ListedPods {
    // No custom metric is read.
    let custom_version = Ok(String::new());
    let reader = gathering.metrics_reader(namespace, &custom_version);
    let needs_usages = gathering.selected.hpas().any(needs_pod_metrics);
    let (pods, usages) = future::join(
        list(gathering, namespace, selector, state),
        when(needs_usages, reader.pod_metrics(selector)),
    )
    .await;
    ListedPods {
        pods,
        usages: usages.map(|usages| by_namespace(usages, namespace)),
        selector: selector.to_owned(),
    }
}

async fn list(
    gathering: &Gathering<'_>,
    namespace: &str,
    selector: &str,
    state: &SetOnce<RefCell<ClusterState>>,
) -> Result<(), NotRead> {
    let path = ApiPath::new("", "v1")
        .namespace_or_all(namespace)
        .segment("pods")
        .query_unless_empty("labelSelector", selector);
    let about = ResourceName {
        group: "",
        resource: "pods",
        name: "",
    };
    let take = async |piece: ListPiece<Arc<Pod>>| {
        let known = &mut state.wait().await.borrow_mut().pods;
        match piece {
            ListPiece::Items(pods) => {
                for pod in pods {
                    known.put_selected(namespace, pod);
                }
            }
            ListPiece::FromTheStart => known.clear(),
        }
    };
    let read = gathering
        .client
        .for_each_piece(ListFormat::protobuf(), "pods", path, about, None, take)
        .await;
    let Err(error) = read else {
        return Ok(());
    };
    state.wait().await.borrow_mut().pods.clear();
    let permission = Permission {
        verb: "list",
        group: "",
        resource: "pods",
        namespace,
    };
    Err(not_read(&error, SnapshotField::Pods, permission))
}

type UsagesByNamespace = (
    BTreeMap<String, Vec<Arc<PodMetrics>>>,
    Option<wire::ApiError>,
);

fn by_namespace(
    usages: MetricReading<Arc<PodMetrics>>,
    listed: &str,
) -> Result<UsagesByNamespace, NotRead> {
    let answer = usages?;
    let mut items: BTreeMap<String, Vec<Arc<PodMetrics>>> = BTreeMap::new();
    for item in answer.items.into_vec() {
        let namespace = item.metadata.namespace.clone();
        let namespace = namespace.unwrap_or_else(|| listed.to_owned());
        items.entry(namespace).or_default().push(item);
    }
    Ok((items, answer.error))
}
