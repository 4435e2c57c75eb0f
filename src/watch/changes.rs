//! What is different from the moment before.

use jiff::Timestamp;

use crate::{
    explain::{Action, Rule, writer_name},
    inference::is_hpa,
    trace::Decision,
    watch::{Agreement, Change, HpaState, Moment, Seen, next_change::sync_period},
};

/// A change of the replicas of which it is not known yet who made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unexplained {
    from: i32,
    to: i32,
    at: Timestamp,
}

/// What is different in `seen` from what `state` has, for a reader. `moment` is that of `seen`.
pub(super) fn changes(
    state: &mut HpaState,
    seen: &Seen,
    moment: &Moment,
    is_reconcile: bool,
) -> Vec<Change> {
    let mut changes = Vec::new();
    changes.extend(replicas(state, seen, moment));
    if is_reconcile {
        changes.extend(decided(state, seen, moment));
    }
    let latest = &state.latest;
    let before = state.history.last().map(|one| one.pods.ready);
    if let Some(from) = before.filter(|from| *from != moment.pods.ready) {
        changes.push(Change::Ready {
            from,
            to: moment.pods.ready,
        });
    }
    if latest.observation.hpa.spec != seen.observation.hpa.spec {
        changes.push(Change::SpecEdited);
    }
    if seen.has_restarted && !latest.has_restarted {
        changes.push(Change::ControllerRestarted);
    }
    if seen.is_memory_observed && !latest.is_memory_observed {
        changes.push(Change::MemoryObserved);
    }
    changes
}

/// The same of a reconcile that is older than what was seen last: what it decided.
pub(super) fn late_changes(state: &mut HpaState, seen: &Seen, moment: &Moment) -> Vec<Change> {
    decided(state, seen, moment)
}

fn decided(state: &mut HpaState, seen: &Seen, moment: &Moment) -> Vec<Change> {
    let mut changes = Vec::new();
    changes.extend(rescaled(state, seen));
    let before = state.history.moments().rev().find(|one| one.is_reconcile);
    if before.is_some_and(|before| kind(before) != kind(moment)) {
        changes.push(Change::Verdict);
    }
    changes
}

/// What is told of a decision: a metric that moves within its tolerance, or whose proposal rounds to what there is, is no
/// news.
fn kind(moment: &Moment) -> (Action, Rule) {
    let rule = match moment.rule {
        Rule::Rounding | Rule::Metric if moment.action == Action::Hold => Rule::WithinTolerance,
        rule => rule,
    };
    (moment.action, rule)
}

/// A rescaling by this reconcile.
fn rescaled(state: &mut HpaState, seen: &Seen) -> Option<Change> {
    let Decision::Rescale {
        from,
        to,
        succeeds: true,
    } = seen.look.trace.decision
    else {
        return None;
    };
    if matches!(
        seen.agreement,
        Agreement::Differs(_) | Agreement::Unclear(_)
    ) {
        // What it did instead shows in the replicas.
        return None;
    }
    if state.replicas == Some(to) {
        // Its effect was seen before.
        state.unexplained = None;
    } else {
        state.expected = Some(to);
    }
    Some(Change::Rescaled { from, to })
}

/// A change of the replicas that is not that of a rescaling which was told already.
fn replicas(state: &mut HpaState, seen: &Seen, moment: &Moment) -> Option<Change> {
    let to = moment.current?;
    let from = state.replicas.replace(to);
    if let Some(from) = from.filter(|from| *from != to) {
        state.changed_at = Some(moment.at);
        if state.expected.take_if(|expected| *expected == to).is_some() {
            state.unexplained = None;
            return None;
        }
        state.unexplained = Some(Unexplained {
            from: state.unexplained.map_or(from, |earlier| earlier.from),
            to,
            at: moment.at,
        });
    }
    let Unexplained { from, to, at } = state.unexplained?;
    if from == to {
        state.unexplained = None;
        return None;
    }
    let change = match writer(state, seen, from, to) {
        Writer::Hpa => Change::Rescaled { from, to },
        Writer::Other(by) => Change::ReplicasWritten { from, to, by },
        // The status of the controller's own rescaling comes after its write of the scale.
        Writer::Unknown if moment.at.duration_since(at) <= sync_period(seen) * 2 => return None,
        Writer::Unknown => Change::ReplicasWritten { from, to, by: None },
    };
    state.unexplained = None;
    Some(change)
}

enum Writer {
    /// The HPA, in a reconcile that was not foreseen.
    Hpa,
    /// Somebody else, by name if that is known.
    Other(Option<String>),
    /// The status may tell later.
    Unknown,
}

/// Who changed the replicas. `managedFields` name as owner whoever changed them last, and whoever set the same number
/// since. So the HPA's own write is gone from them exactly if somebody else changed the number afterwards.
fn writer(state: &HpaState, seen: &Seen, from: i32, to: i32) -> Writer {
    let status = &seen.observation.hpa.status;
    let writers = seen
        .context
        .target
        .iter()
        .flat_map(|target| &target.replicas_written_by);
    let mut others = writers.clone().filter(|writer| !is_hpa(writer));
    let is_by_hpa = writers.clone().any(is_hpa);
    let has_scaled = state.scaled_at < status.last_scale_time;
    let is_its_number = status.desired_replicas == to && status.current_replicas == from;
    if has_scaled && is_its_number {
        return Writer::Hpa;
    }
    if !is_by_hpa && let Some(other) = others.next() {
        return Writer::Other(Some(writer_name(other)));
    }
    // The controller has looked since, and found them so.
    if status.current_replicas == to && !is_by_hpa {
        return Writer::Other(None);
    }
    Writer::Unknown
}
