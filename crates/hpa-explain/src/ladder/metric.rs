//! One metric, from its read to its proposal, in words.

use hpa_analysis::ReplacedTotal;
use hpa_engine::trace::{
    ClassifiedPod, CountReadyPods, MetricEvaluation, MetricFailure, MetricOutcome, MetricStep,
    Milli, Pass, PodReason, Proposal, ProposalRule, RatioFormula, ReadMetric, SumRequests,
    ToleranceCheck, ToleranceForm, UsageRatio,
};
use hpa_words::amount::{before_rounding, count, percent, ratio, rounded_up};

use super::{pods, second_pass};
use crate::{
    Facts, StepKind, StepValue, StepView, Weight,
    facts::{MetricFacts, division},
    failure_cause::cause,
    field_name::name_of,
    series::total_of,
};

/// One metric, from its read to its proposal, in words.
pub(super) fn metric(facts: &Facts<'_>, metric: &MetricFacts<'_>) -> Vec<StepView> {
    let mut views = Vec::new();
    for step in &metric.evaluation.steps {
        let view = match step {
            MetricStep::ReadMetric(step) => Some(read(step)),
            MetricStep::GroupPods(step) => Some(pods::group(facts, step)),
            MetricStep::SumRequests(step) => Some(requests(facts, metric, step)),
            MetricStep::UsageRatio(step) if step.pass == Pass::First => {
                Some(usage_ratio(metric, step))
            }
            MetricStep::UsageRatio(step) => Some(second_pass::adjusted_ratio(metric, step)),
            MetricStep::ToleranceCheck(step) if step.pass == Pass::First => {
                Some(tolerance(metric, metric.ratio, step))
            }
            // The second check is part of the adjustment that follows from it.
            MetricStep::ToleranceCheck(_) => None,
            MetricStep::AddBackPods(step) => Some(second_pass::add_back(facts, metric, step)),
            MetricStep::Adjustment(step) => Some(second_pass::adjustment(facts, metric, step)),
            MetricStep::CountReadyPods(step) => Some(ready_pods(step)),
            MetricStep::Proposal(step) => Some(proposal(facts, metric, step)),
        };
        views.extend(view);
    }
    match &metric.evaluation.outcome {
        MetricOutcome::Invalid(error) => views.push(failure(error)),
        MetricOutcome::Unknown(not_read) => views.push(StepView::new(
            StepKind::MetricFailure,
            "",
            "unknown",
            format!("{}: {}", name_of(&not_read.what), not_read.why),
        )),
        MetricOutcome::Proposal { .. } => {}
    }
    for view in &mut views {
        view.metric = Some(metric.evaluation.index);
        if view.title.is_empty() {
            view.title = metric.name();
        }
    }
    views
}

fn read(step: &ReadMetric) -> StepView {
    let view = match &step.error {
        Some(error) => {
            StepView::new(StepKind::ReadMetric, "", "error", error.message.clone()).error()
        }
        None => StepView::new(
            StepKind::ReadMetric,
            "",
            count(step.items, "sample"),
            "from the metrics API",
        )
        .quiet_if(true),
    };
    view.upstream(step.upstream)
        .value("items", step.items)
        .value("totalMilli", step.total.map(|Milli(total)| total))
        .value(
            "error",
            step.error.as_ref().map(|error| error.message.clone()),
        )
}

fn requests(facts: &Facts<'_>, metric: &MetricFacts<'_>, step: &SumRequests) -> StepView {
    let sum = step
        .requests
        .iter()
        .fold(0_i64, |sum, pod| sum.wrapping_add(pod.request.0));
    let what = step.container.as_ref().map_or_else(
        || format!("{} requests", step.resource),
        |container| format!("{} requests of container {container}", step.resource),
    );
    let view = match &step.error {
        Some(error) => StepView::new(StepKind::SumRequests, "", "requests", error.clone()).error(),
        None => StepView::new(
            StepKind::SumRequests,
            "",
            metric.unit().amount(Milli(sum)),
            format!("{what} of all {}", count(step.requests.len(), "pod")),
        )
        .quiet_if(true),
    };
    let names = step
        .requests
        .iter()
        .filter_map(|pod| Some(facts.pod(pod.pod)?.name.clone().into()))
        .collect();
    view.upstream(SumRequests::UPSTREAM)
        .value("resource", step.resource.as_str())
        .value("container", step.container.clone())
        .value("pods", StepValue::List(names))
        .value(
            "requestsMilli",
            StepValue::List(
                step.requests
                    .iter()
                    .map(|pod| pod.request.0.into())
                    .collect(),
            ),
        )
        .value("error", step.error.clone())
}

