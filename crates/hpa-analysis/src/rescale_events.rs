//! What the Events of an HPA prove about its rescales.
//!
//! The controller's recorder does not keep every Event (client-go's `EventCorrelator`). It counts equal ones as one,
//! which keeps the first and the last time. It combines similar ones, which keeps the last message. It drops more than
//! 25 in a row. The API server deletes an Event an hour after its last time. So an Event proves that something
//! happened, and a missing Event proves nothing unless it would have been kept.

use hpa_engine::model::{Context, Direction, KubeEvent, SnapshotField};
use jiff::{SignedDuration, Timestamp};

/// What one Event proves about its own message.
#[derive(Clone, Copy, Debug)]
pub struct Proof<'a> {
    /// The message without the prefix of a combined Event.
    pub message: &'a str,
    /// When it was first emitted, if known.
    pub first: Option<Timestamp>,
    /// When it was last emitted.
    pub last: Option<Timestamp>,
    /// Minimum number of times that it was emitted.
    pub count: i32,
    /// Whether the Event combines several messages.
    pub is_combined: bool,
}

impl<'a> Proof<'a> {
    /// Reads an Event. A combined Event has only the message of its last time.
    pub fn of(event: &'a KubeEvent) -> Self {
        let combined = KubeEvent::combined(&event.message);
        let is_combined = combined.is_some();
        Self {
            message: combined.unwrap_or(&event.message),
            first: if is_combined { event.last } else { event.first },
            last: event.last,
            count: if is_combined { 1 } else { event.count },
            is_combined,
        }
    }
}

/// Why the controller rescaled, from the reason in the Event's message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RescaleCause {
    /// `… above target`: the metrics recommended more replicas.
    AboveTarget,
    /// The replicas were above `maxReplicas`.
    AboveMax,
    /// The replicas were below `minReplicas`.
    BelowMin,
    /// `All metrics below target`: the metrics recommended fewer.
    BelowTarget,
    /// No reason: stabilization changed the number.
    None,
    /// The Event has another reason.
    Unknown,
}

/// One successful rescale, from its Event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rescaled {
    /// When, in whole seconds.
    pub at: Timestamp,
    /// Replicas afterwards.
    pub size: i32,
    /// Replicas before, if they are those of the previous rescale: the Events show no other rescale and no other writer
    /// in between.
    pub from: Option<i32>,
    /// The controller's reason, such as `All metrics below target`. Empty: an old recommendation changed the number.
    pub reason: String,
    pub(super) cause: RescaleCause,
}

impl Rescaled {
    /// The direction. None if the reason does not show it.
    pub(super) fn direction(&self) -> Option<Direction> {
        match self.cause {
            RescaleCause::AboveTarget | RescaleCause::BelowMin => Some(Direction::Up),
            RescaleCause::BelowTarget | RescaleCause::AboveMax => Some(Direction::Down),
            RescaleCause::None | RescaleCause::Unknown => None,
        }
    }

    /// Whether a change from `before` fits the reason. If not, the replicas were changed in between.
    pub(super) fn fits_after(&self, before: i32) -> bool {
        let by_size = Direction::between(before, self.size);
        by_size.is_some() && self.direction().is_none_or(|one| Some(one) == by_size)
    }
}

/// The rescales that the Events of an HPA prove, and what can be missing between them.
#[derive(Clone, Debug, Default)]
pub(super) struct RescaleEvents {
    /// The rescales with known time and size, oldest first.
    pub(super) rescales: Vec<Rescaled>,
    merged: Vec<MergedRescales>,
    /// Every Event since then still exists, unless it was dropped.
    kept_since: Option<Timestamp>,
    /// Whether the Events could not be read: there may be any.
    pub(super) are_unread: bool,
    /// Whether there were so many Events that some may have been dropped.
    pub(super) may_be_dropped: bool,
}

/// Rescales that an Event counts without a time.
#[derive(Clone, Debug)]
pub(super) struct MergedRescales {
    /// Their size. None: several sizes.
    size: Option<i32>,
    /// Their number.
    hidden: i32,
    first: Option<Timestamp>,
    last: Option<Timestamp>,
}

impl RescaleEvents {
    /// Reads the Events that exist at `now`.
    pub(super) fn of(context: &Context, now: Timestamp) -> Self {
        let events = context.events.iter();
        let number = events
            .clone()
            .fold(0_i32, |sum, event| sum.saturating_add(event.count));
        let oldest = events.filter_map(|event| event.last).min();
        Self {
            kept_since: now.checked_sub(KEPT).ok().into_iter().chain(oldest).min(),
            are_unread: context
                .not_read
                .iter()
                .any(|one| one.what == SnapshotField::Events),
            may_be_dropped: BURST <= number,
            ..Self::read(context)
        }
    }

