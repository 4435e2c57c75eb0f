//! What the API server rejects in the manifest of an HPA, and what is then left to say about it.

use hpa_objects::manifest::validation::{
    DroppedField, Metadata, Rules, Violation, drop_disabled_fields, validate, validate_metadata,
};

use super::{Finding, Manifest, Severity, Undecodable, is_within, world::text_map};

/// What the API server rejects in the manifest of an HPA. Computed once for all rules; each reports a part of it.
#[derive(Debug, Default)]
pub struct Refused {
    /// Its messages, in its order; without those about values that it cannot even decode.
    pub violations: Vec<Violation>,
    /// `spec.minReplicas`.
    pub min_replicas: Option<i32>,
    /// The fields that it drops first.
    dropped: Vec<DroppedField>,
    /// The fields whose values cannot hold, in the shape of `autoscaling/v2`.
    fields: Vec<String>,
}

impl Refused {
    /// Has only the undecodable fields if the manifest cannot be decoded.
    pub(super) fn of(manifest: &Manifest, undecodable: &[&Undecodable], rules: Rules<'_>) -> Self {
        let undecodable = undecodable
            .iter()
            .filter(|one| one.severity == Severity::Error && is_within(&one.path, "spec"));
        // A quoted integer is read as one, so that this mistake does not hide others.
        let undecodable =
            undecodable.filter(|one| one.is_no_text || manifest.is_misread(&one.path));
        let bounds = ["spec.minReplicas", "spec.maxReplicas"].into_iter();
        let bounds = bounds.filter(|path| manifest.is_misread(path));
        let undecodable = undecodable.map(|one| whole_source(&one.path).to_owned());
        let unread: Vec<String> = undecodable.chain(bounds.map(str::to_owned)).collect();
        let Some(written) = manifest.defaulted.as_deref() else {
            return Self {
                fields: unread,
                ..Self::default()
            };
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
        violations.retain(|one| !unread.iter().any(|unread| is_within(&one.field, unread)));
        let mut refused = Self {
            min_replicas: spec.min_replicas,
            violations,
            dropped,
            fields: unread,
        };
        let of_violations = refused.violations.iter();
        let of_violations = of_violations.filter(|one| !refused.depends_on_gate(one));
        let fields: Vec<String> = of_violations.map(rejected_field).collect();
        refused.fields.extend(fields);
        refused
    }

    /// Whether a field is dropped.
    pub fn is_dropped(&self, field: &str) -> bool {
        self.dropped.iter().any(|one| one.field == field)
    }

    /// Whether a violation is only one because a feature gate is off.
    pub fn depends_on_gate(&self, violation: &Violation) -> bool {
        let is_zero = self.min_replicas == Some(0) && violation.field == "spec.minReplicas";
        is_zero || self.is_dropped(&violation.field)
    }

    /// Whether everything is accepted.
    pub(super) fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// Whether a finding is about a rejected field: what its value would do does not matter.
    pub(super) fn is_about_rejected(&self, finding: &Finding) -> bool {
        let labels = finding.labels.iter().map(|(path, _)| path);
        let mut paths = [&finding.path].into_iter().chain(labels);
        paths.any(|path| self.fields.iter().any(|field| is_within(path, field)))
    }
}

/// The field that a violation rejects. A reference without a kind or a name is rejected as a whole, and so is the zero
/// that `spec.metrics` do not allow.
fn rejected_field(violation: &Violation) -> String {
    match &*violation.field {
        "spec.metrics" => "spec.minReplicas".to_owned(),
        field => whole_reference(field).to_owned(),
    }
}

/// The metric that a field names the resource of; otherwise what it names an object in, or the field itself.
fn whole_source(field: &str) -> &str {
    match field.rsplit_once('.') {
        Some((source, "name" | "container"))
            if source.ends_with(".resource") || source.ends_with(".containerResource") =>
        {
            source
        }
        _ => whole_reference(field),
    }
}

/// The reference that a field names an object in; otherwise the field itself.
fn whole_reference(field: &str) -> &str {
    match field.rsplit_once('.') {
        Some((reference, "kind" | "name"))
            if reference.ends_with("scaleTargetRef") || reference.ends_with("describedObject") =>
        {
            reference
        }
        _ => field,
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
