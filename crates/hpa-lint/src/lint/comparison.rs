//! Manifests next to what a cluster has of the same name.

use super::{LintInput, same_namespace};
use crate::{
    assessing::assess,
    recording::{InvalidField, Snapshot},
};

impl LintInput {
    /// Adds what a cluster has of one HPA to the manifest of that name, if there is one.
    pub fn compare_with(&mut self, snapshot: &Snapshot) -> Result<(), InvalidField> {
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
