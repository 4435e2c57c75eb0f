//! Polling of metrics, and their latest values.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use futures::future;
use hpa_engine::model::{Labels, Selector, Shared, SnapshotField, Source, label_selector::Wording};
use hpa_objects::recording::{
    Snapshot,
    wire::{Answer, Hpa, Pod, PodMetrics},
};

use super::{
    pods::{Pods, SelectorText},
    subject::not_yet,
};
use crate::{
    access,
    client::{Client, ClientError},
    discovery::Discovery,
    gather::{
        AnswerFailure, MetricsRequest, SharedMetrics, needs_custom_metrics, needs_pod_metrics,
    },
    metrics::{self, MetricReading, MetricsReader},
};

/// The metrics to request.
pub(super) struct MetricsPlan {
    namespace: String,
    wording: Wording,
    hpas: Vec<MetricsConsumer>,
}

/// An HPA that needs metrics.
struct MetricsConsumer {
    hpa: Hpa,
    selector: Option<Selector>,
    /// Whether its target is still being read, so that its selector may become known soon.
    is_early: bool,
    /// Its pods, if it has Pods metrics.
    pods: BTreeSet<String>,
}

/// The metrics of a namespace at one instant.
#[derive(Debug)]
pub(super) struct Metrics {
    usages: Option<SelectorUsages>,
    others: SharedMetrics,
    /// The HPAs that they were requested for, except those whose target was still being read.
    of: BTreeSet<String>,
    /// Whether no target was still being read.
    is_whole: bool,
}

#[derive(Debug)]
struct SelectorUsages {
    answer: MetricReading<Arc<PodMetrics>>,
    /// The selector of the request; empty: all pods of the namespace.
    selector: String,
    /// The indexes that each selector matches.
    by_selector: BTreeMap<SelectorText, Vec<usize>>,
    /// Usages without labels.
    without_labels: Vec<usize>,
    /// The latest answers given to the HPAs of each selector.
    shared: RefCell<BTreeMap<String, SelectorAnswers>>,
}

/// The answers given to the HPAs of a selector.
#[derive(Debug)]
struct SelectorAnswers {
    pods: Shared<Arc<Pod>>,
    usages: Shared<Arc<PodMetrics>>,
}

impl MetricsPlan {
    /// An empty plan.
    pub(super) fn new(namespace: &str, wording: Wording) -> Self {
        Self {
            namespace: namespace.to_owned(),
            wording,
            hpas: Vec::new(),
        }
    }

    /// Adds an HPA and the selector of its target; `is_early` if that target is still being read.
    pub(super) fn add(
        &mut self,
        hpa: &Hpa,
        selector: Option<Selector>,
        is_early: bool,
        pods: &Pods,
    ) {
        let names = |selector: &Selector| {
            let pods = pods.selected(&self.namespace, &selector.to_string());
            pods.iter().map(|pod| pod.metadata.name.clone()).collect()
        };
        let has_pods_metric = hpa
            .spec
            .metrics
            .iter()
            .any(|metric| metric.metric_type == "Pods");
        self.hpas.push(MetricsConsumer {
            hpa: hpa.clone(),
            is_early,
            pods: selector
                .as_ref()
                .filter(|_| has_pods_metric)
                .map(names)
                .unwrap_or_default(),
            selector,
        });
    }

    /// Requests everything in parallel.
    pub(super) async fn read(self, client: &Client, discovery: &Discovery) -> Metrics {
        let custom_version = async {
            if !self.hpas.iter().any(|one| needs_custom_metrics(&one.hpa)) {
                return Ok(String::new());
            }
            let request = metrics::custom_version(client);
            tokio::time::timeout(PATIENCE, request)
                .await
                .unwrap_or_else(|_| Err(ClientError::NoAnswer(client.too_late(PATIENCE))))
        };
        let none = Ok(String::new());
        let reader = MetricsReader {
            client,
            discovery,
            namespace: &self.namespace,
            wording: self.wording,
            custom_version: &none,
            patience: Some(PATIENCE),
        };
        let (usages, others) = future::join(self.read_usages(reader), async {
            let custom_version = custom_version.await;
            let reader = MetricsReader {
                custom_version: &custom_version,
                ..reader
            };
            self.read_others(reader).await
        })
        .await;
        let in_time = self.hpas.iter().filter(|one| !one.is_early);
        Metrics {
            usages,
            others,
            of: in_time.map(|one| one.hpa.metadata.name.clone()).collect(),
            is_whole: !self.hpas.iter().any(|one| one.is_early),
        }
    }

