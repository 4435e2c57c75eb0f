//! What is said of each rule: a file for each, and everything that is said of it is there.

mod above_max;
mod below_min;
mod disabled_direction;
pub(super) mod inputs_not_readable;
pub(super) mod invalid_metrics;
pub(super) mod max_replicas;
mod metric;
mod min_replicas;
mod no_behavior_limit;
mod old_recommendation;
pub(super) mod policy;
mod raised_from_zero;
mod rounding;
mod scale_not_readable;
mod scaling_disabled_at_zero;
mod second_pass;
mod selector;
mod stabilization_window;
mod within_tolerance;

use hpa_analysis::AlterationKind;

use crate::{
    Action, ExplainContext, Facts, Rule, ShortAnswer, StepKind, Unmet, command::ShellCommand,
    situation::Situation,
};

/// What is said of a rule.
pub(super) struct RuleWords {
    /// Why a counterfactual ends there: `within tolerance`; none: a metric decides.
    pub(super) held_by: Option<&'static str>,
    /// What must happen before a sync can change the replicas; none: the next sync may.
    pub(super) needed_first: Option<&'static str>,
    /// The headline before the replicas, if the controller cannot decide.
    pub(super) failed: &'static str,
    /// The label of a metric of `export`, if the replicas stay.
    label: fn(&Facts<'_>) -> &'static str,
    /// The reason in a line of `watch`.
    reason: fn(&DecisionNumbers<'_>) -> String,
    /// The answer in a few words; none: the action alone says it.
    pub(super) short: fn(&ExplainContext<'_>, Action) -> Option<ShortAnswer>,
    /// Why the decision is what it is, to go with the situation that the answer names.
    pub(super) sentences: fn(&ExplainContext<'_>, Option<&Situation>) -> Vec<String>,
    /// Whether all is well, or recovers with time or through the HPA itself, if nothing else is wrong.
    pub(super) recovers: fn(&ExplainContext<'_>) -> bool,
    /// The next command; none: there is nothing to do, or no command does it.
    pub(super) command: fn(&ExplainContext<'_>) -> Option<ShellCommand>,
    /// By whether there is a single metric: the kinds of steps that may be marked, the best first, and whether the step
    /// must belong to the winning metric.
    pub(super) steps: fn(bool) -> &'static [(StepKind, bool)],
    /// The counterfactuals that concern it.
    pub(super) what_ifs: &'static [AlterationKind],
}

/// The numbers of a decision, for a line of `watch`.
#[derive(Clone, Copy, Debug)]
pub struct DecisionNumbers<'a> {
    /// Replicas before it.
    pub current: Option<i32>,
    /// What the metrics ask for.
    pub proposal: Option<i32>,
    /// What the stabilization window turns that into.
    pub stabilized: Option<i32>,
    /// Replicas after it.
    pub desired: Option<i32>,
    /// `minReplicas`.
    pub min: i32,
    /// `maxReplicas`.
    pub max: i32,
    /// The answer in a few words.
    pub answer: &'a str,
}

impl DecisionNumbers<'_> {
    /// `max is 10 (asks for 12)`.
    fn with(&self, words: &str, replicas: Option<i32>) -> String {
        match replicas {
            Some(replicas) => self.asking(&format!("{words} {replicas}")),
            None => words.to_owned(),
        }
    }

    /// `scale-up is off (asks for 12)`.
    fn asking(&self, words: &str) -> String {
        match self.proposed() {
            Some(proposed) => format!("{words} ({proposed})"),
            None => words.to_owned(),
        }
    }

    /// `asks for 12`.
    fn proposed(&self) -> Option<String> {
        Some(format!("asks for {}", self.proposal?))
    }
}

impl Rule {
    /// The value of the label `verdict` of `export`, if the replicas stay because of this rule.
    pub fn label(self, facts: &Facts<'_>) -> &'static str {
        (self.words().label)(facts)
    }

    /// The reason of a decision in a few words; empty if its metric has them: `scale-up policy allows 9 (asks for 12)`.
    pub fn reason(self, numbers: &DecisionNumbers<'_>) -> String {
        (self.words().reason)(numbers)
    }

    /// What must happen before a sync can change the replicas; none: the next sync may.
    pub fn needed_first(self) -> Option<&'static str> {
        self.words().needed_first
    }

    /// What is said of it.
    pub(super) fn words(self) -> &'static RuleWords {
        match self {
            Self::InputsNotReadable => &inputs_not_readable::WORDS,
            Self::ScaleNotReadable => &scale_not_readable::WORDS,
            Self::ScalingDisabledAtZero => &scaling_disabled_at_zero::WORDS,
            Self::AboveMax => &above_max::WORDS,
            Self::BelowMin => &below_min::WORDS,
            Self::SelectorMissing => &selector::MISSING,
            Self::SelectorInvalid => &selector::INVALID,
            Self::SelectorAmbiguous => &selector::AMBIGUOUS,
            Self::AllMetricsInvalid => &invalid_metrics::ALL,
            Self::InvalidMetricBlocksScaleDown => &invalid_metrics::BLOCKING,
            Self::WithinTolerance => &within_tolerance::WORDS,
            Self::SecondPass => &second_pass::WORDS,
            Self::DirectionGuard => &second_pass::GUARD,
            Self::Rounding => &rounding::WORDS,
            Self::Metric => &metric::WORDS,
            Self::StabilizationWindow => &stabilization_window::WORDS,
            Self::OldRecommendation => &old_recommendation::WORDS,
            Self::ScaleUpPolicy => &policy::UP,
            Self::ScaleDownPolicy => &policy::DOWN,
            Self::DisabledDirection => &disabled_direction::WORDS,
            Self::NoBehaviorLimit => &no_behavior_limit::WORDS,
            Self::MaxReplicas => &max_replicas::WORDS,
            Self::MinReplicas => &min_replicas::WORDS,
            Self::RaisedFromZero => &raised_from_zero::WORDS,
        }
    }
}

/// Whether the average counts every pod.
fn are_all_counted(cx: &ExplainContext<'_>) -> bool {
    let groups = cx.facts.groups();
    are_all_ready(cx) && groups.is_none_or(|groups| groups.unready == 0 && groups.missing == 0)
}

/// Whether every pod is ready: metrics that read no pods do not know it.
fn are_all_ready(cx: &ExplainContext<'_>) -> bool {
    Unmet::of(cx).not_ready.is_none_or(|number| number == 0)
}

/// The headline of most rules, if the controller cannot decide.
const NOT_SCALING: &str = "NOT SCALING, stays at";
