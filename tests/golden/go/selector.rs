//! How Go reads a text that may be a label selector.

use std::collections::BTreeMap;

use hpa_engine::model::{Selector, label_selector::Wording};
use serde::Deserialize;

use super::differ;

/// The vectors' release, apimachinery 0.36.
const WORDING: Wording = Wording {
    has_bytes_wording: true,
    lists_as_json: true,
    has_label_selector_wording: true,
};

/// How Go reads a text.
#[derive(Deserialize)]
pub struct Vector {
    /// The text.
    pub input: String,
    error: Option<String>,
    #[serde(default)]
    canonical: String,
    #[serde(default)]
    empty: bool,
    #[serde(default)]
    matches: Vec<BTreeMap<String, String>>,
    #[serde(default)]
    differs: Vec<BTreeMap<String, String>>,
}

/// The differences between this crate's result and Go's.
pub fn differences(vector: &Vector) -> Vec<String> {
    let mut found = Vec::new();
    let selector = Selector::parse(&vector.input, WORDING);
    let error = selector.as_ref().err().map(ToString::to_string);
    differ("error", vector.error.as_ref(), error.as_ref(), &mut found);
    let Ok(selector) = selector else { return found };
    if vector.error.is_some() {
        return found;
    }
    differ(
        "canonical",
        &vector.canonical,
        &selector.to_string(),
        &mut found,
    );
    differ("empty", vector.empty, selector.is_empty(), &mut found);
    for (sets, matches) in [(&vector.matches, true), (&vector.differs, false)] {
        for labels in sets {
            let what = format!("matches {labels:?}");
            differ(&what, matches, selector.matches(labels), &mut found);
        }
    }
    found
}
