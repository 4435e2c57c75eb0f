//! The verdict: what happens, by which rule, in one line.

use hpa_analysis::CheckBasis;
use hpa_engine::{
    model::{Direction, Provenance},
    trace::Decision,
};
use jiff::Timestamp;

use crate::{
    Decider, ExplainContext, Facts, Rule, facts::is_target_missing, rule::is_write_refused,
};

/// What happens, and by which rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// What happens.
    pub action: Action,
    /// Replicas now, if they could be read.
    pub from: Option<i32>,
    /// Replicas afterwards, if they are known.
    pub to: Option<i32>,
    /// The least and the most replicas that may result, if the recommendation history decides and is not known, or if
    /// inputs may have changed since the last sync.
    pub range: Option<(i32, i32)>,
    /// The rule that decides.
    pub rule: Rule,
    /// `STAYS AT 8`, `SCALES 2 → 4`.
    pub headline: String,
    /// Of a rescale, when: `by 10:41:45 UTC`, `at the next sync`.
    pub due: Option<String>,
    /// The latest time of the next sync, where a rescale is due and the sync period is known.
    pub due_by: Option<Timestamp>,
    /// The directions in which the HPA does not scale whatever the metrics ask for, within its bounds.
    pub blocked: Vec<Direction>,
}

/// What happens to the replicas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, schemars::JsonSchema, serde::Serialize),
    serde(rename_all = "camelCase")
)]
pub enum Action {
    /// Nothing: scaling is off at zero replicas.
    Disabled,
    /// Nothing: the controller cannot decide, or cannot write.
    Failed,
    /// They stay.
    Hold,
    /// The HPA scales down.
    ScaleDown,
    /// The HPA scales up.
    ScaleUp,
    /// Something that decides could not be read by this program.
    Unknown,
}

impl Action {
    /// In camel case, as JSON has it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Disabled => "disabled",
            Self::Failed => "failed",
            Self::Hold => "hold",
            Self::ScaleDown => "scaleDown",
            Self::ScaleUp => "scaleUp",
            Self::Unknown => "unknown",
        }
    }
}

/// The replicas in a cell of a table: `8`, `8 → 12`, `8 → 8…12`, or `8 or 12` if the controller `wrote` another number.
pub fn replicas_in_a_cell(
    (from, to): (Option<i32>, Option<i32>),
    range: Option<(i32, i32)>,
    wrote: Option<i32>,
    arrow: &str,
) -> String {
    let number = |number: Option<i32>| number.map_or_else(|| "?".to_owned(), |it| it.to_string());
    let (now, then) = (number(from), number(to));
    match (wrote, range) {
        (Some(wrote), _) => format!("{wrote} or {then}"),
        (None, Some((low, high))) => format!("{now}{arrow}{low}…{high}"),
        (None, None) if to.is_none() || to == from => now,
        (None, None) => format!("{now}{arrow}{then}"),
    }
}

impl Verdict {
    /// The verdict for `cx`.
    pub fn of(cx: &ExplainContext<'_>) -> Self {
        let (action, from, to) = action(&cx.facts);
        let is_due = is_due(cx, action);
        let due_by = next_sync(cx).filter(|_| is_due);
        let due = due_by.map_or_else(
            || "at the next sync".to_owned(),
            |latest| format!("by {}", cx.clock.time_of_day(latest)),
        );
        Self {
            action,
            from,
            to,
            range: cx.range(),
            rule: cx.rule,
            headline: headline(cx, action),
            due: is_due.then_some(due),
            due_by,
            blocked: blocked(cx, action),
        }
    }

    /// The headline, with when a rescale is due.
    pub fn full_headline(&self) -> String {
        match &self.due {
            Some(due) => format!("{} {due}", self.headline),
            None => self.headline.clone(),
        }
    }
}

/// Whether the HPA is about to scale.
fn is_due(cx: &ExplainContext<'_>, action: Action) -> bool {
    let is_rescale = matches!(action, Action::ScaleDown | Action::ScaleUp);
    let is_certain = cx.range().is_none() && cx.contradiction().is_none();
    let is_over = cx.past.is_some() || cx.cross_check.basis == CheckBasis::Outcome;
    is_rescale && is_certain && !is_over && !cx.is_not_synced()
}

