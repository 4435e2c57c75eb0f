//! The past of one HPA, bounded.

use std::collections::VecDeque;

use jiff::Timestamp;

use crate::watch::{EntryId, HistoryEntry};

/// The moments of one HPA, oldest first, at most [`MOST`](Self::MOST): a day of them at a sync period of fifteen
/// seconds, and fewer where many HPAs are watched. Older ones are forgotten, so that memory stays level.
#[derive(Clone, Debug, Default)]
pub struct HpaHistory {
    entries: VecDeque<HistoryEntry>,
    forgotten_until: Option<Timestamp>,
}

impl HpaHistory {
    /// Moments that are kept.
    pub const MOST: usize = 5_760;

    /// Adds one at its time, and forgets the oldest if there are more than `most` then.
    pub fn push(&mut self, entry: HistoryEntry, most: usize) {
        let place = self.entries.partition_point(|one| one.at <= entry.at);
        self.entries.insert(place, entry);
        let more = self.entries.len().saturating_sub(most);
        let last = self.entries.drain(..more).next_back();
        self.forgotten_until = last.map(|last| last.at).or(self.forgotten_until);
    }

    /// Everything up to this time is forgotten; none: nothing is.
    pub fn forgotten_until(&self) -> Option<Timestamp> {
        self.forgotten_until
    }

    /// All of them, oldest first.
    pub fn entries(&self) -> impl DoubleEndedIterator<Item = &HistoryEntry> + ExactSizeIterator {
        self.entries.iter()
    }

    /// The latest.
    pub fn last(&self) -> Option<&HistoryEntry> {
        self.entries.back()
    }

    /// The one with a number.
    pub fn get(&self, id: EntryId) -> Option<&HistoryEntry> {
        self.entries.iter().rev().find(|entry| entry.id == id)
    }

    /// The latest at or before a time.
    pub fn at(&self, at: Timestamp) -> Option<&HistoryEntry> {
        let after = self.entries.partition_point(|entry| entry.at <= at);
        self.entries.get(after.checked_sub(1)?)
    }

    /// The latest, to be changed.
    pub(super) fn last_mut(&mut self) -> Option<&mut HistoryEntry> {
        self.entries.back_mut()
    }

    /// The reconcile with a time, to be changed.
    pub(super) fn at_mut(&mut self, at: Timestamp) -> Option<&mut HistoryEntry> {
        self.entries
            .iter_mut()
            .rev()
            .find(|entry| entry.at == at && entry.is_reconcile)
    }
}
