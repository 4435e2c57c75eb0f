//! Custom and external metrics of many HPAs: each distinct one is asked for once.

use std::collections::{BTreeMap, BTreeSet};

use futures::{StreamExt as _, future, stream};

use super::{CustomVersion, Gathering, PARALLEL, Targets};
use crate::{
    cluster::{
        metrics::{MetricsReader, Reading},
        selection::namespace_of,
    },
    recording::{
        Snapshot,
        wire::{Answer, ExternalMetricValue, Hpa, MetricSpec, MetricValue, NotRead},
    },
};

/// The answers, by what tells the requests apart.
#[derive(Default)]
pub(super) struct SharedMetrics {
    custom: BTreeMap<Key, Reading<MetricValue>>,
    external: BTreeMap<Key, Reading<ExternalMetricValue>>,
    /// Pods metrics that were read for all pods of a namespace.
    of_namespace: BTreeSet<Key>,
}

/// Namespace, and the source without its target as JSON.
type Key = (String, String);

/// Of Pods metrics: the selectors of the pods that they are asked for.
type Asked<'a> = BTreeMap<Key, (&'a MetricSpec, BTreeSet<String>)>;

impl SharedMetrics {
    /// Asks for each once. A Pods metric that several HPAs use is asked for all pods of the namespace.
    pub(super) async fn read(
        gathering: &Gathering<'_>,
        targets: &Targets,
        custom_version: &CustomVersion,
    ) -> Self {
        let mut asked = Asked::new();
        for hpa in &gathering.selected.hpas {
            let selector = gathering
                .selector(hpa, targets)
                .map(|selector| selector.to_string());
            for metric in &hpa.spec.metrics {
                let Some(key) = key(hpa, metric) else {
                    continue;
                };
                // Without a selector the controller doesn't ask for Pods metrics.
                if metric.metric_type == "Pods" && selector.is_none() {
                    continue;
                }
                let (_, selectors) = asked
                    .entry(key)
                    .or_insert_with(|| (metric, BTreeSet::new()));
                selectors.extend(selector.clone());
            }
        }
        let answers: Vec<(Key, bool, Answered)> = stream::iter(asked)
            .map(|(key, (metric, selectors))| async move {
                let is_shared = 1 < selectors.len() && metric.metric_type == "Pods";
                let selector = match selectors.first() {
                    Some(selector) if !is_shared => selector.as_str(),
                    _ => "",
                };
                let reader = gathering.metrics_reader(&key.0, custom_version);
                let answer = ask(&reader, metric, selector).await;
                (key, is_shared, answer)
            })
            .buffered(PARALLEL)
            .collect()
            .await;
        let mut shared = Self::default();
        for (key, is_shared, answer) in answers {
            if is_shared {
                shared.of_namespace.insert(key.clone());
            }
            match answer {
                Answered::Custom(answer) => {
                    shared.custom.insert(key, answer);
                }
                Answered::External(answer) => {
                    shared.external.insert(key, answer);
                }
            }
        }
        shared
    }

    /// Gives an HPA its answers. What a namespace-wide answer does not have for its pods is asked for once more, for
    /// these pods: only then is it known what the controller is answered.
    pub(super) async fn share(
        &self,
        reader: &MetricsReader<'_>,
        hpa: &Hpa,
        selector: Option<&str>,
        snapshot: &mut Snapshot,
    ) {
        for (index, metric) in hpa.spec.metrics.iter().enumerate() {
            let Some(key) = key(hpa, metric) else {
                continue;
            };
            if let Some(answer) = self.external.get(&key) {
                match answer {
                    Ok(answer) => snapshot.external_metrics.push(answer.clone().at(index)),
                    Err(reason) => {
                        let not_read = at(reason, "externalMetrics", index);
                        snapshot.not_read.push(not_read);
                    }
                }
            }
            if metric.metric_type == "Pods" && selector.is_none() {
                continue;
            }
            let Some(answer) = self.custom.get(&key) else {
                continue;
            };
            let mut answer = answer.clone();
            if self.of_namespace.contains(&key)
                && let (Ok(found), Some(source), Some(selector)) =
                    (&mut answer, &metric.pods, selector)
            {
                keep_own(found, snapshot);
                if found.items.is_empty() && found.error.is_none() {
                    answer = reader.pods_metric(index, source, selector).await;
                }
            }
            match answer {
                Ok(answer) => snapshot.custom_metrics.push(answer.at(index)),
                Err(reason) => snapshot.not_read.push(at(&reason, "customMetrics", index)),
            }
        }
    }
}

enum Answered {
    Custom(Reading<MetricValue>),
    External(Reading<ExternalMetricValue>),
}

async fn ask(reader: &MetricsReader<'_>, metric: &MetricSpec, selector: &str) -> Answered {
    match (&metric.pods, &metric.object, &metric.external) {
        (Some(source), _, _) if metric.metric_type == "Pods" => {
            Answered::Custom(reader.pods_metric(0, source, selector).await)
        }
        (_, Some(source), _) if metric.metric_type == "Object" => {
            Answered::Custom(reader.object_metric(0, source).await)
        }
        (_, _, Some(source)) => Answered::External(reader.external_metric(0, source).await),
        // `key` gives none for these.
        _ => Answered::External(future::ready(Ok(Answer::of(Vec::new()))).await),
    }
}

fn keep_own(answer: &mut Answer<MetricValue>, snapshot: &Snapshot) {
    let names: BTreeSet<&str> = snapshot
        .pods
        .iter()
        .map(|pod| pod.metadata.name.as_str())
        .collect();
    answer
        .items
        .retain(|item| names.contains(item.described_object.name.as_str()));
}

fn at(reason: &NotRead, what: &str, index: usize) -> NotRead {
    NotRead {
        what: format!("{what}[{index}]"),
        ..reason.clone()
    }
}

/// What tells the request for a metric apart from others; none: it has no request of its own.
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
