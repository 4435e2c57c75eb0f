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
    ObjectSource, ResourceSource,
};

/// Checks all metrics. Upstream: `validateMetrics`.
pub(super) fn metrics(spec: &HpaSpec, rules: Rules<'_>) -> Vec<Violation> {
    let mut found = Vec::new();
    for (index, one) in spec.metrics.iter().enumerate() {
        found.extend(metric(one, &format!("spec.metrics[{index}]"), rules));
    }
    let can_wake_up = |one: &MetricSpec| matches!(&*one.metric_type, "External" | "Object");
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
    let expected = expected_source(&spec.metric_type);
    if expected.is_none() {
        let name = field("type");
        found.push(Violation::unsupported(name, &spec.metric_type, &TYPES));
    }
    let present = sources(spec);
    if let Some((name, source)) = present.first() {
        found.extend(source.violations(&field(name), rules));
    }
    if let Some(expected) = expected
        && !present.iter().any(|(name, _)| *name == expected)
    {
        let detail = missing_source(expected, rules);
        found.push(Violation::required(field(expected), &detail));
    }
    if present.len() != 1 {
        let mut others: Vec<&str> = present.iter().map(|(name, _)| *name).collect();
        others.retain(|name| Some(*name) != expected);
        others.sort_unstable();
        found.extend(others.into_iter().map(|name| {
            Violation::forbidden(field(name), "must populate the given metric source only")
        }));
    }
    found
}

fn expected_source(metric_type: &str) -> Option<&'static str> {
    Some(match metric_type {
        "ContainerResource" => "containerResource",
        "External" => "external",
        "Object" => "object",
        "Pods" => "pods",
        "Resource" => "resource",
        _ => return None,
    })
}

fn missing_source(expected: &str, rules: Rules<'_>) -> String {
    let is_off = expected == "containerResource" && rules.lacks_container_metrics();
    let why = if is_off {
        " (only allowed when HPAContainerMetrics feature is enabled)"
    } else {
        ""
    };
    format!("must populate information for the given metric source{why}")
}

/// A source that is set.
enum PresentSource<'a> {
    ContainerResource(&'a ContainerResourceSource),
    External(&'a MetricSource),
    Object(&'a ObjectSource),
    Pods(&'a MetricSource),
    Resource(&'a ResourceSource),
}

/// The sources that are set, in upstream's order.
fn sources(spec: &MetricSpec) -> Vec<(&'static str, PresentSource<'_>)> {
    let all = [
        ("object", spec.object.as_deref().map(PresentSource::Object)),
        (
            "external",
            spec.external.as_deref().map(PresentSource::External),
        ),
        ("pods", spec.pods.as_deref().map(PresentSource::Pods)),
        (
            "resource",
            spec.resource.as_deref().map(PresentSource::Resource),
        ),
        (
            "containerResource",
            spec.container_resource
                .as_deref()
                .map(PresentSource::ContainerResource),
        ),
    ];
    all.into_iter()
        .filter_map(|(name, source)| Some((name, source?)))
        .collect()
}

impl PresentSource<'_> {
    fn violations(&self, path: &str, rules: Rules<'_>) -> Vec<Violation> {
        match self {
            Self::ContainerResource(source) => container_resource(source, path, rules),
            Self::External(source) => external(source, path),
            Self::Object(source) => object(source, path, rules.described_object_version()),
            Self::Pods(source) => pods(source, path),
            Self::Resource(source) => resource(source, path),
        }
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

const TYPES: [&str; 5] = [
    "ContainerResource",
    "External",
    "Object",
    "Pods",
    "Resource",
];
