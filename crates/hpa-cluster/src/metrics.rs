//! The three metrics APIs, with the same requests as the controller's.
//!
//! Upstream: `pkg/controller/podautoscaler/metrics/client.go` and `k8s.io/metrics/pkg/client`.

use std::{sync::Arc, time::Duration};

use futures::future;
use hpa_engine::model::{ApiError, SnapshotField, label_selector::Wording};
use hpa_objects::recording::{
    MetricItem, Snapshot,
    wire::{
        Answer, ExternalMetricValue, Hpa, LabelSelector, MetricIdentifier, MetricRead, MetricSpec,
        MetricValue, NotRead, ObjectReference, PodMetrics,
    },
};

use super::{
    access::{Permission, ReadFailure},
    api_error::ResourceName,
    client::{Client, ClientError},
    discovery::{Discovery, versions},
    path::ApiPath,
};

/// The values, or why they could not be read.
pub(super) type MetricReading<T> = Result<Answer<T>, NotRead>;

/// An answer of one of the APIs whose metrics need a request each.
pub(super) enum MetricAnswer {
    /// Of the custom metrics API.
    Custom(MetricReading<MetricValue>),
    /// Of the external metrics API.
    External(MetricReading<ExternalMetricValue>),
}

impl MetricAnswer {
    /// Stores the answer for the metric at `index` in a snapshot.
    pub(super) fn store(self, index: usize, snapshot: &mut Snapshot) {
        match self {
            Self::Custom(Ok(answer)) => snapshot.custom_metrics.push(answer.at(index)),
            Self::External(Ok(answer)) => snapshot.external_metrics.push(answer.at(index)),
            Self::Custom(Err(reason)) | Self::External(Err(reason)) => {
                snapshot.not_read.push(reason);
            }
        }
    }
}

/// Finds the version of the custom metrics API to use: the preferred version if it is known, else the first known one.
/// Upstream: `apiVersionsFetcher.PreferredVersion`.
pub(super) async fn custom_version(client: &Client) -> Result<String, ClientError> {
    let versions = versions(client, CUSTOM).await?;
    let problem = if versions.is_empty() {
        "no custom metrics API (custom.metrics.k8s.io) registered"
    } else {
        "no known available metric versions found"
    };
    versions
        .into_iter()
        .find(|version| matches!(version.as_str(), "v1beta1" | "v1beta2"))
        .ok_or_else(|| plain_error(problem))
}

/// Reads metrics for HPAs of one namespace.
#[derive(Clone, Copy)]
pub(super) struct MetricsReader<'a> {
    /// The client.
    pub(super) client: &'a Client,
    /// Resolves kinds.
    pub(super) discovery: &'a Discovery,
    /// The namespace.
    pub(super) namespace: &'a str,
    /// Wording of selector errors.
    pub(super) wording: Wording,
    /// Version of the custom metrics API.
    pub(super) custom_version: &'a Result<String, ClientError>,
    /// Longest time to wait for an answer; none: as long as the controller.
    pub(super) patience: Option<Duration>,
}

impl<'a> MetricsReader<'a> {
    /// The same reader for another namespace.
    pub(super) fn of<'b>(self, namespace: &'b str) -> MetricsReader<'b>
    where
        'a: 'b,
    {
        MetricsReader { namespace, ..self }
    }
}