    async fn read_usages(&self, reader: MetricsReader<'_>) -> Option<SelectorUsages> {
        let needing = self.hpas.iter().filter(|one| needs_pod_metrics(&one.hpa));
        let selectors: BTreeSet<String> = needing
            .filter_map(|one| Some(one.selector.as_ref()?.to_string()))
            .collect();
        // The usages of a single target are requested with its selector.
        let selector = match selectors.len() {
            0 => return None,
            1 => selectors.into_iter().next().unwrap_or_default(),
            _ => String::new(),
        };
        let answer = reader.pod_metrics(&selector).await;
        Some(SelectorUsages {
            answer,
            selector,
            by_selector: BTreeMap::new(),
            without_labels: Vec::new(),
            shared: RefCell::default(),
        })
    }

    async fn read_others(&self, reader: MetricsReader<'_>) -> SharedMetrics {
        let requested: Vec<MetricsRequest<'_>> = self
            .hpas
            .iter()
            .map(|one| MetricsRequest {
                hpa: &one.hpa,
                selector: one.selector.as_ref().map(ToString::to_string),
            })
            .collect();
        let mut metrics = SharedMetrics::read(&requested, reader).await;
        let with_pods: Vec<_> = requested
            .into_iter()
            .zip(self.hpas.iter().map(|one| one.pods.clone()))
            .collect();
        metrics.read_missing(&with_pods, reader).await;
        metrics
    }
}

impl Metrics {
    /// Assigns the usages to selectors, once for all HPAs.
    pub(super) fn index(&mut self, namespace: &str, pods: &Pods) {
        let Some(usages) = &mut self.usages else {
            return;
        };
        if let Ok(answer) = &mut usages.answer {
            for text in pods.selectors(namespace) {
                usages
                    .by_selector
                    .insert(SelectorText::clone(text), Vec::new());
            }
            for (place, item) in answer.items.iter_mut().enumerate() {
                let metadata = Arc::get_mut(item).map(|item| &mut item.metadata);
                let metadata = metadata.map(|one| (pods.labels(namespace, &one.name), one));
                if let Some((Some(labels), metadata)) = metadata
                    && metadata.labels == *labels
                {
                    metadata.labels = Labels::clone(labels);
                }
                if item.metadata.labels.is_empty() {
                    usages.without_labels.push(place);
                }
                for text in pods.matching(namespace, &item.metadata.labels) {
                    usages.by_selector.entry(text).or_default().push(place);
                }
            }
        }
    }

    /// Adds the metrics of its HPA to a snapshot that already has its pods.
    pub(super) fn share(&self, hpa: &Hpa, selector: Option<&Selector>, snapshot: &mut Snapshot) {
        if let Some(selector) = selector.filter(|_| needs_pod_metrics(hpa)) {
            let usages = self.usages.as_ref();
            match usages.and_then(|usages| usages.of(selector, &snapshot.pods)) {
                Some(Ok(usages)) => snapshot.pod_metrics = Some(usages),
                Some(Err(not_read)) => snapshot.not_read.push(not_read),
                None => snapshot.not_read.push(not_yet(SnapshotField::PodMetrics)),
            }
        }
        let text = selector.map(ToString::to_string);
        for index in self.others.share(hpa, text.as_deref(), snapshot) {
            snapshot.not_read.push(not_yet(field(hpa, index)));
        }
    }

    /// Whether they were requested for this HPA of their namespace, and after its target was read.
    pub(super) fn is_of(&self, hpa: &str) -> bool {
        self.of.contains(hpa)
    }

