//! The answer: cause, effect and the one thing to look at, in at most a few sentences, by the rule that decides.

mod bounds;
mod disagreement;
mod failure;
mod limits;
mod metric;
mod window;

pub use failure::cause;
pub(super) use limits::policy_rate;

use crate::explain::{
    Rule, Story,
    amount::names,
    around::{pods::others_change_the_decision, writers::undone_now},
    failing_pods::FailingPods,
    rule::is_write_refused,
};

/// The answer in full sentences.
pub(super) fn answer(story: &Story<'_>) -> Vec<String> {
    let mut sentences =
        FailingPods::in_the_way(story).map_or_else(Vec::new, |pods| pods.sentences());
    sentences.extend(disagreement::disagreement(story).unwrap_or_else(|| decision(story)));
    sentences
}

/// Why the decision is what it is.
fn decision(story: &Story<'_>) -> Vec<String> {
    let mut sentences = match story.rule {
        Rule::InputsNotReadable => failure::inputs_not_readable(story),
        Rule::ScaleNotReadable => failure::scale_not_readable(story),
        Rule::ScalingDisabledAtZero => bounds::disabled_at_zero(story),
        Rule::AboveMax => bounds::above_max(story),
        Rule::BelowMin => bounds::below_min(story),
        Rule::SelectorMissing | Rule::SelectorInvalid | Rule::SelectorAmbiguous => {
            failure::selector(story)
        }
        Rule::AllMetricsInvalid => failure::all_invalid(story),
        Rule::InvalidMetricBlocksScaleDown => failure::blocks_scale_down(story),
        Rule::WithinTolerance => metric::within_tolerance(story),
        Rule::SecondPass | Rule::DirectionGuard => metric::second_pass(story),
        Rule::Rounding => metric::rounding(story),
        Rule::Metric => metric::metric(story),
        Rule::StabilizationWindow => window::stabilization_window(story),
        Rule::OldRecommendation => window::old_recommendation(story),
        Rule::ScaleUpPolicy | Rule::ScaleDownPolicy => limits::policy(story),
        Rule::DisabledDirection => limits::disabled_direction(story),
        Rule::NoBehaviorLimit => limits::no_behavior_limit(story),
        Rule::MaxReplicas => limits::max_replicas(story),
        Rule::MinReplicas => limits::min_replicas(story),
        Rule::RaisedFromZero => bounds::raised_from_zero(story),
    };
    sentences.extend(undone_now(story));
    if matches!(
        story.rule,
        Rule::WithinTolerance
            | Rule::SecondPass
            | Rule::DirectionGuard
            | Rule::Rounding
            | Rule::Metric
    ) {
        sentences.extend(others_change_the_decision(story));
    }
    sentences.extend(disagreement::edit(story));
    if is_write_refused(&story.facts) {
        sentences.push(failure::write_refused(story));
    }
    sentences.extend(unmentioned_failures(story));
    if let Some((low, high)) = story.look.range {
        sentences.push(format!(
            "What the controller remembers decides here and can't be seen from outside: it comes \
             to between {low} and {high}."
        ));
    }
    sentences
}

/// Metrics that failed without deciding: a broken metric is worth a sentence even if nothing hangs on it now.
fn unmentioned_failures(story: &Story<'_>) -> Option<String> {
    if matches!(
        story.rule,
        Rule::AllMetricsInvalid | Rule::InvalidMetricBlocksScaleDown | Rule::InputsNotReadable
    ) {
        return None;
    }
    let failed: Vec<String> = story
        .facts
        .failed()
        .iter()
        .map(|metric| metric.full_name())
        .collect();
    (!failed.is_empty()).then(|| {
        format!(
            "{} can't be read, so nothing is scaled down until that is repaired.",
            names(&failed, 3)
        )
    })
}
