//! A metric that fell to near nothing since the last sync: less load, or a source that measures no longer.

use hpa_analysis::{ComparisonOutcome, value_text};
use hpa_engine::{
    model::{
        MetricStatus,
        quantity::{Overflow, Quantity},
    },
    trace::{Percent, RatioFormula},
};

use crate::{ExplainContext, MetricFacts};

/// `CPU fell from 50% to 2% since the last sync: if that is unexpected, check the traffic.`, where it fell to a quarter or less
/// of what was a load.
pub(super) fn fall(cx: &ExplainContext<'_>) -> Option<String> {
    let is_comparable = matches!(
        cx.cross_check.agreement,
        ComparisonOutcome::Moved | ComparisonOutcome::MayHaveMoved
    );
    let winner = cx.facts.winner().filter(|_| is_comparable)?;
    let status = &cx.facts.observation.hpa.status.current_metrics;
    let written = status.get(winner.evaluation.index)?;
    // After a rescale the same load is another average.
    let has_same_pods =
        Some(cx.facts.observation.hpa.status.current_replicas) == cx.facts.current();
    let is_below = winner.ratio.is_some_and(|ratio| ratio.usage_ratio < 1.0);
    let is_complete = status.len() == cx.facts.metrics.len() && has_same_pods && is_below;
    if !is_complete || !is_far_below(winner, written)? {
        return None;
    }
    Some(format!(
        "{} fell from {} to {} since the last sync: if that is unexpected, check the traffic.",
        winner.subject(),
        value_text(written),
        winner.current_text()?
    ))
}

/// Whether the value of now is a quarter of the written one or less, which was at least a quarter of the target: where there
/// was hardly any load, none is no news.
fn is_far_below(metric: &MetricFacts<'_>, written: &MetricStatus) -> Option<bool> {
    let written = written.current()?;
    let milli = |quantity: &Option<Quantity>| {
        let quantity = quantity.as_ref()?;
        Some(quantity.milli_value(Overflow::Saturate))
    };
    let (now, before, target) = match metric.ratio?.formula {
        RatioFormula::Utilization {
            utilization: Percent(now),
            target: Percent(target),
            ..
        } => (
            i64::from(now),
            i64::from(written.average_utilization?),
            i64::from(target),
        ),
        RatioFormula::PodAverage {
            average, target, ..
        }
        | RatioFormula::AveragePerReplica {
            average, target, ..
        } => (average.0, milli(&written.average_value)?, target.0),
        RatioFormula::Value { usage, target } => (usage.0, milli(&written.value)?, target.0),
    };
    Some(0 < before && now.saturating_mul(4) <= before && target <= before.saturating_mul(4))
}
