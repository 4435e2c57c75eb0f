//! The tree has the values that kubectl reads. `kubectl_yaml.json` is recorded from kubectl's own decoder, by
//! `tests/cluster/kubectlyaml`.

use kubectl_hpa_yaml::{check_agreement, decode, parse};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Case {
    #[serde(default)]
    text: String,
    #[serde(default)]
    bytes: Vec<u8>,
    documents: Vec<Value>,
    #[serde(default)]
    error: String,
}

/// Texts that the linter reads differently from kubectl, and why. Manifests that work have none of this.
const DIFFERENCES: [(&str, &str); 15] = [
    ("a: [-]\n", "the parser is one of YAML 1.2"),
    ("a: \"\\/\"\n", "JSON has this escape, and YAML since 1.2"),
    ("- \"\\/\"\n", "JSON has this escape, and YAML since 1.2"),
    ("a: [\"\\/\"]\n", "JSON has this escape, and YAML since 1.2"),
    ("\"\\/\": 1\n", "JSON has this escape, and YAML since 1.2"),
    ("a: \"\\ud83c\\udf89\"\n", "JSON has this escape"),
    ("- \"\\ud83c\\udf89\"\n", "JSON has this escape"),
    ("a: [\"\\ud83c\\udf89\"]\n", "JSON has this escape"),
    ("\"\\ud83c\\udf89\": 1\n", "JSON has this escape"),
    ("...\n", "an empty document is no mistake"),
    ("[1, 2]\n[3]\n", "kubectl reads only the first part of it"),
    ("a: 1\n\t\nb: 2\n", "a blank line has no meaning"),
    ("a: x\u{85}y\n", "a line break up to YAML 1.1 only"),
    ("a: x\u{2028}y\n", "a line break up to YAML 1.1 only"),
    ("---a: 1\n", "it is a text to YAML"),
];

#[test]
fn the_tree_has_the_values_that_kubectl_reads() {
    let cases: Vec<Case> =
        serde_json::from_str(include_str!("kubectl_yaml.json")).expect("the vectors are JSON");
    assert!(cases.len() > 800);
    let mut wrong = Vec::new();
    for case in &cases {
        let bytes = if case.bytes.is_empty() {
            case.text.clone().into_bytes()
        } else {
            case.bytes.clone()
        };
        let text = decode(bytes).text;
        let found = parse(&text);
        let before: Vec<Value> = found
            .iter()
            .map_while(|document| Some(document.as_ref().ok()?.root.to_json()))
            .collect();
        let is_broken = found.iter().any(Result::is_err);
        let is_same = before.len() == case.documents.len()
            && before
                .iter()
                .zip(&case.documents)
                .all(|(one, other)| same(one, other))
            && is_broken != case.error.is_empty();
        let is_known = DIFFERENCES.iter().any(|(known, _)| *known == case.text);
        if is_same == is_known {
            let problem = found.iter().find_map(|document| document.as_ref().err());
            let problem = problem.map_or("", |error| &error.problem);
            wrong.push(format!(
                "{text:?}\n  kubectl: {} {}\n  tree:    {} {problem}",
                Value::from(case.documents.clone()),
                case.error,
                Value::from(before),
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        cases.len(),
        wrong.join("\n")
    );
}

/// No text that kubectl reads differently is fixed. Texts that kubectl refuses are another matter: the escape `\/`,
/// and a document that starts like a separator.
#[test]
fn what_kubectl_reads_differently_is_noticed() {
    let unnoticed: Vec<&str> = DIFFERENCES
        .iter()
        .map(|(text, _)| *text)
        .filter(|text| !text.contains("\\/") && parse(text).iter().all(Result::is_ok))
        .filter(|text| check_agreement(text).is_ok())
        .collect();
    assert_eq!(unnoticed, ["---a: 1\n"]);
}

/// Whether two values are equal, as 1000.0 and 1000 are.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            one == other || one.as_f64() == other.as_f64()
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .all(|(key, value)| other.get(key).is_some_and(|other| same(value, other)))
        }
        _ => one == other,
    }
}
