//! Custom and external metrics: the request and its answer, the series, and which metrics the adapter lists.

use hpa_engine::model::{ExternalMetricValue, MetricList, MetricSpec};
use hpa_words::amount::{names, trimmed};

use super::{api::MetricsApi, metric_note::MetricNote, target::other_type};
use crate::{ExplainContext, MetricFacts};

/// Request and series of a custom or external metric that has a value, and what another target type would ask for
/// (details).
pub(super) fn notes(cx: &ExplainContext<'_>, metric: &MetricFacts<'_>) -> Vec<MetricNote> {
    if metric.spec.and_then(MetricSpec::identifier).is_none() || metric.replicas().is_none() {
        return Vec::new();
    }
    let command = MetricsApi::of(cx, metric).and_then(|api| api.command());
    let details = [
        command.map(|command| format!("asked with {command}")),
        series(cx, metric),
        other_type(cx, metric),
    ];
    details
        .into_iter()
        .flatten()
        .map(MetricNote::detail)
        .collect()
}

/// That the adapter answers and does not have the metric, with what it lists; `None` if it was not asked, or has another error.
pub(super) fn lacks(
    cx: &ExplainContext<'_>,
    metric: &MetricFacts<'_>,
    api: &MetricsApi<'_>,
) -> Option<String> {
    let list = list(cx, api)?;
    let is_missing = metric
        .read?
        .error
        .as_ref()
        .is_none_or(|one| one.code == 404);
    if !is_missing || list.error.is_some() || !list.similar.is_empty() {
        return listed(cx, metric, &api.name());
    }
    let spec = metric.spec?;
    let identifier = spec.identifier()?;
    let what = if spec.is_external() {
        "series"
    } else {
        "metric"
    };
    let selector = identifier.selector.as_ref().map_or("", |_| ", selector");
    Some(format!(
        "Adapter {} has no {what} {}: check its name{selector} or the adapter's rules.",
        api.name(),
        identifier.name
    ))
}

/// What the adapter of an API lists.
fn list<'a>(cx: &ExplainContext<'a>, api: &MetricsApi<'_>) -> Option<&'a MetricList> {
    let lists = &cx.context.surroundings.metric_lists;
    lists.iter().find(|list| list.group == api.group)
}

/// Whether the adapter lists the metric, as a sentence with the subject `it`; `None` if the adapter was not asked.
pub(super) fn listed(
    cx: &ExplainContext<'_>,
    metric: &MetricFacts<'_>,
    it: &str,
) -> Option<String> {
    let api = MetricsApi::of(cx, metric)?;
    let list = list(cx, &api)?;
    if let Some(error) = &list.error {
        return Some(format!(
            "{it} cannot list its metrics either: {}.",
            error.trim_end_matches('.')
        ));
    }
    let entry_name = entry(metric.spec?, &api)?;
    if list.similar == [PLACEHOLDER] {
        return Some(format!(
            "{it} lists one name for all its metrics, so a wrong name cannot be seen."
        ));
    }
    if list.listed == 0 {
        let group = api.group.trim_end_matches(".metrics.k8s.io");
        return Some(format!("{it} lists no metric in its {group} metrics API."));
    }
    if list.similar.contains(&entry_name) {
        return Some(format!(
            "{it} lists {entry_name}: the name is right, but it has no value for this query."
        ));
    }
    let like = if list.similar.is_empty() {
        String::new()
    } else {
        format!("; like it: {}", names(&list.similar, 3))
    };
    let metrics = if list.listed == 1 {
        "1 metric".to_owned()
    } else {
        format!("{} metrics", list.listed)
    };
    Some(format!("{it} lists {metrics}, but not {entry_name}{like}."))
}

/// The name by which the discovery of an API lists a metric: `queue_depth`, `pods/http_requests`.
fn entry(spec: &MetricSpec, api: &MetricsApi<'_>) -> Option<String> {
    let name = &spec.identifier()?.name;
    if spec.is_external() {
        return Some(name.clone());
    }
    let resource = match spec.object() {
        None => "pods",
        // For a metric on the namespace itself the path has no object.
        Some(_) => match api.resource()? {
            "metrics" => "namespaces",
            resource => resource,
        },
    };
    Some(format!("{resource}/{name}"))
}

/// The only name that KEDA's metrics API server lists from 2.11 on.
const PLACEHOLDER: &str = "externalmetrics";

/// `32.5 in 3 series: {queue=mail} 30, {queue=spam} 2.5 and 1 more`.
fn series(cx: &ExplainContext<'_>, metric: &MetricFacts<'_>) -> Option<String> {
    let index = metric.evaluation.index;
    let answers = &cx.facts.observation.external_metrics;
    let items = answers
        .iter()
        .find(|answer| answer.index == index)?
        .answer
        .read()?;
    let of = |item: &ExternalMetricValue| {
        let labels: Vec<String> = item
            .labels
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let value = trimmed(item.value.approximate_f64(), 3);
        if labels.is_empty() {
            format!("{value} without labels")
        } else {
            format!("{value} of {{{}}}", labels.join(","))
        }
    };
    let displayed: Vec<String> = items.iter().map(of).collect();
    let total = metric.unit().amount(metric.read?.total?);
    Some(format!(
        "{total} in all, of {} series: {}",
        items.len(),
        names(&displayed, 3)
    ))
}
