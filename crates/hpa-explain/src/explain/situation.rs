//! A situation around the decision that changes what the reader does next: it belongs in the answer, not only in a
//! note.

use super::{
    ExplainContext, Rule,
    answer::value_times_pods,
    around::{
        autoscalers::{keda, progressive, vertical},
        downstream::{generations, ordered},
        history,
        pods::{others, percentages, starting},
        writers,
    },
    command::ShellCommand,
};

/// What a situation adds to the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Situation {
    /// Its position relative to the sentences about the decision.
    pub(super) place: Place,
    /// Full sentences: what is wrong, why, and what to do.
    pub(super) sentences: Vec<String>,
    /// The command to run next.
    pub(super) command: Option<ShellCommand>,
}

/// Where a situation goes relative to the sentences about the decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// It replaces the decision, which would mislead.
    Instead,
    /// It comes first.
    Before,
    /// It qualifies the decision.
    After,
}

/// The most important situation, in this order: what undoes the HPA's work, what keeps the pods from starting, what
/// keeps the HPA from ever acting, what it does wrong now, and what distorts the numbers that it decides by.
///
/// None if pods fail, which have an answer of their own, or if the controller cannot decide at all.
pub(super) fn leading(cx: &ExplainContext<'_>) -> Option<Situation> {
    if let Some(situation) = writers::situation(cx) {
        return Some(situation);
    }
    if !decides_by_metrics(cx.rule) {
        return None;
    }
    [
        ordered::situation,
        percentages::situation,
        others::situation,
        history::situation,
        vertical::situation,
        value_times_pods,
        starting::situation,
        progressive::situation,
        generations::situation,
        keda::situation,
    ]
    .into_iter()
    .find_map(|situation| situation(cx))
}

/// Whether the metrics were read and decide, alone or with window, policies and bounds.
fn decides_by_metrics(rule: Rule) -> bool {
    match rule {
        Rule::AboveMax
        | Rule::AllMetricsInvalid
        | Rule::BelowMin
        | Rule::InputsNotReadable
        | Rule::InvalidMetricBlocksScaleDown
        | Rule::RaisedFromZero
        | Rule::ScaleNotReadable
        | Rule::ScalingDisabledAtZero
        | Rule::SelectorAmbiguous
        | Rule::SelectorInvalid
        | Rule::SelectorMissing => false,
        Rule::DirectionGuard
        | Rule::DisabledDirection
        | Rule::MaxReplicas
        | Rule::Metric
        | Rule::MinReplicas
        | Rule::NoBehaviorLimit
        | Rule::OldRecommendation
        | Rule::Rounding
        | Rule::ScaleDownPolicy
        | Rule::ScaleUpPolicy
        | Rule::SecondPass
        | Rule::StabilizationWindow
        | Rule::WithinTolerance => true,
    }
}
