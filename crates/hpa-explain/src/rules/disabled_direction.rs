//! `selectPolicy: Disabled` in the direction of the metrics.

use hpa_analysis::AlterationKind;
use hpa_engine::{model::Direction, trace::Decision};

use super::{RuleWords, invalid_metrics::failed_metrics, policy};
use crate::{Action, Decider, ExplainContext};

pub(super) const WORDS: RuleWords = RuleWords {
    held_by: Some("selectPolicy is Disabled"),
    short: |cx, action| {
        let words = match cx.facts.direction() {
            Direction::Down => "scale-down is off",
            Direction::Up => "scale-up is off",
        };
        (action == Action::Hold).then(|| words.into())
    },
    sentences: |cx, _| sentences(cx),
    recovers: |_| false,
    advice: |cx| {
        let (field, _) = words(cx.facts.direction());
        Some(format!("If that is not intended, remove {field}."))
    },
    what_ifs: &[
        AlterationKind::SelectPolicy(Direction::Up),
        AlterationKind::SelectPolicy(Direction::Down),
    ],
    ..policy::DOWN
};

/// What is off, what happens in the other direction, and how to turn it on.
fn sentences(cx: &ExplainContext<'_>) -> Vec<String> {
    let facts = &cx.facts;
    let current = facts.current().unwrap_or_default();
    let off = cx.facts.direction();
    let other = match off {
        Direction::Up => Direction::Down,
        Direction::Down => Direction::Up,
    };
    let (bound, has_room) = match other {
        Direction::Up => ("maxReplicas", current < facts.max()),
        Direction::Down => ("minReplicas", facts.min() < current),
    };
    let (field, way) = words(off);
    let (other_field, other_way) = words(other);
    let rest = if facts.is_off(other) {
        format!(
            "{other_field} is also Disabled, so only minReplicas and maxReplicas change the replicas."
        )
    } else if has_room {
        format!("It still scales {other_way}.")
    } else {
        format!("It does not scale {other_way} either: {current} is {bound}.")
    };
    let mut sentences = vec![format!(
        "{}, but {field} is Disabled, so no metric scales it {way}.",
        cx.demand()
    )];
    // A metric that fails blocks scaling down, which the answer says next.
    let is_blocked = other == Direction::Down && failed_metrics(facts).is_some();
    sentences.extend((!is_blocked).then_some(rest));
    sentences
}

/// That the way back from the scaling that is under way is off, where something else decides, or the way up from replicas that
/// stay.
pub(crate) fn off_meanwhile(cx: &ExplainContext<'_>) -> Option<String> {
    let next = cx.analysis.timeline.first();
    let (from, to) = match (&cx.facts.trace.decision, next) {
        (Decision::Rescale { from, to, .. }, _) => (*from, *to),
        (_, Some(next)) => (next.from, next.to),
        (Decision::Hold { .. }, None) if cx.facts.is_off(Direction::Up) => {
            let (field, _) = words(Direction::Up);
            return match cx.rule.decider() {
                Decider::DisabledDirection | Decider::FailedMetric | Decider::NoMetric => None,
                Decider::Max => Some(format!(
                    "{field} is Disabled as well: if that is not intended, remove it and raise maxReplicas."
                )),
                _ => Some(format!("It cannot scale up: {field} is Disabled.")),
            };
        }
        _ => return None,
    };
    let back = if to < from {
        Direction::Up
    } else {
        Direction::Down
    };
    // A metric that fails blocks scaling down, which the answer says.
    if back == Direction::Down && failed_metrics(&cx.facts).is_some() {
        return None;
    }
    let (field, way) = words(back);
    cx.facts
        .is_off(back)
        .then(|| format!("It will not scale {way} again: {field} is Disabled."))
}

/// The field that turns a direction off, and the direction.
fn words(direction: Direction) -> (&'static str, &'static str) {
    match direction {
        Direction::Up => ("scaleUp.selectPolicy", "up"),
        Direction::Down => ("scaleDown.selectPolicy", "down"),
    }
}
