//! All pods and usages that HPAs select: one list of each, of the namespace or of all.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use futures::future;

use super::{CustomVersion, Gathering, PodSelectors, SharedPods, TargetMap};
use crate::{
    access::{Right, not_read},
    api_error::ResourceName,
    gather::{metric_answers::needs_pod_metrics, when},
    list::ListPiece,
    metrics::MetricReading,
    model::{Selector, SnapshotField},
    path::ApiPath,
    recording::wire::{self, NotRead, Pod, PodMetrics},
    selection::namespace_of,
};

/// The selectors of the HPAs, by namespace.
pub(super) fn selectors<'a>(
    gathering: &'a Gathering<'_>,
    targets: &TargetMap,
) -> BTreeMap<&'a str, PodSelectors> {
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

/// Reads them; of what was listed only the pods that some HPA selects are kept.
pub(super) async fn read<'a>(
    gathering: &'a Gathering<'_>,
    requested: BTreeMap<&'a str, PodSelectors>,
    custom_version: &'a CustomVersion,
) -> BTreeMap<&'a str, SharedPods> {
    if requested.is_empty() {
        return BTreeMap::new();
    }
    let needs_usages: BTreeSet<&str> = gathering
        .selected
        .hpas
        .iter()
        .filter(|hpa| needs_pod_metrics(hpa))
        .map(namespace_of)
        .filter(|namespace| requested.contains_key(namespace))
        .collect();
    // Those of one target are asked for by its selector.
    let all: Vec<(&str, &str)> = requested
        .iter()
        .flat_map(|(namespace, requested)| requested.texts().map(|text| (*namespace, text)))
        .take(2)
        .collect();
    let (namespace, selector) = match all[..] {
        [one] => one,
        _ => (gathering.namespace, ""),
    };
    let reader = gathering.metrics_reader(namespace, custom_version);
    let (pods, usages) = future::join(
        list(gathering, namespace, selector, &requested),
        when(!needs_usages.is_empty(), reader.pod_metrics(selector)),
    )
    .await;
    let mut usages = usages.map(|usages| by_namespace(usages, namespace));
    let mut pods = pods;
    requested
        .into_iter()
        .map(|(namespace, requested)| {
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
            (namespace, SharedPods::of(requested, pods, usages))
        })
        .collect()
}

type PodsByNamespace = BTreeMap<String, Vec<Arc<Pod>>>;

async fn list(
    gathering: &Gathering<'_>,
    namespace: &str,
    selector: &str,
    requested: &BTreeMap<&str, PodSelectors>,
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
    let take = |piece| match piece {
        ListPiece::Items(pods) => {
            for pod in pods {
                keep(pod, namespace, requested, &mut kept);
            }
        }
        ListPiece::FromTheStart => kept.clear(),
    };
    let read = gathering
        .client
        .for_each_piece("pods", path, about, None, take)
        .await;
    read.map_err(|error| {
        let right = Right {
            verb: "list",
            group: "",
            resource: "pods",
            namespace,
        };
        not_read(&error, SnapshotField::Pods, right)
    })?;
    Ok(kept)
}

fn keep(
    pod: Arc<Pod>,
    listed: &str,
    requested: &BTreeMap<&str, PodSelectors>,
    kept: &mut PodsByNamespace,
) {
    let namespace = pod.metadata.namespace.clone();
    let namespace = namespace.unwrap_or_else(|| listed.to_owned());
    let is_selected = requested
        .get(namespace.as_str())
        .is_some_and(|requested| !requested.matching(&pod.metadata.labels).is_empty());
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
