//! Quantities and label selectors compared with the real Go code.

use std::{
    collections::BTreeSet,
    fs::File,
    io::{BufRead, BufReader},
    path::Path,
};

use flate2::bufread::GzDecoder;
use hpa_engine::model::quantity::Overflow;
use serde::de::DeserializeOwned;

use crate::go::{quantity, selector};

/// Number of texts with differences to print; the rest is only counted.
const MOST_LISTED: usize = 10;

#[test]
fn quantities_are_read_converted_and_printed_as_go_does() {
    check("quantity", 20_000, |vector: &quantity::Vector| {
        let differences = quantity::differences(vector, Overflow::Wrap);
        (vector.input.clone(), differences)
    });
}

/// What a decision can depend on, in Kubernetes 1.38. How numbers of more than 29 digits are written is not modeled.
#[test]
fn integers_and_order_of_quantities_are_those_of_go_in_1_38() {
    check("quantity-1.38", 20_000, |vector: &quantity::Vector| {
        let differences = quantity::differences(vector, Overflow::Saturate);
        (vector.input.clone(), differences)
    });
}

#[test]
fn selectors_are_read_matched_and_printed_as_go_does() {
    check("selector", 20_000, |vector: &selector::Vector| {
        (vector.input.clone(), selector::differences(vector))
    });
}

#[test]
fn requirements_on_the_same_label_stand_in_the_order_that_go_sorts_them_to() {
    check("crowd", 200, |vector: &selector::Vector| {
        (vector.input.clone(), selector::differences(vector))
    });
}

/// Checks that no vector of this kind has differences, and that there are at least `count`, each with another text.
fn check<T: DeserializeOwned>(
    kind: &str,
    count: usize,
    compare: impl Fn(&T) -> (String, Vec<String>),
) {
    let (mut inputs, mut wrong) = (BTreeSet::new(), Vec::new());
    for vector in vectors(kind) {
        let (input, differences) = compare(&vector);
        if !differences.is_empty() {
            wrong.push(format!("{input:?}\n{}", differences.join("\n")));
        }
        inputs.insert(input);
    }
    assert!(inputs.len() >= count, "only {} texts", inputs.len());
    let displayed = &wrong[..wrong.len().min(MOST_LISTED)];
    assert!(
        wrong.is_empty(),
        "{} differ, the first:\n{}",
        wrong.len(),
        displayed.join("\n")
    );
}

/// All vectors of one kind.
fn vectors<T: DeserializeOwned>(kind: &str) -> impl Iterator<Item = T> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance");
    let file = File::open(folder.join(format!("{kind}.jsonl.gz"))).unwrap();
    let lines = BufReader::new(GzDecoder::new(BufReader::new(file))).lines();
    lines.map(|line| serde_json::from_str(&line.unwrap()).unwrap())
}
