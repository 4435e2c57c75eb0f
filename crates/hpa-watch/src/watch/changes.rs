//! What is different from the moment before.

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

/// A change of the replicas of which it is not known yet who made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unexplained {
    from: i32,
    to: i32,
    at: Timestamp,
    /// Whether `managedFields` name the HPA.
    is_by_hpa: bool,
}

/// What is different in `seen` from what `state` has, for a reader. `entry` is that of `seen`.
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
        // The first look after that tells all of it.
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

/// The same of a reconcile that is older than what was seen last: what it decided.
pub(super) fn late_changes(state: &HpaState, entry: &HistoryEntry) -> Vec<Change> {
    verdict(state, entry).into_iter().collect()
}

fn verdict(state: &HpaState, entry: &HistoryEntry) -> Option<Change> {
    let mut reconciles = state.history.entries().rev();
    let before = reconciles.find(|one| one.is_reconcile)?;
    (kind(before) != kind(entry)).then_some(Change::Verdict)
}

/// What is told of a decision: a metric that moves within its tolerance, or whose proposal rounds to what there is, is no
/// news.
fn kind(entry: &HistoryEntry) -> (Action, Rule) {
    let rule = match entry.rule {
        Rule::Rounding | Rule::Metric if entry.action == Action::Hold => Rule::WithinTolerance,
        rule => rule,
    };
    (entry.action, rule)
}

/// Changes of the replicas, once it is known who made them. What a reconcile decides is no change yet: the controller may
/// decide otherwise, and its write may be refused.
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
        // The status that would have told of it was refused, or the next rescale came before it.
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

/// The change of the replicas of which it was not known yet who made it, if that is known now.
fn explained(state: &mut HpaState, seen: &SeenHpa, entry: &HistoryEntry) -> Option<Change> {
    let unexplained = state.unexplained.as_mut()?;
    unexplained.is_by_hpa = is_by_hpa(seen);
    let Unexplained { from, to, at, .. } = *unexplained;
    if from == to {
        state.unexplained = None;
        return None;
    }
    let change = match writer(state, seen, to) {
        // The status of the controller's own rescaling comes after its write of the scale.
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

/// What the controller did to the replicas since then, by its Events and its status; none: nothing, as far as they show.
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

/// Events and statuses have no parts of seconds.
const WHOLE_SECOND: SignedDuration = SignedDuration::from_secs(1);

enum ScaleWriter {
    /// The HPA.
    Hpa,
    /// Somebody else, by name if that is known.
    Other(Option<String>),
    /// The status may tell later whether it was the HPA; if not it was this one.
    Unknown(Option<String>),
}

/// Who changed the replicas. `managedFields` name as owner whoever changed them last, and whoever set the same number
/// since. So the HPA's own write is gone from them exactly if somebody else changed the number afterwards.
fn writer(state: &HpaState, seen: &SeenHpa, to: i32) -> ScaleWriter {
    let status = &seen.assessment.observation.hpa.status;
    let is_by_hpa = is_by_hpa(seen);
    let other = writers(seen).first().filter(|_| !is_by_hpa);
    // A controller may write the scale under a name that nobody here knows.
    let may_be_hpa = |other: &FieldManager| {
        other.subresource.as_deref() == Some("scale") && !other.manager.starts_with("kubectl")
    };
    if let Some(other) = other.filter(|other| !may_be_hpa(other)) {
        return ScaleWriter::Other(Some(writer_name(other)));
    }
    if state.scaled_at < status.last_scale_time {
        return ScaleWriter::Hpa;
    }
    // The status that tells of its rescaling may be lost: the API server went away between the two writes. Or it has the same second as
    // that of the rescaling before.
    if is_by_hpa && (status.current_replicas == to || status.desired_replicas == to) {
        return ScaleWriter::Hpa;
    }
    let by = other.map(writer_name);
    // The controller has looked since, and found them so.
    if status.current_replicas == to {
        return ScaleWriter::Other(by);
    }
    ScaleWriter::Unknown(by)
}

/// Who wrote the replicas, as the target tells it.
fn writers(seen: &SeenHpa) -> &[FieldManager] {
    let target = seen.assessment.context.target.as_ref();
    target.map_or(&[][..], |target| &target.replicas_written_by)
}

fn is_by_hpa(seen: &SeenHpa) -> bool {
    writers(seen).iter().any(is_hpa)
}