fn usage_ratio(metric: &MetricFacts<'_>, step: &UsageRatio) -> StepView {
    let unit = metric.unit();
    let (outcome, how, formula) = match step.formula {
        RatioFormula::AveragePerReplica { usage, .. } | RatioFormula::Value { usage, .. }
            if metric.replaced_total().is_some() =>
        {
            let why = match metric.replaced_total() {
                Some(ReplacedTotal::Negative) => "below 0",
                _ => "too large",
            };
            (
                format!("{} in total", total_of(metric.series)),
                format!(
                    "{why}, so the HPA computes with {}{}",
                    unit.amount(usage),
                    series(metric)
                ),
                "usage",
            )
        }
        RatioFormula::AveragePerReplica {
            usage,
            status_replicas: 0,
            ..
        } => (
            format!("{} in total", unit.amount(usage)),
            format!("no replicas to divide by{}", series(metric)),
            "usage ÷ status.replicas",
        ),
        RatioFormula::AveragePerReplica {
            usage,
            status_replicas,
            average,
            ..
        } => (
            format!("{} per replica", unit.amount(average)),
            format!(
                "{} in total{} / {status_replicas} (status.replicas)",
                unit.amount(usage),
                series(metric)
            ),
            "usage ÷ status.replicas",
        ),
        RatioFormula::PodAverage {
            usage,
            pods,
            average,
            ..
        } => (
            format!("{} per pod", unit.amount(average)),
            format!("{} / {}", unit.amount(usage), counted(metric, pods)),
            "usage ÷ pods, truncated",
        ),
        RatioFormula::Utilization {
            usage,
            requests,
            pods,
            utilization,
            ..
        } => {
            let (usage, requests) = unit.amounts(usage, requests);
            (
                format!("{} of requests", percent(utilization)),
                format!("{usage} / {requests}, {}", counted(metric, pods)),
                "usage × 100 ÷ requests, truncated",
            )
        }
        RatioFormula::Value { usage, target } => (
            unit.amounts(usage, target).0,
            format!("the value{}", series(metric)),
            "value",
        ),
    };
    StepView::new(StepKind::UsageRatio, "", outcome, how)
        .formula(formula)
        .upstream(step.upstream)
        .value("usageRatio", step.usage_ratio)
        .with_formula_values(&step.formula)
}

/// `the 6 ready pods`, or whatever the samples cover.
fn counted(metric: &MetricFacts<'_>, pods: usize) -> String {
    match metric.groups {
        Some(groups) if groups.ready == pods && 0 < groups.unready + groups.missing => {
            format!("the {}", count(pods, &format!("{}pod", multiplied(metric))))
        }
        Some(groups) if groups.ready < pods => {
            format!(
                "{}, {} of them not selected",
                count(pods, "sample"),
                pods - groups.ready
            )
        }
        _ => count(pods, "pod"),
    }
}

/// ` of 3 series` if a total adds up several.
fn series(metric: &MetricFacts<'_>) -> String {
    match metric.read.map(|read| read.items) {
        Some(items) if 1 < items => format!(", {items} series"),
        _ => String::new(),
    }
}

