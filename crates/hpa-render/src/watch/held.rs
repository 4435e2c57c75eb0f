//! Decisions to scale that wait for their write, so that a rescale is reported once.

use std::collections::BTreeMap;

use hpa_engine::model::HpaKey;
use hpa_watch::{Change, HistoryEntry, State};
use jiff::{SignedDuration, Timestamp};

/// Decisions to scale that wait for their write, at most one per HPA.
#[derive(Clone, Debug, Default)]
pub(super) struct HeldDecisions {
    decided: BTreeMap<HpaKey, Decided>,
    /// The last reported rescale of each HPA.
    written: BTreeMap<HpaKey, ReportedRescale>,
}

/// A decision to scale.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Decided {
    pub(super) hpa: HpaKey,
    /// The desired replicas.
    pub(super) to: i32,
    /// Time of the sync.
    pub(super) at: Timestamp,
    /// `SCALES 2 → 4`.
    pub(super) headline: String,
    /// The reason.
    pub(super) reason: String,
}

/// A reported rescale.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReportedRescale {
    pub(super) from: i32,
    pub(super) to: i32,
    pub(super) at: Timestamp,
    /// Whether the report has a reason.
    pub(super) has_reason: bool,
}

impl HeldDecisions {
    /// Holds a decision back.
    pub(super) fn hold(&mut self, decided: Decided) {
        self.decided.insert(decided.hpa.clone(), decided);
    }

    /// Records that a rescale was reported: its decision no longer waits.
    pub(super) fn written(&mut self, hpa: &HpaKey, written: ReportedRescale) {
        self.decided.remove(hpa);
        self.written.insert(hpa.clone(), written);
    }

    /// The rescale that a sync decided, if it is reported already: its write may be observed before the sync is known.
    pub(super) fn rescale(&self, hpa: &HpaKey, entry: &HistoryEntry) -> Option<ReportedRescale> {
        let written = self.written.get(hpa).filter(|written| {
            entry.at <= written.at
                && entry.current == Some(written.from)
                && entry.desired == Some(written.to)
        });
        written.copied()
    }

    /// Processes the next sync of an HPA: returns the previous decision if its write did not come. Replicas that
    /// changed as decided are reported as soon as their writer is known.
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

    /// Removes and returns the waiting decision of an HPA.
    pub(super) fn release(&mut self, hpa: &HpaKey) -> Option<Decided> {
        self.decided.remove(hpa)
    }

    /// Removes and returns the decisions that have waited for more than [`SYNCS`] sync periods.
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

    /// Drops all waiting decisions.
    pub(super) fn forget(&mut self) {
        self.decided.clear();
    }

    /// Removes and returns all waiting decisions.
    pub(super) fn rest(&mut self) -> Vec<Decided> {
        std::mem::take(&mut self.decided).into_values().collect()
    }
}

/// It takes up to two periods to know who changed the replicas.
const SYNCS: i32 = 3;

/// However short the period is, a write may take this long.
const LEAST: SignedDuration = SignedDuration::from_secs(5);
