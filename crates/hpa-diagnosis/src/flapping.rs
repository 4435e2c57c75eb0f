//! Flapping: the HPA changes the direction of its rescales again and again.

use hpa_analysis::replica_history;
use hpa_engine::model::{Context, ReplicaWrite, ReplicaWriter};
use jiff::{SignedDuration, Timestamp};

use crate::effect::Effect;

/// This many changes of direction within [`WITHIN`] are flapping.
pub const TURNS: usize = 3;

/// While an alarm is on, this many still are.
pub const STILL: usize = 2;

/// Changes of direction are counted within this time.
pub const WITHIN: SignedDuration = SignedDuration::from_mins(30);

/// A rescale by the HPA.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnRescale {
    /// When.
    pub at: Timestamp,
    /// Replicas before.
    pub from: i32,
    /// Replicas afterwards.
    pub to: i32,
}

/// Which rescales are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// Every one: replicas that changed in between were changed by another writer, and that is no turn of the HPA.
    All,
    /// Some: others may have come in between.
    Some,
}

/// How an HPA is flapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flapping {
    /// Number of changes of direction.
    pub turns: usize,
    /// The average time from one to the next.
    pub every: SignedDuration,
}

/// The rescales of an HPA, and its changes of direction among them: those that were seen, or those that its Events show if
/// these show more changes of direction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Swings {
    /// The rescales, oldest first.
    pub rescales: Vec<Swing>,
    /// Those that change the direction.
    pub turns: Vec<Swing>,
    /// Whether they were seen; otherwise they are from Events.
    pub is_seen: bool,
}

/// A rescale by the HPA, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Swing {
    /// When.
    pub at: Timestamp,
    /// Replicas before, if known.
    pub from: Option<i32>,
    /// Whether the HPA itself had set those, with the rescale before.
    pub follows: bool,
    /// Replicas afterwards.
    pub to: i32,
    /// The controller's reason; none: not known. Empty: an older recommendation changed the number.
    pub reason: Option<String>,
    /// Whether it is known to scale up.
    pub is_up: bool,
}

impl Swings {
    /// What the reads before `now` and the Events show.
    pub fn of(context: &Context, now: Timestamp) -> Self {
        let seen = Self::seen(&context.seen_writes.writes);
        let reported = Self::reported(context, now);
        if seen.turns.len() < reported.turns.len() {
            reported
        } else {
            seen
        }
    }

    /// Those since `from`.
    #[must_use]
    pub fn since(mut self, from: Timestamp) -> Self {
        self.rescales.retain(|one| from <= one.at);
        self.turns.retain(|one| from <= one.at);
        self
    }

    /// The effect: the last change of direction, which the next one undoes.
    pub fn effect(&self) -> Option<Effect> {
        let last = self.turns.last()?;
        let size = last.from.map_or(1, |from| from.abs_diff(last.to));
        Some(Effect::Later(i32::try_from(size).unwrap_or(i32::MAX)))
    }

    /// The times of the changes of direction.
    pub fn times(&self) -> Vec<Timestamp> {
        self.turns.iter().map(|turn| turn.at).collect()
    }

    fn seen(writes: &[ReplicaWrite]) -> Self {
        let own = writes.iter().filter_map(|write| match &write.by {
            ReplicaWriter::Hpa { reason } => Some((write, reason)),
            ReplicaWriter::Other(_) => None,
        });
        let mut before = None;
        let rescales: Vec<Swing> = own
            .map(|(write, reason)| Swing {
                at: write.at,
                from: Some(write.from),
                follows: before.replace(write.to) == Some(write.from),
                to: write.to,
                reason: reason.clone(),
                is_up: write.from < write.to,
            })
            .collect();
        let own = rescales.iter().filter_map(|one| {
            Some(OwnRescale {
                at: one.at,
                from: one.from?,
                to: one.to,
            })
        });
        let turns = turns(&own.collect::<Vec<_>>(), Known::All);
        let is_turn = |one: &&Swing| turns.contains(&one.at);
        Self {
            turns: rescales.iter().filter(is_turn).cloned().collect(),
            rescales,
            is_seen: true,
        }
    }

    fn reported(context: &Context, now: Timestamp) -> Self {
        let history = replica_history(context, now);
        let swing = |one: &hpa_analysis::Rescaled| Swing {
            at: one.at,
            from: one.from,
            follows: one.from.is_some(),
            to: one.size,
            reason: Some(one.reason.clone()),
            is_up: one.from.is_some_and(|from| from < one.size),
        };
        Self {
            rescales: history.rescales.iter().map(swing).collect(),
            turns: history.turns.iter().map(swing).collect(),
            is_seen: false,
        }
    }
}

