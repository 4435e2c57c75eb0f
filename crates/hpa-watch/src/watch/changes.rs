//! The changes since the previous entry.

use jiff::{SignedDuration, Timestamp};

use crate::{
    engine::after,
    explain::{Action, Rule, writer_name},
    inference::{is_hpa, proved_rescales},
    model::FieldManager,
    watch::{
        Change, HistoryEntry, HpaState, SeenHpa, UnseenStep, freshness::Sight,
        next_change::sync_period,
    },
};

/// A change of the replicas whose writer is not known yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unexplained {
    from: i32,
    to: i32,
    at: Timestamp,
    /// Whether `managedFields` name the HPA.
    is_by_hpa: bool,
}

/// The changes from `state` to `seen` that matter to a reader. `entry` is the entry of `seen`.
pub(super) fn changes(
    state: &mut HpaState,
    seen: &SeenHpa,
    entry: &HistoryEntry,
    is_reconcile: bool,
    sight: Sight,
) -> Vec<Change> {
    let mut changes = Vec::new();
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
    }
    let latest = &state.latest;
    let before = state.history.last().map(|one| one.pods.ready);
    if let Some(from) = before.filter(|from| *from != entry.pods.ready) {
        changes.push(Change::Ready {
            from,
            to: entry.pods.ready,
        });
    }
    if latest.assessment.observation.hpa.spec != seen.assessment.observation.hpa.spec {
        changes.push(Change::SpecEdited);
    }
    if seen.has_restarted && !latest.has_restarted {
        changes.push(Change::ControllerRestarted);
    }
    if seen.is_memory_observed && !latest.is_memory_observed {
        changes.push(Change::HistoryObserved);
    }
    changes
}

/// The changes of a sync that is older than the latest read: only its decision.
pub(super) fn late_changes(state: &HpaState, entry: &HistoryEntry) -> Vec<Change> {
    verdict(state, entry).into_iter().collect()
}

fn verdict(state: &HpaState, entry: &HistoryEntry) -> Option<Change> {
    let mut reconciles = state.history.entries().rev();
    let before = reconciles.find(|one| one.is_reconcile)?;
    (kind(before) != kind(entry)).then_some(Change::Verdict)
}

/// The part of a decision whose change is reported: a metric that moves within its tolerance, or whose proposal rounds
/// to the current replicas, is not.
fn kind(entry: &HistoryEntry) -> (Action, Rule) {
    let rule = match entry.rule {
        Rule::Rounding | Rule::Metric if entry.action == Action::Hold => Rule::WithinTolerance,
        rule => rule,
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
    if let Some(from) = state.replicas.replace(to)
        && from != to
    {
        state.changed_at = Some(entry.at);
        let earlier = state.unexplained.take();
        // The status that would have reported it was rejected, or the next rescale came before it.
        let by_hpa = earlier.filter(|earlier| earlier.is_by_hpa && earlier.from != to);
        changes.extend(by_hpa.map(|earlier| Change::Rescaled {
            from: earlier.from,
            to: earlier.to,
        }));
        state.unexplained = Some(Unexplained {
            from: match earlier {
                Some(earlier) if by_hpa.is_none() => earlier.from,
                _ => from,
            },
            to,
            at: entry.at,
            is_by_hpa: false,
        });
    }
    changes.extend(explained(state, seen, entry));
    changes
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
    let change = match writer(state, seen, from, to) {
        // The controller writes the status of its own rescale after the scale.
        ScaleWriter::Unknown(_) if entry.at.duration_since(at) <= sync_period(seen) * 2 => {
            return None;
        }
        ScaleWriter::Hpa => {
            state.scaled_at = seen.assessment.observation.hpa.status.last_scale_time;
            Change::Rescaled { from, to }
        }
        ScaleWriter::Unknown(_) if is_by_hpa(seen) => Change::Rescaled { from, to },
        ScaleWriter::Other(by) | ScaleWriter::Unknown(by) => {
            Change::ReplicasWritten { from, to, by }
        }
    };
    state.unexplained = None;
    Some(change)
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
    let is_unseen = |at: Timestamp| since < after(at, WHOLE_SECOND) && state.scaled_at < Some(at);
    let events = proved_rescales(&seen.assessment.context).into_iter();
    let mut steps: Vec<UnseenStep> = events
        .filter(|event| is_unseen(event.at))
        .map(|event| UnseenStep {
            at: event.at,
            to: Some(event.size),
            reason: Some(event.reason).filter(|reason| !reason.is_empty()),
        })
        .collect();
    let known_until = steps.last().map(|last| after(last.at, WHOLE_SECOND * 2));
    // The status is written last, and Events may be lost.
    steps.extend(
        scaled_at
            .filter(|at| is_unseen(*at) && known_until < Some(*at))
            .map(|at| UnseenStep {
                at,
                to: is_by_hpa(seen).then_some(to),
                reason: None,
            }),
    );
    if steps.is_empty() {
        return None;
    }
    state.replicas = Some(to);
    state.unexplained = None;
    state.scaled_at = scaled_at.max(state.scaled_at);
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
fn writer(state: &HpaState, seen: &SeenHpa, from: i32, to: i32) -> ScaleWriter {
    let status = &seen.assessment.observation.hpa.status;
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
    // The desired replicas of a status are new only if their write succeeded. A recording of the past has no times.
    if status.last_scale_time.is_none()
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
    if status.current_replicas == to {
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