    fn read(context: &Context) -> Self {
        let mut read = Self::default();
        for event in &context.events {
            if event.reason == "SuccessfulRescale" {
                read.take(event);
            }
        }
        read.rescales.sort_by_key(|rescale| rescale.at);
        read.rescales.dedup();
        let follows: Vec<Option<i32>> = read
            .rescales
            .windows(2)
            .map(|pair| {
                let [before, after] = pair else { return None };
                let follows = after.fits_after(before.size) && !read.hides(before, after, None);
                follows.then_some(before.size)
            })
            .collect();
        for (rescale, from) in read.rescales.iter_mut().skip(1).zip(follows) {
            rescale.from = from;
        }
        read
    }

    fn take(&mut self, event: &KubeEvent) {
        let proof = Proof::of(event);
        let Some((size, cause, reason)) = parse(proof.message) else {
            return;
        };
        let known = if 1 < proof.count { 2 } else { 1 };
        let hidden = event.count.saturating_sub(known);
        if 0 < hidden {
            self.merged.push(MergedRescales {
                size: (!proof.is_combined).then_some(size),
                hidden,
                first: event.first,
                last: event.last,
            });
        }
        let first = proof.first.filter(|_| 1 < proof.count);
        let times = [first, proof.last].into_iter().flatten();
        self.rescales.extend(times.map(|at| Rescaled {
            at,
            size,
            from: None,
            reason: reason.to_owned(),
            cause,
        }));
    }

    /// Whether the Events count a rescale that can lie between two others, to a size other than `but`.
    pub(super) fn hides(&self, before: &Rescaled, after: &Rescaled, but: Option<i32>) -> bool {
        self.merged.iter().any(|merged| {
            let begins_before = |first: Timestamp| match merged.size {
                // The first of the combined ones has no time either.
                None => first <= after.at,
                Some(_) => first < after.at,
            };
            (but.is_none() || merged.size != but)
                && merged.first.is_none_or(begins_before)
                && merged.last.is_none_or(|last| before.at < last)
        })
    }

    /// Whether a rescale to a size other than `but` can lie between two others: one that Events count, or one whose
    /// Event no longer exists.
    pub(super) fn may_hide(&self, before: &Rescaled, after: &Rescaled, but: Option<i32>) -> bool {
        self.may_be_dropped
            || self.kept_since.is_some_and(|since| before.at < since)
            || self.hides(before, after, but)
    }

    /// The times of the rescales combined in the Event of `after`, if they are all since `before`: evenly spaced, with
    /// `after` as the last.
    pub(super) fn combined(&self, before: &Rescaled, after: &Rescaled) -> Option<Vec<Timestamp>> {
        let merged = self
            .merged
            .iter()
            .find(|merged| merged.size.is_none() && merged.last == Some(after.at))?;
        let first = merged.first.filter(|first| before.at <= *first)?;
        let gap = after.at.duration_since(first) / merged.hidden.max(1);
        let hidden = 0..merged.hidden.min(MOST_COMBINED);
        Some(
            hidden
                .filter_map(|index| first.checked_add(gap.checked_mul(index)?).ok())
                .chain([after.at])
                .collect(),
        )
    }

    /// The minimum number of rescales after the first, by Events that count equal rescales from `before` to `after`.
    pub(super) fn repeats(&self, before: &Rescaled, after: &Rescaled) -> i32 {
        let mut merged = self.merged.iter();
        merged
            .find(|merged| {
                merged.size == Some(after.size)
                    && merged.first == Some(before.at)
                    && merged.last == Some(after.at)
            })
            .map_or(1, |merged| merged.hidden.saturating_add(1))
    }
}

/// The rescales with known time and size, oldest first.
pub fn proved_rescales(context: &Context) -> Vec<Rescaled> {
    RescaleEvents::read(context).rescales
}

/// Whether two times, each truncated to seconds, can belong to the same rescale.
pub(super) fn is_same_second(one: Timestamp, other: Timestamp) -> bool {
    one.duration_since(other).abs() <= SignedDuration::from_secs(1)
}

/// The controller's reason for a rescale, from the message of its Event. Empty: an old recommendation changed the number.
pub(super) fn reason_of(message: &str) -> Option<String> {
    parse(message).map(|(_, _, reason)| reason.to_owned())
}

/// Parses `New size: 12; reason: cpu resource utilization (percentage of request) above target` into size, cause and
/// reason.
fn parse(message: &str) -> Option<(i32, RescaleCause, &str)> {
    let (size, reason) = message
        .strip_prefix("New size: ")?
        .split_once("; reason:")?;
    let cause = if reason.ends_with(" above target") {
        RescaleCause::AboveTarget
    } else if reason.ends_with(" above Spec.MaxReplicas") {
        RescaleCause::AboveMax
    } else if reason.ends_with(" below Spec.MinReplicas") {
        RescaleCause::BelowMin
    } else if reason.ends_with(" below target") {
        RescaleCause::BelowTarget
    } else {
        RescaleCause::None
    };
    Some((size.parse().ok()?, cause, reason.trim_start()))
}

/// The recorder sends this many Events of one object in a row, then one every five minutes.
const BURST: i32 = 25;

/// How long the API server keeps an Event by default.
const KEPT: SignedDuration = SignedDuration::from_hours(1);

/// More than this is beyond any window.
const MOST_COMBINED: i32 = 1_000;
