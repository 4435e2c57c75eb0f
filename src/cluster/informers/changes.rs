//! Changes that nobody has heard of yet.

use std::collections::{BTreeSet, VecDeque};

use super::Change;

/// A queue in which nothing stands twice.
#[derive(Debug, Default)]
pub(super) struct Changes {
    queue: VecDeque<Change>,
    queued: BTreeSet<Change>,
}

impl Changes {
    /// Adds a change unless it is there.
    pub(super) fn push(&mut self, change: Change) {
        if self.queued.insert(change.clone()) {
            if is_urgent(&change) {
                self.queue.push_front(change);
            } else {
                self.queue.push_back(change);
            }
        }
    }

    /// Whether the next change is to be heard of before anything else is taken note of.
    pub(super) fn is_urgent(&self) -> bool {
        // They stand in front.
        self.queue.front().is_some_and(is_urgent)
    }

    /// The next one.
    pub(super) fn pop(&mut self) -> Option<Change> {
        let change = self.queue.pop_front()?;
        self.queued.remove(&change);
        Some(change)
    }

    /// Forgets all but what fails.
    pub(super) fn keep_failures(&mut self) {
        let is_failure = |change: &Change| matches!(change, Change::Failing { .. });
        self.queue.retain(is_failure);
        self.queued.retain(is_failure);
    }
}

fn is_urgent(change: &Change) -> bool {
    matches!(change, Change::Scaled(_))
}
