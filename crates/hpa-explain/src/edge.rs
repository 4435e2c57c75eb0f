//! The usage at a threshold in words, in the unit of the target.

//!
//! A number is rounded towards the side where the metric asks for other replicas, so that it holds as printed: at that
//! usage the metric does ask for them, and one last digit before it does not.

use hpa_analysis::Threshold;
use hpa_engine::trace::{
    MetricEvaluation, MetricStep, Milli, Pass, Percent, PodClass, RatioFormula,
};
use hpa_words::amount::{MetricUnit, Rounding, percent};

use crate::{ExplainContext, Facts, MetricFacts, facts::current_text};

/// `at 67% or more`, or `above 40` if that is shorter than `at 40.001 or more`.
pub(super) fn at_least(metric: &MetricFacts<'_>, threshold: &Threshold) -> String {
    let unit = metric.unit();
    let usual = format!("at {} or more", at(unit, threshold, Rounding::Up));
    let above = beside(unit, threshold, Rounding::Up).map(|value| format!("above {value}"));
    shorter(usual, above)
}

/// `at 48% or less`, or `below 1000` if that is shorter than `at 999.999 or less`.
pub(super) fn at_most(metric: &MetricFacts<'_>, threshold: &Threshold) -> String {
    let unit = metric.unit();
    let usual = format!("at {} or less", at(unit, threshold, Rounding::Down));
    let below = beside(unit, threshold, Rounding::Down).map(|value| format!("below {value}"));
    // With fewer pods than replicas, a usage above the target can ask for fewer replicas. Within tolerance an average per replica
    // asks for as many as there are, which is fewer as well.
    let is_above = threshold.evaluation.steps.iter().any(|step| match step {
        MetricStep::UsageRatio(ratio) => {
            let is_average = matches!(ratio.formula, RatioFormula::AveragePerReplica { .. });
            ratio.pass == Pass::First && 1.0 < ratio.usage_ratio && !is_average
        }
        _ => false,
    });
    let outside = if is_above {
        " and outside the tolerance"
    } else {
        ""
    };
    format!("{}{outside}", shorter(usual, below))
}

pub(super) fn metric_at<'s>(facts: &'s Facts<'_>, index: usize) -> Option<&'s MetricFacts<'s>> {
    facts
        .metrics
        .iter()
        .find(|metric| metric.evaluation.index == index)
}

fn shorter(usual: String, other: Option<String>) -> String {
    match other {
        Some(other) if other.len() + 7 < usual.len() => other,
        _ => usual,
    }
}

/// The unadjusted value at a threshold, as `kubectl get hpa` shows it.
fn at(unit: MetricUnit, threshold: &Threshold, rounding: Rounding) -> String {
    match ratio(&threshold.evaluation, Pass::First) {
        Some(formula) => displayed(unit, formula, rounding, 0),
        None => unit.amount(threshold.total),
    }
}

/// The value one thousandth off a threshold, on the side where nothing happens; `None` if the unit is not shown in
/// thousandths.
fn beside(unit: MetricUnit, threshold: &Threshold, rounding: Rounding) -> Option<String> {
    let formula = ratio(&threshold.evaluation, Pass::First)?;
    if unit == MetricUnit::Bytes || matches!(formula, RatioFormula::Utilization { .. }) {
        return None;
    }
    let step = match rounding {
        Rounding::Down => 1,
        Rounding::Up => -1,
    };
    Some(displayed(unit, formula, rounding, step))
}

fn ratio(evaluation: &MetricEvaluation, pass: Pass) -> Option<&RatioFormula> {
    evaluation.steps.iter().find_map(|step| match step {
        MetricStep::UsageRatio(ratio) if ratio.pass == pass => Some(&ratio.formula),
        _ => None,
    })
}

/// A value moved by `step` thousandths, rounded to what can be shown, with what it is per.
fn displayed(unit: MetricUnit, formula: &RatioFormula, rounding: Rounding, step: i64) -> String {
    let moved = |Milli(milli): Milli| Milli(milli.saturating_add(step));
    match *formula {
        RatioFormula::AveragePerReplica { usage, .. } => {
            format!("{} in total", unit.amount(moved(usage)))
        }
        RatioFormula::PodAverage {
            usage,
            pods,
            target,
            average,
        } => {
            let average = average_of(usage, pods, rounding).unwrap_or(average);
            let text = unit.rounded_amount(moved(average), target, rounding);
            format!("{text} per pod")
        }
        RatioFormula::Utilization {
            usage,
            requests,
            utilization,
            ..
        } => percent(percent_of(usage, requests, rounding).unwrap_or(utilization)),
        RatioFormula::Value { usage, target } => {
            unit.rounded_amount(moved(usage), target, rounding)
        }
    }
}

/// The mean, rounded.
fn average_of(Milli(usage): Milli, pods: usize, rounding: Rounding) -> Option<Milli> {
    let pods = i64::try_from(pods).ok().filter(|pods| 0 < *pods)?;
    let has_rest = usage % pods != 0 && rounding == Rounding::Up;
    Some(Milli(usage / pods + i64::from(has_rest)))
}

/// The percentage, rounded: the last one, or the first, whose smallest usage in thousandths is on the right side of
/// `usage`.
fn percent_of(Milli(usage): Milli, Milli(requests): Milli, rounding: Rounding) -> Option<Percent> {
    let (usage, requests) = (i128::from(usage), i128::from(requests));
    if requests <= 0 {
        return None;
    }
    let below = usage * 100 / requests;
    let is_exact = usage == (below * requests + 99) / 100;
    let up = i128::from(rounding == Rounding::Up && !is_exact);
    i32::try_from(below + up).ok().map(Percent)
}

/// ` across the counted pods, 67% across all`, if pods are added back.
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
            " across the counted pods, {} across all",
            current_text(metric.unit(), formula)
        )
    })
}

/// The metric's name and the value at a threshold, as `kubectl get hpa` shows them.
pub fn threshold_text(
    cx: &ExplainContext<'_>,
    index: usize,
    threshold: &Threshold,
) -> Option<(String, String)> {
    let metric = metric_at(&cx.facts, index)?;
    let leads_up = cx.facts.current()? < threshold.replicas;
    let rounding = if leads_up {
        Rounding::Up
    } else {
        Rounding::Down
    };
    Some((metric.name(), at(metric.unit(), threshold, rounding)))
}

/// The usage of a threshold in thousandths, for programs.
pub fn threshold_milli(threshold: &Threshold) -> i64 {
    let Milli(total) = threshold.total;
    total
}
