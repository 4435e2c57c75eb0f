//! The reason of a decision in a few words.

use hpa_explain::DecisionNumbers;
use hpa_watch::{HistoryEntry, MetricPoint};

/// The metric values and the deciding rule: `cpu 92% of 60%, scale-up policy allows 9 (asks for 12)`.
pub(super) fn reason(entry: &HistoryEntry) -> String {
    let metric = entry
        .metrics
        .iter()
        .find(|metric| metric.is_winner)
        .or_else(|| entry.metrics.iter().find(|metric| metric.failure.is_some()))
        .and_then(metric);
    let mut parts: Vec<String> = metric.into_iter().chain([rule(entry)]).collect();
    parts.retain(|part| !part.is_empty());
    parts.join(", ")
}

/// `cpu 92% of 60%`, `memory 110 MiB a pod, target 100 MiB`.
fn metric(point: &MetricPoint) -> Option<String> {
    let MetricPoint {
        name,
        value,
        target,
        failure,
        ..
    } = point;
    if let Some(failure) = failure {
        return Some(format!("{name}: {failure}"));
    }
    let value = value.as_ref()?;
    Some(match target {
        Some(target) if value.ends_with('%') => format!("{name} {value} of {target}"),
        Some(target) => format!("{name} {value}, target {target}"),
        None => format!("{name} {value}"),
    })
}

fn rule(entry: &HistoryEntry) -> String {
    entry.rule.reason(&DecisionNumbers {
        current: entry.current,
        proposal: entry.proposal,
        stabilized: entry.stabilized,
        desired: entry.desired,
        min: entry.min,
        max: entry.max,
        answer: entry.answer.words(),
    })
}
