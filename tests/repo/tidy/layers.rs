//! Modules point inward within a package, which the compiler does not check, and pure code does no I/O.

use regex::Regex;

use super::{assert_none, texts};

/// The pure modules.
const PURE: [&str; 10] = [
    "crates/hpa-engine/src/engine/",
    "crates/hpa-engine/src/model/",
    "crates/hpa-engine/src/trace/",
    "crates/hpa-analysis/src/",
    "crates/hpa-diagnosis/src/",
    "crates/hpa-explain/src/",
    "crates/hpa-history/src/",
    "crates/hpa-simulation/src/",
    "crates/hpa-watch/src/",
    "crates/hpa-words/src/",
];

/// What the pure modules may use in a package that they share with others.
const LAYERS: [(&str, &[&str]); 2] = [
    ("crates/hpa-engine/src/model/", &["model"]),
    ("crates/hpa-engine/src/trace/", &["model", "trace"]),
];

#[test]
fn pure_modules_use_only_pure_modules() {
    let mut found = Vec::new();
    for (folder, allowed) in LAYERS {
        for (path, code) in code_in(folder) {
            for used in first_segments(&code, "crate") {
                if !allowed.contains(&used.as_str()) && used.starts_with(char::is_lowercase) {
                    found.push(format!("{path}: crate::{used}"));
                }
            }
        }
    }
    assert_none("uses that point outward", &found);
}

#[test]
fn pure_modules_do_no_input_and_output() {
    let modules = ["env", "fs", "io", "net", "process", "thread", "time"];
    assert_none("input and output in pure modules", &of_std(&PURE, &modules));
}

/// The linter's modules may use serde and threads, but they get their input as arguments.
#[test]
fn the_linter_reads_no_file_clock_or_environment() {
    let folders = ["crates/hpa-lint/src/", "crates/kubectl-hpa-yaml/src/"];
    let mut found = of_std(&folders, &["env", "fs", "io", "net", "process", "time"]);
    for (path, code) in folders.into_iter().flat_map(code_in) {
        if code.contains("::now()") {
            found.push(format!("{path}: asks for the time"));
        }
    }
    assert_none("input and output in the linter", &found);
}

/// Where some folders name these modules of the standard library.
fn of_std(folders: &[&str], modules: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for (path, code) in folders.iter().flat_map(|folder| code_in(folder)) {
        for used in first_segments(&code, "std") {
            if modules.contains(&used.as_str()) {
                found.push(format!("{path}: std::{used}"));
            }
        }
    }
    found
}

#[test]
fn pure_modules_deny_what_clippy_lists() {
    let mut found = Vec::new();
    for folder in PURE {
        // A package of one module has it in its `lib.rs`.
        let root = if folder.ends_with("/src/") {
            "lib.rs"
        } else {
            "mod.rs"
        };
        let path = format!("{folder}{root}");
        for (_, text) in texts(&path, root) {
            let denied: String = text
                .lines()
                .filter(|line| line.starts_with("#![deny("))
                .collect();
            let mut expected = vec!["disallowed_methods", "disallowed_types"];
            if folder.ends_with("/engine/") {
                expected.extend(["arithmetic_side_effects", "as_conversions"]);
            }
            expected.retain(|lint| !denied.contains(&format!("clippy::{lint}")));
            found.extend(
                expected
                    .into_iter()
                    .map(|lint| format!("{path}: clippy::{lint}")),
            );
        }
        for (path, text) in texts(folder, ".rs") {
            if text.contains("allow(clippy::disallowed")
                || text.contains("expect(clippy::disallowed")
            {
                found.push(format!("{path}: makes an exception"));
            }
        }
    }
    assert_none("lints that a pure module does not deny", &found);
}

#[test]
fn first_segments_of_a_tree_are_found() {
    let code = "use crate::{a::{b, c}, d::E, f}; crate::g::h(); notcrate::i";
    assert_eq!(first_segments(code, "crate"), ["a", "d", "f", "g"]);
}

/// Paths and code of the files of a folder, without comments, texts and tests.
fn code_in(folder: &str) -> Vec<(String, String)> {
    let noise = Regex::new(r#"//[^\n]*|"(?:\\(?s:.)|[^"\\])*""#).expect("a valid pattern");
    let files = texts(folder, ".rs");
    assert!(!files.is_empty(), "{folder} is somewhere else");
    files
        .into_iter()
        .filter(|(path, _)| !path.ends_with("/tests.rs") && !path.contains("/tests/"))
        .map(|(path, text)| {
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            (path, noise.replace_all(code, "").into_owned())
        })
        .collect()
}

/// The names that follow `root::` directly, or as the branches of a `use` tree.
fn first_segments(code: &str, root: &str) -> Vec<String> {
    let start = Regex::new(&format!(r"\b{root}::(\{{|\w+)")).expect("a valid pattern");
    let mut segments = Vec::new();
    for found in start.captures_iter(code) {
        let (whole, first) = (found.get(0).expect("the match"), &found[1]);
        if first == "{" {
            segments.extend(branches(&code[whole.end()..]));
        } else {
            segments.push(first.to_owned());
        }
    }
    segments
}

/// The first name of each branch of a `use` tree whose opening brace has been read.
fn branches(tree: &str) -> Vec<String> {
    let (mut names, mut depth, mut name, mut fresh) = (Vec::new(), 0, String::new(), true);
    for character in tree.chars() {
        match character {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => fresh = true,
            _ if depth == 0 && fresh && (character.is_alphanumeric() || character == '_') => {
                name.push(character);
                continue;
            }
            _ => {}
        }
        if !name.is_empty() {
            names.push(std::mem::take(&mut name));
            fresh = character == ',';
        }
    }
    names.extend((!name.is_empty()).then_some(name));
    names
}