impl MetricsReader<'_> {
    /// PodMetrics of the pods that `selector` matches; empty: all pods. An empty namespace is all namespaces.
    pub(super) async fn pod_metrics(&self, selector: &str) -> MetricReading<Arc<PodMetrics>> {
        const GROUP: &str = "metrics.k8s.io";
        let path = ApiPath::new(GROUP, "v1beta1")
            .namespace_or_all(self.namespace)
            .segment("pods")
            .query_unless_empty("labelSelector", selector);
        let about = ResourceName {
            group: GROUP,
            resource: "pods",
            name: "",
        };
        let answer = self
            .client
            .list_whole("pod metrics", path, about, self.patience)
            .await;
        let permission = self.permission("list", GROUP, "pods");
        reading(answer, SnapshotField::PodMetrics, permission)
    }

    /// What the controller reads for the metric at `index`, for the pods that `selector` matches. None for usages, and
    /// for values of pods without a selector.
    pub(super) async fn metric(
        &self,
        index: usize,
        read: MetricRead<'_>,
        selector: Option<&str>,
    ) -> Option<MetricAnswer> {
        Some(match read {
            MetricRead::Usages => return None,
            MetricRead::OfPods(metric) => {
                MetricAnswer::Custom(self.custom_pods_metric(index, metric, selector?).await)
            }
            MetricRead::OfObject(object, metric) => {
                MetricAnswer::Custom(self.object_metric(index, object, metric).await)
            }
            MetricRead::External(metric) => {
                MetricAnswer::External(self.external_metric(index, metric).await)
            }
        })
    }

    /// [Reads](Self::metric) all metrics of an HPA in parallel: those of the custom metrics API before the others.
    pub(super) async fn metrics(
        &self,
        hpa: &Hpa,
        selector: Option<&str>,
    ) -> Vec<(usize, MetricAnswer)> {
        let metrics = hpa.spec.metrics.iter().enumerate();
        let answers = metrics.map(|(index, metric)| async move {
            Some((index, self.metric(index, metric.read()?, selector).await?))
        });
        let answers = future::join_all(answers).await;
        let mut answers: Vec<_> = answers.into_iter().flatten().collect();
        answers.sort_by_key(|(_, answer)| matches!(answer, MetricAnswer::External(_)));
        answers
    }

    /// Values of a Pods metric for the pods that `selector` matches.
    pub(super) async fn custom_pods_metric(
        &self,
        index: usize,
        metric: &MetricIdentifier,
        selector: &str,
    ) -> MetricReading<MetricValue> {
        let about = custom("pods", "*");
        let path = |version: &str, metric_selector: &str| {
            ApiPath::new(CUSTOM, version)
                .namespace(self.namespace)
                .segment("pods")
                .segment("*")
                .segment(&metric.name)
                .query_unless_empty("labelSelector", selector)
                .query_unless_empty("metricLabelSelector", metric_selector)
        };
        let resource = format!("pods/{}", metric.name);
        self.custom_metric(index, metric.selector.as_ref(), about, &resource, path)
            .await
    }

    /// Value of an Object metric.
    async fn object_metric(
        &self,
        index: usize,
        object: &ObjectReference,
        metric: &MetricIdentifier,
    ) -> MetricReading<MetricValue> {
        let selector = metric.selector.as_ref();
        // An unreadable apiVersion counts as the core group. Upstream: `schema.FromAPIVersionAndKind`.
        let group = super::target::group(object).unwrap_or_default();
        if object.kind == "Namespace" && group.is_empty() {
            // The name of the described object is not used.
            let path = |version: &str, metric_selector: &str| {
                ApiPath::new(CUSTOM, version)
                    .namespace(self.namespace)
                    .segment("metrics")
                    .segment(&metric.name)
                    .query_unless_empty("metricLabelSelector", metric_selector)
            };
            let about = custom("metrics", &metric.name);
            return self
                .custom_metric(index, selector, about, "metrics", path)
                .await;
        }
        let resource = match self
            .discovery
            .mappings(self.client, group, &object.kind)
            .await
        {
            Ok(mappings) if group.is_empty() => mappings[0].resource.clone(),
            Ok(mappings) => format!("{}.{group}", mappings[0].resource),
            Err(error) => {
                let what = SnapshotField::CustomMetrics(Some(index));
                let permission = self.permission("get", CUSTOM, &object.kind);
                return reading(Err(unmapped(error, group, &object.kind)), what, permission);
            }
        };
        let path = |version: &str, metric_selector: &str| {
            // The path has a namespace even if the object is cluster-scoped.
            ApiPath::new(CUSTOM, version)
                .namespace(self.namespace)
                .segment(&resource)
                .segment(&object.name)
                .segment(&metric.name)
                .query_unless_empty("metricLabelSelector", metric_selector)
        };
        let about = custom(&resource, &object.name);
        let granted = format!("{resource}/{}", metric.name);
        self.custom_metric(index, selector, about, &granted, path)
            .await
    }

    /// Values of an External metric.
    async fn external_metric(
        &self,
        index: usize,
        metric: &MetricIdentifier,
    ) -> MetricReading<ExternalMetricValue> {
        const GROUP: &str = "external.metrics.k8s.io";
        let about = ResourceName {
            group: GROUP,
            resource: &metric.name,
            name: "",
        };
        let answer = match self.selector_text(metric.selector.as_ref()) {
            Ok(selector) => {
                let path = ApiPath::new(GROUP, "v1beta1")
                    .namespace(self.namespace)
                    .segment(&metric.name)
                    .query_unless_empty("labelSelector", &selector);
                self.client
                    .list_whole(
                        &about_metric("external metric", index),
                        path,
                        about,
                        self.patience,
                    )
                    .await
            }
            Err(error) => Err(error),
        };
        let what = SnapshotField::ExternalMetrics(Some(index));
        let permission = self.permission("list", GROUP, &metric.name);
        reading(answer, what, permission)
    }

    async fn custom_metric(
        &self,
        index: usize,
        selector: Option<&LabelSelector>,
        about: ResourceName<'_>,
        resource: &str,
        path: impl Fn(&str, &str) -> ApiPath,
    ) -> MetricReading<MetricValue> {
        let answer = match (self.custom_version.clone(), self.selector_text(selector)) {
            (Ok(version), Ok(selector)) => {
                let path = path(&version, &selector);
                self.client
                    .list_whole(
                        &about_metric("custom metric", index),
                        path,
                        about,
                        self.patience,
                    )
                    .await
            }
            (Err(error), _) | (_, Err(error)) => Err(error),
        };
        let what = SnapshotField::CustomMetrics(Some(index));
        reading(answer, what, self.permission("get", CUSTOM, resource))
    }

    fn selector_text(&self, selector: Option<&LabelSelector>) -> Result<String, ClientError> {
        let Some(selector) = selector else {
            return Ok(String::new());
        };
        selector
            .to_selector(self.wording)
            .map(|selector| selector.to_string())
            .map_err(|error| plain_error(&error.to_string()))
    }

    fn permission<'b>(
        &'b self,
        verb: &'b str,
        group: &'b str,
        resource: &'b str,
    ) -> Permission<'b> {
        Permission {
            verb,
            group,
            resource,
            namespace: self.namespace,
        }
    }
}

