//! The reason of a decision in a few words.

use hpa_explain::Rule;
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
    let desired = entry.desired;
    let name = entry.rule.as_str().replace('-', " ");
    let proposal = entry
        .proposal
        .map_or_else(String::new, |proposal| format!(" (asks for {proposal})"));
    let with = |verb: &str, replicas: Option<i32>| match replicas {
        Some(replicas) => format!("{verb} {replicas}{proposal}"),
        None => verb.to_owned(),
    };
    match entry.rule {
        Rule::Metric | Rule::Rounding => match entry.proposal {
            Some(proposal) => format!("asks for {proposal}"),
            None => name,
        },
        Rule::ScaleUpPolicy => with("scale-up policy allows", desired),
        Rule::ScaleDownPolicy => with("scale-down policy allows", desired),
        Rule::NoBehaviorLimit => with("the step limit allows", desired),
        Rule::StabilizationWindow => {
            with("stabilization window holds", entry.stabilized.or(desired))
        }
        Rule::OldRecommendation => with("an earlier recommendation holds", desired),
        Rule::MaxReplicas | Rule::AboveMax => with("max is", Some(entry.max)),
        Rule::MinReplicas | Rule::BelowMin => with("min is", Some(entry.min)),
        Rule::DisabledDirection if entry.proposal < entry.current => {
            format!("scale-down is off{proposal}")
        }
        Rule::DisabledDirection => format!("scale-up is off{proposal}"),
        Rule::SecondPass => "adjusted average within tolerance".to_owned(),
        Rule::DirectionGuard => {
            format!("adjusted average points in the other direction{proposal}")
        }
        Rule::RaisedFromZero => with("raised from 0 to", desired),
        Rule::InputsNotReadable => "something that decides cannot be read".to_owned(),
        Rule::ScalingDisabledAtZero => "0 replicas are wanted: the HPA is off".to_owned(),
        // The metric already says it.
        Rule::AllMetricsInvalid | Rule::InvalidMetricBlocksScaleDown => String::new(),
        Rule::ScaleNotReadable
        | Rule::SelectorAmbiguous
        | Rule::SelectorInvalid
        | Rule::SelectorMissing => entry.answer.words().to_owned(),
        Rule::WithinTolerance => name,
    }
}
