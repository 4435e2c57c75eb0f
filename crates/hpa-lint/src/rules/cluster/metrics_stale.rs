//! HPA703 `metrics-stale`.

use hpa_analysis::Assessment;
use hpa_engine::trace::{MetricEvaluation, MetricStep};
use hpa_words::clock::rough;
use jiff::{SignedDuration, Timestamp};

use crate::{
    Check, ConfigurableNumber, Cx, HpaSubject, Needs, RuleOutcome, Severity, ThresholdUnit,
    rules::resource_in_prose,
};

crate::declare_rule! {
    /// ## What it does
    /// Flags a metric whose newest sample is older than 2 × (the window of the sample + the time between two samples). The
    /// time between two samples is taken as 60 s (`resolution`).
    ///
    /// ## Why is this bad?
    /// The controller uses any sample that it gets, so it decides on an old load. With a window of 15 s and a sample every
    /// 60 s, the limit is 2 × (15 s + 60 s) = 150 s. An older sample means that the server of the API has missed two
    /// rounds.
    ///
    /// ## Example
    /// ```yaml excerpt
    /// # … read at 10:00:00
    /// kind: PodMetrics
    /// metadata:
    ///   name: web-6f-a
    ///   namespace: shop
    /// timestamp: "2026-11-02T09:50:00Z"
    /// window: 15s
    /// # …
    /// kind: PodMetrics
    /// metadata:
    ///   name: web-6f-b
    ///   namespace: shop
    /// timestamp: "2026-11-02T09:50:10Z"
    /// window: 15s
    /// ```
    ///
    /// Use instead:
    /// ```yaml excerpt
    /// # … read at 10:00:00
    /// kind: PodMetrics
    /// metadata:
    ///   name: web-6f-a
    ///   namespace: shop
    /// timestamp: "2026-11-02T09:59:50Z"
    /// window: 15s
    /// # …
    /// kind: PodMetrics
    /// metadata:
    ///   name: web-6f-b
    ///   namespace: shop
    /// timestamp: "2026-11-02T10:00:00Z"
    /// window: 15s
    /// ```
    ///
    /// ## Fix
    /// Check the server of the API. Most often metrics-server lacks CPU or memory, or cannot reach kubelets.
    ///
    /// ## References
    /// - [kubernetes-sigs/metrics-server#1641](https://github.com/kubernetes-sigs/metrics-server/issues/1641), [kubernetes-sigs/metrics-server#1705](https://github.com/kubernetes-sigs/metrics-server/issues/1705)
    pub(crate) static RULE = {
        code: "HPA703",
        name: "metrics-stale",
        summary: "even the newest sample of a metric is old",
        severity: Severity::Warning,
        needs: Needs::Live,
        thresholds: &[
            ConfigurableNumber {
                name: "resolution",
                default: 60.0,
                unit: ThresholdUnit::Seconds,
                summary: "time between two samples",
            },
        ],
        check: Check::Hpa(check),
    }
}

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
