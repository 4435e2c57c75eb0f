//! Requests for the custom and external metrics of many HPAs: each distinct metric is requested once.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use futures::{StreamExt as _, future, stream};
use hpa_engine::model::Shared;
use hpa_objects::recording::wire::{Hpa, MetricRead, Pod};

use crate::{
    PARALLEL,
    metrics::{MetricAnswer, MetricsReader},
    state::{MetricKey, Recipient, SharedMetrics, requested_metric},
};

/// An HPA whose metrics are needed.
#[derive(Clone, Debug)]
pub(crate) struct MetricsRequest<'a> {
    /// The HPA.
    pub(crate) hpa: &'a Hpa,
    /// The selector of its target; without one the controller does not request Pods metrics.
    pub(crate) selector: Option<String>,
    /// Its pods, as soon as they are known.
    pub(crate) pods: Shared<Arc<Pod>>,
}

/// A metric at its place in the spec of the first HPA that has it.
type PlacedMetric<'a> = (usize, MetricRead<'a>);

/// For Pods metrics: the selectors of the pods that they are requested for.
type SelectorsOf<'a> = BTreeMap<MetricKey, (PlacedMetric<'a>, BTreeSet<String>)>;

/// Requests each metric once. A Pods metric that several HPAs use is requested for all pods of the namespace.
pub(crate) async fn read(
    requested: &[MetricsRequest<'_>],
    reader: MetricsReader<'_>,
) -> SharedMetrics {
    let mut selectors_of = SelectorsOf::new();
    for MetricsRequest { hpa, selector, .. } in requested {
        for (index, metric) in hpa.spec.metrics.iter().enumerate() {
            let Some((key, read)) = requested_metric(hpa, metric) else {
                continue;
            };
            if read.is_of_pods() && selector.is_none() {
                continue;
            }
            let (_, selectors) = selectors_of
                .entry(key)
                .or_insert_with(|| ((index, read), BTreeSet::new()));
            selectors.extend(selector.clone());
        }
    }
    let answers: Vec<(MetricKey, Recipient, MetricAnswer)> = stream::iter(selectors_of)
        .map(|(key, ((index, metric), selectors))| async move {
            let recipient = match selectors.into_iter().collect::<Vec<_>>().as_slice() {
                _ if !metric.is_of_pods() => Recipient::Everybody,
                [selector] => Recipient::Pods(selector.clone()),
                _ => Recipient::AllPods,
            };
            let selector = match &recipient {
                Recipient::Pods(selector) => selector,
                Recipient::Everybody | Recipient::AllPods => "",
            };
            let answer = reader
                .of(&key.0)
                .metric(index, metric, Some(selector))
                .await?;
            Some((key, recipient, answer))
        })
        .buffered(PARALLEL)
        .filter_map(future::ready)
        .collect()
        .await;
    let mut shared = SharedMetrics::default();
    for (key, recipient, answer) in answers {
        shared.take(key, recipient, answer);
    }
    shared
}

/// Requests again, for the pods of an HPA, what a namespace-wide answer lacks for them: only this shows the
/// controller's answer.
pub(crate) async fn read_missing(
    shared: &mut SharedMetrics,
    requested: &[MetricsRequest<'_>],
    reader: MetricsReader<'_>,
) {
    let mut selectors_of = BTreeMap::new();
    for MetricsRequest {
        hpa,
        selector,
        pods,
    } in requested
    {
        for (index, metric) in hpa.spec.metrics.iter().enumerate() {
            if let (Some((key, MetricRead::OfPods(metric))), Some(selector)) =
                (requested_metric(hpa, metric), selector)
                && shared.lacks(&key, pods)
            {
                let place = selectors_of.entry((key, selector.clone()));
                place.or_insert((index, metric));
            }
        }
    }
    let answers: Vec<_> = stream::iter(selectors_of)
        .map(|(selectors_of, (index, metric))| async move {
            let ((namespace, _), selector) = &selectors_of;
            let answer = reader
                .of(namespace)
                .custom_pods_metric(index, metric, selector)
                .await;
            (selectors_of, answer)
        })
        .buffered(PARALLEL)
        .collect()
        .await;
    shared.take_missing(answers);
}
