//! A recent recommendation holds the replicas.

use hpa_analysis::AlterationKind;
use hpa_engine::{
    model::{Direction, Recommendation},
    trace::{Decision, Stabilize, StabilizePath, StabilizeReason},
};
use hpa_words::clock::duration;
use jiff::SignedDuration;

use super::{NOT_SCALING, RuleWords, are_all_ready};
use crate::{
    Action, Decider, ExplainContext, MetricFacts, StepKind,
    ladder::{holder, number},
    short_answer::until,
};

pub(super) const WORDS: RuleWords = RuleWords {
    held_by: Some("held by the stabilization window"),
    needed_first: None,
    failed: NOT_SCALING,
    label: |_| "held_by_window",
    short: |cx, action| match action {
        Action::ScaleDown => Some("down, held by window".into()),
        Action::ScaleUp => Some("up, held by window".into()),
        _ => Some(until(cx, "window")),
    },
    sentences: |cx, _| sentences(cx),
    recovers,
    why_nothing: |_| "that ends by itself",
    advice: |cx| {
        let rules = cx.facts.observation.hpa.spec.rules(Direction::Up)?;
        let window = rules.window()?;
        let is_up = cx.facts.current() < cx.facts.proposal() && window.is_positive();
        let text = "If scaling up later is too slow, shorten scaleUp.stabilizationWindowSeconds.";
        is_up.then(|| text.to_owned())
    },
    command: |_| None,
    before_command: |_| None,
    steps: |_| &[(StepKind::Stabilize, false)],
    what_ifs: &[
        AlterationKind::Window(Direction::Up),
        AlterationKind::Window(Direction::Down),
    ],
};

fn recovers(cx: &ExplainContext<'_>) -> bool {
    let is_above = |metric: &MetricFacts<'_>| metric.ratio.is_some_and(|one| 1.0 < one.usage_ratio);
    let is_lacking = !are_all_ready(cx) && cx.facts.metrics.iter().any(is_above);
    let is_held_up = |step: &Stabilize| step.reason != StabilizeReason::ScaleUpStabilized;
    !is_lacking && cx.facts.stabilize.is_some_and(is_held_up)
}

fn sentences(cx: &ExplainContext<'_>) -> Vec<String> {
    let held = cx.facts.stabilize.and_then(|step| held(cx, step));
    let Some(held) = held else {
        return Vec::new();
    };
    let then = then(cx);
    let mut sentences = vec![format!(
        "{}, but {held}{}.",
        cx.present_demand(),
        then.clone().unwrap_or_default()
    )];
    if then.is_none() {
        sentences.push("At this load nothing changes after that.".to_owned());
    }
    sentences
}

/// What a window does that holds another number than the metrics ask for: `the 5 min scale-down window holds 8 until 10:42:15`.
pub(crate) fn held(cx: &ExplainContext<'_>, step: &Stabilize) -> Option<String> {
    if step.reason == StabilizeReason::ReadyForNewScale {
        return None;
    }
    let is_up = step.reason == StabilizeReason::ScaleUpStabilized;
    let window = match step.path {
        // Without `behavior` only the way down has a window.
        StabilizePath::NoBehavior { window } => window.value,
        StabilizePath::Behavior { up_window, .. } if is_up => up_window.value,
        StabilizePath::Behavior { down_window, .. } => down_window.value,
    };
    let replicas = held_replicas(step);
    let way = if is_up { "up" } else { "down" };
    let holder = holder(step, replicas);
    let what = of_first_sync(cx, step, replicas).unwrap_or_else(|| number(step, replicas));
    let until = holder.map_or_else(String::new, |held| holds_until(cx, held, window));
    let capped = capped(cx, replicas);
    let window = duration(window);
    Some(format!(
        "the {window} scale-{way} window holds {what}{until}{capped}"
    ))
}

