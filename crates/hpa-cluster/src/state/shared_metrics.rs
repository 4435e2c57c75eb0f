//! Custom and external metrics of many HPAs: the answer to each distinct request, which they share.

use std::{collections::BTreeMap, sync::Arc};

use hpa_engine::model::SnapshotField;
use hpa_objects::recording::{
    Snapshot,
    wire::{Answer, ExternalMetricValue, Hpa, MetricRead, MetricSpec, MetricValue, NotRead, Pod},
};

use crate::{
    access,
    hpa_resource::namespace_of,
    metrics::{MetricAnswer, MetricReading},
};

/// The answers, by request key.
#[derive(Debug, Default)]
pub(crate) struct SharedMetrics {
    custom: BTreeMap<MetricKey, MetricReading<MetricValue>>,
    external: BTreeMap<MetricKey, MetricReading<ExternalMetricValue>>,
    /// Pods metrics that were read for the pods of a single selector.
    of_one: BTreeMap<MetricKey, String>,
    /// Pods metrics that were read for all pods of a namespace: the indexes of each pod's values in the answer.
    of_namespace: BTreeMap<MetricKey, BTreeMap<String, Vec<usize>>>,
    /// Pods metrics that were read again for the pods of one selector.
    of_selector: BTreeMap<(MetricKey, String), MetricReading<MetricValue>>,
}

/// Namespace, and the source without its target as JSON.
pub(crate) type MetricKey = (String, String);

impl SharedMetrics {
    /// Takes the answer to a request.
    pub(crate) fn take(&mut self, key: MetricKey, recipient: Recipient, answer: MetricAnswer) {
        let answer = match answer {
            MetricAnswer::Custom(answer) => answer,
            MetricAnswer::External(answer) => {
                self.external.insert(key, answer);
                return;
            }
        };
        match recipient {
            Recipient::Everybody => {}
            Recipient::Pods(selector) => {
                self.of_one.insert(key.clone(), selector);
            }
            Recipient::AllPods => {
                let places = places(answer.as_ref().ok());
                self.of_namespace.insert(key.clone(), places);
            }
        }
        self.custom.insert(key, answer);
    }

    /// Whether a namespace-wide answer lacks a metric for all of these pods.
    pub(crate) fn lacks(&self, key: &MetricKey, pods: &[Arc<Pod>]) -> bool {
        let (Some(places), Some(Ok(Answer { error: None, .. }))) =
            (self.of_namespace.get(key), self.custom.get(key))
        else {
            return false;
        };
        let mut pods = pods.iter();
        !pods.any(|pod| places.contains_key(&pod.metadata.name))
    }

    /// Takes the answers to requests for what [`Self::lacks`] names, each for the pods of one selector.
    pub(crate) fn take_missing(
        &mut self,
        answers: impl IntoIterator<Item = ((MetricKey, String), MetricReading<MetricValue>)>,
    ) {
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
            let Some((key, read)) = requested_metric(hpa, metric) else {
                continue;
            };
            if let MetricRead::External(_) = read {
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
            if read.is_of_pods() && selector.is_none() {
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
        key: MetricKey,
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
pub(crate) enum Recipient {
    /// Every HPA with this metric.
    Everybody,
    /// Every HPA whose target has this selector.
    Pods(String),
    /// Every HPA, each with its part.
    AllPods,
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

/// What is read for a metric, and what distinguishes this read from others; `None` if the metric has no request of its
/// own.
pub(crate) fn requested_metric<'a>(
    hpa: &Hpa,
    metric: &'a MetricSpec,
) -> Option<(MetricKey, MetricRead<'a>)> {
    let read = metric.read().filter(|read| *read != MetricRead::Usages)?;
    let key = serde_json::to_string(&read).ok()?;
    Some(((namespace_of(hpa).to_owned(), key), read))
}
