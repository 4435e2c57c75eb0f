//! What Go makes of a text that may be a label selector.

use std::collections::BTreeMap;

use kubectl_hpa::model::{Selector, label_selector::Wording};
use serde::Deserialize;

use super::differ;

/// The vectors' release, apimachinery 0.36.
const WORDING: Wording = Wording {
    says_bytes: true,
    lists_as_json: true,
};

/// What Go makes of a text.
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

/// What is made of the text here and not by Go.
pub fn differences(vector: &Vector) -> Vec<String> {
    let mut found = Vec::new();
    let selector = Selector::parse(&vector.input, WORDING);
    let error = selector.as_ref().err().map(ToString::to_string);
    differ("error", vector.error.as_ref(), error.as_ref(), &mut found);
    let Ok(selector) = selector else { return found };
    if vector.error.is_some() {
        return found;
    }
    let canonical = selector.to_string();
    let (go, here) = (
        Requirements::of(&vector.canonical),
        Requirements::of(&canonical),
    );
    if go.keys.len() > STABLY_SORTED {
        differ("requirements", go, here, &mut found);
    } else {
        differ("canonical", &vector.canonical, &canonical, &mut found);
    }
    differ("empty", vector.empty, selector.is_empty(), &mut found);
    for (sets, matches) in [(&vector.matches, true), (&vector.differs, false)] {
        for labels in sets {
            let what = format!("matches {labels:?}");
            differ(&what, matches, selector.matches(labels), &mut found);
        }
    }
    found
}

/// Go sorts requirements by their keys, and `sort.Sort` keeps the order of equal keys only by an insertion sort, which it takes
/// for so many items at most; of more, their order is whatever this release of Go makes of it.
const STABLY_SORTED: usize = 12;

/// A canonical form but for the order of requirements with equal keys.
#[derive(Debug, PartialEq)]
struct Requirements<'a> {
    /// The keys, in the order of the form.
    keys: Vec<&'a str>,
    /// The requirements, in the order of their texts.
    sorted: Vec<&'a str>,
}

impl<'a> Requirements<'a> {
    fn of(canonical: &'a str) -> Self {
        let mut is_in_list = false;
        let mut sorted: Vec<&str> = canonical
            .split(|letter| {
                is_in_list = letter == '(' || is_in_list && letter != ')';
                letter == ',' && !is_in_list
            })
            .collect();
        let key = |requirement: &'a str| {
            let positive = requirement.trim_start_matches('!');
            positive.split([' ', '=', '!', '<', '>']).next()
        };
        let keys = sorted
            .iter()
            .filter_map(|requirement| key(requirement))
            .collect();
        sorted.sort_unstable();
        Self { keys, sorted }
    }
}
