//! A recent recommendation holds the replicas.

use hpa_analysis::{AlterationKind, FirstChange};
use hpa_engine::{
    model::Direction,
    trace::{Stabilize, StabilizePath, StabilizeReason},
};
use hpa_words::clock::duration;
use jiff::Timestamp;

use super::{NOT_SCALING, RuleWords, are_all_ready};
use crate::{
    Action, ExplainContext, MetricFacts, StepKind,
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
        let text = "If that is too slow, shorten scaleUp.stabilizationWindowSeconds.";
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
    let Some(step) = cx.facts.stabilize else {
        return Vec::new();
    };
    let is_up = step.reason == StabilizeReason::ScaleUpStabilized;
    let window = match step.path {
        StabilizePath::NoBehavior { window } => window.value,
        StabilizePath::Behavior { up_window, .. } if is_up => up_window.value,
        StabilizePath::Behavior { down_window, .. } => down_window.value,
    };
    let decisive = decisive(step, is_up);
    let held = holder(step, decisive);
    let is_inferred = held.is_some_and(|held| held.provenance.is_inferred());
    let window = duration(window);
    let is_first =
        cx.facts.first.is_some() && held.is_some_and(|held| held.at == cx.facts.trace.at);
    let capped = capped(cx, decisive);
    let mut sentences = vec![if is_first {
        let found = match restarted(cx) {
            Some(since) => {
                format!("found when the controller started at {since} without a history")
            }
            None => "of the controller's first sync".to_owned(),
        };
        format!(
            "{}, but the {window} stabilization window holds the {decisive} {found}.",
            cx.present_demand()
        )
    } else {
        let when = match held {
            Some(_) if is_inferred => " (inferred)".to_owned(),
            Some(held) => format!(" (asked for at {})", cx.clock.time(held.at)),
            None => String::new(),
        };
        format!(
            "{}, but the {window} stabilization window still holds {}{when}{capped}.",
            cx.present_demand(),
            number(step, decisive)
        )
    }];
    sentences.push(when_it_ends(cx, step, is_inferred));
    sentences
}

/// When the controller became leader, if the HPA is older: its windows and scale events before that are lost.
fn restarted(cx: &ExplainContext<'_>) -> Option<String> {
    let since = cx.context.leader_since?;
    let created = cx.facts.observation.hpa.created?;
    (created < since).then(|| cx.clock.time(since))
}

/// `, capped at 10 by maxReplicas`, if a limit cuts the number that the window holds.
pub(super) fn capped(cx: &ExplainContext<'_>, number: i32) -> String {
    match cx.facts.limit {
        Some(limit) if limit.desired < number => {
            let by = if limit.desired == limit.max {
                "maxReplicas"
            } else {
                "the rate limit"
            };
            format!(", capped at {} by {by}", limit.desired)
        }
        _ => String::new(),
    }
}

/// The recommendation that decides: the end of the window's interval on the side of the current replicas.
fn decisive(step: &Stabilize, is_up: bool) -> i32 {
    match step.path {
        StabilizePath::NoBehavior { .. } => step.stabilized,
        StabilizePath::Behavior { lowest, .. } if is_up => lowest,
        StabilizePath::Behavior { highest, .. } => highest,
    }
}

fn when_it_ends(cx: &ExplainContext<'_>, step: &Stabilize, is_inferred: bool) -> String {
    let Some(first) = cx.analysis.timeline.first() else {
        return if step.stabilized == step.current {
            "At this load the replicas do not change.".to_owned()
        } else {
            "At this load nothing changes after that.".to_owned()
        };
    };
    let way = if first.to < first.from { "down" } else { "up" };
    let when = when(cx, first.at, is_inferred);
    let last = cx.analysis.timeline.last().map_or(first.to, |last| last.to);
    if last == first.to {
        format!("At this load the HPA scales {way} to {last} {when}.")
    } else {
        format!(
            "At this load the HPA scales {way} {when}, first to {}, eventually to {last}.",
            first.to
        )
    }
}

/// `at 10:42:15`, `between 10:42:15 and 10:46:30`, `by 10:46:30`.
fn when(cx: &ExplainContext<'_>, at: Timestamp, is_inferred: bool) -> String {
    let clock = cx.clock;
    // The window ends, and then comes a sync.
    let period = cx.facts.observation.sync_period().value;
    let sync_after = |at: Timestamp| clock.time(at.saturating_add(period).unwrap_or(at));
    match cx.analysis.first_change {
        Some(FirstChange {
            earliest: Some(earliest),
            latest,
        }) if is_inferred && earliest < latest => {
            format!(
                "between {} and {}",
                clock.time(earliest),
                sync_after(latest)
            )
        }
        Some(FirstChange { latest, .. }) if is_inferred => {
            format!("by {}", sync_after(latest))
        }
        _ => clock.ahead(at),
    }
}
