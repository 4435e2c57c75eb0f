//! Requests for the custom and external metrics of many HPAs: each distinct metric is requested once.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use futures::{StreamExt as _, stream};
use hpa_engine::model::Shared;
use hpa_objects::recording::wire::{Answer, Hpa, MetricSpec, Pod};

use crate::{
    PARALLEL,
    metrics::MetricsReader,
    state::{MetricAnswer, MetricKey, Recipient, SharedMetrics, metric_key},
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
type PlacedMetric<'a> = (usize, &'a MetricSpec);

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
            let Some(key) = metric_key(hpa, metric) else {
                continue;
            };
            if metric.metric_type == "Pods" && selector.is_none() {
                continue;
            }
            let (_, selectors) = selectors_of
                .entry(key)
                .or_insert_with(|| ((index, metric), BTreeSet::new()));
            selectors.extend(selector.clone());
        }
    }
    let answers: Vec<(MetricKey, Recipient, MetricAnswer)> = stream::iter(selectors_of)
        .map(|(key, (metric, selectors))| async move {
            let recipient = match selectors.into_iter().collect::<Vec<_>>().as_slice() {
                _ if metric.1.metric_type != "Pods" => Recipient::Everybody,
                [selector] => Recipient::Pods(selector.clone()),
                _ => Recipient::AllPods,
            };
            let selector = match &recipient {
                Recipient::Pods(selector) => selector,
                Recipient::Everybody | Recipient::AllPods => "",
            };
            let answer = ask(&reader.of(&key.0), metric, selector).await;
            (key, recipient, answer)
        })
        .buffered(PARALLEL)
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
            if let (Some(key), Some(source), Some(selector)) =
                (metric_key(hpa, metric), &metric.pods, selector)
                && shared.lacks(&key, pods)
            {
                let place = selectors_of.entry((key, selector.clone()));
                place.or_insert((index, source));
            }
        }
    }
    let answers: Vec<_> = stream::iter(selectors_of)
        .map(|(selectors_of, (index, source))| async move {
            let ((namespace, _), selector) = &selectors_of;
            let answer = reader
                .of(namespace)
                .custom_pods_metric(index, source, selector)
                .await;
            (selectors_of, answer)
        })
        .buffered(PARALLEL)
        .collect()
        .await;
    shared.take_missing(answers);
}

async fn ask(
    reader: &MetricsReader<'_>,
    (index, metric): PlacedMetric<'_>,
    selector: &str,
) -> MetricAnswer {
    match (&metric.pods, &metric.object, &metric.external) {
        (Some(source), _, _) if metric.metric_type == "Pods" => {
            MetricAnswer::Custom(reader.custom_pods_metric(index, source, selector).await)
        }
        (_, Some(source), _) if metric.metric_type == "Object" => {
            MetricAnswer::Custom(reader.object_metric(index, source).await)
        }
        (_, _, Some(source)) => MetricAnswer::External(reader.external_metric(index, source).await),
        // These have no key.
        _ => MetricAnswer::External(Ok(Answer::of(Vec::new()))),
    }
}