/// Whether the controller requests pod usages.
pub(super) fn needs_pod_metrics(hpa: &Hpa) -> bool {
    hpa.spec.reads_usages()
}

/// Whether the controller requests custom metrics.
pub(super) fn needs_custom_metrics(hpa: &Hpa) -> bool {
    let mut reads = hpa.spec.metrics.iter().filter_map(MetricSpec::read);
    reads.any(|read| match read {
        MetricRead::OfObject(..) | MetricRead::OfPods(_) => true,
        MetricRead::External(_) | MetricRead::Usages => false,
    })
}

/// The name of the request for the metric at `index` of the spec: `custom metric 2` for the second one.
fn about_metric(what: &str, index: usize) -> String {
    format!("{what} {}", index + 1)
}

fn reading<T: MetricItem>(
    answer: Result<Vec<T>, ClientError>,
    what: SnapshotField,
    permission: Permission<'_>,
) -> MetricReading<T> {
    match answer {
        Ok(items) => Ok(Answer::of(items).as_controller_sees().0),
        Err(error) => match ReadFailure::of(error, what, permission) {
            ReadFailure::Shared(status) => Ok(Answer::refused(status)),
            ReadFailure::Ours(not_read) => Err(not_read),
        },
    }
}

/// Upstream: `qualResourceForKind`.
fn unmapped(error: ClientError, group: &str, kind: &str) -> ClientError {
    let dot = if group.is_empty() { "" } else { "." };
    match error {
        ClientError::Status(error) => plain_error(&format!(
            "unable to map kind {kind}{dot}{group} to resource: {}",
            error.message
        )),
        error @ ClientError::NoAnswer(_) => error,
    }
}

fn plain_error(message: &str) -> ClientError {
    ClientError::Status(ApiError {
        message: message.to_owned(),
        ..ApiError::default()
    })
}

fn custom<'a>(resource: &'a str, name: &'a str) -> ResourceName<'a> {
    ResourceName {
        group: CUSTOM,
        resource,
        name,
    }
}

const CUSTOM: &str = "custom.metrics.k8s.io";
