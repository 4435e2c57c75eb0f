//! `maxReplicas` limits the replicas.

use hpa_analysis::AlterationKind;
use hpa_engine::{
    model::Direction,
    trace::{ClassifiedPod, GroupPods, PodClass, PodReason, Stabilize},
};

use super::{NOT_SCALING, RuleWords, stabilization_window::held};
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

/// The replicas that the load asks for, which `maxReplicas` would have to allow.
pub(crate) fn needed_maximum(cx: &ExplainContext<'_>) -> Option<i32> {
    cx.facts.proposal()
}

fn sentences(cx: &ExplainContext<'_>, situation: Option<&Situation>) -> Vec<String> {
    let facts = &cx.facts;
    let max = facts.max();
    let is_lower = |step: &&Stabilize| step.stabilized < step.recommendation;
    let window = facts.stabilize.filter(is_lower);
    let window = window.and_then(|step| held(cx, step));
    let goes_there = facts.current().is_some_and(|current| current < max);
    let mut sentences = vec![match window {
        Some(window) => format!(
            "{}, but {window}, and maxReplicas is {max}.",
            cx.present_demand()
        ),
        None if goes_there => format!("{}, but maxReplicas is {max}.", cx.demand()),
        None if facts.min() == max => {
            format!("At minReplicas = maxReplicas = {max}: {}.", cx.demand())
        }
        None => format!("At maxReplicas {max}: {}.", cx.demand()),
    }];
    sentences.extend(verdict(cx, situation).or_else(|| {
        let missing = missing(cx).filter(|_| situation.is_none() && !goes_there)?;
        Some(format!("{} yet.", few_exist(missing)))
    }));
    sentences
}

/// What to do about a load that asks for more than `maxReplicas`, at that limit and on the way there; pods to check first are
/// named elsewhere.
pub(crate) fn verdict(cx: &ExplainContext<'_>, situation: Option<&Situation>) -> Option<String> {
    let needed = needed_maximum(cx).filter(|asks| cx.facts.max() < *asks)?;
    if situation.is_none() && hardly_falls(cx) {
        let text =
            "Memory hardly falls with the load: check its request before you raise maxReplicas.";
        return Some(text.to_owned());
    }
    if situation.is_some() || !may_raise_max(cx) {
        return None;
    }
    let all = match cx.facts.current()? {
        // There is more to say on the way.
        _ if cx.is_stepwise() => "If".to_owned(),
        1 => "The only pod is ready: if".to_owned(),
        pods => format!("All {pods} pods are ready: if"),
    };
    // The command names the number.
    let to = match command(cx) {
        Some(_) => String::new(),
        None => format!(" (to {needed} at this load)"),
    };
    Some(format!(
        "{all} this load is expected, raise maxReplicas{to}."
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
