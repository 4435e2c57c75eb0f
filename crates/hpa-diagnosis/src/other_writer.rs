//! Another writer: something else than the HPA changes the replicas.

use hpa_analysis::{ForeignWrite, foreign_write, replica_history};
use hpa_engine::{
    model::{Context, FieldManager, Observation, ReplicaWrite},
    trace::Decision,
};
use jiff::{SignedDuration, Timestamp};

use crate::effect::Effect;

/// A change by another writer is named for so long.
pub const NAMED_FOR: SignedDuration = SignedDuration::from_mins(10);

/// This many changes by others within [`FINDING_WINDOW`] are an error.
pub const FINDING_TIMES: f64 = 2.0;

/// In seconds.
pub const FINDING_WINDOW: f64 = 3600.0;

/// The changes by other writers that were seen lately.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeenWriter<'a> {
    /// The first of them.
    pub first: &'a ReplicaWrite,
    /// The last of them.
    pub last: &'a ReplicaWrite,
    /// How many they are.
    pub times: usize,
    /// The last writer that is known.
    pub by: Option<&'a FieldManager>,
}

/// A write of another that the HPA undoes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UndoneWrite {
    /// The write.
    pub write: ForeignWrite,
    /// The replicas that the HPA had set, or decided on, before it.
    pub had: i32,
    /// The replicas that it sets now.
    pub to: i32,
}

impl SeenWriter<'_> {
    /// The effect on this sync, if its last write is still in place, or on later ones: it changes the replicas again. `current`
    /// are those of now.
    pub fn effect(&self, current: i32, decision: &Decision) -> Effect {
        let ReplicaWrite {
            from: had, to: set, ..
        } = *self.last;
        match *decision {
            Decision::Rescale { to, .. } if current == set => undoing(had, set, to),
            _ => Effect::Later(difference(had, set)),
        }
    }
}

impl UndoneWrite {
    /// Its effect on this sync.
    pub fn effect(&self) -> Effect {
        undoing(self.had, self.write.replicas, self.to)
    }
}

/// The effect of a write from `had` to `set` replicas on a sync that sets `to`: of those that it took away, the ones that the
/// sync wants are lacking, and those that it added and the sync takes away are too many.
fn undoing(had: i32, set: i32, to: i32) -> Effect {
    let lacking = Effect::lacking(to.min(had).saturating_sub(set));
    let too_many = set.saturating_sub(to.max(had));
    lacking.unwrap_or(if 0 < too_many {
        Effect::Replicas(too_many)
    } else {
        Effect::Later(difference(had, set))
    })
}

fn difference(one: i32, other: i32) -> i32 {
    i32::try_from(one.abs_diff(other)).unwrap_or(i32::MAX)
}

/// The changes by others within [`NAMED_FOR`], of those that were seen. An autoscaler moves the replicas by design.
pub fn seen_writer(context: &Context, now: Timestamp) -> Option<SeenWriter<'_>> {
    let is_recent = |at: Timestamp| now.duration_since(at) < NAMED_FOR;
    let others = context.seen_writes.of_others();
    let recent: Vec<_> = others
        .filter(|(write, by)| is_recent(write.at) && !by.is_some_and(is_autoscaler))
        .collect();
    let ((first, _), (last, _)) = (recent.first()?, recent.last()?);
    Some(SeenWriter {
        first,
        last,
        times: recent.len(),
        by: recent.iter().rev().find_map(|(_, by)| *by),
    })
}

/// The write since the HPA's last rescale, as one read shows it.
pub fn last_writer(
    observation: &Observation,
    context: &Context,
    now: Timestamp,
) -> Option<ForeignWrite> {
    let history = replica_history(context, now);
    let write = foreign_write(observation, context, &history);
    write.filter(|write| !is_autoscaler(&write.by))
}

/// The write that the HPA is about to undo with this decision.
pub fn undone_now(
    observation: &Observation,
    context: &Context,
    decision: &Decision,
    now: Timestamp,
) -> Option<UndoneWrite> {
    let Decision::Rescale { to, .. } = *decision else {
        return None;
    };
    let write = last_writer(observation, context, now).filter(|write| !write.is_accepted)?;
    let had = write.hpa_set.filter(|set| *set != write.replicas)?;
    Some(UndoneWrite { write, had, to })
}

/// How often others changed what the HPA had set within `window` before now, and the last of them, if it is known.
pub fn undone_within(
    observation: &Observation,
    context: &Context,
    now: Timestamp,
    window: SignedDuration,
) -> (i32, Option<ForeignWrite>) {
    let is_recent = |at| now.duration_since(at) <= window;
    let history = replica_history(context, now);
    let undone = history.undone.iter().filter(|undone| is_recent(undone.at));
    let undone = undone.fold(0_i32, |sum, undone| sum.saturating_add(undone.times));
    let write =
        last_writer(observation, context, now).filter(|write| write.latest().is_none_or(is_recent));
    (undone.saturating_add(i32::from(write.is_some())), write)
}

/// Whether that is an autoscaler, which moves the replicas by design.
pub fn is_autoscaler(manager: &FieldManager) -> bool {
    manager.manager.starts_with("keda")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_write_took_away_is_lacking() {
        for (had, set, to, effect) in [
            (8, 3, 8, Effect::Lacking(5)),
            (6, 2, 20, Effect::Lacking(4)),
            (8, 3, 4, Effect::Lacking(1)),
            (2, 5, 8, Effect::Later(3)),
            (4, 10, 12, Effect::Later(6)),
            (4, 10, 5, Effect::Replicas(5)),
            (8, 3, 2, Effect::Later(5)),
        ] {
            assert_eq!(undoing(had, set, to), effect, "{had} {set} {to}");
        }
    }
}