/// The unadjusted ratio against the tolerance.
fn tolerance(
    metric: &MetricFacts<'_>,
    usage: Option<&UsageRatio>,
    step: &ToleranceCheck,
) -> StepView {
    let how = usage.map_or_else(String::new, |usage| {
        let (left, right) = division(metric.unit(), &usage.formula);
        format!("{left} / {right}, ")
    });
    StepView::new(
        StepKind::Tolerance,
        "",
        format!("ratio {}", ratio_text(step)),
        format!("{how}{}", band(step)),
    )
    .formula(formula_of(step.form))
    .upstream(ToleranceCheck::UPSTREAM)
    .value("usageRatio", step.usage_ratio)
    .value("toleranceDown", step.scale_down.value)
    .value("toleranceUp", step.scale_up.value)
    .value(
        "toleranceDownProvenance",
        step.scale_down.provenance.as_str(),
    )
    .value("toleranceUpProvenance", step.scale_up.provenance.as_str())
    .value("isWithin", step.is_within)
}

pub(super) fn formula_of(form: ToleranceForm) -> &'static str {
    match form {
        ToleranceForm::Distance => "|1 − current ÷ target| ≤ tolerance",
        ToleranceForm::Interval => "1 − tolerance down ≤ current ÷ target ≤ 1 + tolerance up",
    }
}

/// The ratio with as many digits as the comparison with the tolerance needs.
pub(super) fn ratio_text(step: &ToleranceCheck) -> String {
    let (low, high) = step.band();
    ratio(step.usage_ratio, &[low, high, 1.0])
}

/// `within 0.90 to 1.10`, `outside 0.90 to 1.10`.
pub(super) fn band(step: &ToleranceCheck) -> String {
    let (low, high) = step.band();
    if step.usage_ratio.is_nan() {
        return "not a number, so never within tolerance".to_owned();
    }
    let side = if step.is_within { "within" } else { "outside" };
    // The older form differs exactly at the edge: 1.1 is not within 0.1 of 1 in binary fractions.
    let at_edge = step.form == ToleranceForm::Distance
        && !step.is_within
        && (low..=high).contains(&step.usage_ratio);
    let edge = if at_edge {
        ", at the edge: 1.32 and older compare |1 − ratio|"
    } else {
        ""
    };
    format!("{side} {low:.2} to {high:.2}{edge}")
}

fn ready_pods(step: &CountReadyPods) -> StepView {
    StepView::new(
        StepKind::CountReadyPods,
        "",
        format!("{} ready", count(step.ready, "pod")),
        format!("running and Ready, of {} selected", step.selected),
    )
    .quiet_if(step.ready == step.selected)
    .upstream(CountReadyPods::UPSTREAM)
    .value("ready", step.ready)
    .value("selected", step.selected)
}

fn proposal(facts: &Facts<'_>, metric: &MetricFacts<'_>, step: &Proposal) -> StepView {
    let replicas = step.replicas;
    let (how, formula) = match step.rule {
        ProposalRule::CeilAdjustedRatioTimesPods { .. } => (
            by_pods(metric, step).unwrap_or_default(),
            "⌈adjusted ratio × pods⌉",
        ),
        ProposalRule::CeilRatioFromZero { usage_ratio } => {
            (rounded_up(usage_ratio, replicas), "⌈ratio⌉")
        }
        ProposalRule::CeilRatioTimesReady { .. } => (
            by_pods(metric, step).unwrap_or_default(),
            "⌈ratio × ready pods⌉",
        ),
        ProposalRule::CeilUsageOverTarget { .. } => (
            with_result(metric, step).unwrap_or_default(),
            "⌈usage ÷ target⌉",
        ),
        ProposalRule::KeepCurrent => ("no change".to_owned(), "spec.replicas"),
        ProposalRule::KeepStatusReplicas => {
            let is_now = facts.current() == Some(replicas);
            let how = if is_now {
                "no change"
            } else {
                "status.replicas, not spec.replicas"
            };
            (how.to_owned(), "status.replicas")
        }
    };
    StepView::new(StepKind::Proposal, "", format!("asks for {replicas}"), how)
        .formula(formula)
        .upstream(step.upstream)
        .value("replicas", replicas)
        .quiet_if(matches!(step.rule, ProposalRule::KeepCurrent))
}

