//! The bounded history of one HPA.

use std::collections::VecDeque;

use jiff::Timestamp;

use crate::{EntryId, HistoryEntry};

/// The entries of one HPA, oldest first, at most [`MOST`](Self::MOST): a day at a sync period of fifteen seconds, and
/// fewer if many HPAs are watched. Older entries are dropped, so that memory use stays constant.
#[derive(Clone, Debug, Default)]
pub struct HpaHistory {
    entries: VecDeque<HistoryEntry>,
    forgotten_until: Option<Timestamp>,
}

impl HpaHistory {
    /// Most entries that are kept.
    pub const MOST: usize = 5_760;

    /// Inserts an entry at its time, and drops the oldest one if there are more than `most`.
    pub fn push(&mut self, entry: HistoryEntry, most: usize) {
        let place = self.entries.partition_point(|one| one.at <= entry.at);
        self.entries.insert(place, entry);
        let more = self.entries.len().saturating_sub(most);
        let last = self.entries.drain(..more).next_back();
        self.forgotten_until = last.map(|last| last.at).or(self.forgotten_until);
    }

    /// Everything up to this time was dropped; `None`: nothing was.
    pub fn forgotten_until(&self) -> Option<Timestamp> {
        self.forgotten_until
    }

    /// All entries, oldest first.
    pub fn entries(&self) -> impl DoubleEndedIterator<Item = &HistoryEntry> + ExactSizeIterator {
        self.entries.iter()
    }

    /// The latest entry.
    pub fn last(&self) -> Option<&HistoryEntry> {
        self.entries.back()
    }

    /// The entry with this id.
    pub fn get(&self, id: EntryId) -> Option<&HistoryEntry> {
        self.entries.iter().rev().find(|entry| entry.id == id)
    }

    /// The latest entry at or before a time.
    pub fn at(&self, at: Timestamp) -> Option<&HistoryEntry> {
        let after = self.entries.partition_point(|entry| entry.at <= at);
        self.entries.get(after.checked_sub(1)?)
    }

    /// The latest entry, mutable.
    pub(super) fn last_mut(&mut self) -> Option<&mut HistoryEntry> {
        self.entries.back_mut()
    }

    /// The sync at this time, mutable.
    pub(super) fn at_mut(&mut self, at: Timestamp) -> Option<&mut HistoryEntry> {
        self.entries
            .iter_mut()
            .rev()
            .find(|entry| entry.at == at && entry.is_reconcile)
    }
}
