//! `spec.metrics`: sources, names and targets.

use std::cmp::Ordering;

use super::{
    Rules, Violation,
    names::{container_resource_name, dns_label, path_segment_problems},
    rules::VersionCheck,
    spec::object_reference,
    violation::quantity,
};
use crate::recording::wire::{
    ContainerResourceSource, HpaSpec, MetricIdentifier, MetricSource, MetricSpec, MetricTarget,
    MetricType, ObjectSource, ResourceSource, TypedSource,
};

/// Checks all metrics. Upstream: `validateMetrics`.
pub(super) fn metrics(spec: &HpaSpec, rules: Rules<'_>) -> Vec<Violation> {
    let mut found = Vec::new();
    for (index, one) in spec.metrics.iter().enumerate() {
        found.extend(metric(one, &format!("spec.metrics[{index}]"), rules));
    }
    let can_wake_up = |one: &MetricSpec| {
        MetricType::named(&one.metric_type).is_some_and(|one| match one {
            MetricType::External | MetricType::Object => true,
            MetricType::ContainerResource | MetricType::Pods | MetricType::Resource => false,
        })
    };
    if spec.min_replicas == Some(0) && !spec.metrics.iter().any(can_wake_up) {
        found.push(Violation::forbidden(
            "spec.metrics".to_owned(),
            "must specify at least one Object or External metric to support scaling to zero replicas",
        ));
    }
    found
}

/// Upstream: `validateMetricSpec`, which checks only the first source that is set. If several sources are superfluous,
/// upstream names a random one first; this goes by the alphabet.
fn metric(spec: &MetricSpec, path: &str, rules: Rules<'_>) -> Vec<Violation> {
    let mut found = Vec::new();
    let field = |name: &str| format!("{path}.{name}");
    if spec.metric_type.is_empty() {
        let detail = "must specify a metric source type";
        found.push(Violation::required(field("type"), detail));
    }
    let expected = MetricType::named(&spec.metric_type);
    if expected.is_none() {
        let name = field("type");
        let mut all: Vec<&str> = MetricType::ALL.iter().map(|one| one.name()).collect();
        all.sort_unstable();
        found.push(Violation::unsupported(name, &spec.metric_type, &all));
    }
    let all = MetricType::ALL.iter().copied();
    let present: Vec<_> = all
        .filter_map(|one| Some((one, spec.source_of(one)?)))
        .collect();
    if let Some((metric_type, source)) = present.first() {
        found.extend(violations(*source, &field(metric_type.field()), rules));
    }
    if let Some(expected) = expected
        && !present.iter().any(|(one, _)| *one == expected)
    {
        let detail = missing_source(expected, rules);
        found.push(Violation::required(field(expected.field()), &detail));
    }
    if present.len() != 1 {
        let others = present.iter().filter(|(one, _)| Some(*one) != expected);
        let mut others: Vec<&str> = others.map(|(one, _)| one.field()).collect();
        others.sort_unstable();
        found.extend(others.into_iter().map(|name| {
            Violation::forbidden(field(name), "must populate the given metric source only")
        }));
    }
    found
}

fn missing_source(expected: MetricType, rules: Rules<'_>) -> String {
    let is_off = expected == MetricType::ContainerResource && rules.lacks_container_metrics();
    let why = if is_off {
        " (only allowed when HPAContainerMetrics feature is enabled)"
    } else {
        ""
    };
    format!("must populate information for the given metric source{why}")
}

fn violations(source: TypedSource<'_>, path: &str, rules: Rules<'_>) -> Vec<Violation> {
    match source {
        TypedSource::ContainerResource(source) => container_resource(source, path, rules),
        TypedSource::External(source) => external(source, path),
        TypedSource::Object(source) => object(source, path, rules.described_object_version()),
        TypedSource::Pods(source) => pods(source, path),
        TypedSource::Resource(source) => resource(source, path),
    }
}

/// Upstream: `validateObjectSource`.
fn object(source: &ObjectSource, path: &str, check: VersionCheck) -> Vec<Violation> {
    let described = format!("{path}.describedObject");
    let mut found = object_reference(&source.described_object, &described, check);
    found.extend(identifier(&source.metric, path));
    found.extend(target(&source.target, path));
    if source.target.value.is_none() && source.target.average_value.is_none() {
        found.push(Violation::required(
            format!("{path}.target.averageValue"),
            "must set either a target value or averageValue",
        ));
    }
    found
}

