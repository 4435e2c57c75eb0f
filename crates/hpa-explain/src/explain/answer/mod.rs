//! The answer: cause, effect and the one thing to look at, in at most a few sentences, by the rule that decides.

mod bounds;
mod disagreement;
mod failure;
mod limits;
mod metric;
mod window;

pub use failure::cause;
pub(super) use limits::{policy_rate, value_times_pods};

use crate::explain::{
    ExplainContext, Rule,
    amount::names,
    failing_pods::FailingPods,
    rule::is_write_refused,
    situation::{self, Place, Situation},
};

/// The answer in full sentences.
pub(super) fn answer(cx: &ExplainContext<'_>) -> Vec<String> {
    if let Some(pods) = FailingPods::in_the_way(cx) {
        let mut sentences = pods.sentences();
        sentences.extend(disagreement::disagreement(cx).unwrap_or_else(|| decision(cx, None)));
        return sentences;
    }
    if let Some(sentences) = disagreement::disagreement(cx) {
        return sentences;
    }
    let Some(situation) = situation::leading(cx) else {
        return decision(cx, None);
    };
    let decision = || decision(cx, Some(&situation));
    let sentences = situation.sentences.clone();
    match situation.place {
        Place::Instead => sentences,
        Place::Before => [sentences, decision()].concat(),
        Place::After => [decision(), sentences].concat(),
    }
}

/// Why the decision is what it is, next to the situation that the answer names.
fn decision(cx: &ExplainContext<'_>, situation: Option<&Situation>) -> Vec<String> {
    let mut sentences = match cx.rule {
        Rule::InputsNotReadable => failure::inputs_not_readable(cx),
        Rule::ScaleNotReadable => failure::scale_not_readable(cx),
        Rule::ScalingDisabledAtZero => bounds::disabled_at_zero(cx),
        Rule::AboveMax => bounds::above_max(cx),
        Rule::BelowMin => bounds::below_min(cx),
        Rule::SelectorMissing | Rule::SelectorInvalid | Rule::SelectorAmbiguous => {
            failure::selector(cx)
        }
        Rule::AllMetricsInvalid => failure::all_invalid(cx),
        Rule::InvalidMetricBlocksScaleDown => failure::blocks_scale_down(cx),
        Rule::WithinTolerance => metric::within_tolerance(cx, situation),
        Rule::SecondPass | Rule::DirectionGuard => metric::second_pass(cx),
        Rule::Rounding => metric::rounding(cx, situation),
        Rule::Metric => metric::metric(cx, situation),
        Rule::StabilizationWindow => window::stabilization_window(cx, situation),
        Rule::OldRecommendation => window::old_recommendation(cx),
        Rule::ScaleUpPolicy | Rule::ScaleDownPolicy => limits::policy(cx),
        Rule::DisabledDirection => limits::disabled_direction(cx),
        Rule::NoBehaviorLimit => limits::no_behavior_limit(cx),
        Rule::MaxReplicas => limits::max_replicas(cx, situation),
        Rule::MinReplicas => limits::min_replicas(cx),
        Rule::RaisedFromZero => bounds::raised_from_zero(cx),
    };
    sentences.extend(disagreement::edit(cx));
    if is_write_refused(&cx.facts) {
        sentences.push(failure::write_refused(cx));
    }
    sentences.extend(unmentioned_failures(cx));
    if let Some((low, high)) = cx.analysis.range {
        sentences.push(format!(
            "The result depends on the controller's recommendation history, which cannot be read from outside: {low} \
             to {high} replicas."
        ));
    }
    sentences
}

/// Metrics that failed without deciding: a broken metric is worth a sentence even if nothing hangs on it now.
fn unmentioned_failures(cx: &ExplainContext<'_>) -> Option<String> {
    if matches!(
        cx.rule,
        Rule::AllMetricsInvalid | Rule::InvalidMetricBlocksScaleDown | Rule::InputsNotReadable
    ) {
        return None;
    }
    let failed: Vec<String> = cx
        .facts
        .failed()
        .iter()
        .map(|metric| metric.full_name())
        .collect();
    (!failed.is_empty()).then(|| {
        format!(
            "{} cannot be read, so the HPA does not scale down until that is fixed.",
            names(&failed, 3)
        )
    })
}