    /// Whether no target was still being read.
    pub(super) fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Which metrics APIs were requested, and why one failed for all HPAs.
    pub(super) fn health(&self, namespace: &str) -> Vec<(Source, Option<String>)> {
        let source = |api: &str| Source::Metrics {
            api: api.to_owned(),
            namespace: namespace.to_owned(),
        };
        let mut health = Vec::new();
        if let Some(usages) = &self.usages {
            let why = match &usages.answer {
                Ok(answer) => answer.error.as_ref().map(|error| error.message.clone()),
                Err(reason) => Some(access::description(reason)),
            };
            health.push((source("metrics.k8s.io"), why));
        }
        let [custom, external] = self.others.failures();
        for (api, failures) in [
            ("custom.metrics.k8s.io", custom),
            ("external.metrics.k8s.io", external),
        ] {
            if failures.is_empty() {
                continue;
            }
            let all_fail = failures.iter().all(|failure| is_down(failure.as_ref()));
            let why = failures.into_iter().flatten().next().filter(|_| all_fail);
            health.push((source(api), why.map(|(_, why)| why)));
        }
        health
    }
}

impl SelectorUsages {
    /// The usages of this selector and its pods; `None` if they were not requested.
    fn of(
        &self,
        selector: &Selector,
        pods: &Shared<Arc<Pod>>,
    ) -> Option<MetricReading<Arc<PodMetrics>>> {
        let text = selector.to_string();
        if !self.selector.is_empty() && self.selector != text {
            return None;
        }
        let answer = match &self.answer {
            Ok(answer) => answer,
            Err(not_read) => return Some(Err(not_read.clone())),
        };
        let mut shared = self.shared.borrow_mut();
        let is_valid =
            |given: &&SelectorAnswers| self.without_labels.is_empty() || given.pods.is_same(pods);
        let usages = if let Some(given) = shared.get(&text).filter(is_valid) {
            given.usages.clone()
        } else {
            let usages = self.select(&text, selector, pods, &answer.items);
            let given = SelectorAnswers {
                pods: pods.clone(),
                usages: usages.clone(),
            };
            shared.insert(text, given);
            usages
        };
        Some(Ok(Answer {
            items: usages,
            error: answer.error.clone(),
        }))
    }

    fn select(
        &self,
        text: &str,
        selector: &Selector,
        pods: &[Arc<Pod>],
        all: &[Arc<PodMetrics>],
    ) -> Shared<Arc<PodMetrics>> {
        let labeled = |place: &usize| {
            let labels = &all[*place].metadata.labels;
            !labels.is_empty() && selector.matches(labels)
        };
        let mut places: Vec<usize> = match self.by_selector.get(text) {
            Some(places) => places.iter().copied().filter(labeled).collect(),
            None => (0..all.len()).filter(labeled).collect(),
        };
        // Some servers of this API omit labels.
        if !self.without_labels.is_empty() {
            let names: BTreeSet<&str> = pods.iter().map(|pod| pod.metadata.name.as_str()).collect();
            let of_pods = self.without_labels.iter().copied();
            places
                .extend(of_pods.filter(|place| names.contains(all[*place].metadata.name.as_str())));
            places.sort_unstable();
        }
        places
            .into_iter()
            .map(|place| Arc::clone(&all[place]))
            .collect()
    }
}

/// Records as missing each metric that has not been polled yet.
pub(super) fn never_polled(hpa: &Hpa, has_selector: bool, snapshot: &mut Snapshot) {
    if has_selector && needs_pod_metrics(hpa) {
        snapshot.not_read.push(not_yet(SnapshotField::PodMetrics));
    }
    for (index, metric) in hpa.spec.metrics.iter().enumerate() {
        let is_requested = match metric.metric_type.as_str() {
            "Pods" => has_selector,
            "Object" | "External" => true,
            _ => false,
        };
        if is_requested {
            snapshot.not_read.push(not_yet(field(hpa, index)));
        }
    }
}

fn field(hpa: &Hpa, index: usize) -> SnapshotField {
    if hpa.spec.metrics[index].metric_type == "External" {
        SnapshotField::ExternalMetrics(Some(index))
    } else {
        SnapshotField::CustomMetrics(Some(index))
    }
}

/// Whether the API itself fails, and not just lacks a metric.
fn is_down(failure: Option<&AnswerFailure>) -> bool {
    failure.is_some_and(|(code, _)| code.is_none_or(|code| code == 0 || 500 <= code))
}

/// Longest time to wait for an answer, if the user has set no shorter one.
pub(super) const PATIENCE: std::time::Duration = std::time::Duration::from_secs(10);
