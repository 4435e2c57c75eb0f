//! One list of pods and one of usages for all HPAs of a namespace.

use std::collections::BTreeSet;

use futures::future;

use super::{metric_answers::needs_pod_metrics, when};
use crate::{
    cluster::{
        client::Client,
        metrics::{MetricsReader, Reading},
        pods,
    },
    model::Selector,
    recording::{
        Snapshot,
        wire::{self, Hpa, NotRead, Pod, PodMetrics},
    },
};

/// Pods and usages of a namespace that several HPAs share.
pub(super) struct SharedPods {
    pods: Result<Vec<Pod>, NotRead>,
    pod_metrics: Option<Reading<PodMetrics>>,
}

impl SharedPods {
    /// Reads all pods of the namespace, and their usages if one of `hpas` needs them.
    pub(super) async fn read(client: &Client, reader: &MetricsReader<'_>, hpas: &[&Hpa]) -> Self {
        let needs_usages = hpas.iter().any(|hpa| needs_pod_metrics(hpa));
        let (pods, pod_metrics) = future::join(
            pods::read(client, reader.namespace, ""),
            when(needs_usages, reader.pod_metrics("")),
        )
        .await;
        Self { pods, pod_metrics }
    }

    /// What was read already.
    pub(super) fn of(
        pods: Result<Vec<Pod>, NotRead>,
        pod_metrics: Option<Reading<PodMetrics>>,
    ) -> Self {
        Self { pods, pod_metrics }
    }

    /// Gives an HPA its part of what the namespace has.
    pub(super) fn share(&self, selector: &Selector, snapshot: &mut Snapshot) {
        match &self.pods {
            Ok(pods) => {
                snapshot.pods = pods
                    .iter()
                    .filter(|pod| selector.matches(&pod.metadata.labels))
                    .cloned()
                    .collect();
            }
            Err(not_read) => snapshot.not_read.push(not_read.clone()),
        }
        if let Some(pod_metrics) = &self.pod_metrics {
            share_usages(pod_metrics, selector, snapshot);
        }
    }
}

/// Gives a snapshot that has its pods already their usages, if its HPA needs any.
pub(in crate::cluster) fn share_usages(
    pod_metrics: &Reading<PodMetrics>,
    selector: &Selector,
    snapshot: &mut Snapshot,
) {
    let answer = match pod_metrics {
        Ok(answer) if needs_pod_metrics(&snapshot.hpa) => answer,
        Ok(_) => return,
        Err(not_read) => return snapshot.not_read.push(not_read.clone()),
    };
    let names: BTreeSet<&str> = snapshot
        .pods
        .iter()
        .map(|pod| pod.metadata.name.as_str())
        .collect();
    let is_meant = |metrics: &&PodMetrics| {
        // Some servers of this API leave labels out.
        let labels = &metrics.metadata.labels;
        if labels.is_empty() {
            names.contains(metrics.metadata.name.as_str())
        } else {
            selector.matches(labels)
        }
    };
    let items = answer.items.iter().filter(is_meant).cloned().collect();
    snapshot.pod_metrics = Some(wire::Answer {
        items,
        error: answer.error.clone(),
    });
}
