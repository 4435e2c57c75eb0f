//! The replicas are at `maxReplicas`, and the metrics ask for more.

use hpa_analysis::limited_at_max;
use hpa_diagnosis::short_at_max::{ShortAtMax, short_at_max};
use hpa_explain::MetricFacts;

use super::{
    AlarmKind,
    conditions::{AlarmCondition, AlarmContext, pods},
};

/// Whether the condition is unknown: at `maxReplicas`, and a metric that may ask for more cannot be read.
pub(super) fn is_unknown(cx: &AlarmContext<'_>) -> bool {
    let facts = &cx.facts;
    let is_failing = facts.metrics.iter().any(|one| one.failure().is_some());
    let is_at_max = facts.current().is_some_and(|now| facts.max() <= now);
    is_failing && is_at_max
}

/// Holds while the replicas are at `maxReplicas`, or scale to it now, and the metrics ask for more.
pub(super) fn check(cx: &AlarmContext<'_>) -> Option<AlarmCondition> {
    let facts = &cx.facts;
    let short_at_max = short_at_max(facts.trace, facts.max())?;
    let (ShortAtMax { proposal, max }, short) = (short_at_max, short_at_max.replicas());
    let asks = facts.winner().and_then(MetricFacts::short_demand);
    let asks = asks.unwrap_or_else(|| format!("the metrics ask for {proposal}"));
    let text = format!("at max {max}, {asks}: {} short", pods(short));
    let assessment = &cx.hpa.latest.assessment;
    let limited = limited_at_max(facts.observation, &assessment.context, assessment.now);
    let is_written = limited.is_some();
    Some(AlarmCondition {
        since: limited.and_then(|limited| {
            let since = cx.since(limited.condition)?;
            limited.since(Some(since))
        }),
        // Twice the shortage is reported again.
        level: short.ilog2(),
        ..cx.of_decision(AlarmKind::UnmetDemand, text, is_written)
    })
}
