//! HPA702 `metric-not-served`.

use hpa_analysis::{Assessment, selected_pods};
use hpa_engine::{
    model::MetricSpec,
    trace::{MetricEvaluation, MetricOutcome, MetricStep},
};

use crate::{Check, Cx, HpaSubject, Needs, Rule, RuleOutcome, Severity, api_services};

pub(crate) static RULE: Rule = Rule {
    code: "HPA702",
    name: "metric-not-served",
    summary: "a custom or external metric has no value",
    severity: Severity::Error,
    needs: Needs::Live,
    check: Check::Hpa(check),
    docs: include_str!("metric_not_served.md"),
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
