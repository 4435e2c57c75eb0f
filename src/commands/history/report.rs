//! The report on a past.

use jiff::tz::TimeZone;

use super::{
    metric_values::{MetricValues, NotUsed, ValueSource},
    past::Past,
    read::Read,
    span::Span,
};
use crate::{
    commands::simulate::per_pod_unit,
    history::{About, Confirmation, Depth, Exporter, NAMES, Name, replicas, throttled},
    model::{MetricSpec, MetricTarget, Observation, Provenance},
    render::history::{
        Advice, Censored, HistoryReport, Known, MetricReport, SeriesReport, SourceReport,
        WhatIfReport,
    },
    simulation::tolerated,
};

/// Throttling in a larger share of the periods is reported.
const MUCH_THROTTLING: f64 = 0.01;

pub(super) fn report(
    read: &Read,
    past: Past,
    what_if: Option<WhatIfReport>,
    (span, depth): (Span, Depth),
    zone: &TimeZone,
) -> HistoryReport {
    let hpa = &past.today.hpa;
    let series = series(read, depth, &past.today);
    let not_used: Vec<String> = past.not_used.iter().map(not_used).collect();
    let advice = advice(read, &series, depth, &past);
    let mut censored = Vec::new();
    if 0 < past.at_max() {
        censored.push(Censored::AtMax(past.at_max()));
    }
    let (from, to) = (span.from.as_millisecond(), span.to.as_millisecond());
    let share = throttled(&read.set, from, to).filter(|share| MUCH_THROTTLING < *share);
    censored.extend(share.map(Censored::Throttled));
    HistoryReport {
        hpa: hpa.key(),
        target: hpa.spec.scale_target.to_string(),
        version: past.today.controller.version.value.to_string(),
        from: span.from,
        to: span.to,
        zone: zone.clone(),
        server: read.server.clone(),
        metric: metric(&past.today),
        advice,
        sources: past.sources.clone(),
        series,
        censored,
        course: past.course,
        trust: past.trust,
        reasons: past.reasons,
        what_if,
        warnings: read.warnings.iter().cloned().chain(not_used).collect(),
    }
}

/// Why values of a metric are not used.
fn not_used((source, why): &(ValueSource, NotUsed)) -> String {
    match why {
        NotUsed::Failed(error) => format!("{source} is not used: {error}"),
        NotUsed::Other(Confirmation { compared: 0, .. }) => format!(
            "{source} is not used: no scrape shows the controller's own values to compare it with"
        ),
        NotUsed::Other(Confirmation { matching, compared }) => format!(
            "{source} is not used: in {} of {compared} syncs the controller had another value",
            compared - matching
        ),
    }
}

/// The first metric of the current spec.
fn metric(today: &Observation) -> Option<MetricReport> {
    let metrics = &today.hpa.spec.metrics;
    let metric = metrics.first()?;
    let target = metric.target();
    let value = target.and_then(MetricTarget::approximate_f64);
    Some(MetricReport {
        name: metric.short_name().to_owned(),
        unit: per_pod_unit(metric),
        is_per_pod: target.is_some_and(|target| target.value.is_none()),
        target: value,
        tolerated: value.map(|value| tolerated(today, value)),
        others: metrics.len() - 1,
    })
}

/// The series names that are useful for this HPA.
pub(super) fn series(read: &Read, depth: Depth, today: &Observation) -> Vec<SeriesReport> {
    let kind = today.hpa.spec.scale_target.kind.as_str();
    let of_target = replicas(kind);
    let has_tolerance = |name: &Name| {
        let rules = |direction| today.hpa.spec.rules(direction);
        let mut both = crate::model::Direction::BOTH.into_iter().filter_map(rules);
        name.about != About::Tolerances || both.any(|rules| rules.tolerance.is_some())
    };
    let is_of_use = |name: &&Name| {
        name.depth <= depth
            && (name.about != About::Replicas
                || of_target.is_some_and(|(spec, status)| [spec, status].contains(&name.name)))
            && (name.about != About::ReplicaSets || kind == "Deployment")
            && has_tolerance(name)
    };
    NAMES
        .iter()
        .filter(is_of_use)
        .map(|name| SeriesReport {
            name: *name,
            found: read.set.of(name.name).len(),
            interval: read.set.interval(name.name),
        })
        .collect()
}

