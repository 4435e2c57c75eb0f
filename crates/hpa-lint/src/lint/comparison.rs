//! Manifests next to what a cluster has of the same name.

use jiff::Timestamp;

use super::{LintInput, same_namespace};
use crate::{assessing::assess, manifest, recording::Snapshot};

impl LintInput {
    /// Adds what a cluster has of the HPAs whose manifests are linted, to be compared with: snapshots, or what
    /// `kubectl get hpa,deploy,pods -o yaml` prints. HPAs that no manifest is about are left out. `now` is the moment if
    /// the objects have no times.
    pub fn add_stored(
        &mut self,
        name: &str,
        text: &str,
        now: Timestamp,
    ) -> Result<(), manifest::ManifestError> {
        for snapshot in manifest::read(text.as_bytes(), name, now)? {
            self.compare_with(&snapshot)
                .map_err(|field| manifest::ManifestError::Document {
                    file: name.to_owned(),
                    document: 1,
                    problem: field.to_string(),
                })?;
        }
        Ok(())
    }

    /// Adds what a cluster has of one HPA to the manifest of that name, if there is one.
    pub fn compare_with(
        &mut self,
        snapshot: &Snapshot,
    ) -> Result<(), crate::recording::InvalidField> {
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
