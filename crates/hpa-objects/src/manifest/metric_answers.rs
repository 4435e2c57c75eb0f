//! Finds the answers of the custom and external metrics APIs in a file for each metric.

use hpa_engine::model::SnapshotField;

use super::snapshot::{SnapshotParts, missing};
use crate::recording::{
    Snapshot,
    wire::{Answer, IndexedAnswer, MetricRead, MetricValue},
};

impl SnapshotParts<'_> {
    /// The answers of the custom metrics API, for Pods and Object metrics.
    pub(super) fn add_custom_metrics(&self, snapshot: &mut Snapshot, namespace: &str) {
        for (index, metric) in snapshot.hpa.spec.metrics.iter().enumerate() {
            // Values of pods match by kind alone.
            let (name, kind, object) = match metric.read() {
                Some(MetricRead::OfPods(metric)) => (&metric.name, "Pod", None),
                Some(MetricRead::OfObject(object, metric)) => (
                    &metric.name,
                    object.kind.as_str(),
                    Some(object.name.as_str()),
                ),
                None | Some(MetricRead::External(_) | MetricRead::Usages) => continue,
            };
            let path = match object {
                Some(object) => format!("RESOURCE/{object}"),
                None => "pods/*".to_owned(),
            };
            let items: Vec<MetricValue> = self
                .collection
                .custom_metrics
                .iter()
                .filter(|item| item.name == *name && item.namespace == namespace)
                .map(|item| &item.object)
                .filter(|item| {
                    let described = &item.described_object;
                    described.kind == kind && object.is_none_or(|object| described.name == object)
                })
                .cloned()
                .collect();
            if items.is_empty() {
                snapshot.not_read.push(missing(
                    SnapshotField::CustomMetrics(Some(index)),
                    format!("no MetricValue of {name} is in the file"),
                    &format!(
                        "kubectl get --raw '/apis/custom.metrics.k8s.io/v1beta2/namespaces/{namespace}/{path}/{name}'"
                    ),
                ));
            } else {
                snapshot.custom_metrics.push(Answer::of(items).at(index));
            }
        }
    }

    /// The answers of the external metrics API.
    pub(super) fn add_external_metrics(&self, snapshot: &mut Snapshot, namespace: &str) {
        let sources: Vec<_> = snapshot
            .hpa
            .spec
            .metrics
            .iter()
            .enumerate()
            .filter_map(|(index, metric)| match metric.read()? {
                MetricRead::External(metric) => Some((index, metric)),
                MetricRead::OfObject(..) | MetricRead::OfPods(_) | MetricRead::Usages => None,
            })
            .collect();
        let (mut answers, mut not_read) = (Vec::new(), Vec::new());
        for (index, metric) in &sources {
            let name = &metric.name;
            // Labels decide only if one name stands for several series: some adapters omit them.
            let shares_name = sources
                .iter()
                .filter(|(_, other)| other.name == *name)
                .count()
                > 1;
            let selector = metric
                .selector
                .as_ref()
                .filter(|_| shares_name)
                .and_then(|selector| selector.to_selector(self.wording).ok());
            let items: Vec<_> = self
                .collection
                .external_metrics
                .iter()
                .filter(|item| item.metric_name.as_ref() == Some(name))
                .filter(|item| {
                    let labels = &item.metric_labels;
                    selector
                        .as_ref()
                        .is_none_or(|selector| selector.matches(labels))
                })
                .cloned()
                .collect();
            if items.is_empty() {
                not_read.push(missing(
                    SnapshotField::ExternalMetrics(Some(*index)),
                    format!("no ExternalMetricValue of {name} is in the file"),
                    &format!(
                        "kubectl get --raw /apis/external.metrics.k8s.io/v1beta1/namespaces/{namespace}/{name}"
                    ),
                ));
            } else {
                let answer: IndexedAnswer<_> = Answer::of(items).at(*index);
                answers.push(answer);
            }
        }
        snapshot.external_metrics = answers;
        snapshot.not_read.extend(not_read);
    }
}
