//! Samples that differ from those that a sync read.

use hpa_engine::model::HpaKey;
use hpa_objects::recording::{Snapshot, wire::HpaStatus};
use hpa_playback::feed::with_objects;
use jiff::Timestamp;

use crate::live::feed::follow::Feed;

impl Feed<'_> {
    /// Whether, judging by what it wrote, the controller read other samples than those in the snapshot. An immediate
    /// sync after an edit may have read metrics that were never read here.
    pub(crate) fn reads_other_samples(&self, before: &Snapshot, after: &Snapshot) -> bool {
        match self.fits(before, &after.hpa.status) {
            Some((metrics, replicas)) => !metrics || !replicas,
            None => before.hpa.status.observed_generation != after.hpa.status.observed_generation,
        }
    }

    /// Whether the metrics, and the replicas, of a status follow from the snapshot. Other samples can have the same
    /// average, with another number of pods that have one.
    pub(crate) fn fits(&self, snapshot: &Snapshot, written: &HpaStatus) -> Option<(bool, bool)> {
        let predicted = self.session.preview(snapshot).ok()?.predicted?.status;
        Some((
            predicted.current_metrics == written.current_metrics,
            predicted.desired_replicas == written.desired_replicas,
        ))
    }

    /// What a sync found: the snapshot from before it, unless what it wrote follows only from the objects as they are
    /// after it. They changed after the snapshot and before the sync.
    pub(crate) fn found(&self, before: Snapshot, after: &Snapshot) -> Snapshot {
        let written = &after.hpa.status;
        if self.leads_to(&before, written) {
            return before;
        }
        let other = with_objects(&before, after);
        if self.leads_to(&other, written) {
            other
        } else {
            before
        }
    }

    /// Whether a sync that finds the snapshot writes this status, texts and times aside.
    fn leads_to(&self, snapshot: &Snapshot, written: &HpaStatus) -> bool {
        let preview = self.session.preview(snapshot).ok();
        let predicted = preview.and_then(|preview| preview.predicted);
        let reasons = |status: &HpaStatus| -> Vec<(String, String, String)> {
            let conditions = status.conditions.iter().cloned();
            conditions
                .map(|one| (one.condition_type, one.status, one.reason))
                .collect()
        };
        predicted.is_some_and(|predicted| {
            let predicted = &predicted.status;
            predicted.current_replicas == written.current_replicas
                && predicted.desired_replicas == written.desired_replicas
                && predicted.current_metrics == written.current_metrics
                && reasons(predicted) == reasons(written)
        })
    }

    /// Requests metrics again if none are on their way. Returns false if the limit is reached.
    pub(crate) fn poll_again(&mut self, hpa: &HpaKey, now: Timestamp) -> bool {
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
