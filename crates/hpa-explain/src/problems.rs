//! The problems around a decision, by what they change, and what else qualifies it.

use std::cmp::Reverse;

use hpa_diagnosis::{effect::Effect, short_at_max::short_at_max};

use crate::{
    Decider, ExplainContext,
    context::{
        autoscalers::{keda, progressive, vertical},
        downstream::{generations, missing, ordered, unscheduled},
        external, history,
        pods::{groups, memory, others, percentages, starting},
        reconciling, writers,
    },
    situation::{Place, Situation},
};

/// A problem around the decision, with what would be different without it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MeasuredProblem {
    /// What it changes.
    pub(super) effect: Effect,
    /// What is said of it.
    pub(super) situation: Situation,
}

/// All problems that change something, the gravest first. Of those that change as much the first in [`PROBLEMS`].
///
/// Pods that fail are not among them.
pub(super) fn problems(cx: &ExplainContext<'_>) -> Vec<MeasuredProblem> {
    // Without metrics that were read, most have no say.
    let is_measured = is_measured(cx);
    let has_say = |problem: &&CandidateProblem| is_measured || problem.needs_no_metric;
    let measured = |problem: &CandidateProblem| {
        let situation = (problem.find)(cx)?;
        let effect = (problem.effect)(cx)?;
        Some(MeasuredProblem { effect, situation })
    };
    let mut problems: Vec<MeasuredProblem> = PROBLEMS
        .iter()
        .filter(has_say)
        .filter_map(measured)
        .collect();
    problems.sort_by_key(|problem| Reverse(problem.effect));
    problems
}

/// What `maxReplicas` changes: the replicas that it refuses, where more would help.
pub(super) fn shortage(cx: &ExplainContext<'_>) -> Option<Effect> {
    let short = short_at_max(cx.facts.trace, cx.facts.max())?;
    short.effect().filter(|_| !is_more_useless(cx))
}

/// The problem that matters most. One that changes less than `maxReplicas` comes after it.
pub(super) fn leading(cx: &ExplainContext<'_>) -> Option<MeasuredProblem> {
    let mut first = problems(cx).into_iter().next()?;
    if Some(first.effect) < shortage(cx) {
        first.situation.place = Place::After;
        first.situation.words = None;
    }
    Some(first)
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
                external::replaced,
                memory::target_in_bytes,
                external::beyond_count,
            ],
        )
        .is_some()
}

/// What qualifies the decision where there is no problem. `watch` asks for problems alone: these take longer to find out.
pub(super) fn qualification(cx: &ExplainContext<'_>) -> Option<Situation> {
    let situations = [
        external::value_times_pods,
        external::negative,
        external::added_up,
        progressive::situation,
        generations::situation,
        keda::situation,
    ];
    first(cx, &situations)
}

fn first(cx: &ExplainContext<'_>, situations: &[Find]) -> Option<Situation> {
    if !is_measured(cx) {
        return None;
    }
    situations.iter().find_map(|situation| situation(cx))
}

fn is_measured(cx: &ExplainContext<'_>) -> bool {
    !matches!(cx.rule.decider(), Decider::FailedMetric | Decider::NoMetric)
}

type Find = fn(&ExplainContext<'_>) -> Option<Situation>;

/// A problem that an HPA can have.
struct CandidateProblem {
    /// Whether the HPA has it, in words.
    find: Find,
    /// What it changes. The engine may have to decide once more, so it is asked only of problems that were found.
    effect: fn(&ExplainContext<'_>) -> Option<Effect>,
    /// Whether it is one whatever the metrics are.
    needs_no_metric: bool,
}

impl CandidateProblem {
    const fn new(find: Find, effect: fn(&ExplainContext<'_>) -> Option<Effect>) -> Self {
        Self {
            find,
            effect,
            needs_no_metric: false,
        }
    }

    const fn without_metrics(self) -> Self {
        Self {
            needs_no_metric: true,
            ..self
        }
    }
}

const PROBLEMS: [CandidateProblem; 16] = [
    CandidateProblem::new(reconciling::situation, |_| Some(Effect::Undecided)).without_metrics(),
    // Another writer undoes a rescale whether or not a metric asks for it.
    CandidateProblem::new(writers::situation, writers::effect).without_metrics(),
    // New pods do not start.
    CandidateProblem::new(ordered::situation, ordered::effect),
    CandidateProblem::new(missing::situation, missing::effect),
    CandidateProblem::new(unscheduled::situation, unscheduled::effect),
    CandidateProblem::new(percentages::situation, percentages::effect),
    CandidateProblem::new(writers::recent, writers::recent_effect),
    CandidateProblem::new(others::situation, others::effect),
    CandidateProblem::new(history::situation, history::effect),
    CandidateProblem::new(groups::situation, groups::effect),
    // The number that a metric asks for has no meaning.
    CandidateProblem::new(external::replaced, |_| Some(Effect::Undecided)),
    CandidateProblem::new(external::beyond_count, |_| Some(Effect::Undecided)),
    // At any load the HPA goes to maxReplicas, and never down.
    CandidateProblem::new(memory::target_in_bytes, |_| Some(Effect::Blocked)),
    CandidateProblem::new(memory::idle, memory::effect),
    CandidateProblem::new(vertical::situation, vertical::effect),
    CandidateProblem::new(starting::situation, starting::effect),
];
