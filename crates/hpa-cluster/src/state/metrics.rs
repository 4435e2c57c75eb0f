//! The latest metrics of the HPAs of a namespace.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
    sync::Arc,
};

use hpa_engine::model::{Labels, Selector, Shared, SnapshotField, Source};
use hpa_objects::recording::{
    Snapshot,
    wire::{Answer, Hpa, MetricRead, Pod, PodMetrics},
};

use super::{
    pods::{Pods, SelectorText},
    shared_metrics::{AnswerFailure, SharedMetrics},
    unread::not_yet,
};
use crate::{
    access,
    metrics::{MetricReading, needs_pod_metrics},
};

/// The metrics of a namespace at one instant; by default none was read yet.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    pub(crate) usages: Option<SelectorUsages>,
    pub(crate) others: Rc<SharedMetrics>,
    /// The HPAs that they were requested for, except those whose target was still being read.
    pub(crate) of: BTreeSet<String>,
    /// Whether no target was still being read.
    pub(crate) is_whole: bool,
}

/// The usages of the pods of a namespace.
#[derive(Debug)]
pub(crate) struct SelectorUsages {
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

impl Metrics {
    /// Assigns the usages to selectors, once for all HPAs.
    pub(crate) fn index(&mut self, namespace: &str, pods: &Pods) {
        if let Some(usages) = &mut self.usages {
            usages.index(namespace, pods);
        }
    }

    /// Adds the metrics of its HPA to a snapshot that already has its pods.
    pub(crate) fn share(&self, hpa: &Hpa, selector: Option<&Selector>, snapshot: &mut Snapshot) {
        if let Some(selector) = selector {
            self.share_usages(selector, snapshot);
        }
        let text = selector.map(ToString::to_string);
        for index in self.others.share(hpa, text.as_deref(), snapshot) {
            let field = match hpa.spec.metrics[index].read() {
                Some(MetricRead::OfObject(..) | MetricRead::OfPods(_)) => {
                    SnapshotField::CustomMetrics(Some(index))
                }
                Some(MetricRead::External(_)) => SnapshotField::ExternalMetrics(Some(index)),
                None | Some(MetricRead::Usages) => continue,
            };
            snapshot.not_read.push(not_yet(field));
        }
    }

    /// Adds the usages of its pods to a snapshot that already has these.
    pub(crate) fn share_usages(&self, selector: &Selector, snapshot: &mut Snapshot) {
        if !needs_pod_metrics(&snapshot.hpa) {
            return;
        }
        let usages = self.usages.as_ref();
        match usages.and_then(|usages| usages.of(selector, &snapshot.pods)) {
            Some(Ok(usages)) => snapshot.pod_metrics = Some(usages),
            Some(Err(not_read)) => snapshot.not_read.push(not_read),
            None => snapshot.not_read.push(not_yet(SnapshotField::PodMetrics)),
        }
    }

    /// Whether they were requested for this HPA of their namespace, and after its target was read.
    pub(crate) fn is_of(&self, hpa: &str) -> bool {
        self.of.contains(hpa)
    }

    /// Whether no target was still being read.
    pub(crate) fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Which metrics APIs were requested, and why one failed for all HPAs.
    pub(crate) fn health(&self, namespace: &str) -> Vec<(Source, Option<String>)> {
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
    /// An answer of the metrics API to a request with this selector; empty: for all pods.
    pub(crate) fn new(answer: MetricReading<Arc<PodMetrics>>, selector: String) -> Self {
        Self {
            answer,
            selector,
            by_selector: BTreeMap::new(),
            without_labels: Vec::new(),
            shared: RefCell::default(),
        }
    }

    /// Assigns them to the selectors of HPAs.
    pub(crate) fn index(&mut self, namespace: &str, pods: &Pods) {
        let Ok(answer) = &mut self.answer else {
            return;
        };
        for text in pods.selectors(namespace) {
            self.by_selector
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
                self.without_labels.push(place);
                continue;
            }
            for text in pods.matching(namespace, &item.metadata.labels) {
                self.by_selector.entry(text).or_default().push(place);
            }
        }
    }

    /// The usages of this selector and its pods; `None` if they were not requested.
    pub(crate) fn of(
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
            Some(places) => places.clone(),
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

/// Whether the API itself fails, and not just lacks a metric.
fn is_down(failure: Option<&AnswerFailure>) -> bool {
    failure.is_some_and(|(code, _)| code.is_none_or(|code| code == 0 || 500 <= code))
}
