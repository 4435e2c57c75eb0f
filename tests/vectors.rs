//! Quantities and label selectors against what the real Go code makes of them.
#![cfg(feature = "cli")]
#![expect(clippy::unwrap_used, reason = "test code")]

use std::{
    collections::BTreeMap,
    fmt::Debug,
    fs::File,
    io::{BufRead, BufReader},
    path::Path,
};

use flate2::bufread::GzDecoder;
use kubectl_hpa::model::{
    Quantity, Selector,
    label_selector::Wording,
    quantity::{Format, Overflow},
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::value::RawValue;

/// Differences to print before the rest is only counted.
const SHOWN: usize = 10;

/// The vectors' release, apimachinery 0.36.
const WORDING: Wording = Wording {
    says_bytes: true,
    lists_as_json: true,
};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct QuantityVector {
    input: String,
    error: Option<String>,
    canonical: Option<String>,
    value: i64,
    milli_value: i64,
    /// Kept as text, because the reader of numbers is not exact.
    approximate_float64: Box<RawValue>,
    format: Option<String>,
}

#[derive(Deserialize)]
struct SelectorVector {
    input: String,
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

#[test]
fn quantities_are_read_converted_and_printed_as_go_does() {
    let mut differences = Differences::default();
    for vector in vectors::<QuantityVector>("quantity", 7_995) {
        let input = &vector.input;
        let quantity = Quantity::parse(input);
        if vector.error.is_some() || quantity.is_err() {
            differences.check(
                input,
                "is an error",
                vector.error.is_some(),
                quantity.is_err(),
            );
            continue;
        }
        let quantity = quantity.unwrap();
        let format = match quantity.format() {
            Format::BinarySI => "BinarySI",
            Format::DecimalExponent => "DecimalExponent",
            Format::DecimalSI => "DecimalSI",
        };
        let float: f64 = vector.approximate_float64.get().parse().unwrap();
        differences.check(
            input,
            "canonical",
            vector.canonical.unwrap(),
            quantity.to_string(),
        );
        differences.check(input, "value", vector.value, quantity.value(Overflow::Wrap));
        differences.check(
            input,
            "milli",
            vector.milli_value,
            quantity.milli_value(Overflow::Wrap),
        );
        differences.check(
            input,
            "float",
            float.to_bits(),
            quantity.approximate_f64().to_bits(),
        );
        differences.check(input, "format", vector.format.unwrap().as_str(), format);
    }
    differences.report();
}

#[test]
fn selectors_are_read_matched_and_printed_as_go_does() {
    let mut differences = Differences::default();
    for vector in vectors::<SelectorVector>("selector", 4_000) {
        let input = &vector.input;
        let selector = Selector::parse(input, WORDING);
        let error = selector.as_ref().err().map(ToString::to_string);
        differences.check(input, "error", vector.error, error);
        let Ok(selector) = selector else { continue };
        differences.check(input, "canonical", vector.canonical, selector.to_string());
        differences.check(input, "empty", vector.empty, selector.is_empty());
        for (labels, matches) in [(vector.matches, true), (vector.differs, false)] {
            for labels in labels {
                let what = format!("matches {labels:?}");
                differences.check(input, &what, matches, selector.matches(&labels));
            }
        }
    }
    differences.report();
}

/// The first differences in words, and how many there are.
#[derive(Default)]
struct Differences {
    count: usize,
    shown: Vec<String>,
}

impl Differences {
    #[expect(clippy::needless_pass_by_value, reason = "callers have temporaries")]
    fn check<T: PartialEq + Debug>(&mut self, input: &str, what: &str, wanted: T, found: T) {
        if wanted == found {
            return;
        }
        self.count += 1;
        if self.count <= SHOWN {
            self.shown.push(format!(
                "{input:?} {what}:\n    Go   {wanted:?}\n    here {found:?}"
            ));
        }
    }

    fn report(&self) {
        let Self { count, shown } = self;
        assert!(
            shown.is_empty(),
            "{count} differences, the first:\n{}",
            shown.join("\n")
        );
    }
}

/// All vectors of one kind.
fn vectors<T: DeserializeOwned>(kind: &str, wanted_count: usize) -> Vec<T> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance");
    let file = File::open(folder.join(format!("{kind}.jsonl.gz"))).unwrap();
    let lines = BufReader::new(GzDecoder::new(BufReader::new(file))).lines();
    let vectors: Vec<T> = lines
        .map(|line| serde_json::from_str(&line.unwrap()).unwrap())
        .collect();
    assert_eq!(vectors.len(), wanted_count, "vectors of {kind}");
    vectors
}
