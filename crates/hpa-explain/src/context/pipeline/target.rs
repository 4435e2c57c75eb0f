//! The type of a metric's target: what another type would ask for, and a type that does not match the field that is
//! set.

use hpa_engine::{
    engine,
    model::{Memory, MetricTarget},
    trace::{MetricOutcome, Step},
};

use super::metric_note::MetricNote;
use crate::{ExplainContext, MetricFacts};

/// A type that does not match, although the metric works.
pub(super) fn notes(_cx: &ExplainContext<'_>, metric: &MetricFacts<'_>) -> Vec<MetricNote> {
    let Some(spec) = metric.spec else {
        return Vec::new();
    };
    let (Some(target), false) = (spec.target(), metric.failure().is_some()) else {
        return Vec::new();
    };
    // The field that the controller checks first.
    let counts = if spec.object().is_some() {
        None
    } else if target.average_value.is_some() {
        Some("averageValue")
    } else if spec.is_external() {
        target.value.as_ref().map(|_| "value")
    } else {
        target.average_utilization.map(|_| "averageUtilization")
    };
    counts
        .filter(|counts| !counts.eq_ignore_ascii_case(target_field(&target.target_type)))
        .map(|counts| {
            MetricNote::normal(format!(
                "target.type is {}, but {counts} is set; for {} metrics the field that is set counts.",
                target.target_type,
                spec.metric_type()
            ))
        })
        .into_iter()
        .collect()
}

/// The fix for an Object metric whose target type names a field that is not set, in sentences.
pub(crate) fn mismatch(cx: &ExplainContext<'_>, metric: &MetricFacts<'_>) -> Option<String> {
    let target = &metric.spec?.object()?.metric_target;
    let (field, fitting) = match (&target.value, &target.average_value) {
        (Some(_), None) => ("value", "Value"),
        (None, Some(_)) => ("averageValue", "AverageValue"),
        _ => return None,
    };
    if target.target_type == fitting {
        return None;
    }
    let would = with_type(cx, metric, |target| {
        fitting.clone_into(&mut target.target_type);
    })
    .map_or_else(String::new, |replicas| {
        format!("; then it asks for {replicas}")
    });
    Some(format!(
        "target.type is {}, but the field that is set is {field}: the API server accepts that, but the controller fails. \
         Set target.type to {fitting}{would}.",
        target.target_type
    ))
}

/// What the other type would ask for with these values: `as AverageValue 20 it would ask for 2 (total ÷ target)`.
pub(super) fn other_type(cx: &ExplainContext<'_>, metric: &MetricFacts<'_>) -> Option<String> {
    const VALUE: (&str, &str) = ("Value", "ratio × ready pods");
    const AVERAGE: (&str, &str) = ("AverageValue", "total ÷ target");
    let spec = metric.spec?;
    if !spec.is_total() {
        return None;
    }
    let is_average = spec.target()?.average_value.is_some();
    let (now, other) = if is_average {
        (AVERAGE, VALUE)
    } else {
        (VALUE, AVERAGE)
    };
    let would = with_type(cx, metric, |target| {
        std::mem::swap(&mut target.value, &mut target.average_value);
        other.0.clone_into(&mut target.target_type);
    })?;
    let number = metric.metric_target_text()?;
    Some(format!(
        "{} {number} asks for {} ({}); {} {number} would ask for {would} ({})",
        now.0,
        metric.replicas()?,
        now.1,
        other.0,
        other.1
    ))
}

/// What the metric asks for with another target.
fn with_type(
    cx: &ExplainContext<'_>,
    metric: &MetricFacts<'_>,
    change: impl FnOnce(&mut MetricTarget),
) -> Option<i32> {
    let index = metric.evaluation.index;
    let mut observation = cx.facts.observation.clone();
    change(observation.hpa.spec.metrics.get_mut(index)?.target_mut()?);
    let trace = engine::decide(&observation, &mut Memory::default(), cx.facts.trace.at);
    trace.steps.iter().find_map(|step| match step {
        Step::Metric(evaluation) if evaluation.index == index => match evaluation.outcome {
            MetricOutcome::Proposal { replicas, .. } => Some(replicas),
            MetricOutcome::Invalid(_) | MetricOutcome::Unknown(_) => None,
        },
        _ => None,
    })
}

/// The field that a type names.
fn target_field(target_type: &str) -> &str {
    match target_type {
        "Utilization" => "averageUtilization",
        other => other,
    }
}
