//! The metrics of one HPA that need a request each.

use futures::future;
use hpa_objects::recording::{
    Snapshot,
    wire::{self, Hpa},
};

use super::conditional::take;
use crate::metrics::{MetricReading, MetricsReader};

/// Answers for Pods, Object and External metrics, by index.
#[derive(Default)]
pub(super) struct MetricAnswers {
    custom: Vec<(usize, MetricReading<wire::MetricValue>)>,
    external: Vec<(usize, MetricReading<wire::ExternalMetricValue>)>,
}

/// Requests all of them in parallel. Without a selector the controller does not request Pods metrics.
pub(super) async fn read_metrics(
    reader: &MetricsReader<'_>,
    hpa: &Hpa,
    selector: &str,
    has_selector: bool,
) -> MetricAnswers {
    let metrics = || hpa.spec.metrics.iter().enumerate();
    let custom = metrics().filter_map(|(index, metric)| match (&metric.pods, &metric.object) {
        (Some(source), _) if has_selector && metric.metric_type == "Pods" => {
            Some(future::Either::Left(async move {
                (
                    index,
                    reader.custom_pods_metric(index, source, selector).await,
                )
            }))
        }
        (_, Some(source)) if metric.metric_type == "Object" => {
            Some(future::Either::Right(async move {
                (index, reader.object_metric(index, source).await)
            }))
        }
        _ => None,
    });
    let external = metrics().filter_map(|(index, metric)| {
        let source = metric.external.as_ref()?;
        (metric.metric_type == "External")
            .then_some(async move { (index, reader.external_metric(index, source).await) })
    });
    let (custom, external) =
        future::join(future::join_all(custom), future::join_all(external)).await;
    MetricAnswers { custom, external }
}

impl MetricAnswers {
    /// Stores the answers in the snapshot.
    pub(super) fn store(self, snapshot: &mut Snapshot) {
        for (index, answer) in self.custom {
            take(&mut snapshot.not_read, answer, |answer| {
                snapshot.custom_metrics.push(answer.at(index));
            });
        }
        for (index, answer) in self.external {
            take(&mut snapshot.not_read, answer, |answer| {
                snapshot.external_metrics.push(answer.at(index));
            });
        }
    }
}
