//! When the replicas may change next.

use std::fmt;

use hpa_engine::{engine::after, trace::Decision};
use hpa_words::clock::rough;
use jiff::{SignedDuration, Timestamp};

use crate::{HpaState, SeenHpa};

/// The next change of the replicas, if the metrics keep asking for the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NextChange {
    /// Replicas before.
    pub from: i32,
    /// Replicas afterwards.
    pub to: i32,
    /// The earliest time from now; zero: at any time.
    pub earliest: SignedDuration,
    /// The latest time from now.
    pub latest: SignedDuration,
}

impl fmt::Display for NextChange {
    /// `8 → 6 in 42 s`, `8 → 6 in 30 s to 45 s`, `8 → 6 within 2 min`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (earliest, latest) = (rough(self.earliest), rough(self.latest));
        write!(formatter, "{} → {} ", self.from, self.to)?;
        if self.latest.is_zero() {
            write!(formatter, "at any time")
        } else if earliest == latest {
            write!(formatter, "in {latest}")
        } else if self.earliest.is_zero() {
            write!(formatter, "within {latest}")
        } else {
            write!(formatter, "in {earliest} to {latest}")
        }
    }
}

impl HpaState {
    /// The next change of the replicas if the metrics keep asking for the same; `None` if there is none. It comes with
    /// a sync: if sync times or recommendation history are not known, the two ends differ.
    pub fn next_change(&self, now: Timestamp) -> Option<NextChange> {
        let analysis = &self.latest.assessment.analysis;
        let (from, to, earliest, latest) = match analysis.trace.decision {
            Decision::Rescale {
                from,
                to,
                succeeds: true,
            } if !self.is_reconcile() => (from, to, self.seen_at, self.seen_at),
            Decision::Hold { .. } | Decision::Rescale { succeeds: true, .. } => {
                let first = analysis.timeline.first()?;
                let ends = analysis.first_change?;
                let earliest = ends.earliest.unwrap_or(self.seen_at).min(ends.latest);
                (first.from, first.to, earliest, ends.latest)
            }
            _ => return None,
        };
        let (first, _) = self.sync_after(earliest.max(now));
        let (_, last) = self.sync_after(latest.max(now));
        Some(NextChange {
            from,
            to,
            earliest: until(now, first),
            latest: until(now, last),
        })
    }

    /// The least and the most time until the next sync; equal if the sync times are known.
    pub fn next_sync(&self, now: Timestamp) -> (SignedDuration, SignedDuration) {
        let (first, last) = self.sync_after(now);
        (until(now, first), until(now, last))
    }

    /// Whether the latest entry is a sync of the controller, and not a read between two syncs.
    pub fn is_reconcile(&self) -> bool {
        self.reconciled_at == Some(self.seen_at)
    }

    /// The range of the first sync at or after a time.
    fn sync_after(&self, at: Timestamp) -> (Timestamp, Timestamp) {
        let period = sync_period(&self.latest);
        let unknown = (at, after(at, period));
        let Some(known) = self.in_turn_at else {
            return unknown;
        };
        let elapsed = at.duration_since(known);
        if elapsed.is_negative() {
            return (known, known);
        }
        let nanoseconds = period.as_nanos().max(1);
        let whole = elapsed.as_nanos() / nanoseconds;
        let is_exact = elapsed.as_nanos() % nanoseconds == 0;
        let syncs = if is_exact { whole } else { whole + 1 };
        if MOST_SYNCS_AHEAD < syncs {
            return unknown;
        }
        let syncs = i32::try_from(syncs).unwrap_or(i32::MAX);
        let sync = after(
            known,
            period.checked_mul(syncs).unwrap_or(SignedDuration::MAX),
        );
        (sync, sync)
    }
}

/// The sync period of the controller.
pub(super) fn sync_period(seen: &SeenHpa) -> SignedDuration {
    let period = seen.assessment.observation.sync_period().value;
    period.max(SignedDuration::from_millis(1))
}

fn until(now: Timestamp, at: Timestamp) -> SignedDuration {
    at.duration_since(now).max(SignedDuration::ZERO)
}

/// Each sync starts one period after the end of the previous one, so after some tens of syncs the prediction has
/// drifted.
const MOST_SYNCS_AHEAD: i128 = 40;
