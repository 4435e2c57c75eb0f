//! Samples that are not those that a sync read.

use jiff::Timestamp;

use super::Feed;
use crate::{
    model::HpaKey,
    recording::{Snapshot, wire::HpaStatus},
};

impl Feed<'_> {
    /// Whether the controller read other samples than the snapshot has, by what it wrote. A sync that came at once may have
    /// read metrics that were never read here.
    pub(super) fn reads_other_samples(&self, before: &Snapshot, after: &Snapshot) -> bool {
        match self.fits(before, &after.hpa.status) {
            Some((metrics, replicas)) => !metrics || !replicas,
            None => before.hpa.status.observed_generation != after.hpa.status.observed_generation,
        }
    }

    /// Whether the metrics, and the replicas, of a status are those that follow from the snapshot. The same average can come of
    /// other samples, and then of another number of pods that have one.
    pub(super) fn fits(&self, snapshot: &Snapshot, written: &HpaStatus) -> Option<(bool, bool)> {
        let predicted = self.session.preview(snapshot).ok()?.predicted?.status;
        Some((
            predicted.current_metrics == written.current_metrics,
            predicted.desired_replicas == written.desired_replicas,
        ))
    }

    /// Sees to it that metrics are on their way. False: not more often than that.
    pub(super) fn poll_again(&mut self, hpa: &HpaKey, now: Timestamp) -> bool {
        let period = self.period(&hpa.namespace);
        let Some(polling) = self.namespaces.get(&hpa.namespace) else {
            return false;
        };
        if polling.is_running() {
            return true;
        }
        if !polling.may_poll_again(now, period) {
            return false;
        }
        self.poll(&hpa.namespace.clone(), now, true);
        true
    }
}
