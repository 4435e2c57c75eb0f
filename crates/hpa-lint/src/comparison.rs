//! The cluster's HPAs that rules compare the manifests with: those with `Needs::Comparison`, by `Cx::stored`.

use hpa_analysis::Assessment;
use std::sync::Arc;

use hpa_objects::recording::{Converted, InvalidField, Snapshot};

use super::LintInput;

impl LintInput {
    /// Attaches a cluster's HPA to the manifest with the same name, if there is one.
    pub fn attach_stored(&mut self, snapshot: &Snapshot) -> Result<(), InvalidField> {
        let stored = Arc::new(Assessment::new(
            snapshot.sync_input(&mut Converted::default())?,
        ));
        let hpa = &stored.observation.hpa;
        let known = self.place_of(&hpa.namespace, &hpa.name);
        if let Some(subject) = known.and_then(|index| self.hpas.get_mut(index)) {
            subject.stored = Some(stored);
        }
        Ok(())
    }
}
