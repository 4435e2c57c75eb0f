//! The past of one HPA, bounded.

use std::collections::VecDeque;

use jiff::Timestamp;

use crate::watch::{Moment, MomentId};

/// The moments of one HPA, oldest first, at most [`MOST`](Self::MOST): a day of them at a sync period of fifteen
/// seconds. Older ones are forgotten, so that memory stays level.
#[derive(Clone, Debug, Default)]
pub struct History {
    moments: VecDeque<Moment>,
}

impl History {
    /// Moments that are kept.
    pub const MOST: usize = 5_760;

    /// Adds one, and forgets the oldest if there are too many.
    pub fn push(&mut self, moment: Moment) {
        if self.moments.len() == Self::MOST {
            self.moments.pop_front();
        }
        self.moments.push_back(moment);
    }

    /// All of them, oldest first.
    pub fn moments(&self) -> impl DoubleEndedIterator<Item = &Moment> + ExactSizeIterator {
        self.moments.iter()
    }

    /// The latest.
    pub fn last(&self) -> Option<&Moment> {
        self.moments.back()
    }

    /// The one with a number.
    pub fn get(&self, id: MomentId) -> Option<&Moment> {
        let index = self.moments.partition_point(|moment| moment.id < id);
        self.moments.get(index).filter(|moment| moment.id == id)
    }

    /// The latest at or before a time.
    pub fn at(&self, at: Timestamp) -> Option<&Moment> {
        let after = self.moments.partition_point(|moment| moment.at <= at);
        self.moments.get(after.checked_sub(1)?)
    }

    /// The moment with a time, to be changed.
    pub(super) fn at_mut(&mut self, at: Timestamp) -> Option<&mut Moment> {
        self.moments
            .iter_mut()
            .rev()
            .find(|moment| moment.at == at && moment.is_reconcile)
    }
}
