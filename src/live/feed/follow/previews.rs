//! What the next sync would find, between two syncs.

use hpa_analysis::unreported_rescale;
use hpa_engine::model::HpaKey;
use hpa_playback::Reconcile;
use hpa_watch::Event;
use jiff::Timestamp;

use crate::live::feed::follow::Feed;

impl Feed<'_> {
    /// Recomputes the result of the next sync. It is not reported if the sync is imminent and will be reported itself.
    pub(crate) fn preview_sync(&mut self, hpa: &HpaKey, now: Timestamp) {
        let preview = self.preview(hpa);
        let Some(following) = self.hpas.get_mut(hpa) else {
            return;
        };
        following.previewed(preview.as_ref().and_then(|one| one.predicted.as_ref()));
        if following.beat().is_none() {
            self.report_seen(hpa, preview, now);
        }
    }

    /// Reports what would be decided now.
    pub(crate) fn show(&mut self, hpa: &HpaKey, now: Timestamp) {
        let preview = self.preview(hpa);
        self.report_seen(hpa, preview, now);
    }

    fn preview(&mut self, hpa: &HpaKey) -> Option<Reconcile> {
        let pending = self.hpas.get(hpa)?.pending.as_ref()?;
        let preview = self.session.preview(pending);
        self.sound(hpa, preview)
    }

    fn report_seen(&mut self, hpa: &HpaKey, preview: Option<Reconcile>, now: Timestamp) {
        let mut is_settling = false;
        if let Some(following) = self.hpas.get_mut(hpa) {
            following.note_displayed(now);
            is_settling = following.has_just_scaled(now);
        }
        // The sync that has set the replicas is reported once its status is written. Until then nothing follows from both.
        let is_under_way =
            |one: &Reconcile| unreported_rescale(&one.observation, &one.context).is_some();
        let preview = preview.filter(|one| !is_settling || !is_under_way(one));
        if let Some(preview) = preview {
            let at = preview.time;
            self.report(Event::Seen(Box::new(preview.seen())), at);
        }
    }
}
