//! Custom and external metrics of many HPAs: each distinct metric is requested once.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use futures::{StreamExt as _, future, stream};
use hpa_engine::model::{Shared, SnapshotField};
use hpa_objects::recording::{
    Snapshot,
    wire::{Answer, ExternalMetricValue, Hpa, MetricSpec, MetricValue, NotRead, Pod},
};

use crate::{
    PARALLEL, access,
    hpa_resource::namespace_of,
    metrics::{MetricReading, MetricsReader},
};

/// The answers, by request key.
#[derive(Debug, Default)]
pub(crate) struct SharedMetrics {
    custom: BTreeMap<Key, MetricReading<MetricValue>>,
    external: BTreeMap<Key, MetricReading<ExternalMetricValue>>,
    /// Pods metrics that were read for the pods of a single selector.
    of_one: BTreeMap<Key, String>,
    /// Pods metrics that were read for all pods of a namespace: the indexes of each pod's values in the answer.
    of_namespace: BTreeMap<Key, BTreeMap<String, Vec<usize>>>,
    /// Pods metrics that were read again for the pods of one selector.
    of_selector: BTreeMap<(Key, String), MetricReading<MetricValue>>,
}

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

/// Namespace, and the source without its target as JSON.
type Key = (String, String);

/// A metric at its place in the spec of the first HPA that has it.
type PlacedMetric<'a> = (usize, &'a MetricSpec);

/// For Pods metrics: the selectors of the pods that they are requested for.
type SelectorsOf<'a> = BTreeMap<Key, (PlacedMetric<'a>, BTreeSet<String>)>;

