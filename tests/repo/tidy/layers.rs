//! The pure modules point inward only, and name nothing that does I/O.

use regex::Regex;

use super::{assert_none, texts};

/// The pure modules, and what each may use of this crate.
const PURE: [(&str, &[&str]); 7] = [
    ("model", &["model"]),
    ("trace", &["model", "trace"]),
    ("engine", &["engine", "model", "trace"]),
    ("inference", &["engine", "inference", "model", "trace"]),
    (
        "explain",
        &["engine", "explain", "inference", "model", "trace"],
    ),
    (
        "learn",
        &["engine", "explain", "inference", "learn", "model", "trace"],
    ),
    (
        "watch",
        &["engine", "explain", "inference", "model", "trace", "watch"],
    ),
];

/// Crates and modules of the standard library that do I/O or belong to those that do.
const OUTSIDE: [&str; 13] = [
    "anstream",
    "anyhow",
    "clap",
    "futures",
    "http",
    "k8s_openapi",
    "kube",
    "owo_colors",
    "schemars",
    "serde",
    "serde_json",
    "serde_saphyr",
    "tokio",
];

#[test]
fn pure_modules_use_only_pure_modules() {
    let mut found = Vec::new();
    for (module, allowed) in PURE {
        for (path, code) in code_of(module) {
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
    let identifiers = Regex::new(r"\w+").expect("a valid pattern");
    let mut found = Vec::new();
    for (module, _) in PURE {
        for (path, code) in code_of(module) {
            for used in first_segments(&code, "std") {
                if ["env", "fs", "io", "net", "process", "thread", "time"].contains(&used.as_str())
                {
                    found.push(format!("{path}: std::{used}"));
                }
            }
            for word in identifiers.find_iter(&code) {
                if OUTSIDE.contains(&word.as_str()) {
                    found.push(format!("{path}: {}", word.as_str()));
                }
            }
        }
    }
    assert_none("input and output in pure modules", &found);
}

/// What the linter is made of may be decoded and run on threads, but its input is handed to it.
#[test]
fn the_linter_reads_no_file_clock_or_environment() {
    let outside = [
        "anstream", "anyhow", "clap", "futures", "http", "kube", "tokio",
    ];
    let mut found = Vec::new();
    for folder in [
        "crates/hpa-lint/src/lint/",
        "crates/hpa-lint/src/rules/",
        "crates/kubectl-hpa-yaml/src/",
    ] {
        let files = code_in(folder);
        assert!(files.len() > 5, "{folder} is somewhere else");
        for (path, code) in files {
            for used in first_segments(&code, "std") {
                if ["env", "fs", "io", "net", "process", "time"].contains(&used.as_str()) {
                    found.push(format!("{path}: std::{used}"));
                }
            }
            for used in first_segments(&code, "crate") {
                if ["cli", "cluster", "commands", "render"].contains(&used.as_str()) {
                    found.push(format!("{path}: crate::{used}"));
                }
            }
            for krate in outside {
                if code.contains(&format!("use {krate}::")) || code.contains(&format!(" {krate}::"))
                {
                    found.push(format!("{path}: {krate}"));
                }
            }
            if code.contains("::now()") {
                found.push(format!("{path}: asks for the time"));
            }
        }
    }
    assert_none("input and output in the linter", &found);
}

#[test]
fn pure_modules_deny_what_clippy_lists() {
    let mut found = Vec::new();
    for (module, _) in PURE {
        let path = format!("{}mod.rs", folder_of(module));
        for (_, text) in texts(&path, "mod.rs") {
            let denied: String = text
                .lines()
                .filter(|line| line.starts_with("#![deny("))
                .collect();
            let mut wanted = vec!["disallowed_methods", "disallowed_types"];
            if module == "engine" {
                wanted.extend(["arithmetic_side_effects", "as_conversions"]);
            }
            wanted.retain(|lint| !denied.contains(&format!("clippy::{lint}")));
            found.extend(
                wanted
                    .into_iter()
                    .map(|lint| format!("{path}: clippy::{lint}")),
            );
        }
        for (path, text) in texts(&folder_of(module), ".rs") {
            if text.contains("allow(clippy::disallowed")
                || text.contains("expect(clippy::disallowed")
            {
                found.push(format!("{path}: makes an exception"));
            }
        }
    }
    assert_none("lints that a pure module doesn't deny", &found);
}

#[test]
fn first_segments_of_a_tree_are_found() {
    let code = "use crate::{a::{b, c}, d::E, f}; crate::g::h(); notcrate::i";
    assert_eq!(first_segments(code, "crate"), ["a", "d", "f", "g"]);
}

/// Paths and code of a module's files, without comments, texts and tests.
fn code_of(module: &str) -> Vec<(String, String)> {
    code_in(&folder_of(module))
}

/// Where a module is: some are in packages of their own.
fn folder_of(module: &str) -> String {
    match module {
        "engine" | "model" | "trace" => format!("crates/hpa-engine/src/{module}/"),
        "inference" => format!("crates/hpa-analysis/src/{module}/"),
        "explain" | "learn" => format!("crates/hpa-explain/src/{module}/"),
        _ => format!("src/{module}/"),
    }
}

/// The same of all files of a folder.
fn code_in(folder: &str) -> Vec<(String, String)> {
    let noise = Regex::new(r#"//[^\n]*|"(?:\\(?s:.)|[^"\\])*""#).expect("a valid pattern");
    texts(folder, ".rs")
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
