//! The names of the metrics of one HPA: no two are the same.

use hpa_engine::model::{MetricIdentifier, MetricSpec};

/// The names of one metric.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MetricName {
    /// The resource or the name of the metric, with as much more as tells it apart from the other metrics: `cpu`,
    /// `amqp_unacked{queue=q1}`.
    pub short: String,
    /// The same with what it is measured on: `cpu of container app`, `hits of Ingress/main`.
    pub full: String,
}

impl MetricName {
    /// Of a metric that the spec does not have.
    pub(super) fn of_unknown(index: usize) -> Self {
        Self {
            short: number(index),
            full: number(index),
        }
    }
}

/// The names of all metrics of an HPA, in their order.
pub fn metric_names(metrics: &[MetricSpec]) -> Vec<MetricName> {
    let candidates: Vec<Vec<String>> = metrics
        .iter()
        .enumerate()
        .map(|(index, metric)| candidates(metrics, metric, index))
        .collect();
    let short = distinct(&candidates, 0);
    let full = distinct(&candidates, 1);
    let names = short.into_iter().zip(full);
    names
        .map(|(short, full)| MetricName { short, full })
        .collect()
}

/// The name of the metric at `index` of the spec with what it is measured on.
pub fn metric_full_name(metrics: &[MetricSpec], index: usize) -> String {
    let name = metric_names(metrics).into_iter().nth(index);
    name.map_or_else(|| number(index), |name| name.full)
}

/// The name of each metric: of its candidates from `first` on, the shortest that no other metric has.
fn distinct(candidates: &[Vec<String>], first: usize) -> Vec<String> {
    let names: Vec<String> = candidates
        .iter()
        .enumerate()
        .map(|(index, own)| {
            let is_alone = |level: &usize| {
                let others = candidates.iter().enumerate();
                let mut others = others.filter(|(other, _)| *other != index);
                others.all(|(_, other)| other.get(*level) != own.get(*level))
            };
            let level = (first..own.len()).find(is_alone);
            level
                .and_then(|level| own.get(level).cloned())
                .unwrap_or_else(|| number(index))
        })
        .collect();
    let is_twice = |name: &String| 1 < names.iter().filter(|other| *other == name).count();
    let numbered = |(index, name): (usize, &String)| {
        if is_twice(name) {
            format!("{name} ({})", number(index))
        } else {
            name.clone()
        }
    };
    names.iter().enumerate().map(numbered).collect()
}

/// Names of a metric, each with more than the one before it; the last one has its position.
fn candidates(metrics: &[MetricSpec], metric: &MetricSpec, index: usize) -> Vec<String> {
    let parts = own_requirements(metrics, metric);
    let (first, all) = (in_braces(parts.first().as_slice()), in_braces(&parts));
    let object = metric.object().map(|source| &source.described_object);
    let on = match (metric.container(), object) {
        (Some(container), _) => format!(" of container {container}"),
        (None, Some(object)) => format!(" of {}/{}", object.kind, object.name),
        (None, None) => String::new(),
    };
    let (name, kind) = match (metric.short_name(), metric.api_group()) {
        ("", None) => (number(index), "unknown"),
        (name, None) => (name.to_owned(), "unknown"),
        (name, Some(_)) => (name.to_owned(), metric.metric_type()),
    };
    let full = format!("{name}{on}");
    let with_first = format!("{name}{first}{on}");
    let with_all = format!("{name}{all}{on}");
    let typed = format!("{full} ({kind})");
    let numbered = format!("{full} ({})", number(index));
    vec![name, full, with_first, with_all, typed, numbered]
}

/// What the selector of a metric requires, and those of other metrics of that name do not.
fn own_requirements(metrics: &[MetricSpec], metric: &MetricSpec) -> Vec<String> {
    let Some(own) = metric.identifier() else {
        return Vec::new();
    };
    let others: Vec<Vec<String>> = metrics
        .iter()
        .filter_map(MetricSpec::identifier)
        .filter(|other| other.name == own.name)
        .map(requirements)
        .collect();
    let mut parts = requirements(own);
    parts.retain(|part| !others.iter().all(|other| other.contains(part)));
    parts
}

/// `{queue=q1,tier in (a,b)}`; empty without parts.
fn in_braces<S: AsRef<str>>(parts: &[S]) -> String {
    if parts.is_empty() {
        return String::new();
    }
    let parts: Vec<&str> = parts.iter().map(AsRef::as_ref).collect();
    format!("{{{}}}", parts.join(","))
}

/// `queue=q1`, `tier in (a,b)`.
fn requirements(metric: &MetricIdentifier) -> Vec<String> {
    let Some(selector) = &metric.selector else {
        return Vec::new();
    };
    let labels = selector.match_labels.iter();
    let labels = labels.map(|(key, value)| format!("{key}={value}"));
    let expressions = selector.match_expressions.iter();
    let expressions = expressions.map(|one| match one.operator.as_str() {
        "Exists" => one.key.clone(),
        "DoesNotExist" => format!("!{}", one.key),
        "In" => format!("{} in ({})", one.key, one.values.join(",")),
        "NotIn" => format!("{} notin ({})", one.key, one.values.join(",")),
        other => format!("{} {other} ({})", one.key, one.values.join(",")),
    });
    labels.chain(expressions).collect()
}

fn number(index: usize) -> String {
    format!("metric {}", index + 1)
}
