//! HPA702 `metric-not-served`.

use hpa_analysis::{Assessment, selected_pods};
use hpa_engine::{
    model::MetricSpec,
    trace::{MetricEvaluation, MetricOutcome, MetricStep},
};

use crate::{Check, Cx, HpaSubject, Needs, RuleOutcome, Severity, api_services};

crate::declare_rule! {
    /// ## What it does
    /// Flags a Pods, Object or External metric for which the metrics API returns 404 or an empty list. It is not reported
    /// if the API itself is down (see HPA701), nor for Pods metrics while no pod exists.
    ///
    /// ## Why is this bad?
    /// The metric cannot be computed in any sync: `kubectl get hpa` shows `<unknown>`. The HPA never scales down. If it has
    /// no other metric, it does not scale at all.
    ///
    /// ## Example
    /// ```yaml excerpt
    /// kind: Snapshot
    /// # …
    ///     - type: External
    ///       external:
    ///         metric:
    ///           name: queue_depth
    /// # …
    /// surroundings:
    ///   apiServices:
    ///   - name: v1beta1.external.metrics.k8s.io
    ///     # …
    ///     available: true
    /// # … what the API returns for the first metric
    /// externalMetrics:
    /// - index: 0
    ///   items: []
    /// ```
    ///
    /// Use instead:
    /// ```yaml excerpt
    /// # … what the API returns for the first metric
    /// externalMetrics:
    /// - index: 0
    ///   items:
    ///   - metricName: queue_depth
    ///     value: "60"
    ///     timestamp: "2026-11-02T09:59:50Z"
    /// ```
    ///
    /// ## Fix
    /// Correct the name and the selector of the metric, or give the adapter a rule that serves it. `kubectl hpa explain`
    /// shows the path of the request: `kubectl get --raw PATH` sends the same one.
    ///
    /// ## References
    /// - [kubernetes-sigs/prometheus-adapter#150](https://github.com/kubernetes-sigs/prometheus-adapter/issues/150), [kubernetes-sigs/prometheus-adapter#164](https://github.com/kubernetes-sigs/prometheus-adapter/issues/164), [kubernetes-sigs/prometheus-adapter#666](https://github.com/kubernetes-sigs/prometheus-adapter/issues/666)
    pub(crate) static RULE = {
        code: "HPA702",
        name: "metric-not-served",
        summary: "a custom or external metric has no value",
        severity: Severity::Error,
        needs: Needs::Live,
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
        let Some(name) = spec.identifier().map(|metric| &metric.name) else {
            continue;
        };
        if let MetricOutcome::Unknown(reason) = &metric.outcome {
            return Err(reason.into());
        }
        let is_without_pods = spec.is_pods() && selected_pods(&live.observation).is_empty();
        if is_without_pods || is_api_down(live, spec) {
            continue;
        }
        if let Some(answer) = answer(metric) {
            findings.push(
                cx.finding(format!("spec.metrics[{}]", metric.index))
                    .message(format!("metric {name} is not served, so the HPA never scales down. The metrics API returns {answer}"))
                    .help("correct metric.name and metric.selector, or give the adapter a rule that serves the metric"),
            );
        }
    }
    Ok(findings)
}

/// Whether the API itself is down, as far as known.
fn is_api_down(live: &Assessment, spec: &MetricSpec) -> bool {
    let group = spec.api_group().unwrap_or_default();
    api_services(live).is_ok_and(|services| {
        let mut of_group = services.iter().filter(|service| service.group == group);
        !of_group.any(|service| service.is_available == Some(true))
    })
}

fn answer(metric: &MetricEvaluation) -> Option<String> {
    let read = metric.steps.iter().find_map(|step| match step {
        MetricStep::ReadMetric(read) => Some(read),
        _ => None,
    })?;
    match &read.error {
        Some(error) if error.code == 404 => {
            Some(format!("404, {}", error.message.trim_end_matches('.')))
        }
        None if read.items == 0 => Some("an empty list".to_owned()),
        _ => None,
    }
}
