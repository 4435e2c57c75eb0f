//! The problems around a decision, by what they change, and what else qualifies it.

use std::cmp::Reverse;

use hpa_diagnosis::{effect::Effect, short_at_max::short_at_max};

use crate::{
    Decider, ExplainContext,
    context::{
        autoscalers::{keda, progressive, vertical},
        downstream::{generations, missing, ordered, quotas, unscheduled},
        external, history,
        pods::{groups, memory, others, percentages, starting},
        reconciling, writers,
    },
    situation::{MeasuredProblem, Place, Situation},
};

/// All problems that change something, the gravest first. Of those that change as much the first in [`PROBLEMS`].
///
/// Pods that fail are not among them.
pub(super) fn problems(cx: &ExplainContext<'_>) -> Vec<MeasuredProblem> {
    // Without metrics that were read, most have no say.
    let is_measured = is_measured(cx);
    let has_say = |problem: &&CandidateProblem| is_measured || problem.needs_no_metric;
    let mut problems: Vec<MeasuredProblem> = PROBLEMS
        .iter()
        .filter(has_say)
        .filter_map(|problem| (problem.find)(cx))
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
    let first = problems(cx).into_iter().next()?;
    Some(placed(cx, first))
}

/// What else there is where an edit leads that is over with this sync: a problem, or what qualifies the decision.
pub(super) fn besides_edit(cx: &ExplainContext<'_>) -> Option<Situation> {
    let mut problems = problems(cx).into_iter();
    let other = problems.find(|one| one.situation.place != Place::Undone);
    let other = other.map(|one| placed(cx, one).situation);
    other.or_else(|| {
        let place = Place::Aside;
        qualification(cx).map(|one| Situation { place, ..one })
    })
}

fn placed(cx: &ExplainContext<'_>, mut problem: MeasuredProblem) -> MeasuredProblem {
    let situation = &mut problem.situation;
    if Some(problem.effect) < shortage(cx) {
        if situation.place != Place::Undone {
            situation.place = Place::After;
        }
        situation.words = None;
    }
    problem
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
        progressive::situation,
        generations::situation,
        external::value_times_pods,
        external::negative,
        external::added_up,
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
    /// The problem with what it changes, if the HPA has it.
    find: fn(&ExplainContext<'_>) -> Option<MeasuredProblem>,
    /// Whether it is one whatever the metrics are.
    needs_no_metric: bool,
}

impl CandidateProblem {
    const fn new(find: fn(&ExplainContext<'_>) -> Option<MeasuredProblem>) -> Self {
        Self {
            find,
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

// The engine may have to decide once more for an effect, so it is asked only of problems that were found.
const PROBLEMS: [CandidateProblem; 17] = [
    CandidateProblem::new(|cx| reconciling::situation(cx)?.measured(Some(Effect::Undecided)))
        .without_metrics(),
    // Another writer undoes a rescale whether or not a metric asks for it.
    CandidateProblem::new(writers::fought).without_metrics(),
    // New pods do not start.
    CandidateProblem::new(|cx| ordered::situation(cx)?.measured(ordered::effect(cx))),
    CandidateProblem::new(missing::problem),
    // Without a pod that runs there is nothing to measure.
    CandidateProblem::new(unscheduled::problem).without_metrics(),
    CandidateProblem::new(quotas::problem).without_metrics(),
    CandidateProblem::new(percentages::problem),
    CandidateProblem::new(writers::recent),
    CandidateProblem::new(others::problem),
    CandidateProblem::new(history::problem),
    CandidateProblem::new(groups::problem),
    // The number that a metric asks for has no meaning.
    CandidateProblem::new(|cx| external::replaced(cx)?.measured(Some(Effect::Undecided))),
    CandidateProblem::new(|cx| external::beyond_count(cx)?.measured(Some(Effect::Undecided))),
    // At any load the HPA goes to maxReplicas, and never down.
    CandidateProblem::new(|cx| memory::target_in_bytes(cx)?.measured(Some(Effect::Blocked))),
    CandidateProblem::new(|cx| memory::idle(cx)?.measured(memory::effect(cx))),
    CandidateProblem::new(vertical::problem),
    CandidateProblem::new(|cx| starting::situation(cx)?.measured(starting::effect(cx))),
];
