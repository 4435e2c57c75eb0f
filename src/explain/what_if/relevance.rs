//! Which counterfactuals touch the rule that decides.

use crate::{
    explain::{Rule, Story},
    inference::{Kind, Side},
};

/// Whether counterfactuals of a family touch the rule that decides, and are not told elsewhere on the page.
pub(super) fn is_about(story: &Story<'_>, kind: Kind) -> bool {
    let rule = story.rule;
    match kind {
        // The lines `up` and `down` tell them.
        Kind::Usage => false,
        Kind::PodsReady => {
            let current = story.facts.current();
            let if_ready = story.look.if_ready.map(|if_ready| if_ready.replicas);
            is_held_by_pods(rule) && if_ready <= current
        }
        Kind::AbsentPods => is_held_by_pods(rule),
        Kind::ForeignPods => asks_the_metrics(rule) || rule == Rule::AllMetricsInvalid,
        Kind::FailingMetrics => rule == Rule::InvalidMetricBlocksScaleDown,
        Kind::WinningMetrics => matches!(
            rule,
            Rule::WithinTolerance
                | Rule::SecondPass
                | Rule::DirectionGuard
                | Rule::Rounding
                | Rule::Metric
        ),
        Kind::OtherHpas => rule == Rule::SelectorAmbiguous,
        Kind::Policy(Side::Up) => rule == Rule::ScaleUpPolicy,
        Kind::Policy(Side::Down) => rule == Rule::ScaleDownPolicy,
        Kind::Window(_) => matches!(rule, Rule::StabilizationWindow | Rule::OldRecommendation),
        Kind::Tolerance => rule == Rule::WithinTolerance,
        Kind::SelectPolicy(_) => rule == Rule::DisabledDirection,
        Kind::MaxReplicas => matches!(rule, Rule::AboveMax | Rule::MaxReplicas),
        // An idle workload at its minimum is the usual state, and needs no advice.
        Kind::MinReplicas => rule == Rule::BelowMin,
    }
}

/// What comes first on the page: what is wrong, then what is set.
pub(super) fn order(kind: Kind) -> u8 {
    match kind {
        Kind::OtherHpas | Kind::FailingMetrics => 0,
        Kind::ForeignPods => 1,
        Kind::PodsReady => 2,
        Kind::AbsentPods => 3,
        Kind::SelectPolicy(_) | Kind::MaxReplicas | Kind::MinReplicas => 4,
        Kind::Window(_) | Kind::Policy(_) => 5,
        Kind::WinningMetrics => 6,
        Kind::Tolerance => 7,
        Kind::Usage => 8,
    }
}

fn is_held_by_pods(rule: Rule) -> bool {
    matches!(rule, Rule::SecondPass | Rule::DirectionGuard)
}

/// Whether the metrics were asked, so that other pods make other numbers.
fn asks_the_metrics(rule: Rule) -> bool {
    match rule {
        Rule::InputsNotReadable
        | Rule::ScaleNotReadable
        | Rule::ScalingDisabledAtZero
        | Rule::AboveMax
        | Rule::BelowMin
        | Rule::SelectorMissing
        | Rule::SelectorInvalid
        | Rule::SelectorAmbiguous
        | Rule::AllMetricsInvalid
        | Rule::RaisedFromZero => false,
        Rule::InvalidMetricBlocksScaleDown
        | Rule::WithinTolerance
        | Rule::SecondPass
        | Rule::DirectionGuard
        | Rule::Rounding
        | Rule::Metric
        | Rule::StabilizationWindow
        | Rule::OldRecommendation
        | Rule::ScaleUpPolicy
        | Rule::ScaleDownPolicy
        | Rule::DisabledDirection
        | Rule::NoBehaviorLimit
        | Rule::MaxReplicas
        | Rule::MinReplicas => true,
    }
}
