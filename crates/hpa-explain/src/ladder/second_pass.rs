//! The adjusted average of a metric, with not ready pods and pods without metrics added back, in words.

use hpa_engine::trace::{
    AddBackPods, AdjustedVerdict, Adjustment, MissingFill, PodClass, RatioFormula, UsageRatio,
};
use hpa_words::amount::{count, percent, ratio};

use super::metric::{band, formula_of, ratio_text};
use crate::{
    Facts, StepKind, StepValue, StepView,
    facts::{MetricFacts, current_text, division},
    not_counted::sampled_early,
};

/// Which pods are added back, and with which value.
pub(super) fn add_back(
    facts: &Facts<'_>,
    metric: &MetricFacts<'_>,
    step: &AddBackPods,
) -> StepView {
    let names = step
        .added
        .iter()
        .filter_map(|added| Some(facts.pod(added.pod)?.name.clone().into()))
        .collect();
    StepView::new(
        StepKind::AddBackPods,
        "adjusted",
        count(step.added.len(), "pod") + " added",
        added_text(metric, step),
    )
    .quiet_if(step.added.is_empty())
    .upstream(step.upstream)
    .value("pods", StepValue::List(names))
    .value(
        "usageMilli",
        StepValue::List(
            step.added
                .iter()
                .map(|added| added.usage.0.into())
                .collect(),
        ),
    )
}

/// `2 unready with 0 · 1 missing with 100% of its request`.
fn added_text(metric: &MetricFacts<'_>, step: &AddBackPods) -> String {
    let number = |class| {
        step.added
            .iter()
            .filter(|added| added.class == class)
            .count()
    };
    let (missing, unready) = (number(PodClass::Missing), number(PodClass::Unready));
    let early = metric.groups.map_or(0, sampled_early).min(unready);
    let zero = [(unready - early, "not ready"), (early, "just ready")];
    let zero = zero.iter().filter(|(pods, _)| 0 < *pods);
    let mut parts: Vec<String> = zero
        .map(|(pods, state)| format!("{pods} {state}: as 0"))
        .collect();
    if 0 < missing {
        let with = match step.missing_fill {
            MissingFill::PercentOfRequest(fill) => format!("{} of the request", percent(fill)),
            MissingFill::Target(target) => {
                format!("at the target, {}", metric.unit().amount(target))
            }
            MissingFill::Zero | MissingFill::NoneMissing | MissingFill::NotAdded => {
                "as 0".to_owned()
            }
        };
        parts.push(format!("{missing} without metrics: {with}"));
    }
    if step.missing_fill == MissingFill::NotAdded {
        parts.push("pods without metrics left out: the ratio is exactly 1".to_owned());
    }
    parts.join(" · ")
}

/// The ratio with the added pods.
pub(super) fn adjusted_ratio(metric: &MetricFacts<'_>, step: &UsageRatio) -> StepView {
    let unit = metric.unit();
    let how = match step.formula {
        RatioFormula::Utilization {
            usage,
            requests,
            pods,
            ..
        } => {
            let (usage, requests) = unit.amounts(usage, requests);
            format!("{usage} / {requests}, {}", count(pods, "pod"))
        }
        RatioFormula::PodAverage { usage, pods, .. } => {
            format!("{} / {}", unit.amount(usage), count(pods, "pod"))
        }
        RatioFormula::AveragePerReplica { usage, .. } | RatioFormula::Value { usage, .. } => {
            unit.amount(usage)
        }
    };
    StepView::new(
        StepKind::AdjustedRatio,
        "adjusted",
        current_text(unit, &step.formula),
        how,
    )
    .formula("as above, with the pods added")
    .upstream(step.upstream)
    .value("usageRatio", step.usage_ratio)
    .with_formula_values(&step.formula)
}

/// The outcome of the adjusted ratio.
pub(super) fn adjustment(
    facts: &Facts<'_>,
    metric: &MetricFacts<'_>,
    step: &Adjustment,
) -> StepView {
    let division = metric.adjusted_ratio.map_or_else(String::new, |usage| {
        let (left, right) = division(metric.unit(), &usage.formula);
        format!("{left} / {right}, ")
    });
    let within = metric.adjusted_tolerance.map_or_else(String::new, band);
    let how = match step.verdict {
        AdjustedVerdict::Applied | AdjustedVerdict::WithinTolerance => within,
        AdjustedVerdict::DirectionFlipped => format!(
            "on the other side of 1 ({} before): no change",
            ratio(step.usage_ratio, &[1.0])
        ),
        AdjustedVerdict::CountWouldMoveOtherWay => format!(
            "for {} that would be {}, the other way: no change",
            count(step.pods, "pod"),
            step.replicas.unwrap_or_default()
        ),
    };
    let displayed = metric
        .adjusted_tolerance
        .map_or_else(|| ratio(step.adjusted_usage_ratio, &[1.0]), ratio_text);
    let view = StepView::new(
        StepKind::Adjustment,
        "adjusted",
        format!("ratio {displayed}"),
        format!("{division}{how}"),
    )
    .upstream(step.upstream)
    .value("usageRatio", step.usage_ratio)
    .value("adjustedUsageRatio", step.adjusted_usage_ratio)
    .value("pods", step.pods)
    .value("replicas", step.replicas)
    .value("current", facts.current())
    .value(
        "verdict",
        match step.verdict {
            AdjustedVerdict::Applied => "applied",
            AdjustedVerdict::CountWouldMoveOtherWay => "count-would-move-other-way",
            AdjustedVerdict::DirectionFlipped => "direction-flipped",
            AdjustedVerdict::WithinTolerance => "within-tolerance",
        },
    );
    match metric.adjusted_tolerance {
        Some(tolerance) => view.formula(formula_of(tolerance.form)),
        None => view,
    }
}