/// Which recommendation it is that a window holds, if it is that of the controller's first sync.
fn of_first_sync(cx: &ExplainContext<'_>, step: &Stabilize, replicas: i32) -> Option<String> {
    let held = holder(step, replicas)?;
    let is_first = cx.facts.first.is_some() && held.at == cx.facts.trace.at;
    is_first.then(|| match restarted(cx) {
        Some(since) => {
            format!("the {replicas} found when the controller started at {since} without a history")
        }
        None => format!("the {replicas} of the controller's first sync"),
    })
}

/// The number that a window holds with where it comes from, and alone, where that is said.
pub(crate) fn origin(cx: &ExplainContext<'_>) -> Option<(String, String)> {
    let step = cx.facts.stabilize?;
    let replicas = held_replicas(step);
    Some((of_first_sync(cx, step, replicas)?, number(step, replicas)))
}

/// The replicas that the window of a step holds.
fn held_replicas(step: &Stabilize) -> i32 {
    match step.path {
        StabilizePath::NoBehavior { .. } => step.stabilized,
        StabilizePath::Behavior { lowest, .. }
            if step.reason == StabilizeReason::ScaleUpStabilized =>
        {
            lowest
        }
        StabilizePath::Behavior { highest, .. } => highest,
    }
}

/// When the controller became leader, if the HPA is older: its windows and scale events before that are lost.
fn restarted(cx: &ExplainContext<'_>) -> Option<String> {
    let since = cx.context.leader_since?;
    let created = cx.facts.observation.hpa.created?;
    (created < since).then(|| cx.clock.time(since))
}

/// `, which maxReplicas cuts to 10`, if a limit cuts the number that the window holds.
fn capped(cx: &ExplainContext<'_>, number: i32) -> String {
    let limit = cx.facts.limit.filter(|limit| limit.desired < number);
    // Rules of limits say that themselves.
    let is_said = matches!(
        cx.rule.decider(),
        Decider::Max | Decider::Policy(_) | Decider::StepLimit
    );
    match limit.filter(|_| !is_said) {
        Some(limit) if limit.desired == limit.max => {
            format!(", which maxReplicas cuts to {}", limit.desired)
        }
        Some(limit) => format!(", which the rate limit cuts to {}", limit.desired),
        None => String::new(),
    }
}

/// ` until 10:42:15`; where the start is inferred, ` until at most 10:42:30 (inferred)`, with the sync that comes after it.
fn holds_until(cx: &ExplainContext<'_>, held: &Recommendation, window: SignedDuration) -> String {
    let is_held = matches!(cx.facts.trace.decision, Decision::Hold { .. });
    let change = cx.analysis.first_change.filter(|_| is_held);
    let expiry = held.at.saturating_add(window).unwrap_or(held.at);
    if held.provenance.is_inferred() {
        let latest = change.map_or(expiry, |change| change.latest);
        let period = cx.facts.observation.sync_period().value;
        let sync = latest.saturating_add(period).unwrap_or(latest);
        return format!(" until at most {} (inferred)", cx.clock.time(sync));
    }
    let first = cx.analysis.timeline.first().filter(|_| is_held);
    let end = first.map_or(expiry, |first| first.at);
    if cx.clock.is_now(end) {
        " until the next sync".to_owned()
    } else {
        format!(" until {}", cx.clock.time(end))
    }
}

/// `; then 5 at this load`, if the replicas change after the window: `; then 8, eventually 5, at this load`.
pub(crate) fn then(cx: &ExplainContext<'_>) -> Option<String> {
    let changes = &cx.analysis.timeline;
    let (first, last) = (changes.first()?, changes.last()?);
    if last.to == first.to {
        return then_first(cx);
    }
    Some(format!(
        "; then {}, eventually {}, at this load",
        first.to, last.to
    ))
}

/// The first of these changes alone.
pub(crate) fn then_first(cx: &ExplainContext<'_>) -> Option<String> {
    let first = cx.analysis.timeline.first()?;
    Some(format!("; then {} at this load", first.to))
}
