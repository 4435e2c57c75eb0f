//! HPA703 `metrics-stale`.

use hpa_analysis::Assessment;
use hpa_engine::trace::{MetricEvaluation, MetricStep};
use hpa_words::{amount::resource_in_prose, clock::rough};
use jiff::{SignedDuration, Timestamp};

use crate::{
    Check, ConfigurableNumber, Cx, HpaSubject, Needs, Rule, RuleOutcome, Severity, ThresholdUnit,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA703",
    name: "metrics-stale",
    summary: "even the newest sample of a metric is old",
    severity: Severity::Warning,
    needs: Needs::Live,
    thresholds: &[ConfigurableNumber {
        name: "resolution",
        default: 60.0,
        unit: ThresholdUnit::Seconds,
        summary: "time between two samples",
    }],
    check: Check::Hpa(check),
    docs: include_str!("metrics_stale.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let live = cx.live()?;
    let mut findings = Vec::new();
    for metric in live.analysis.trace.metrics() {
        let Some(spec) = cx.subject.spec.metrics.get(metric.index) else {
            continue;
        };
        let Some((at, window)) = newest(live, metric) else {
            continue;
        };
        let age = live.since(at);
        let most = 2.0 * (window.as_secs_f64() + cx.threshold("resolution"));
        if most < age.as_secs_f64() {
            findings.push(
                cx.finding(format!("spec.metrics[{}]", metric.index))
                    .message(format!(
                        "the newest sample of {} is {} old, so the HPA decides on an old load",
                        resource_in_prose(spec.short_name()),
                        rough(age)
                    ))
                    .help("check the server of the metrics API: it has delivered no newer sample"),
            );
        }
    }
    Ok(findings)
}

/// Time and window of the newest sample. Go's zero time counts as no time.
fn newest(live: &Assessment, metric: &MetricEvaluation) -> Option<(Timestamp, SignedDuration)> {
    let of_pods = metric.steps.iter().find_map(|step| match step {
        MetricStep::GroupPods(groups) => groups
            .pods
            .iter()
            .filter(|pod| pod.usage.is_some())
            .filter_map(|pod| Some((pod.sampled?, pod.window)))
            .max(),
        _ => None,
    });
    let observation = &live.observation;
    let custom = observation
        .custom_metrics
        .iter()
        .filter(|answer| answer.index == metric.index)
        .filter_map(|answer| answer.answer.read())
        .flatten()
        .filter_map(|item| item.timestamp);
    let external = observation
        .external_metrics
        .iter()
        .filter(|answer| answer.index == metric.index)
        .filter_map(|answer| answer.answer.read())
        .flatten()
        .filter_map(|item| item.timestamp);
    let value = custom.chain(external).max();
    of_pods
        .or(value.map(|at| (at, SignedDuration::ZERO)))
        .filter(|(at, _)| 0 < at.as_second())
}
