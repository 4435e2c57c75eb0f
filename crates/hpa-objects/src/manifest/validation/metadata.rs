//! The metadata: name, labels, annotations.

use std::collections::BTreeMap;

use hpa_engine::model::label_selector::{
    Wording, label_key_problems, label_value_problems, subdomain_problems,
};

use super::{Rules, Violation};

/// The metadata fields that the API server validates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    /// `name`. Empty if absent.
    pub name: String,
    /// `generateName`. Empty if absent.
    pub generate_name: String,
    /// `labels`.
    pub labels: BTreeMap<String, String>,
    /// `annotations`.
    pub annotations: BTreeMap<String, String>,
}

/// Checks the metadata. Upstream: `ValidateObjectMeta`, with names that are DNS subdomains.
pub fn validate_metadata(metadata: &Metadata, rules: Rules<'_>) -> Vec<Violation> {
    let wording = Wording::of(rules.config.version.value);
    let field = |name: &str| format!("metadata.{name}");
    let mut found = Vec::new();
    if !metadata.generate_name.is_empty() {
        let stem = metadata.generate_name.as_str();
        // A dash at the end will be followed by letters. Upstream: `maskTrailingDash`.
        let masked = match stem.strip_suffix('-') {
            Some(stem) if 1 < metadata.generate_name.len() => format!("{stem}a"),
            _ => stem.to_owned(),
        };
        for problem in subdomain_problems(&masked) {
            found.push(Violation::text(field("generateName"), stem, &problem));
        }
    }
    if metadata.name.is_empty() {
        if metadata.generate_name.is_empty() {
            let detail = "name or generateName is required";
            found.push(Violation::required(field("name"), detail));
        }
    } else {
        for problem in subdomain_problems(&metadata.name) {
            found.push(Violation::text(field("name"), &metadata.name, &problem));
        }
    }
    for (key, value) in &metadata.labels {
        for problem in label_key_problems(key, wording) {
            found.push(Violation::text(field("labels"), key, &problem));
        }
        for problem in label_value_problems(value, wording) {
            found.push(Violation::text(field("labels"), value, &problem));
        }
    }
    for key in metadata.annotations.keys() {
        for problem in label_key_problems(&key.to_lowercase(), wording) {
            found.push(Violation::text(field("annotations"), key, &problem));
        }
    }
    let annotations = metadata.annotations.iter();
    let size: usize = annotations
        .map(|(key, value)| key.len() + value.len())
        .sum();
    if MOST_BYTES_OF_ANNOTATIONS < size {
        let detail = format!("may not be more than {MOST_BYTES_OF_ANNOTATIONS} bytes");
        found.push(Violation::too_long(field("annotations"), &detail));
    }
    found
}

/// Upstream: `TotalAnnotationSizeLimitB`.
const MOST_BYTES_OF_ANNOTATIONS: usize = 256 * 1024;
