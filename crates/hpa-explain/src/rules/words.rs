//! What has to be said of a rule.

use hpa_analysis::AlterationKind;

use crate::{
    Action, ExplainContext, Facts, ShortAnswer, StepKind, Unmet, command::ShellCommand,
    situation::Situation,
};

/// What is said of a rule.
pub(crate) struct RuleWords {
    /// Why a counterfactual ends there: `within tolerance`; none: a metric decides.
    pub(crate) held_by: Option<&'static str>,
    /// What must happen before a sync can change the replicas; none: the next sync may.
    pub(crate) needed_first: Option<&'static str>,
    /// The headline before the replicas, if the controller cannot decide.
    pub(crate) failed: &'static str,
    /// The label of a metric of `export`, if the replicas stay.
    pub(crate) label: fn(&Facts<'_>) -> &'static str,
    /// The answer in a few words; none: the action alone says it.
    pub(crate) short: fn(&ExplainContext<'_>, Action) -> Option<ShortAnswer>,
    /// Why the decision is what it is, to go with the situation that the answer names.
    pub(crate) sentences: fn(&ExplainContext<'_>, Option<&Situation>) -> Vec<String>,
    /// Whether all is well, or recovers with time or through the HPA itself, if nothing else is wrong.
    pub(crate) recovers: fn(&ExplainContext<'_>) -> bool,
    /// Why there is nothing to do where all is well, after a colon; empty: all is never well.
    pub(crate) why_nothing: fn(&ExplainContext<'_>) -> &'static str,
    /// What to do where no command does it; none: the sentences say it, or there is nothing to do.
    pub(crate) advice: fn(&ExplainContext<'_>) -> Option<String>,
    /// The next command; none: there is nothing to do, or no command does it.
    pub(crate) command: fn(&ExplainContext<'_>) -> Option<ShellCommand>,
    /// The sentence before that command, if the others do not say what it is for.
    pub(crate) before_command: fn(&ExplainContext<'_>) -> Option<String>,
    /// By whether there is a single metric: the kinds of steps that may be marked, the best first, and whether the step
    /// must belong to the winning metric.
    pub(crate) steps: fn(bool) -> &'static [(StepKind, bool)],
    /// The counterfactuals that concern it.
    pub(crate) what_ifs: &'static [AlterationKind],
}

/// Whether the average counts every pod.
pub(super) fn are_all_counted(cx: &ExplainContext<'_>) -> bool {
    let groups = cx.facts.groups();
    are_all_ready(cx) && groups.is_none_or(|groups| groups.unready == 0 && groups.missing == 0)
}

/// Whether every pod is ready: metrics that read no pods do not know it.
pub(super) fn are_all_ready(cx: &ExplainContext<'_>) -> bool {
    Unmet::of(cx).not_ready.is_none_or(|number| number == 0)
}

/// The headline of most rules, if the controller cannot decide.
pub(super) const NOT_SCALING: &str = "NOT SCALING, stays at";
