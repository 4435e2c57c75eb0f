//! The changes since the previous entry.

use hpa_analysis::{is_hpa, proved_rescales};
use hpa_engine::{engine::after, model::FieldManager};
use hpa_explain::{Action, Rule, spec_edits, writer_name};
use jiff::{SignedDuration, Timestamp};

use crate::{
    Change, HistoryEntry, HpaState, SeenHpa, UnseenStep, freshness::Sight,
    next_change::sync_period, unexplained::Unexplained,
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
    changes.extend(match sight {
        Sight::Clear => replicas(state, seen, entry),
        // The first read afterwards reports all of it.
        Sight::CatchingUp | Sight::Blind => Vec::new(),
        Sight::BlindSince(since) => match unseen(state, seen, entry, since) {
            Some(change) => vec![change],
            None => replicas(state, seen, entry),
        },
    });
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

/// Changes of the replicas, once their writer is known. The decision of a sync is not a change yet: the controller may
/// decide otherwise, and its write may be rejected.
fn replicas(state: &mut HpaState, seen: &SeenHpa, entry: &HistoryEntry) -> Vec<Change> {
    let mut changes = Vec::new();
    let Some(to) = entry.current else {
        return changes;
    };
    if is_of_new_target(state, seen) {
        // Nobody changed the replicas: those of the target that is gone were others.
        state.replicas = Some(to);
        state.unexplained = None;
        return changes;
    }
    if let Some(from) = state.replicas.replace(to)
        && from != to
    {
        state.changed_at = Some(entry.at);
        let earlier = state.unexplained.take();
        // The status that would have reported it was rejected, or the next rescale came before it.
        let is_of_hpa = |earlier: &Unexplained| earlier.is_by_hpa && earlier.from != to;
        let from = match earlier {
            Some(earlier) if is_of_hpa(&earlier) => {
                let edit = edit_before(state, seen, earlier.at);
                changes.push(Change::Rescaled {
                    from: earlier.from,
                    to: earlier.to,
                    edit,
                });
                from
            }
            Some(earlier) => earlier.from,
            None => from,
        };
        let before = &state.latest.assessment.observation.hpa.status;
        let status = &seen.assessment.observation.hpa.status;
        state.unexplained = Some(Unexplained {
            from,
            to,
            at: entry.at,
            is_by_hpa: false,
            is_found: before.current_replicas != to && status.current_replicas == to,
            status: status.clone(),
        });
    }
    changes.extend(explained(state, seen, entry));
    changes
}

/// Whether the target was created since the latest read, in place of another one of its name.
fn is_of_new_target(state: &HpaState, seen: &SeenHpa) -> bool {
    let known = state.target_created;
    known.is_some_and(|known| Some(known) < target_created(seen))
}

/// When the target was created, if that is known.
pub(super) fn target_created(seen: &SeenHpa) -> Option<Timestamp> {
    seen.assessment.context.target.as_ref()?.created
}

/// The earlier change of the replicas, if its writer is known now.
fn explained(state: &mut HpaState, seen: &SeenHpa, entry: &HistoryEntry) -> Option<Change> {
    let unexplained = state.unexplained.as_mut()?;
    unexplained.is_by_hpa = is_by_hpa(seen);
    let Unexplained { from, to, at, .. } = *unexplained;
    if from == to {
        state.unexplained = None;
        return None;
    }
    let writer = writer(state, state.unexplained.as_ref()?, seen);
    let is_own = match &writer {
        // The controller writes the status of its own rescale after the scale.
        ScaleWriter::Unknown(_) if entry.at.duration_since(at) <= sync_period(seen) * 2 => {
            return None;
        }
        ScaleWriter::Hpa => true,
        ScaleWriter::Unknown(_) => is_by_hpa(seen),
        ScaleWriter::Other(_) => false,
    };
    state.unexplained = None;
    Some(match writer {
        _ if is_own => {
            let scaled_at = seen.assessment.observation.hpa.status.last_scale_time;
            state.scaled_at = state.scaled_at.max(scaled_at);
            state.reported = Some((at, to));
            let edit = edit_before(state, seen, at);
            Change::Rescaled { from, to, edit }
        }
        ScaleWriter::Other(by) | ScaleWriter::Unknown(by) => {
            Change::ReplicasWritten { from, to, by }
        }
        ScaleWriter::Hpa => return None,
    })
}

/// The controller's rescales since `since`, by its Events and its status; `None` if they show none.
fn unseen(
    state: &mut HpaState,
    seen: &SeenHpa,
    entry: &HistoryEntry,
    since: Timestamp,
) -> Option<Change> {
    let (from, to) = (state.replicas?, entry.current?);
    let scaled_at = seen.assessment.observation.hpa.status.last_scale_time;
    let is_unseen = |at: Timestamp, to: Option<i32>| {
        since < after(at, WHOLE_SECOND) && state.scaled_at < Some(at) && !state.has_reported(at, to)
    };
    let events = proved_rescales(&seen.assessment.context).into_iter();
    let mut steps: Vec<UnseenStep> = events
        .filter(|event| is_unseen(event.at, Some(event.size)))
        .map(|event| UnseenStep {
            at: event.at,
            to: Some(event.size),
            reason: Some(event.reason).filter(|reason| !reason.is_empty()),
        })
        .collect();
    let known_until = steps.last().map(|last| after(last.at, WHOLE_SECOND * 2));
    // The status is written last, and Events may be lost.
    let last = is_by_hpa(seen).then_some(to);
    steps.extend(
        scaled_at
            .filter(|at| is_unseen(*at, last) && known_until < Some(*at))
            .map(|at| UnseenStep {
                at,
                to: last,
                reason: None,
            }),
    );
    if steps.is_empty() {
        return None;
    }
    state.replicas = Some(to);
    state.unexplained = None;
    state.scaled_at = scaled_at.max(state.scaled_at);
    state.reported = steps.last().map(|last| (last.at, to));
    state.changed_at = steps.last().map(|last| last.at);
    Some(Change::RescaledUnseen { from, to, steps })
}

/// Events and statuses have times in whole seconds.
const WHOLE_SECOND: SignedDuration = SignedDuration::from_secs(1);

enum ScaleWriter {
    /// The HPA.
    Hpa,
    /// Another writer, with its name if known.
    Other(Option<String>),
    /// The writer with this name, unless the status shows later that it was the HPA.
    Unknown(Option<String>),
}

/// Who changed the replicas. `managedFields` name as owner the last writer of another number, and every writer of the
/// same number since. So the HPA is missing from them exactly if another writer changed the number after it.
fn writer(state: &HpaState, change: &Unexplained, seen: &SeenHpa) -> ScaleWriter {
    let Unexplained { from, to, .. } = *change;
    let status = &seen.assessment.observation.hpa.status;
    // The status that was read with the change may be of a sync before it, and says nothing about it.
    let is_newer = *status != change.status;
    let is_by_hpa = is_by_hpa(seen);
    let other = writers(seen).first().filter(|_| !is_by_hpa);
    // A controller may write the scale under an unknown name.
    let may_be_hpa = |other: &FieldManager| {
        other.subresource.as_deref() == Some("scale") && !other.manager.starts_with("kubectl")
    };
    if let Some(other) = other.filter(|other| !may_be_hpa(other)) {
        return ScaleWriter::Other(Some(writer_name(other)));
    }
    if state.scaled_at < status.last_scale_time {
        return ScaleWriter::Hpa;
    }
    // The desired replicas of a status are new only if their write succeeded. A recording of the past has no times,
    // and two rescales within a second have the same.
    if (is_newer || status.last_scale_time.is_none())
        && (status.current_replicas, status.desired_replicas) == (from, to)
    {
        return ScaleWriter::Hpa;
    }
    // The status of its rescale may be lost because the API server failed between the two writes, or it has the same
    // second as that of the previous rescale.
    if is_by_hpa && (status.current_replicas == to || status.desired_replicas == to) {
        return ScaleWriter::Hpa;
    }
    let by = other.map(writer_name);
    // The controller has synced since, and found these replicas.
    if status.current_replicas == to && (is_newer || change.is_found) {
        return ScaleWriter::Other(by);
    }
    ScaleWriter::Unknown(by)
}

/// The writers of the replicas, from the target.
fn writers(seen: &SeenHpa) -> &[FieldManager] {
    let target = seen.assessment.context.target.as_ref();
    target.map_or(&[][..], |target| &target.replicas_written_by)
}

fn is_by_hpa(seen: &SeenHpa) -> bool {
    writers(seen).iter().any(is_hpa)
}
