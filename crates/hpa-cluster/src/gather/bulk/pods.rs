//! All pods and usages that HPAs select: one list of each, for the namespace or for all.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use futures::future;
use hpa_engine::model::{Selector, SnapshotField};
use hpa_objects::recording::wire::{self, NotRead, Pod, PodMetrics};
use tokio::sync::SetOnce;

use super::{Gathering, PodSelectors, SharedPods, TargetMap};
use crate::{
    access::{Permission, not_read},
    api_error::ResourceName,
    gather::conditional::when,
    hpa_resource::namespace_of,
    list::{ListFormat, ListPiece},
    metrics::{MetricReading, needs_pod_metrics},
    path::ApiPath,
    target::{self, TargetKey},
};

/// The selectors of the HPAs, by namespace.
pub(super) fn selectors<'a>(gathering: &'a Gathering<'_>, targets: &TargetMap) -> Selectors<'a> {
    let mut selectors: BTreeMap<&str, Vec<Selector>> = BTreeMap::new();
    for hpa in &gathering.selected.hpas {
        if let Some(selector) = gathering.selector(hpa, targets) {
            let of_namespace = selectors.entry(namespace_of(hpa)).or_default();
            of_namespace.push(selector);
        }
    }
    selectors
        .into_iter()
        .map(|(namespace, selectors)| (namespace, PodSelectors::new(selectors)))
        .collect()
}

/// The selectors of all HPAs, by namespace.
pub(super) type Selectors<'a> = BTreeMap<&'a str, PodSelectors>;

/// The results of the lists.
pub(super) struct ListedPods {
    pods: Result<PodsByNamespace, NotRead>,
    /// `None` if no HPA needs them.
    usages: Option<Result<UsagesByNamespace, NotRead>>,
}

/// Reads the lists; only pods that some HPA selects are kept. If there are several targets, the lists start before
/// their `selectors` are known.
pub(super) async fn read(
    gathering: &Gathering<'_>,
    selectors: &SetOnce<Selectors<'_>>,
) -> ListedPods {
    let hpas = gathering.selected.hpas.iter();
    let targets: BTreeSet<TargetKey> = hpas.filter_map(target::key).collect();
    if 1 < targets.len() {
        let listed = list_both(gathering, gathering.namespace, "", selectors).await;
        // Without permission to list all namespaces, listing one may be allowed.
        if listed.is_whole() || only(selectors.wait().await).is_none() {
            return listed;
        }
    }
    let known = selectors.wait().await;
    if known.is_empty() {
        return ListedPods {
            pods: Ok(PodsByNamespace::new()),
            usages: None,
        };
    }
    // The pods of a single target are requested with its selector.
    let (namespace, selector) = only(known).unwrap_or((gathering.namespace, ""));
    list_both(gathering, namespace, selector, selectors).await
}

/// The pods of each namespace.
pub(super) fn shared<'a>(
    gathering: &Gathering<'_>,
    selectors: Selectors<'a>,
    listed: ListedPods,
) -> BTreeMap<&'a str, SharedPods> {
    let needs_usages: BTreeSet<&str> = needing_usages(gathering).collect();
    let ListedPods {
        mut pods,
        mut usages,
    } = listed;
    selectors
        .into_iter()
        .map(|(namespace, selectors)| {
            let pods = match &mut pods {
                Ok(pods) => Ok(pods.remove(namespace).unwrap_or_default()),
                Err(reason) => Err(reason.clone()),
            };
            let usages = usages
                .as_mut()
                .filter(|_| needs_usages.contains(namespace))
                .map(|usages| match usages {
                    Ok((items, error)) => Ok(wire::Answer {
                        items: items.remove(namespace).unwrap_or_default().into(),
                        error: error.clone(),
                    }),
                    Err(reason) => Err(reason.clone()),
                });
            (namespace, SharedPods::of(selectors, pods, usages))
        })
        .collect()
}

impl ListedPods {
    fn is_whole(&self) -> bool {
        self.pods.is_ok() && !matches!(self.usages, Some(Err(_)))
    }
}

/// The namespaces of HPAs that need usages.
fn needing_usages<'a>(gathering: &'a Gathering<'_>) -> impl Iterator<Item = &'a str> {
    let hpas = gathering.selected.hpas.iter();
    hpas.filter(|hpa| needs_pod_metrics(hpa)).map(namespace_of)
}

/// Namespace and text of the selector, if there is exactly one.
fn only<'a>(selectors: &'a Selectors<'_>) -> Option<(&'a str, &'a str)> {
    let mut all = selectors
        .iter()
        .flat_map(|(namespace, selectors)| selectors.texts().map(|text| (*namespace, text)));
    all.next().filter(|_| all.next().is_none())
}

async fn list_both(
    gathering: &Gathering<'_>,
    namespace: &str,
    selector: &str,
    selectors: &SetOnce<Selectors<'_>>,
) -> ListedPods {
    // No custom metric is read.
    let custom_version = Ok(String::new());
    let reader = gathering.metrics_reader(namespace, &custom_version);
    let needs_usages = needing_usages(gathering).next().is_some();
    let (pods, usages) = future::join(
        list(gathering, namespace, selector, selectors),
        when(needs_usages, reader.pod_metrics(selector)),
    )
    .await;
    ListedPods {
        pods,
        usages: usages.map(|usages| by_namespace(usages, namespace)),
    }
}

type PodsByNamespace = BTreeMap<String, Vec<Arc<Pod>>>;

async fn list(
    gathering: &Gathering<'_>,
    namespace: &str,
    selector: &str,
    selectors: &SetOnce<Selectors<'_>>,
) -> Result<PodsByNamespace, NotRead> {
    let path = ApiPath::new("", "v1")
        .namespace_or_all(namespace)
        .segment("pods")
        .query_unless_empty("labelSelector", selector);
    let about = ResourceName {
        group: "",
        resource: "pods",
        name: "",
    };
    let mut kept = PodsByNamespace::new();
    let take = async |piece| match piece {
        ListPiece::Items(pods) => {
            let selectors = selectors.wait().await;
            for pod in pods {
                keep(pod, namespace, selectors, &mut kept);
            }
        }
        ListPiece::FromTheStart => kept.clear(),
    };
    let read = gathering
        .client
        .for_each_piece_as(ListFormat::protobuf(), "pods", path, about, None, take)
        .await;
    read.map_err(|error| {
        let permission = Permission {
            verb: "list",
            group: "",
            resource: "pods",
            namespace,
        };
        not_read(&error, SnapshotField::Pods, permission)
    })?;
    Ok(kept)
}

fn keep(pod: Arc<Pod>, listed: &str, selectors: &Selectors<'_>, kept: &mut PodsByNamespace) {
    let namespace = pod.metadata.namespace.clone();
    let namespace = namespace.unwrap_or_else(|| listed.to_owned());
    let is_selected = selectors
        .get(namespace.as_str())
        .is_some_and(|selectors| !selectors.matching(&pod.metadata.labels).is_empty());
    if is_selected {
        kept.entry(namespace).or_default().push(pod);
    }
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
