//! How well the past is recomputed.

use std::cmp::Ordering;

use jiff::{SignedDuration, Timestamp};

use crate::{certainty::Certainty, past_sync::PastSync};

/// How well the past is recomputed. Counted over rescales, because most syncs change nothing and are easy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trust {
    /// Changes of the replicas by the controller.
    pub rescales: u32,
    /// Recomputed to the same number.
    pub exact: u32,
    /// Recomputed to another number in the same direction.
    pub direction: u32,
    /// Recomputed to no change, or to one in the other direction, or not at all.
    pub missed: u32,
    /// Recomputed changes that the controller made in the next sync: the series cannot always say which of two syncs first
    /// read an input.
    pub early: u32,
    /// Other recomputed changes that did not happen.
    pub invented: u32,
    /// Syncs that were seen and recomputed.
    pub syncs: u32,
    /// Those whose result equals the controller's decision.
    pub agreeing: u32,
    /// Syncs with a certain decision.
    pub certain: u32,
    /// Those whose result equals the controller's decision.
    pub certain_and_right: u32,
    /// Syncs that were seen, recomputed and changed the replicas.
    pub changing: u32,
}

impl Trust {
    /// Skill against the baseline "the replicas stay": the share of its errors that recomputing avoids. 1 is perfect, 0
    /// no better, below 0 worse. None: the replicas never changed.
    pub fn skill(&self) -> Option<f64> {
        let errors = f64::from(self.syncs - self.agreeing);
        (0 < self.changing).then(|| 1.0 - errors / f64::from(self.changing))
    }
}

/// Counts how well the syncs of a past are recomputed, in their order.
pub struct TrustCounter {
    trust: Trust,
    period: SignedDuration,
    /// The time of the last sync and what it was recomputed to, if the controller left the replicas as they were.
    invented: Option<(Timestamp, i32)>,
}

impl TrustCounter {
    /// Counts nothing yet. `period` is that of the syncs.
    pub fn new(period: SignedDuration) -> Self {
        Self {
            trust: Trust::default(),
            period,
            invented: None,
        }
    }

    /// What was counted.
    pub fn trust(&self) -> Trust {
        self.trust
    }

    /// Adds a sync.
    pub fn take(&mut self, sync: &PastSync<'_>) {
        let (from, to) = (sync.scrape.current, sync.scrape.desired);
        let trust = &mut self.trust;
        let is_next = |at: Timestamp| sync.now.duration_since(at) * 2 < self.period * 3;
        if let Some((at, likely)) = self.invented.take()
            && from != to
            && likely == to
            && is_next(at)
        {
            trust.early += 1;
            trust.invented -= 1;
        }
        let likely = sync.recomputed.map(|one| one.likely);
        if from != to {
            trust.rescales += 1;
            let is_same_way = |likely: i32| {
                likely.cmp(&from) == to.cmp(&from) && likely.cmp(&from) != Ordering::Equal
            };
            match likely {
                Some(likely) if likely == to => trust.exact += 1,
                Some(likely) if is_same_way(likely) => trust.direction += 1,
                _ => trust.missed += 1,
            }
        }
        let Some(recomputed) = sync.recomputed.filter(|_| sync.is_seen) else {
            return;
        };
        let is_right = recomputed.likely == to;
        trust.syncs += 1;
        trust.agreeing += u32::from(is_right);
        trust.changing += u32::from(from != to);
        if from == to && !is_right {
            trust.invented += 1;
            self.invented = Some((sync.now, recomputed.likely));
        }
        if recomputed.certainty == Certainty::Certain {
            trust.certain += 1;
            trust.certain_and_right += u32::from(is_right);
        }
    }
}
