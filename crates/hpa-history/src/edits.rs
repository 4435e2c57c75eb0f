//! Edits of the HPA in the past, as the series show them, and the sync that found one.

use hpa_engine::model::HpaSpec;
use hpa_explain::{edited, spec_edits};
use hpa_words::amount::upper_first;

use crate::{past_sync::PastSync, series::Millis};

/// The spec from sync to sync.
#[derive(Default)]
pub(crate) struct Edits {
    spec: Option<HpaSpec>,
    /// When an edit was first seen that no sync has acted on yet, and what it changed.
    edit: Option<(Millis, Vec<String>)>,
}

impl Edits {
    /// Takes the spec of a sync.
    pub(crate) fn take(&mut self, sync: &PastSync<'_>) {
        let Some(details) = sync.details else {
            return;
        };
        let spec = &details.observation.hpa.spec;
        let before = self.spec.replace(spec.clone());
        let edits = before.map_or_else(Vec::new, |before| spec_edits(&before, spec));
        if !edits.is_empty() {
            self.edit = Some((sync.scrape.time, edits));
        } else if sync.scrape.current == sync.scrape.desired {
            // The sync that found it does not scale.
            self.edit = None;
        }
    }

    /// The edit that a rescale was the first to find: `The HPA was edited: max 6 → 16`. `spacing` is the time between
    /// two syncs or scrapes.
    pub(crate) fn found_by(&mut self, sync: &PastSync<'_>, spacing: Millis) -> Option<String> {
        let (at, edits) = self.edit.take()?;
        let is_next = sync.scrape.time - at <= spacing * 2;
        is_next.then(|| upper_first(&edited(&edits)))
    }
}
