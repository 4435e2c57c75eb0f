//! The cluster's HPAs that rules compare the manifests with: those with `Needs::Comparison`, by `Cx::stored`.

use super::{LintInput, same_namespace};
use crate::{
    assessing::assess,
    recording::{InvalidField, Snapshot},
};

impl LintInput {
    /// Attaches a cluster's HPA to the manifest with the same name, if there is one.
    pub fn attach_stored(&mut self, snapshot: &Snapshot) -> Result<(), InvalidField> {
        let stored = Box::new(assess(snapshot)?);
        let hpa = &stored.observation.hpa;
        let subject = self.hpas.iter_mut().find(|subject| {
            subject.name() == hpa.name && same_namespace(subject.namespace(), &hpa.namespace)
        });
        if let Some(subject) = subject {
            subject.stored = Some(stored);
        }
        Ok(())
    }
}