/// Upstream: `validateExternalSource`.
fn external(source: &MetricSource, path: &str) -> Vec<Violation> {
    let mut found = identifier(&source.metric, path);
    found.extend(target(&source.target, path));
    let (value, average) = (&source.target.value, &source.target.average_value);
    if value.is_none() && average.is_none() {
        found.push(Violation::required(
            format!("{path}.target.averageValue"),
            "must set either a target value for metric or a per-pod target",
        ));
    }
    if value.is_some() && average.is_some() {
        found.push(Violation::forbidden(
            format!("{path}.target.value"),
            "may not set both a target value for metric and a per-pod target",
        ));
    }
    found
}

/// Upstream: `validatePodsSource`.
fn pods(source: &MetricSource, path: &str) -> Vec<Violation> {
    let mut found = identifier(&source.metric, path);
    found.extend(target(&source.target, path));
    if source.target.average_value.is_none() {
        found.push(Violation::required(
            format!("{path}.target.averageValue"),
            "must specify a positive target averageValue",
        ));
    }
    found
}

/// Upstream: `validateContainerResourceSource`.
fn container_resource(
    source: &ContainerResourceSource,
    path: &str,
    rules: Rules<'_>,
) -> Vec<Violation> {
    let mut found = Vec::new();
    let (name, container) = (format!("{path}.name"), format!("{path}.container"));
    if source.name.is_empty() {
        found.push(Violation::required(name, "must specify a resource name"));
    } else {
        found.extend(container_resource_name(&source.name, &name, rules));
    }
    if source.container.is_empty() {
        found.push(Violation::required(container, "must specify a container"));
    } else {
        found.extend(dns_label(&source.container, &container));
    }
    found.extend(resource_target(&source.target, path));
    found
}

/// Upstream: `validateResourceSource`.
fn resource(source: &ResourceSource, path: &str) -> Vec<Violation> {
    let mut found = Vec::new();
    if source.name.is_empty() {
        let name = format!("{path}.name");
        found.push(Violation::required(name, "must specify a resource name"));
    }
    found.extend(resource_target(&source.target, path));
    found
}

fn resource_target(target: &MetricTarget, path: &str) -> Vec<Violation> {
    let mut found = self::target(target, path);
    let (utilization, average) = (&target.average_utilization, &target.average_value);
    if utilization.is_none() && average.is_none() {
        found.push(Violation::required(
            format!("{path}.target.averageUtilization"),
            "must set either a target raw value or a target utilization",
        ));
    }
    if utilization.is_some() && average.is_some() {
        found.push(Violation::forbidden(
            format!("{path}.target.averageValue"),
            "may not set both a target raw value and a target utilization",
        ));
    }
    found
}

/// Upstream: `validateMetricTarget`.
fn target(target: &MetricTarget, source: &str) -> Vec<Violation> {
    let mut found = Vec::new();
    let field = |name: &str| format!("{source}.target.{name}");
    if target.target_type.is_empty() {
        let detail = "must specify a metric target type";
        found.push(Violation::required(field("type"), detail));
    }
    if !matches!(
        &*target.target_type,
        "Utilization" | "Value" | "AverageValue"
    ) {
        let detail = "must be either Utilization, Value, or AverageValue";
        found.push(Violation::name(field("type"), &target.target_type, detail));
    }
    for (name, text) in [
        ("value", &target.value),
        ("averageValue", &target.average_value),
    ] {
        if let Some((value, sign)) = quantity(text.as_ref())
            && sign != Ordering::Greater
        {
            found.push(Violation::quantity(field(name), &value, "must be positive"));
        }
    }
    if let Some(percent) = target.average_utilization.filter(|percent| *percent < 1) {
        let detail = "must be greater than 0";
        found.push(Violation::number(
            field("averageUtilization"),
            percent,
            detail,
        ));
    }
    found
}

/// Upstream: `validateMetricIdentifier`.
fn identifier(metric: &MetricIdentifier, source: &str) -> Vec<Violation> {
    let field = format!("{source}.metric.name");
    if metric.name.is_empty() {
        return vec![Violation::required(field, "must specify a metric name")];
    }
    path_segment_problems(&metric.name)
        .into_iter()
        .map(|problem| Violation::text(field.clone(), &metric.name, &problem))
        .collect()
}
