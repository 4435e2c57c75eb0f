//! What the API server rejects in the manifest of an HPA.

use super::{Manifest, world::text_map};
use crate::manifest::validation::{
    DroppedField, Metadata, Rules, Violation, drop_disabled_fields, validate, validate_metadata,
};

/// What the API server rejects in the manifest of an HPA. Computed once for all rules; each reports a part of it.
#[derive(Debug, Default)]
pub struct Refused {
    /// Its messages, in its order.
    pub violations: Vec<Violation>,
    /// `spec.minReplicas`.
    pub min_replicas: Option<i32>,
    /// The fields that it drops first.
    dropped: Vec<DroppedField>,
}

impl Refused {
    /// Empty if the manifest cannot be decoded.
    pub(super) fn of(manifest: &Manifest, rules: Rules<'_>) -> Self {
        let Some(written) = manifest.defaulted.as_deref() else {
            return Self::default();
        };
        let mut spec = written.clone();
        let is_stored = manifest.object.origin.is_none();
        let rules = Rules {
            // A cluster's HPA was accepted once, and some rules exempt existing values.
            old: is_stored.then_some(written),
            ..rules
        };
        let dropped = drop_disabled_fields(&mut spec, rules);
        let mut violations = if is_stored {
            Vec::new()
        } else {
            validate_metadata(&metadata(manifest), rules)
        };
        violations.extend(validate(&spec, rules));
        Self {
            violations,
            min_replicas: spec.min_replicas,
            dropped,
        }
    }

    /// Whether a field is dropped.
    pub fn is_dropped(&self, field: &str) -> bool {
        self.dropped.iter().any(|one| one.field == field)
    }
}

fn metadata(manifest: &Manifest) -> Metadata {
    let object = &manifest.source;
    Metadata {
        name: object.name().to_owned(),
        generate_name: object.text("metadata.generateName").to_owned(),
        labels: text_map(object.node.at("metadata.labels")),
        annotations: text_map(object.node.at("metadata.annotations")),
    }
}