/// The rescales that change the direction of the one before, of `rescales` in the order of time.
pub fn turns(rescales: &[OwnRescale], known: Known) -> Vec<Timestamp> {
    let is_up = |one: &OwnRescale| one.from < one.to;
    let is_turn = |pair: &&[OwnRescale]| {
        let [before, after] = pair else { return false };
        let is_next = before.to == after.from || known == Known::Some;
        is_next && is_up(before) != is_up(after)
    };
    let changes: Vec<OwnRescale> = rescales
        .iter()
        .filter(|one| one.from != one.to)
        .copied()
        .collect();
    let pairs = changes.windows(2).filter(is_turn);
    pairs.filter_map(|pair| Some(pair.last()?.at)).collect()
}

/// Whether an HPA with these changes of direction, in the order of time, is flapping at `now`. `is_on`: it was until now.
pub fn flapping(turns: &[Timestamp], now: Timestamp, is_on: bool) -> Option<Flapping> {
    let is_recent = |at: &&Timestamp| now.duration_since(**at) <= WITHIN;
    let turns: Vec<Timestamp> = turns.iter().filter(is_recent).copied().collect();
    let least = if is_on { STILL } else { TURNS };
    let every = interval(&turns)?;
    (least <= turns.len()).then_some(Flapping {
        turns: turns.len(),
        every,
    })
}

/// The average time from one change of direction to the next; none: there is at most one.
pub fn interval(turns: &[Timestamp]) -> Option<SignedDuration> {
    let (first, last) = (turns.first()?, turns.last()?);
    let gaps = i32::try_from(turns.len().saturating_sub(1)).unwrap_or(i32::MAX);
    last.duration_since(*first).checked_div(gaps)
}

/// A window in whole minutes that is longer than a swing, up and down again, where the direction changes `every` so often.
pub fn longer_than_swing(every: SignedDuration) -> SignedDuration {
    let minutes = every
        .as_secs()
        .saturating_mul(2)
        .div_euclid(60)
        .saturating_add(1);
    SignedDuration::from_secs(minutes.saturating_mul(60).min(3600))
}

/// The highest number of changes of direction within any `window`. `turns` are in the order of time.
pub fn most_within(turns: &[Timestamp], window: SignedDuration) -> usize {
    let mut first = 0;
    let mut most = 0;
    for (last, at) in turns.iter().enumerate() {
        while turns
            .get(first)
            .is_some_and(|begin| window < at.duration_since(*begin))
        {
            first = first.saturating_add(1);
        }
        most = most.max(last.saturating_add(1).saturating_sub(first));
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(minutes: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + minutes * 60).unwrap()
    }

    /// One rescale a minute, from each number to the next.
    fn rescales(sizes: &[i32]) -> Vec<OwnRescale> {
        let pairs = sizes.windows(2).zip(0..);
        pairs
            .map(|(pair, minute)| OwnRescale {
                at: at(minute),
                from: pair[0],
                to: pair[1],
            })
            .collect()
    }

    #[test]
    fn steps_in_one_direction_are_no_turns_and_each_change_of_direction_is_one() {
        let number = |sizes: &[i32]| turns(&rescales(sizes), Known::All).len();
        assert_eq!(number(&[2, 4, 6, 8]), 0);
        assert_eq!(number(&[2, 4, 2, 4, 2]), 3);
        assert_eq!(number(&[2, 4, 4, 2]), 1);
    }

    #[test]
    fn change_by_another_writer_is_no_turn_unless_rescales_may_be_missing() {
        let by_other = [
            rescales(&[2, 6])[0],
            OwnRescale {
                at: at(1),
                from: 9,
                to: 7,
            },
        ];
        assert_eq!(turns(&by_other, Known::All), []);
        assert_eq!(turns(&by_other, Known::Some), [at(1)]);
    }

    #[test]
    fn flapping_begins_with_three_turns_and_lasts_while_two_are_recent() {
        let turns = [at(0), at(10), at(20)];
        assert_eq!(flapping(&turns[..2], at(21), false), None);
        let found = flapping(&turns, at(21), false).unwrap();
        assert_eq!(
            (found.turns, found.every),
            (3, SignedDuration::from_mins(10))
        );
        assert_eq!(flapping(&turns, at(35), false), None);
        assert_eq!(flapping(&turns, at(35), true).unwrap().turns, 2);
        assert_eq!(flapping(&turns, at(45), true), None);
        assert_eq!(most_within(&turns, SignedDuration::from_mins(10)), 2);
    }
}
