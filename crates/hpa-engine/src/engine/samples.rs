//! What the metrics APIs answered, in the form that the controller's metrics client passes on: whole milli-units by
//! pod.
//!
//! Mirrors `metrics/client.go`: `GetResourceMetric`, `GetRawMetric`, `GetObjectMetric`, `GetExternalMetric`.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};

use crate::{
    engine::{context::ReconcileContext, go_math},
    model::{
        ApiError, ContainerUsage, ExternalMetricValue, MetricValue, NotRead, PodMetrics, Reading,
        Selector, Shared, find_resource,
    },
    trace::Upstream,
};

/// The sample of one pod. Upstream: `PodMetric`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample<'a> {
    pub(crate) pod: &'a str,
    /// Milli-units.
    pub(crate) value: i64,
    pub(crate) timestamp: Timestamp,
    pub(crate) window: SignedDuration,
}

/// Samples by pod name; each name appears once. Upstream: `PodMetricsInfo`.
#[derive(Clone, Debug)]
pub(crate) struct Samples<'a> {
    sorted: Vec<Sample<'a>>,
}

/// Why a metric has no samples.
#[derive(Clone, Debug)]
pub(crate) enum NoSamples {
    /// The controller gets this error, with the API's own error if there is one.
    Error {
        message: String,
        api_error: Option<ApiError>,
    },
    /// We could not read it; the controller may have read it.
    NotRead(NotRead),
}

impl<'a> Samples<'a> {
    fn new(mut samples: Vec<Sample<'a>>) -> Self {
        let is_sorted_once = samples.is_sorted_by(|a, b| a.pod < b.pod);
        if !is_sorted_once {
            // Of several samples of one pod the last one counts, as in a Go map; the sort is stable.
            samples.reverse();
            samples.sort_by(|a, b| a.pod.cmp(b.pod));
            samples.dedup_by(|later, first| later.pod == first.pod);
        }
        Self { sorted: samples }
    }

    pub(crate) fn len(&self) -> usize {
        self.sorted.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Sample<'a>> {
        self.sorted.iter()
    }

    /// Finds the sample of a pod. `hint` is the position after the last hit: pods and metrics usually have the same
    /// order, so the next sample is usually the right one.
    pub(crate) fn find(&self, pod: &str, hint: &mut usize) -> Option<(usize, &Sample<'a>)> {
        let next = hint.saturating_add(1);
        let index = match self.sorted.get(next) {
            Some(sample) if sample.pod == pod => next,
            _ => self
                .sorted
                .binary_search_by(|sample| sample.pod.cmp(pod))
                .ok()?,
        };
        *hint = index;
        self.sorted.get(index).map(|sample| (index, sample))
    }
}

/// The functions that read each kind of metric.
pub(crate) const RESOURCE: Upstream = Upstream::metrics_client("GetResourceMetric");
pub(crate) const RAW: Upstream = Upstream::metrics_client("GetRawMetric");
pub(crate) const OBJECT: Upstream = Upstream::metrics_client("GetObjectMetric");
pub(crate) const EXTERNAL: Upstream = Upstream::metrics_client("GetExternalMetric");

/// Usage of a resource by pod: of all containers, or of the named one.
pub(crate) fn resource_samples<'a>(
    cx: &ReconcileContext<'a>,
    selector: &Selector,
    resource: &str,
    container: Option<&str>,
) -> Result<Samples<'a>, NoSamples> {
    let items = answer(&cx.observation.pod_metrics, "resource")?;
    let mut samples = Vec::with_capacity(items.len());
    let mut is_empty = true;
    for item in items
        .iter()
        .filter(|item| is_selected(selector, item.labels.as_deref()))
    {
        is_empty = false;
        let value = match container {
            None => sum_of_containers(cx, item, resource),
            Some(container) => match find_container(item, container) {
                Some(usage) => usage_of(cx, usage, resource),
                None if cx.switches.container_metric_missing_is_missing_pod => None,
                None => {
                    let (namespace, pod) = (&cx.hpa().namespace, &item.name);
                    return Err(error(format!(
                        "failed to get container metrics: container {container} not present in \
                         metrics for pod {namespace}/{pod}"
                    )));
                }
            },
        };
        if let Some(value) = value {
            samples.push(Sample {
                pod: &item.name,
                value,
                timestamp: go_math::or_zero_time(item.timestamp),
                window: item.window,
            });
        }
    }
    if is_empty {
        return Err(error(
            "no metrics returned from resource metrics API".to_owned(),
        ));
    }
    Ok(Samples::new(samples))
}

