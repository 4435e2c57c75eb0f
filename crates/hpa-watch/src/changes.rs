//! The changes since the previous entry.

use hpa_analysis::{ReplicaRead, UnseenRescales};
use hpa_engine::model::{ReplicaWrite, ReplicaWriter};
use hpa_explain::{Action, Rule, spec_edits, writer_name};
use jiff::Timestamp;

use crate::{
    Change, HistoryEntry, HpaState, SeenHpa, UnseenStep, freshness::Sight, next_change::sync_period,
};

/// The changes from `state` to `seen` that matter to a reader. `entry` is the entry of `seen`.
pub(super) fn changes(
    state: &mut HpaState,
    seen: &SeenHpa,
    entry: &HistoryEntry,
    is_reconcile: bool,
    sight: Sight,
) -> Vec<Change> {
    let mut changes = Vec::new();
    // Before what follows from it.
    changes.extend(edited(state, seen, entry));
    changes.extend(replicas(state, seen, sight));
    if is_reconcile {
        changes.extend(verdict(state, entry));
        if entry.action == Action::Hold {
            // The sync that found the edit does not scale.
            state.edit = None;
        }
    }
    let latest = &state.latest;
    let before = state.history.last().map(|one| one.pods.ready);
    if let Some(from) = before.filter(|from| *from != entry.pods.ready) {
        changes.push(Change::Ready {
            from,
            to: entry.pods.ready,
        });
    }
    if seen.has_restarted && !latest.has_restarted {
        changes.push(Change::ControllerRestarted);
    }
    if seen.is_memory_observed && !latest.is_memory_observed {
        changes.push(Change::HistoryObserved);
    }
    changes
}

/// The changes of a sync that is older than the latest read: only its decision. One not to scale is outdated if that
/// read shows another.
pub(super) fn late_changes(state: &HpaState, entry: &HistoryEntry) -> Vec<Change> {
    let is_scaling = matches!(entry.action, Action::ScaleDown | Action::ScaleUp);
    let is_outdated = !is_scaling && state.shown.is_some_and(|shown| shown != kind(entry));
    let decided = verdict(state, entry).filter(|_| !is_outdated);
    decided.into_iter().collect()
}

/// An edit of the spec since the latest read.
fn edited(state: &mut HpaState, seen: &SeenHpa, entry: &HistoryEntry) -> Option<Change> {
    let before = &state.latest.assessment.observation.hpa.spec;
    let edits = spec_edits(before, &seen.assessment.observation.hpa.spec);
    if edits.is_empty() {
        return None;
    }
    state.edit = Some((entry.at, edits.join(", ")));
    Some(Change::SpecEdited { edits })
}

/// The edit that the sync of a rescale at `at` was the first to find.
fn edit_before(state: &mut HpaState, seen: &SeenHpa, at: Timestamp) -> Option<String> {
    let (edited, edit) = state.edit.take_if(|(edited, _)| *edited <= at)?;
    let since = at.duration_since(edited);
    (since <= sync_period(seen) * 2).then_some(edit)
}

fn verdict(state: &HpaState, entry: &HistoryEntry) -> Option<Change> {
    let mut reconciles = state.own_entries().rev();
    let before = reconciles.find(|one| one.is_reconcile)?;
    (kind(before) != kind(entry)).then_some(Change::Verdict)
}

/// The part of a decision whose change is reported: a metric that moves within its tolerance, or whose proposal rounds
/// to the current replicas, is not.
pub(super) fn kind(entry: &HistoryEntry) -> (Action, Rule) {
    let rule = match entry.action {
        Action::Hold => entry.rule.while_held(),
        _ => entry.rule,
    };
    (entry.action, rule)
}

/// Changes of the replicas, once their writer is known.
fn replicas(state: &mut HpaState, seen: &SeenHpa, sight: Sight) -> Vec<Change> {
    let read = read_of(seen);
    let writes = match sight {
        Sight::Clear => state.replicas.read(&read),
        // The first read afterwards reports all of it.
        Sight::CatchingUp | Sight::Blind => {
            state.replicas.pass(&read);
            return Vec::new();
        }
        Sight::BlindSince(since) => match state.replicas.read_after_gap(&read, since) {
            Some(unseen) => return vec![unseen_change(unseen)],
            None => state.replicas.read(&read),
        },
    };
    let mut changes = Vec::new();
    for write in writes {
        let ReplicaWrite { at, from, to, .. } = write;
        changes.push(match &write.by {
            ReplicaWriter::Hpa { .. } => {
                let edit = edit_before(state, seen, at);
                Change::Rescaled { from, to, edit }
            }
            ReplicaWriter::Other(by) => {
                let by = by.as_ref().map(writer_name);
                Change::ReplicasWritten { from, to, by }
            }
        });
        let context = &mut state.latest.assessment.context;
        context.seen_writes.push(write);
    }
    changes
}

fn unseen_change(UnseenRescales { from, to, steps }: UnseenRescales) -> Change {
    let step = |(at, to, reason)| UnseenStep { at, to, reason };
    let steps = steps.into_iter().map(step).collect();
    Change::RescaledUnseen { from, to, steps }
}

/// A read as the tracker of the replicas takes it.
pub(super) fn read_of(seen: &SeenHpa) -> ReplicaRead<'_> {
    let assessment = &seen.assessment;
    ReplicaRead {
        at: assessment.analysis.trace.at,
        observation: &assessment.observation,
        context: &assessment.context,
        trace: &assessment.analysis.trace,
    }
}
