//! What is said of each rule: a file for each, and everything that is said of it is there.

mod above_max;
mod below_min;
pub(super) mod disabled_direction;
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
pub(super) mod second_pass;
mod selector;
pub(crate) mod stabilization_window;
mod within_tolerance;
mod words;

use words::{NOT_SCALING, RuleWords, are_all_counted, are_all_ready};

use crate::{Facts, Rule};

impl Rule {
    /// The value of the label `verdict` of `export`, if the replicas stay because of this rule.
    pub fn label(self, facts: &Facts<'_>) -> &'static str {
        (self.words().label)(facts)
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
