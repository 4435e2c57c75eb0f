//! Names of metrics in conditions and events, and the texts around their errors, by version.

use crate::{
    engine::context::ReconcileContext,
    model::{
        LabelSelector, MetricIdentifier, MetricSpec, MetricTarget, ObjectReference, ObjectSource,
        PodsSource,
    },
    trace::MetricFailure,
};

/// Names a Resource utilization.
pub(crate) fn resource_utilization(resource: &str) -> String {
    format!("{resource} resource utilization (percentage of request)")
}

/// Names a ContainerResource utilization.
pub(crate) fn container_utilization(cx: &ReconcileContext<'_>, resource: &str) -> String {
    if cx.switches.texts.0 < 27 {
        resource_utilization(resource)
    } else {
        format!("{resource} container resource utilization (percentage of request)")
    }
}

/// Names a Resource or ContainerResource average.
pub(crate) fn resource_average(resource: &str) -> String {
    format!("{resource} resource")
}

/// Names a value of an Object metric; from 1.38 on its average, too.
pub(crate) fn object(described: &ObjectReference, metric: &MetricIdentifier) -> String {
    format!("{} metric {}", described.kind, metric.name)
}

/// Names an average of an External and, up to 1.37, of an Object metric.
pub(crate) fn external(metric: &str, selector: Option<&LabelSelector>) -> String {
    format!("external metric {metric}({})", go_selector(selector))
}

/// A label selector as Go's `%+v` prints the pointer to it.
pub(crate) fn go_selector(selector: Option<&LabelSelector>) -> String {
    selector.map_or_else(|| "nil".to_owned(), LabelSelector::to_go_string)
}

/// A failed Resource metric; `what` is `utilization` or `usage`.
pub(crate) fn resource_failure(
    cx: &ReconcileContext<'_>,
    resource: &str,
    what: &str,
    error: &str,
) -> MetricFailure {
    resource_invalid(cx, resource, resource_inner(cx, resource, what, error))
}

/// A failed ContainerResource metric; the combined error names the container instead of the resource.
pub(crate) fn container_failure(
    cx: &ReconcileContext<'_>,
    resource: &str,
    container: &str,
    what: &str,
    error: &str,
) -> MetricFailure {
    container_invalid(cx, container, resource_inner(cx, resource, what, error))
}

/// A Resource metric without a target.
pub(crate) fn resource_without_target(cx: &ReconcileContext<'_>, resource: &str) -> MetricFailure {
    resource_invalid(cx, resource, without_target(cx))
}

/// A ContainerResource metric without a target.
pub(crate) fn container_without_target(
    cx: &ReconcileContext<'_>,
    container: &str,
) -> MetricFailure {
    container_invalid(cx, container, without_target(cx))
}

fn resource_invalid(cx: &ReconcileContext<'_>, resource: &str, inner: String) -> MetricFailure {
    let layer = format!("failed to get {resource} resource metric value: ");
    MetricFailure {
        reason: Some("FailedGetResourceMetric"),
        outer: wrap_since_25(cx, &layer, &inner),
        inner,
    }
}

fn container_invalid(cx: &ReconcileContext<'_>, container: &str, inner: String) -> MetricFailure {
    let layer = format!("failed to get {container} container metric value: ");
    MetricFailure {
        reason: Some("FailedGetContainerResourceMetric"),
        outer: wrap_since_25(cx, &layer, &inner),
        inner,
    }
}

/// A failed Pods metric.
pub(crate) fn pods_failure(error: &str) -> MetricFailure {
    MetricFailure {
        reason: Some("FailedGetPodsMetric"),
        inner: error.to_owned(),
        outer: format!("failed to get pods metric value: {error}"),
    }
}

/// A failed Object metric; an average has one more layer in the combined error.
pub(crate) fn object_failure(metric: Option<&str>, error: &str) -> MetricFailure {
    let layer = metric
        .map(|metric| format!("failed to get {metric} object metric: "))
        .unwrap_or_default();
    MetricFailure {
        reason: Some("FailedGetObjectMetric"),
        inner: error.to_owned(),
        outer: format!("failed to get object metric value: {layer}{error}"),
    }
}

