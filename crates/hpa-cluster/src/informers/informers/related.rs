//! Reports the HPAs whose context changed.

use std::collections::BTreeSet;

use hpa_engine::model::HpaKey;

use super::{InformerChange, Informers};

impl Informers<'_> {
    /// Reports the HPAs that have another neighbor: once for all events that were heard together.
    pub(super) fn report_rivals(&mut self) {
        for (target, origins) in std::mem::take(&mut self.rivals_of) {
            let rivals = self.state.hpas.of_target(&target).map(|(rival, _)| rival);
            // Several that changed are neighbors of each other.
            let is_rival = |rival: &&HpaKey| origins.len() != 1 || !origins.contains(rival);
            let rivals = rivals.filter(is_rival).cloned().collect();
            self.report_related(rivals);
        }
    }

    pub(super) fn report_related(&mut self, hpas: BTreeSet<HpaKey>) {
        for hpa in hpas {
            if self.state.hpas.is_selected(&hpa) {
                self.changes.push(InformerChange::Around(hpa));
            }
        }
    }
}