/// The latest time of the next sync, where the sync period is known.
fn next_sync(cx: &ExplainContext<'_>) -> Option<Timestamp> {
    let period = cx.facts.observation.sync_period();
    match period.provenance {
        Provenance::Assumed | Provenance::AtLeast => None,
        Provenance::Given | Provenance::Inferred | Provenance::Observed => {
            cx.clock.now.saturating_add(period.value).ok()
        }
    }
}

/// The directions in which the HPA does not scale: nothing can be decided or written, a metric fails, or the direction is off.
fn blocked(cx: &ExplainContext<'_>, action: Action) -> Vec<Direction> {
    let facts = &cx.facts;
    let is_stuck = match action {
        Action::Failed => cx.rule != Rule::InvalidMetricBlocksScaleDown,
        Action::Disabled => true,
        Action::Hold | Action::ScaleDown | Action::ScaleUp | Action::Unknown => false,
    };
    let is_blocked = |direction: &Direction| {
        is_stuck
            || facts.is_off(*direction)
            || *direction == Direction::Down && !facts.failed().is_empty()
    };
    let both = [Direction::Up, Direction::Down].into_iter();
    both.filter(is_blocked).collect()
}

/// What happens, with the replicas before and after.
pub(super) fn action(facts: &Facts<'_>) -> (Action, Option<i32>, Option<i32>) {
    match facts.trace.decision {
        Decision::Failed { current } => (Action::Failed, current, current),
        Decision::Hold { current } => (Action::Hold, Some(current), Some(current)),
        Decision::Disabled => (Action::Disabled, Some(0), Some(0)),
        Decision::Rescale {
            from,
            succeeds: false,
            ..
        } => (Action::Failed, Some(from), Some(from)),
        Decision::Rescale { from, to, .. } if from < to => (Action::ScaleUp, Some(from), Some(to)),
        Decision::Rescale { from, to, .. } => (Action::ScaleDown, Some(from), Some(to)),
        Decision::Unknown { current, .. } => (Action::Unknown, current, None),
    }
}

fn headline(cx: &ExplainContext<'_>, action: Action) -> String {
    let facts = &cx.facts;
    let current = facts.current();
    let stays = current.map_or_else(String::new, |current| format!("STAYS AT {current}"));
    let at_bound = match cx.rule.decider() {
        Decider::Max | Decider::Min if facts.min() == facts.max() => " (min = max)",
        Decider::Max => " (maxReplicas)",
        Decider::Min => " (minReplicas)",
        _ => "",
    };
    let text = match (action, facts.trace.decision.clone()) {
        (Action::Hold, _) if cx.rule.decider() == Decider::DisabledDirection => {
            let way = match facts.direction() {
                Direction::Up => "UP",
                Direction::Down => "DOWN",
            };
            format!("CANNOT SCALE {way}, {}", stays.to_lowercase())
        }
        (Action::Hold, _) => format!("{stays}{at_bound}"),
        (Action::ScaleDown | Action::ScaleUp, Decision::Rescale { from, to, .. }) => {
            format!("SCALES {from} → {to}{at_bound}")
        }
        (Action::Failed, Decision::Rescale { from, to, .. }) if is_write_refused(facts) => {
            format!("NOT SCALING TO {to}, stays at {from}")
        }
        (Action::Disabled, _) => "NOT SCALING, stays at 0".to_owned(),
        (Action::Unknown, _) => "UNKNOWN".to_owned(),
        _ => match current {
            // At minReplicas the metric that fails holds nothing.
            Some(current)
                if cx.rule == Rule::InvalidMetricBlocksScaleDown && current <= facts.min() =>
            {
                stays
            }
            Some(current) => format!("{} {current}", cx.rule.words().failed),
            None if is_target_missing(&cx.facts) => "TARGET NOT FOUND".to_owned(),
            None => "NOT SCALING".to_owned(),
        },
    };
    if let Some((low, high)) = cx.range() {
        return format!("BETWEEN {low} AND {high}");
    }
    if let Some(written) = cx.contradiction() {
        return format!("STAYS AT {written} (recomputed: {})", recomputed(facts));
    }
    text
}

fn recomputed(facts: &Facts<'_>) -> i32 {
    match facts.trace.decision {
        Decision::Rescale { to, .. } => to,
        _ => facts.current().unwrap_or_default(),
    }
}