/// `85 / 60 × 8 pods = 11.3 → 12`; `None` if the proposal does not depend on pods.
pub(crate) fn by_pods(metric: &MetricFacts<'_>, step: &Proposal) -> Option<String> {
    let is_of_total = matches!(step.rule, ProposalRule::CeilUsageOverTarget { .. });
    with_result(metric, step).filter(|_| !is_of_total)
}

/// `85 / 60 × 8 pods = 11.3 → 12`.
fn with_result(metric: &MetricFacts<'_>, step: &Proposal) -> Option<String> {
    let (terms, product) = terms(metric, step)?;
    Some(format!("{terms} = {}", rounded_up(product, step.replicas)))
}

/// `85 / 60 × 8 pods = 11.3`, the number before it is rounded up; `None` if nothing is computed.
pub(crate) fn calculation(metric: &MetricFacts<'_>) -> Option<String> {
    let step = metric.proposal?;
    let (terms, product) = terms(metric, step)?;
    let rounded = before_rounding(product, step.replicas);
    let result = rounded.unwrap_or_else(|| step.replicas.to_string());
    Some(format!("{terms} = {result}"))
}

/// `85 / 60 × 8 pods` and what that is.
#[expect(clippy::cast_precision_loss, reason = "for display only")]
fn terms(metric: &MetricFacts<'_>, step: &Proposal) -> Option<(String, f64)> {
    let (usage, usage_ratio, pods) = match step.rule {
        ProposalRule::CeilAdjustedRatioTimesPods {
            adjusted_usage_ratio,
            pods,
        } => (
            metric.adjusted_ratio,
            adjusted_usage_ratio,
            (pods, count(pods, "pod")),
        ),
        ProposalRule::CeilRatioTimesReady { usage_ratio, ready } => {
            let pods = count(ready, &format!("{}pod", multiplied(metric)));
            (metric.ratio, usage_ratio, (ready, pods))
        }
        ProposalRule::CeilUsageOverTarget { usage, target } => {
            let unit = metric.unit();
            let terms = format!("{} in total / {}", unit.amount(usage), unit.amount(target));
            return Some((terms, quotient(usage, target)));
        }
        ProposalRule::CeilRatioFromZero { .. }
        | ProposalRule::KeepCurrent
        | ProposalRule::KeepStatusReplicas => return None,
    };
    let division = usage.map_or_else(
        || ratio(usage_ratio, &[]),
        |usage| {
            let (left, right) = division(metric.unit(), &usage.formula);
            format!("{left} / {right}")
        },
    );
    let (pods, named) = pods;
    Some((format!("{division} × {named}"), usage_ratio * pods as f64))
}

/// Which pods a ratio is multiplied by, if not by all: `ready `, or `counted ` where a pod may be ready and not count.
fn multiplied(metric: &MetricFacts<'_>) -> &'static str {
    if let Some(step) = metric.ready {
        return if step.ready < step.selected {
            "ready "
        } else {
            ""
        };
    }
    let Some(groups) = metric.groups else {
        return "";
    };
    let is_exact = |pod: &ClassifiedPod| match pod.reason {
        PodReason::SampleBeforeReady | PodReason::NoSample | PodReason::CountedThoughNotReady => {
            false
        }
        PodReason::Deleted
        | PodReason::Failed
        | PodReason::Succeeded
        | PodReason::Pending
        | PodReason::NeverReady
        | PodReason::NotReadyInInitialization
        | PodReason::NoReadyConditionOrStart
        | PodReason::Counted => true,
    };
    match groups.unready + groups.missing {
        0 => "",
        _ if groups.pods.iter().all(is_exact) => "ready ",
        _ => "counted ",
    }
}

/// The ratio of two amounts.
#[expect(clippy::cast_precision_loss, reason = "for display only")]
pub(crate) fn quotient(Milli(usage): Milli, Milli(target): Milli) -> f64 {
    usage as f64 / target as f64
}

fn failure(error: &MetricFailure) -> StepView {
    let mut view = StepView::new(StepKind::MetricFailure, "", "failed", cause(error))
        .upstream(MetricEvaluation::UPSTREAM)
        .value("reason", error.reason)
        .value("error", error.inner.as_str());
    view.weight = Weight::Error;
    view
}