impl SharedMetrics {
    /// Requests each metric once. A Pods metric that several HPAs use is requested for all pods of the namespace.
    pub(crate) async fn read(requested: &[MetricsRequest<'_>], reader: MetricsReader<'_>) -> Self {
        let mut selectors_of = SelectorsOf::new();
        for MetricsRequest { hpa, selector, .. } in requested {
            for (index, metric) in hpa.spec.metrics.iter().enumerate() {
                let Some(key) = key(hpa, metric) else {
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
        let answers: Vec<(Key, Recipient, MetricAnswer)> = stream::iter(selectors_of)
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
        let mut shared = Self::default();
        for (key, recipient, answer) in answers {
            match answer {
                MetricAnswer::Custom(answer) => {
                    match recipient {
                        Recipient::Everybody => {}
                        Recipient::Pods(selector) => {
                            shared.of_one.insert(key.clone(), selector);
                        }
                        Recipient::AllPods => {
                            let places = places(answer.as_ref().ok());
                            shared.of_namespace.insert(key.clone(), places);
                        }
                    }
                    shared.custom.insert(key, answer);
                }
                MetricAnswer::External(answer) => {
                    shared.external.insert(key, answer);
                }
            }
        }
        shared
    }

    /// Requests again, for the pods of an HPA, what a namespace-wide answer lacks for them: only this shows the
    /// controller's answer.
    pub(crate) async fn read_missing(
        &mut self,
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
                    (key(hpa, metric), &metric.pods, selector)
                    && let (Some(places), Some(Ok(Answer { error: None, .. }))) =
                        (self.of_namespace.get(&key), self.custom.get(&key))
                    && !pods
                        .iter()
                        .any(|pod| places.contains_key(&pod.metadata.name))
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
        self.of_selector.extend(answers);
    }

    /// Adds the answers of an HPA to its snapshot, if that already has its pods. Returns the indexes of metrics that
    /// were not requested, or that a namespace-wide answer lacks for its pods.
    #[must_use]
    pub(crate) fn share(
        &self,
        hpa: &Hpa,
        selector: Option<&str>,
        snapshot: &mut Snapshot,
    ) -> Vec<usize> {
        let mut missing = Vec::new();
        for (index, metric) in hpa.spec.metrics.iter().enumerate() {
            let Some(key) = key(hpa, metric) else {
                continue;
            };
            if metric.metric_type == "External" {
                match self.external.get(&key) {
                    Some(Ok(answer)) => snapshot.external_metrics.push(answer.clone().at(index)),
                    Some(Err(reason)) => {
                        snapshot
                            .not_read
                            .push(at(reason, SnapshotField::ExternalMetrics(Some(index))));
                    }
                    None => missing.push(index),
                }
                continue;
            }
            if metric.metric_type == "Pods" && selector.is_none() {
                continue;
            }
            match self.custom_answer(key, selector, snapshot) {
                Some(answer) => store_custom(index, answer, snapshot),
                None => missing.push(index),
            }
        }
        missing
    }

    fn custom_answer(
        &self,
        key: Key,
        selector: Option<&str>,
        snapshot: &Snapshot,
    ) -> Option<MetricReading<MetricValue>> {
        let answer = self.custom.get(&key)?;
        if let (Some(selectors_of), Some(selector)) = (self.of_one.get(&key), selector)
            && selectors_of != selector
        {
            return None;
        }
        let (Some(places), Ok(Answer { items, error: None })) =
            (self.of_namespace.get(&key), answer)
        else {
            return Some(answer.clone());
        };
        let mut own: Vec<usize> = snapshot
            .pods
            .iter()
            .filter_map(|pod| places.get(&pod.metadata.name))
            .flatten()
            .copied()
            .collect();
        own.sort_unstable();
        if own.is_empty() {
            let selector = selector.unwrap_or_default().to_owned();
            return self.of_selector.get(&(key, selector)).cloned();
        }
        let items: Vec<_> = own.into_iter().map(|place| items[place].clone()).collect();
        Some(Ok(Answer::of(items)))
    }

    /// For all answers of the custom metrics API, and of the external one: why each failed.
    pub(crate) fn failures(&self) -> [Vec<Option<AnswerFailure>>; 2] {
        [
            self.custom.values().map(failing).collect(),
            self.external.values().map(failing).collect(),
        ]
    }
}

/// Why an answer failed: its code if the API itself answered, and the reason.
pub(crate) type AnswerFailure = (Option<u16>, String);

fn failing<T>(reading: &MetricReading<T>) -> Option<AnswerFailure> {
    match reading {
        Ok(answer) => {
            let error = answer.error.as_ref()?;
            Some((Some(error.code), error.message.clone()))
        }
        Err(reason) => Some((None, access::description(reason))),
    }
}

fn store_custom(index: usize, answer: MetricReading<MetricValue>, snapshot: &mut Snapshot) {
    match answer {
        Ok(answer) => snapshot.custom_metrics.push(answer.at(index)),
        Err(reason) => snapshot
            .not_read
            .push(at(&reason, SnapshotField::CustomMetrics(Some(index)))),
    }
    snapshot.custom_metrics.sort_by_key(|answer| answer.index);
}

/// The recipients of an answer.
enum Recipient {
    /// Every HPA with this metric.
    Everybody,
    /// Every HPA whose target has this selector.
    Pods(String),
    /// Every HPA, each with its part.
    AllPods,
}

enum MetricAnswer {
    Custom(MetricReading<MetricValue>),
    External(MetricReading<ExternalMetricValue>),
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
        // `key` returns `None` for these.
        _ => MetricAnswer::External(future::ready(Ok(Answer::of(Vec::new()))).await),
    }
}

fn places(answer: Option<&Answer<MetricValue>>) -> BTreeMap<String, Vec<usize>> {
    let mut places: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (place, item) in answer.iter().flat_map(|answer| &answer.items).enumerate() {
        let name = item.described_object.name.clone();
        places.entry(name).or_default().push(place);
    }
    places
}

fn at(reason: &NotRead, what: SnapshotField) -> NotRead {
    NotRead {
        what,
        ..reason.clone()
    }
}

/// The key that distinguishes requests for metrics; `None` if the metric has no request of its own.
fn key(hpa: &Hpa, metric: &MetricSpec) -> Option<Key> {
    let source = match metric.metric_type.as_str() {
        "External" => serde_json::to_string(&("External", &metric.external.as_ref()?.metric)),
        "Pods" => serde_json::to_string(&("Pods", &metric.pods.as_ref()?.metric)),
        "Object" => {
            let source = metric.object.as_ref()?;
            serde_json::to_string(&("Object", &source.described_object, &source.metric))
        }
        _ => return None,
    };
    Some((namespace_of(hpa).to_owned(), source.ok()?))
}
