//! All pods and usages that HPAs select: one list of each, of the namespace or of all.

use std::collections::{BTreeMap, BTreeSet};

use futures::future;

use super::{CustomVersion, Gathering, SharedPods, Targets};
use crate::{
    cluster::{
        access::{Right, not_read},
        api_error::ResourceName,
        gather::{metric_answers::needs_pod_metrics, when},
        list::Piece,
        metrics::Reading,
        path::ApiPath,
        selection::namespace_of,
    },
    model::Selector,
    recording::wire::{self, NotRead, Pod, PodMetrics},
};

/// Reads them; of what was listed only the pods that some HPA selects are kept.
pub(super) async fn read<'a>(
    gathering: &'a Gathering<'_>,
    targets: &Targets,
    custom_version: &'a CustomVersion,
) -> BTreeMap<&'a str, SharedPods> {
    let mut selectors: BTreeMap<&str, BTreeMap<String, Selector>> = BTreeMap::new();
    let mut needs_usages = BTreeSet::new();
    for hpa in &gathering.selected.hpas {
        if let Some(selector) = gathering.selector(hpa, targets) {
            let namespace = namespace_of(hpa);
            let of_namespace = selectors.entry(namespace).or_default();
            of_namespace.insert(selector.to_string(), selector);
            if needs_pod_metrics(hpa) {
                needs_usages.insert(namespace);
            }
        }
    }
    if selectors.is_empty() {
        return BTreeMap::new();
    }
    // Those of one target are asked for by its selector.
    let all: Vec<(&str, &str)> = selectors
        .iter()
        .flat_map(|(namespace, of_namespace)| {
            of_namespace.keys().map(|text| (*namespace, text.as_str()))
        })
        .collect();
    let (namespace, selector) = match all[..] {
        [one] => one,
        _ => (gathering.namespace, ""),
    };
    let reader = gathering.metrics_reader(namespace, custom_version);
    let (pods, usages) = future::join(
        list(gathering, namespace, selector, &selectors),
        when(!needs_usages.is_empty(), reader.pod_metrics(selector)),
    )
    .await;
    let mut usages = usages.map(|usages| by_namespace(usages, namespace));
    let mut pods = pods;
    selectors
        .keys()
        .map(|namespace| {
            let pods = match &mut pods {
                Ok(pods) => Ok(pods.remove(*namespace).unwrap_or_default()),
                Err(reason) => Err(reason.clone()),
            };
            let usages = usages
                .as_mut()
                .filter(|_| needs_usages.contains(namespace))
                .map(|usages| match usages {
                    Ok((items, error)) => Ok(wire::Answer {
                        items: items.remove(*namespace).unwrap_or_default(),
                        error: error.clone(),
                    }),
                    Err(reason) => Err(reason.clone()),
                });
            (*namespace, SharedPods::of(pods, usages))
        })
        .collect()
}

type PodsByNamespace = BTreeMap<String, Vec<Pod>>;

async fn list(
    gathering: &Gathering<'_>,
    namespace: &str,
    selector: &str,
    selectors: &BTreeMap<&str, BTreeMap<String, Selector>>,
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
        Piece::Items(pods) => {
            for pod in pods {
                keep(pod, namespace, selectors, &mut kept);
            }
        }
        Piece::FromTheStart => kept.clear(),
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
        not_read(&error, "pods", right)
    })?;
    Ok(kept)
}

fn keep(
    pod: Pod,
    listed: &str,
    selectors: &BTreeMap<&str, BTreeMap<String, Selector>>,
    kept: &mut PodsByNamespace,
) {
    let namespace = pod.metadata.namespace.clone();
    let namespace = namespace.unwrap_or_else(|| listed.to_owned());
    let labels = &pod.metadata.labels;
    let is_selected = selectors
        .get(namespace.as_str())
        .is_some_and(|selectors| selectors.values().any(|selector| selector.matches(labels)));
    if is_selected {
        kept.entry(namespace).or_default().push(pod);
    }
}

type UsagesByNamespace = (BTreeMap<String, Vec<PodMetrics>>, Option<wire::Status>);

fn by_namespace(usages: Reading<PodMetrics>, listed: &str) -> Result<UsagesByNamespace, NotRead> {
    let answer = usages?;
    let mut items: BTreeMap<String, Vec<PodMetrics>> = BTreeMap::new();
    for item in answer.items {
        let namespace = item.metadata.namespace.clone();
        let namespace = namespace.unwrap_or_else(|| listed.to_owned());
        items.entry(namespace).or_default().push(item);
    }
    Ok((items, answer.error))
}
