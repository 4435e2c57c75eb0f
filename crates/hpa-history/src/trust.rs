//! How well the past is recomputed.

use std::cmp::Ordering;

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
    /// Recomputed changes that the controller made in the next sync that was seen: the series cannot always say which of two
    /// syncs first read an input.
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
    /// What the last sync was recomputed to, if the controller left the replicas as they were.
    pub last_invented: Option<i32>,
}

impl Trust {
    /// Adds a sync.
    pub fn take(&mut self, sync: &PastSync<'_>) {
        let (from, to) = (sync.scrape.current, sync.scrape.desired);
        let earlier = self.last_invented.take();
        if from != to && earlier == Some(to) {
            self.early += 1;
            self.invented -= 1;
        }
        let likely = sync.recomputed.map(|one| one.likely);
        if from != to {
            self.rescales += 1;
            let is_same_way = |likely: i32| {
                likely.cmp(&from) == to.cmp(&from) && likely.cmp(&from) != Ordering::Equal
            };
            match likely {
                Some(likely) if likely == to => self.exact += 1,
                Some(likely) if is_same_way(likely) => self.direction += 1,
                _ => self.missed += 1,
            }
        }
        let Some(recomputed) = sync.recomputed.filter(|_| sync.is_seen) else {
            return;
        };
        let is_right = recomputed.likely == to;
        self.syncs += 1;
        self.agreeing += u32::from(is_right);
        self.changing += u32::from(from != to);
        if from == to && !is_right {
            self.invented += 1;
            self.last_invented = Some(recomputed.likely);
        }
        if recomputed.certainty == Certainty::Certain {
            self.certain += 1;
            self.certain_and_right += u32::from(is_right);
        }
    }

    /// Skill against the baseline "the replicas stay": the share of its errors that recomputing avoids. 1 is perfect, 0
    /// no better, below 0 worse. None: the replicas never changed.
    pub fn skill(&self) -> Option<f64> {
        let errors = f64::from(self.syncs - self.agreeing);
        (0 < self.changing).then(|| 1.0 - errors / f64::from(self.changing))
    }
}
