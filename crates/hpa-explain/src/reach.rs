//! How far a metric can rise: pods never use more CPU than their limits.

use hpa_analysis::Threshold;
use hpa_diagnosis::unreachable_target::{HighestUsage, cpu_limits, is_above_limits};
use hpa_engine::{
    model::Pod,
    trace::{Milli, Percent, PodClass, RatioFormula},
};
use hpa_words::amount::{MetricUnit, percent};

use crate::{Facts, MetricFacts};

/// Why a CPU threshold cannot be reached: the sum of the counted pods' limits is below it. `None` if it can be
/// reached, if a container has no limit, or for other metrics.
pub(super) fn out_of_reach(
    facts: &Facts<'_>,
    metric: &MetricFacts<'_>,
    threshold: &Threshold,
) -> Option<String> {
    if metric.unit() != MetricUnit::Cores {
        return None;
    }
    let limits = total_limit(facts, metric)?;
    if !is_above_limits(threshold.total, limits) {
        return None;
    }
    let cap = match metric.ratio?.formula {
        RatioFormula::Utilization { .. } => percent(Percent(highest(facts, metric)?.most)),
        RatioFormula::PodAverage { pods, .. } => {
            let pods = i64::try_from(pods).ok()?;
            format!(
                "{} per pod",
                metric.unit().amount(Milli(limits.checked_div(pods)?))
            )
        }
        RatioFormula::AveragePerReplica { .. } | RatioFormula::Value { .. } => return None,
    };
    Some(format!(
        "which cannot be reached: CPU limits cap usage at {cap}"
    ))
}

/// The highest utilization that the CPU limits of the counted pods allow; `None` if a container has no limit, or for
/// other metrics.
pub fn highest(facts: &Facts<'_>, metric: &MetricFacts<'_>) -> Option<HighestUsage> {
    let RatioFormula::Utilization {
        requests: Milli(requests),
        ..
    } = metric.ratio?.formula
    else {
        return None;
    };
    if metric.unit() != MetricUnit::Cores {
        return None;
    }
    HighestUsage::of(total_limit(facts, metric)?, requests)
}

/// The highest ratio of usage to target that the CPU limits of the counted pods allow: at 1 or below the metric never
/// asks for more replicas. `None` if a container has no limit, if the metric is not an average over pods, or for other
/// metrics.
pub fn highest_ratio(facts: &Facts<'_>, metric: &MetricFacts<'_>) -> Option<f64> {
    if metric.unit() != MetricUnit::Cores {
        return None;
    }
    let (most, target) = match metric.ratio?.formula {
        RatioFormula::Utilization { target, .. } => {
            (i64::from(highest(facts, metric)?.most), i64::from(target.0))
        }
        RatioFormula::PodAverage { pods, target, .. } => {
            let pods = i64::try_from(pods).ok()?;
            (total_limit(facts, metric)?.checked_div(pods)?, target.0)
        }
        RatioFormula::AveragePerReplica { .. } | RatioFormula::Value { .. } => return None,
    };
    (0 < target).then(|| quotient(most, target))
}

#[expect(clippy::cast_precision_loss, reason = "for display only")]
fn quotient(most: i64, target: i64) -> f64 {
    most as f64 / target as f64
}

/// The sum of the counted pods' CPU limits, or of the one container that the metric names.
fn total_limit(facts: &Facts<'_>, metric: &MetricFacts<'_>) -> Option<i64> {
    let pods = metric.groups?.pods.iter();
    let counted = pods.filter(|pod| pod.class == PodClass::Ready);
    let counted: Option<Vec<&Pod>> = counted.map(|pod| facts.pod(pod.pod)).collect();
    cpu_limits(counted?, metric.spec?.container())
}