fn advice(read: &Read, series: &[SeriesReport], depth: Depth, past: &Past) -> Vec<Advice> {
    let mut advice = Vec::new();
    let period = past.today.sync_period().value.as_millis() as i64;
    let interval = read.set.interval(crate::history::DESIRED);
    if let Some(interval) = interval
        && period * 11 < interval * 10
    {
        advice.push(Advice::ScrapeStateMoreOften { interval, period });
    }
    for exporter in [Exporter::KubeStateMetrics, Exporter::Cadvisor] {
        let missing: Vec<&'static str> = series
            .iter()
            .filter(|one| one.found == 0 && one.name.exporter == exporter)
            // Without a limit there is no throttling, and a pod that is not deleted has no such time.
            .filter(|one| !matches!(one.name.about, About::Throttling | About::Limits))
            .filter(|one| one.name.name != crate::history::POD_DELETED)
            .map(|one| one.name.name)
            .collect();
        if !missing.is_empty() {
            advice.push(Advice::Export(exporter, missing));
        }
    }
    let usage = series.iter().find(|one| one.name.about == About::Usage);
    if let Some(interval) = usage.and_then(|one| one.interval)
        && usage.is_some_and(|one| read.set.is_even(one.name.name))
    {
        advice.push(Advice::HonorTimestamps { interval });
    }
    if depth == Depth::Hpa {
        advice.push(Advice::ReadDeeper);
    }
    advice
}

/// The source of each input.
pub(super) fn sources(
    series: &[SeriesReport],
    today: &Observation,
    metric_values: &[&MetricValues],
) -> Vec<SourceReport> {
    let has = |about: About| {
        series
            .iter()
            .any(|one| one.name.about == about && 0 < one.found)
    };
    let source = |key, known, words: &str| SourceReport {
        key,
        known,
        words: words.to_owned(),
    };
    let of = |is_there: bool| {
        if is_there {
            Known::Observed
        } else {
            Known::Unknown
        }
    };
    let mut sources = vec![
        source("decisions", Known::Observed, "current and desired replicas"),
        source(
            "bounds",
            of(has(About::Bounds)),
            "minReplicas and maxReplicas",
        ),
        source(
            "targets",
            if has(About::Targets) {
                Known::Observed
            } else {
                Known::Inferred
            },
            "targets of the metrics",
        ),
        source(
            "values",
            match (has(About::Values), has(About::Usage)) {
                (true, _) => Known::Observed,
                (false, true) => Known::Bounded,
                (false, false) => Known::Unknown,
            },
            "values of the metrics",
        ),
        source(
            "conditions",
            of(has(About::Conditions)),
            "status of the conditions",
        ),
    ];
    if has(About::Pods) {
        sources.push(source("pods", Known::Observed, "pods by their owners"));
        sources.push(source(
            "readiness",
            of(has(About::Readiness)),
            "readiness of the pods",
        ));
        sources.push(source("requests", of(has(About::Requests)), "requests"));
    } else {
        sources.push(source(
            "pods",
            Known::Assumed,
            "as many ready pods as replicas",
        ));
    }
    if has(About::Usage) {
        sources.push(source(
            "usage",
            Known::Bounded,
            "CPU and memory of each pod",
        ));
    }
    sources.extend(metric_values.iter().map(|one| {
        let known = match one.source {
            ValueSource::Exported => Known::Bounded,
            ValueSource::Flag | ValueSource::Trigger { .. } => Known::Inferred,
        };
        let words = format!("{} between two scrapes ({})", one.metric, one.source);
        source("metricValues", known, &words)
    }));
    sources.push(source(
        "syncTimes",
        Known::Bounded,
        "times of the syncs, between two scrapes",
    ));
    sources.push(source("behavior", Known::Inferred, "behavior (as today)"));
    let selects = today.hpa.spec.metrics.iter().any(|metric| {
        matches!(
            metric,
            MetricSpec::Pods(_) | MetricSpec::Object(_) | MetricSpec::External(_)
        )
    });
    if selects {
        sources.push(source(
            "metricSelectors",
            Known::Inferred,
            "selectors of the metrics (as today)",
        ));
    }
    sources.push(source(
        "labels",
        Known::Inferred,
        "labels of the pods (as the selector wants them)",
    ));
    sources.push(source(
        "memory",
        Known::Inferred,
        "the controller's history",
    ));
    let controller = &today.controller;
    let flags = [
        controller.tolerance.provenance,
        controller.downscale_stabilization.provenance,
        controller.cpu_initialization_period.provenance,
        controller.initial_readiness_delay.provenance,
    ];
    if flags.contains(&Provenance::Assumed) {
        sources.push(source(
            "flags",
            Known::Assumed,
            "flags of the controller (by default)",
        ));
    }
    sources.push(source(
        "reasons",
        Known::Unknown,
        "Events, reasons of conditions, restarts of the controller, pods of others that the selector matches",
    ));
    sources
}
