//! HPA809 `empty-metric-slot`.

use hpa_engine::model::MetricStatus;

use crate::{Check, Cx, HpaSubject, Needs, Rule, RuleOutcome, Severity, explain_command};

pub(crate) static RULE: Rule = Rule {
    code: "HPA809",
    name: "empty-metric-slot",
    summary: "a metric failed in the last sync",
    severity: Severity::Info,
    needs: Needs::Live,
    yields_to: &[
        "HPA202", "HPA204", "HPA205", "HPA207", "HPA701", "HPA702", "HPA802",
    ],
    check: Check::Hpa(check),
    docs: include_str!("empty_metric_slot.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let metrics = &cx.live()?.observation.hpa.status.current_metrics;
    Ok(metrics
        .iter()
        .enumerate()
        .filter(|(_, metric)| matches!(metric, MetricStatus::Failed))
        .map(|(index, _)| {
            cx.finding(format!("spec.metrics[{index}]"))
                .message(format!(
                    "spec.metrics[{index}] failed in the last sync, so the HPA does not scale down"
                ))
                .help(format!(
                    "run {} to see what the metrics API answered",
                    explain_command(cx)
                ))
        })
        .collect())
}
