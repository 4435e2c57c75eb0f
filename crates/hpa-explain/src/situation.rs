//! A situation around the decision that changes what the reader does next: it belongs in the answer, not only in a
//! note.

use super::{
    Decider, ExplainContext,
    command::ShellCommand,
    context::{
        autoscalers::{keda, progressive, vertical},
        downstream::{generations, missing, ordered, unscheduled},
        history,
        pods::{groups, memory, others, percentages, starting},
        writers,
    },
    series,
};

/// What a situation adds to the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Situation {
    /// Its position relative to the sentences about the decision.
    pub(super) place: Place,
    /// The problem in a few words, for a line of a table; none: it is none, and the decision says enough.
    pub(super) words: Option<String>,
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

/// The problem that matters most.
///
/// Pods that fail lead by themselves, and nothing leads where the controller cannot decide at all.
pub(super) fn problem(cx: &ExplainContext<'_>) -> Option<Situation> {
    // Another writer undoes a rescale whether or not a metric asks for it.
    if let Some(situation) = writers::situation(cx) {
        return Some(situation);
    }
    let situations = [
        // New pods do not start.
        ordered::situation,
        missing::situation,
        unscheduled::situation,
        // The HPA can never act.
        percentages::situation,
        // It acts wrongly now.
        others::situation,
        history::situation,
        groups::situation,
        // Its numbers are distorted.
        series::replaced,
        memory::target_in_bytes,
        series::beyond_count,
        memory::idle,
        vertical::situation,
        starting::situation,
    ];
    first(cx, &situations)
}

/// Whether more replicas than now would not help: pods that are wanted do not exist, or the metric would ask for more with
/// any number of them.
pub(super) fn is_more_useless(cx: &ExplainContext<'_>) -> bool {
    missing::missing(cx).is_some()
        || groups::PodGroups::of(cx).is_some()
        || memory::idle_above_target(cx).is_some()
        || first(
            cx,
            &[
                series::replaced,
                memory::target_in_bytes,
                series::beyond_count,
            ],
        )
        .is_some()
}

/// What qualifies the decision where there is no problem. `watch` asks for problems alone: these take longer to find out.
pub(super) fn qualification(cx: &ExplainContext<'_>) -> Option<Situation> {
    let situations = [
        series::value_times_pods,
        series::negative,
        series::added_up,
        progressive::situation,
        generations::situation,
        keda::situation,
    ];
    first(cx, &situations)
}

fn first(
    cx: &ExplainContext<'_>,
    situations: &[fn(&ExplainContext<'_>) -> Option<Situation>],
) -> Option<Situation> {
    // Without metrics that were read, none of them has a say.
    if matches!(cx.rule.decider(), Decider::FailedMetric | Decider::NoMetric) {
        return None;
    }
    situations.iter().find_map(|situation| situation(cx))
}

/// The words, or others where a name makes them too long for a table.
pub(super) fn within_a_cell(words: String, otherwise: impl FnOnce() -> String) -> String {
    if words.chars().count() <= LONGEST_WORDS {
        words
    } else {
        otherwise()
    }
}

/// So many letters are a few words.
const LONGEST_WORDS: usize = 24;
