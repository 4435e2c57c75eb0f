//! Decisions to scale that wait for their write, so that a rescaling is told once.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};

use crate::{
    model::HpaKey,
    watch::{Change, HistoryEntry, State},
};

/// Decisions to scale that wait for their write, at most one of each HPA.
#[derive(Clone, Debug, Default)]
pub(super) struct HeldDecisions {
    decided: BTreeMap<HpaKey, Decided>,
    /// The rescaling of each HPA that was told last.
    written: BTreeMap<HpaKey, ReportedRescale>,
}

/// A decision to scale.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Decided {
    pub(super) hpa: HpaKey,
    /// Replicas that were decided.
    pub(super) to: i32,
    /// Time of the sync.
    pub(super) at: Timestamp,
    /// `SCALES 2 → 4`.
    pub(super) headline: String,
    /// Why.
    pub(super) reason: String,
}

/// A rescaling that was told.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReportedRescale {
    pub(super) from: i32,
    pub(super) to: i32,
    pub(super) at: Timestamp,
    /// Whether it was told why.
    pub(super) has_reason: bool,
}

impl HeldDecisions {
    /// Lets a decision wait.
    pub(super) fn hold(&mut self, decided: Decided) {
        self.decided.insert(decided.hpa.clone(), decided);
    }

    /// A rescaling was seen, and is told: nothing waits any more.
    pub(super) fn written(&mut self, hpa: &HpaKey, written: ReportedRescale) {
        self.decided.remove(hpa);
        self.written.insert(hpa.clone(), written);
    }

    /// What a sync decided, if that was told already: its write may be seen before the sync is known.
    pub(super) fn report_lines(
        &self,
        hpa: &HpaKey,
        entry: &HistoryEntry,
    ) -> Option<ReportedRescale> {
        let written = self.written.get(hpa).filter(|written| {
            entry.at <= written.at
                && entry.current == Some(written.from)
                && entry.desired == Some(written.to)
        });
        written.copied()
    }

    /// Takes the next sync of an HPA: gives the decision of the one before if its write did not come. Replicas that have
    /// changed as decided are told as soon as it is known who wrote them.
    pub(super) fn next_sync(
        &mut self,
        hpa: &HpaKey,
        entry: &HistoryEntry,
        changes: &[Change],
    ) -> Option<Decided> {
        let decided = self.decided.get(hpa)?;
        let is_explained = changes
            .iter()
            .any(|change| matches!(change, Change::Rescaled { .. }));
        let is_later = decided.at < entry.at;
        if is_explained || !is_later || entry.current == Some(decided.to) {
            return None;
        }
        self.release(hpa)
    }

    /// Gives what waits for an HPA.
    pub(super) fn release(&mut self, hpa: &HpaKey) -> Option<Decided> {
        self.decided.remove(hpa)
    }

    /// Gives what waits for more than [`SYNCS`] sync periods.
    pub(super) fn overdue(&mut self, state: &State, now: Timestamp) -> Vec<Decided> {
        let mut overdue = Vec::new();
        self.decided.retain(|hpa, decided| {
            let Some(known) = state.hpas.get(hpa) else {
                return false;
            };
            let patience = known.latest.assessment.observation.sync_period().value * SYNCS;
            let is_overdue = patience.max(LEAST) < now.duration_since(decided.at);
            if is_overdue {
                overdue.push(decided.clone());
            }
            !is_overdue
        });
        overdue
    }

    /// Forgets everything that waits.
    pub(super) fn forget(&mut self) {
        self.decided.clear();
    }

    /// Gives everything that waits.
    pub(super) fn rest(&mut self) -> Vec<Decided> {
        std::mem::take(&mut self.decided).into_values().collect()
    }
}

/// It takes up to two periods until it is known who changed the replicas.
const SYNCS: i32 = 3;

/// However short the period is, a write may take a while.
const LEAST: SignedDuration = SignedDuration::from_secs(5);
