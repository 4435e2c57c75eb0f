//! `maxReplicas` limits the replicas.

use hpa_analysis::AlterationKind;
use hpa_engine::{
    model::Direction,
    trace::{ClassifiedPod, GroupPods, PodClass, PodReason},
};

use super::{NOT_SCALING, RuleWords};
use crate::{
    Action, ExplainContext, Facts, StepKind, Unmet,
    command::{ShellCommand, with_change},
    context::{
        downstream::{
            self,
            missing::{few_exist, missing},
        },
        pods::not_down::hardly_falls,
    },
    ladder::is_bound,
    problems::is_more_useless,
    situation::Situation,
};

pub(super) const WORDS: RuleWords = RuleWords {
    held_by: Some("maxReplicas"),
    needed_first: None,
    failed: NOT_SCALING,
    label: |_| "at_max",
    short: |cx, action| match action {
        Action::Hold => Some(at_max("at max", &cx.facts).into()),
        Action::ScaleDown => Some("down to max".into()),
        Action::ScaleUp => Some(at_max("up to max", &cx.facts).into()),
        _ => None,
    },
    sentences,
    recovers: |_| false,
    why_nothing: |_| "",
    advice: |_| None,
    command,
    before_command: |cx| Some(trying(needed_maximum(cx)?)),
    steps: |_| &[(StepKind::Limits, false)],
    what_ifs: &[AlterationKind::MaxReplicas],
};

/// What shows the effect of the maximum that is needed, if nothing known speaks against it.
pub(crate) fn command(cx: &ExplainContext<'_>) -> Option<ShellCommand> {
    let needed = needed_maximum(cx).filter(|_| may_raise_max(cx))?;
    with_change(cx, "--set", &format!("maxReplicas={needed}"))
}

/// The sentence before [`command`].
pub(crate) fn trying(max: i32) -> String {
    format!("To try {max} (nothing is written):")
}

/// The replicas that `maxReplicas` would have to allow.
pub(crate) fn needed_maximum(cx: &ExplainContext<'_>) -> Option<i32> {
    let limit = cx.facts.limit.map(|limit| limit.stabilized);
    limit.or_else(|| cx.facts.proposal())
}

fn sentences(cx: &ExplainContext<'_>, situation: Option<&Situation>) -> Vec<String> {
    let facts = &cx.facts;
    let max = facts.max();
    let proposal_before = needed_maximum(cx).unwrap_or(max);
    // An inferred recommendation may be known only as a bound; then the shortage is a bound as well.
    let is_bound = facts
        .stabilize
        .is_some_and(|step| is_bound(step, proposal_before));
    let at_least = if is_bound { "at least " } else { "" };
    let recommendation = match facts.winner() {
        Some(_) if facts.proposal() == Some(proposal_before) => cx.demand(),
        _ => format!(
            "{}; the window makes that {at_least}{proposal_before}",
            cx.present_demand()
        ),
    };
    let goes_there = facts.current().is_some_and(|current| current < max);
    let mut sentences = vec![if goes_there {
        format!("{recommendation}, but maxReplicas is {max}.")
    } else if facts.min() == max {
        format!("At minReplicas = maxReplicas = {max}: {recommendation}.")
    } else {
        format!("At maxReplicas {max}: {recommendation}.")
    }];
    sentences.extend(higher_maximum(cx, situation, proposal_before).or_else(|| {
        let missing = missing(cx).filter(|_| situation.is_none() && !goes_there)?;
        Some(format!("{} yet.", few_exist(missing)))
    }));
    sentences
}

/// Advice to raise `maxReplicas`, if nothing known speaks against it.
fn higher_maximum(
    cx: &ExplainContext<'_>,
    situation: Option<&Situation>,
    needed: i32,
) -> Option<String> {
    if situation.is_none() && hardly_falls(cx) {
        let text =
            "Memory hardly falls with the load: check its request before you raise maxReplicas.";
        return Some(text.to_owned());
    }
    if situation.is_some() || !may_raise_max(cx) {
        return None;
    }
    let all = match cx.facts.current()? {
        1 => "The only pod is ready".to_owned(),
        pods => format!("All {pods} pods are ready"),
    };
    Some(format!(
        "{all}: if this load is expected, raise maxReplicas (to {needed} at this load)."
    ))
}

/// Whether nothing known speaks against a higher `maxReplicas`: all pods are ready, and more of them fit.
pub(crate) fn may_raise_max(cx: &ExplainContext<'_>) -> bool {
    // A pod that is not ready may still count with its usage.
    let is_ready = |pod: &ClassifiedPod| {
        pod.class == PodClass::Ready && pod.reason != PodReason::CountedThoughNotReady
    };
    let all_ready = |groups: &GroupPods| groups.pods.iter().all(is_ready);
    let are_counted = cx.facts.groups().is_none_or(all_ready);
    let are_ready = Unmet::of(cx).not_ready == Some(0);
    let is_open = !cx.facts.is_off(Direction::Up) && !hardly_falls(cx);
    are_counted && are_ready && is_open && downstream::has_room(cx) && !is_more_useless(cx)
}

/// `at max, 7 short`.
fn at_max(what: &str, facts: &Facts<'_>) -> String {
    let proposal = facts.proposal().unwrap_or_default();
    match proposal.saturating_sub(facts.max()) {
        ..=0 => what.to_owned(),
        short => format!("{what}, {short} short"),
    }
}
