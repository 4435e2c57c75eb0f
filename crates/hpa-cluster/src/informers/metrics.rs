//! Polling of metrics.

use std::{collections::BTreeSet, rc::Rc, sync::Arc};

use futures::future;
use hpa_engine::model::{Selector, Shared, label_selector::Wording};
use hpa_objects::recording::wire::{Hpa, MetricRead, MetricSpec, Pod};

use crate::{
    client::{Client, ClientError},
    discovery::Discovery,
    metric_requests::{self, MetricsRequest},
    metrics::{self, MetricsReader, needs_custom_metrics, needs_pod_metrics},
    state::{Metrics, Pods, SelectorUsages, SharedMetrics},
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
    pods: Shared<Arc<Pod>>,
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
        let selected = |selector: &Selector| pods.selected(&self.namespace, &selector.to_string());
        let mut reads = hpa.spec.metrics.iter().filter_map(MetricSpec::read);
        let has_pods_metric = reads.any(MetricRead::is_of_pods);
        let selector_of_pods = selector.as_ref().filter(|_| has_pods_metric);
        self.hpas.push(MetricsConsumer {
            hpa: hpa.clone(),
            is_early,
            pods: selector_of_pods.map(selected).unwrap_or_default(),
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
            others: Rc::new(others),
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
        Some(SelectorUsages::new(answer, selector))
    }

    async fn read_others(&self, reader: MetricsReader<'_>) -> SharedMetrics {
        let requested: Vec<MetricsRequest<'_>> = self
            .hpas
            .iter()
            .map(|one| MetricsRequest {
                hpa: &one.hpa,
                selector: one.selector.as_ref().map(ToString::to_string),
                pods: one.pods.clone(),
            })
            .collect();
        let mut metrics = metric_requests::read(&requested, reader).await;
        metric_requests::read_missing(&mut metrics, &requested, reader).await;
        metrics
    }
}

/// Longest time to wait for an answer, if the user has set no shorter one.
pub(super) const PATIENCE: std::time::Duration = std::time::Duration::from_secs(10);
