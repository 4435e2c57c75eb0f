//! Every function of the controller that the code names exists there.

use std::collections::BTreeSet;

use regex::Regex;

use super::{assert_none, text_of, texts};

#[test]
fn every_upstream_function_exists() {
    let listed = text_of("tests/upstream_functions.txt");
    let listed: BTreeSet<_> = listed
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| Some(line.rsplit_once(' ')?.0))
        .collect();
    let constructors = constructors();
    let call = Regex::new(r"Upstream::(\w+)\(").expect("a valid pattern");
    let literal = Regex::new(r#""([^"]*)""#).expect("a valid pattern");
    let (mut named, mut unknown) = (0, Vec::new());
    for (path, text) in texts("crates/", ".rs") {
        for found in call.captures_iter(&text) {
            let Some((_, file)) = constructors.iter().find(|(name, _)| *name == found[1]) else {
                continue;
            };
            let arguments = until_closing(&text[found.get(0).expect("the match").end()..]);
            for function in literal.captures_iter(arguments) {
                let entry = format!("{file} {}", &function[1]);
                named += 1;
                if !listed.contains(entry.as_str()) {
                    unknown.push(format!("{path}: {entry}"));
                }
            }
        }
    }
    assert_none(
        "functions that are not in tests/upstream_functions.txt",
        &unknown,
    );
    assert!(0 < named, "no function found: has `Upstream` changed?");
}

#[test]
fn upstream_is_made_by_its_constructors_only() {
    let by_hand = Regex::new(r"\bUpstream \{\s*f(ile|unction)\b").expect("a valid pattern");
    let found: Vec<_> = texts("crates/", ".rs")
        .into_iter()
        .filter(|(path, text)| path != DECLARATION && by_hand.is_match(text))
        .map(|(path, _)| path)
        .collect();
    assert_none("files that make an `Upstream` by hand", &found);
}

/// Constructors of `Upstream`, each with its upstream file.
fn constructors() -> Vec<(String, String)> {
    let text = text_of(DECLARATION);
    let constructor = Regex::new(r#"const fn (\w+)\(function[^{]*\{\s*Self \{\s*file: "([^"]*)""#)
        .expect("a valid pattern");
    constructor
        .captures_iter(&text)
        .map(|found| (found[1].to_owned(), found[2].to_owned()))
        .collect()
}

/// `text` up to the parenthesis that closes one opened before.
fn until_closing(text: &str) -> &str {
    let mut depth = 0;
    for (at, character) in text.char_indices() {
        match character {
            '(' => depth += 1,
            ')' if depth == 0 => return &text[..at],
            ')' => depth -= 1,
            _ => {}
        }
    }
    text
}

const DECLARATION: &str = "crates/hpa-engine/src/trace/upstream.rs";
