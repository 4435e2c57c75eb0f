//! A usage at the edge in words, in the unit of the one who set the target.

use crate::{
    explain::{MetricFacts, Story, Unit, facts::current_text, next::metric_at},
    inference::Threshold,
    trace::{MetricEvaluation, MetricStep, Milli, Pass, PodClass, RatioFormula},
};

/// `at 67 % or more`, or `above 40` where that is shorter than `at 40.001 or more`.
pub(super) fn at_least(metric: &MetricFacts<'_>, threshold: &Threshold) -> String {
    let usual = format!("at {} or more", at(metric, threshold));
    let above =
        neighbor(threshold, -1).map(|value| format!("above {}", shown(metric.unit(), &value)));
    shorter(usual, above)
}

/// `at 48 % or less`, or `below 1000` where that is shorter than `at 999.999 or less`.
pub(super) fn at_most(metric: &MetricFacts<'_>, threshold: &Threshold) -> String {
    let usual = format!("at {} or less", at(metric, threshold));
    let below =
        neighbor(threshold, 1).map(|value| format!("below {}", shown(metric.unit(), &value)));
    shorter(usual, below)
}

fn shorter(usual: String, other: Option<String>) -> String {
    match other {
        Some(other) if other.len() + 7 < usual.len() => other,
        _ => usual,
    }
}

/// The value one thousandth beside a threshold, on the side where nothing happens; none for whole percent.
fn neighbor(threshold: &Threshold, step: i64) -> Option<RatioFormula> {
    let beside = |Milli(milli): Milli| Milli(milli.saturating_add(step));
    Some(match *ratio(&threshold.evaluation, Pass::First)? {
        RatioFormula::AveragePerReplica {
            usage,
            target,
            status_replicas,
            average,
        } => RatioFormula::AveragePerReplica {
            usage: beside(usage),
            target,
            status_replicas,
            average,
        },
        RatioFormula::PodAverage {
            usage,
            pods,
            average,
            target,
        } => RatioFormula::PodAverage {
            usage,
            pods,
            average: beside(average),
            target,
        },
        RatioFormula::Utilization { .. } => return None,
        RatioFormula::Value { usage, target } => RatioFormula::Value {
            usage: beside(usage),
            target,
        },
    })
}

/// The value of the first pass at a threshold: what `kubectl get hpa` would show.
fn at(metric: &MetricFacts<'_>, threshold: &Threshold) -> String {
    match ratio(&threshold.evaluation, Pass::First) {
        Some(formula) => shown(metric.unit(), formula),
        None => metric.unit().amount(threshold.total),
    }
}

fn ratio(evaluation: &MetricEvaluation, pass: Pass) -> Option<&RatioFormula> {
    evaluation.steps.iter().find_map(|step| match step {
        MetricStep::UsageRatio(ratio) if ratio.pass == pass => Some(&ratio.formula),
        _ => None,
    })
}

/// A threshold needs the digits that a display cuts: `540m a pod`.
fn shown(unit: Unit, formula: &RatioFormula) -> String {
    match *formula {
        RatioFormula::AveragePerReplica { usage, .. } => format!("{} in all", unit.amount(usage)),
        _ => current_text(unit, formula),
    }
}

/// ` of the ready pods, 67 % over all`, where pods are added back.
pub(super) fn with_the_uncounted(metric: &MetricFacts<'_>, threshold: &Threshold) -> String {
    let added = threshold.evaluation.steps.iter().any(|step| match step {
        MetricStep::AddBackPods(step) => step
            .added
            .iter()
            .any(|pod| matches!(pod.class, PodClass::Unready | PodClass::Missing)),
        _ => false,
    });
    let adjusted = ratio(&threshold.evaluation, Pass::Adjusted).filter(|_| added);
    adjusted.map_or_else(String::new, |formula| {
        format!(
            " of the counted pods, {} over all",
            current_text(metric.unit(), formula)
        )
    })
}

/// The metric's name and the value that `kubectl get hpa` would show at a threshold.
pub fn threshold_text(
    story: &Story<'_>,
    index: usize,
    threshold: &Threshold,
) -> Option<(String, String)> {
    let metric = metric_at(&story.facts, index)?;
    Some((metric.name(), at(metric, threshold)))
}

/// The usage of a threshold in thousandths, for programs.
pub fn threshold_milli(threshold: &Threshold) -> i64 {
    let Milli(total) = threshold.total;
    total
}