/// An Object metric whose type names a field that is not set, in versions where that is a nil dereference (up to
/// 1.28.2).
pub(crate) fn object_crash(target: &MetricTarget) -> MetricFailure {
    let inner = format!(
        "kube-controller-manager crashes: the target is of type {}, but has no such field",
        target.target_type
    );
    MetricFailure {
        reason: None,
        outer: inner.clone(),
        inner,
    }
}

/// A failed External metric: without a target, as an average or as a value.
pub(crate) fn external_failure(
    cx: &ReconcileContext<'_>,
    metric: &str,
    layer: ExternalLayer,
    error: &str,
) -> MetricFailure {
    let layered = match layer {
        ExternalLayer::Average => format!("failed to get {metric} external metric: {error}"),
        ExternalLayer::NoTarget => error.to_owned(),
        ExternalLayer::Value => format!("failed to get external metric {metric}: {error}"),
    };
    let outer = wrap_since_25(
        cx,
        &format!("failed to get {metric} external metric value: "),
        &layered,
    );
    MetricFailure {
        reason: Some("FailedGetExternalMetric"),
        inner: error.to_owned(),
        outer,
    }
}

/// What kind of External metric failed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ExternalLayer {
    /// One with `averageValue`.
    Average,
    /// One without a target.
    NoTarget,
    /// One with `value`.
    Value,
}

/// The error of an Object metric that could not be read. Up to 1.36 its arguments are in the wrong order.
pub(crate) fn object_read_error(
    cx: &ReconcileContext<'_>,
    source: &ObjectSource,
    error: &str,
) -> String {
    let (metric, object, namespace) = (
        &source.metric.name,
        &source.described_object,
        &cx.hpa().namespace,
    );
    let (kind, name) = (&object.kind, &object.name);
    if cx.switches.texts.0 < 37 {
        format!("unable to get metric {metric}: {kind} on {namespace} {name}/{error}")
    } else {
        format!("unable to get metric {metric} on {kind} {namespace}/{name}: {error}")
    }
}

/// The error of an External metric that could not be read.
pub(crate) fn external_read_error(
    cx: &ReconcileContext<'_>,
    source: &PodsSource,
    error: &str,
) -> String {
    let (metric, namespace) = (&source.metric, &cx.hpa().namespace);
    let selector = go_selector(metric.selector.as_ref());
    format!(
        "unable to get external metric {namespace}/{}/{selector}: {error}",
        metric.name
    )
}

/// A metric of a type that the controller does not know.
pub(crate) fn unknown_type(spec: &MetricSpec) -> MetricFailure {
    let inner = format!("unknown metric source type {:?}", spec.metric_type());
    MetricFailure {
        reason: Some("InvalidMetricSourceType"),
        outer: inner.clone(),
        inner,
    }
}

/// A ContainerResource metric while the gate is off (1.27 to 1.29).
pub(crate) fn container_metrics_disabled() -> MetricFailure {
    let inner = "ContainerResource metric type is not supported: disabled by the feature gate";
    MetricFailure {
        reason: None,
        inner: inner.to_owned(),
        outer: inner.to_owned(),
    }
}

fn resource_inner(cx: &ReconcileContext<'_>, resource: &str, what: &str, error: &str) -> String {
    let what = if cx.switches.texts.0 < 26 {
        "utilization"
    } else {
        what
    };
    format!("failed to get {resource} {what}: {error}")
}

fn without_target(cx: &ReconcileContext<'_>) -> String {
    let targets = match cx.switches.texts.0 {
        ..25 => "neither a utilization target nor a value target was set",
        25 => "neither an average utilization target nor an average value target was set",
        26.. => "neither an average utilization target nor an average value (usage) target was set",
    };
    format!("invalid resource metric source: {targets}")
}

fn wrap_since_25(cx: &ReconcileContext<'_>, layer: &str, error: &str) -> String {
    if cx.switches.texts.0 < 25 {
        error.to_owned()
    } else {
        format!("{layer}{error}")
    }
}
