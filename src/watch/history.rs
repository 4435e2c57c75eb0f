//! The past of one HPA, bounded.

use std::collections::VecDeque;

use jiff::Timestamp;

use crate::watch::{Moment, MomentId};

/// The moments of one HPA, oldest first, at most [`MOST`](Self::MOST): a day of them at a sync period of fifteen
/// seconds, and fewer where many HPAs are watched. Older ones are forgotten, so that memory stays level.
#[derive(Clone, Debug, Default)]
pub struct History {
    moments: VecDeque<Moment>,
    forgotten_until: Option<Timestamp>,
}

impl History {
    /// Moments that are kept.
    pub const MOST: usize = 5_760;

    /// Adds one at its time, and forgets the oldest if there are more than `most` then.
    pub fn push(&mut self, moment: Moment, most: usize) {
        let place = self.moments.partition_point(|one| one.at <= moment.at);
        self.moments.insert(place, moment);
        let more = self.moments.len().saturating_sub(most);
        let last = self.moments.drain(..more).next_back();
        self.forgotten_until = last.map(|last| last.at).or(self.forgotten_until);
    }

    /// Everything up to this time is forgotten; none: nothing is.
    pub fn forgotten_until(&self) -> Option<Timestamp> {
        self.forgotten_until
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
        self.moments.iter().rev().find(|moment| moment.id == id)
    }

    /// The latest at or before a time.
    pub fn at(&self, at: Timestamp) -> Option<&Moment> {
        let after = self.moments.partition_point(|moment| moment.at <= at);
        self.moments.get(after.checked_sub(1)?)
    }

    /// The latest, to be changed.
    pub(super) fn last_mut(&mut self) -> Option<&mut Moment> {
        self.moments.back_mut()
    }

    /// The reconcile with a time, to be changed.
    pub(super) fn at_mut(&mut self, at: Timestamp) -> Option<&mut Moment> {
        self.moments
            .iter_mut()
            .rev()
            .find(|moment| moment.at == at && moment.is_reconcile)
    }
}