/// Values of a Pods metric by pod.
pub(crate) fn pods_samples<'a>(
    cx: &ReconcileContext<'a>,
    index: usize,
) -> Result<Samples<'a>, NoSamples> {
    let items = custom_items(cx, index)?;
    if items.is_empty() {
        return Err(error(
            "no metrics returned from custom metrics API".to_owned(),
        ));
    }
    let samples = items.iter().map(|item| Sample {
        pod: &item.object,
        value: item.value.milli_value(cx.overflow),
        timestamp: go_math::or_zero_time(item.timestamp),
        window: item
            .window_seconds
            .map_or(DEFAULT_WINDOW, SignedDuration::from_secs),
    });
    Ok(Samples::new(samples.collect()))
}

/// The value of the described object of an Object metric, in milli-units.
pub(crate) fn object_value(cx: &ReconcileContext<'_>, index: usize) -> Result<i64, NoSamples> {
    match custom_items(cx, index)? {
        [item] => Ok(item.value.milli_value(cx.overflow)),
        items => Err(error(format!(
            "unable to fetch metrics from custom metrics API: the custom metrics API server \
             returned {} results when we asked for exactly one",
            items.len()
        ))),
    }
}

/// The value of each series of an External metric, in milli-units.
pub(crate) fn external_values(
    cx: &ReconcileContext<'_>,
    index: usize,
) -> Result<Vec<i64>, NoSamples> {
    let items: &[ExternalMetricValue] = match cx
        .observation
        .external_metrics
        .iter()
        .find(|answer| answer.index == index)
    {
        Some(found) => answer(&found.answer, "external")?,
        None => &[],
    };
    if items.is_empty() {
        return Err(error(
            "no metrics returned from external metrics API".to_owned(),
        ));
    }
    Ok(items
        .iter()
        .map(|item| item.value.milli_value(cx.overflow))
        .collect())
}

/// Window of a Pods metric without one. Upstream: `metricServerDefaultMetricWindow`.
const DEFAULT_WINDOW: SignedDuration = SignedDuration::from_mins(1);

fn custom_items<'a>(
    cx: &ReconcileContext<'a>,
    index: usize,
) -> Result<&'a [MetricValue], NoSamples> {
    match cx
        .observation
        .custom_metrics
        .iter()
        .find(|answer| answer.index == index)
    {
        Some(found) => answer(&found.answer, "custom"),
        None => Ok(&[]),
    }
}

fn answer<'a, T>(reading: &'a Reading<Shared<T>>, api: &str) -> Result<&'a [T], NoSamples> {
    match reading {
        Reading::Read(items) => Ok(items),
        Reading::Failed(api_error) => Err(NoSamples::Error {
            message: format!(
                "unable to fetch metrics from {api} metrics API: {}",
                api_error.message
            ),
            api_error: Some(api_error.clone()),
        }),
        Reading::NotRead(not_read) => Err(NoSamples::NotRead(not_read.clone())),
    }
}

fn error(message: String) -> NoSamples {
    NoSamples::Error {
        message,
        api_error: None,
    }
}

fn is_selected(selector: &Selector, labels: Option<&BTreeMap<String, String>>) -> bool {
    labels.is_none_or(|labels| selector.matches(labels))
}

/// None if the pod has no containers, or a container lacks the resource.
fn sum_of_containers(cx: &ReconcileContext<'_>, item: &PodMetrics, resource: &str) -> Option<i64> {
    if item.containers.is_empty() {
        return None;
    }
    item.containers.iter().try_fold(0_i64, |sum, container| {
        usage_of(cx, container, resource).map(|usage| sum.wrapping_add(usage))
    })
}

fn find_container<'a>(item: &'a PodMetrics, name: &str) -> Option<&'a ContainerUsage> {
    item.containers
        .iter()
        .find(|container| container.name == name)
}

fn usage_of(cx: &ReconcileContext<'_>, container: &ContainerUsage, resource: &str) -> Option<i64> {
    find_resource(&container.usage, resource).map(|usage| usage.milli_value(cx.overflow))
}
