//! Changes that were not reported yet.

use std::collections::{BTreeSet, VecDeque};

use hpa_engine::model::HpaKey;

use super::InformerChange;

/// A queue without duplicates.
#[derive(Debug, Default)]
pub(super) struct Changes {
    queue: VecDeque<InformerChange>,
    queued: BTreeSet<InformerChange>,
}

impl Changes {
    /// Adds a change unless it is queued already. A change after the deletion of an HPA belongs to a new HPA, and is
    /// queued after that deletion.
    pub(super) fn push(&mut self, change: InformerChange) {
        if let InformerChange::Deleted(hpa) = &change {
            self.forget(hpa);
        }
        if self.queued.insert(change.clone()) {
            if is_urgent(&change) {
                self.queue.push_front(change);
            } else {
                self.queue.push_back(change);
            }
        }
    }

    /// Whether the next change must be reported before any other data is processed.
    pub(super) fn is_urgent(&self) -> bool {
        // Urgent changes are at the front.
        self.queue.front().is_some_and(is_urgent)
    }

    /// The next change.
    pub(super) fn pop(&mut self) -> Option<InformerChange> {
        let change = self.queue.pop_front()?;
        self.queued.remove(&change);
        Some(change)
    }

    /// Drops the queued changes of an HPA.
    fn forget(&mut self, hpa: &HpaKey) {
        let of_it = [
            InformerChange::Hpa,
            InformerChange::Around,
            InformerChange::Scaled,
        ]
        .map(|of| of(hpa.clone()));
        let queued = of_it.iter().filter(|change| self.queued.remove(change));
        if 0 < queued.count() {
            self.queue.retain(|change| !of_it.contains(change));
        }
    }

    /// Drops everything except failures.
    pub(super) fn keep_failures(&mut self) {
        let is_failure = |change: &InformerChange| matches!(change, InformerChange::Failing { .. });
        self.queue.retain(is_failure);
        self.queued.retain(is_failure);
    }
}

fn is_urgent(change: &InformerChange) -> bool {
    matches!(change, InformerChange::Scaled(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn web() -> HpaKey {
        HpaKey {
            namespace: "shop".to_owned(),
            name: "web".to_owned(),
        }
    }

    fn event(changes: impl IntoIterator<Item = InformerChange>) -> Vec<InformerChange> {
        let mut queue = Changes::default();
        for change in changes {
            queue.push(change);
        }
        std::iter::from_fn(|| queue.pop()).collect()
    }

    #[test]
    fn hpa_that_is_made_again_is_reported_after_the_end_of_the_one_before() {
        let [hpa, deleted] = [InformerChange::Hpa, InformerChange::Deleted].map(|of| of(web()));
        let around = [InformerChange::Around(web()), InformerChange::Scaled(web())];
        let replaced = [&hpa, &deleted, &hpa].map(InformerChange::clone);
        let again = [deleted, hpa];
        assert_eq!(event(around.into_iter().chain(replaced)), again);
        assert_eq!(event(again.clone().into_iter().chain(again.clone())), again);
        let ended = [&again[0], &again[1], &again[0]].map(InformerChange::clone);
        assert_eq!(event(ended), again[..1], "it did not last");
    }
}
