//! What a page names in backticks, and the code that it quotes.

use regex::Regex;

/// A thing in the project that a page names.
#[derive(Debug)]
pub(crate) enum Reference {
    /// `cargo test --test NAME`.
    CargoTest(String),
    /// A CI command.
    Command(String),
    /// A file or folder.
    File(String),
    /// A lint of clippy.
    Lint(String),
    /// A test: `FILE::NAME`, below `tests`.
    Test {
        /// Such as `lint/runs`.
        file: String,
        /// Such as `nothing_is_lost`.
        name: String,
    },
    /// A type.
    Type(String),
}

/// The names in backticks in a text that can be looked up. Words in capitals are placeholders.
pub(crate) fn references(text: &str) -> Vec<Reference> {
    let ticked = Regex::new(r"`([^`\n]+)`").expect("a valid pattern");
    let test = Regex::new(r"^([a-z_]+(?:/[a-z_]+){0,2})::([a-z][a-z0-9_]{12,})$")
        .expect("a valid pattern");
    let file = Regex::new(r"^(?:src|crates|tests|docs|benches|examples|deploy|\.ci|\.github|\.cargo)/[\w./-]+$|^\w+\.(?:toml|md)$")
        .expect("a valid pattern");
    let lint = Regex::new(r"^[a-z]+(?:_[a-z]+)+$").expect("a valid pattern");
    let cargo_test = Regex::new(r"--test (\w+)").expect("a valid pattern");
    let mut found = Vec::new();
    for ticked in ticked.captures_iter(&without_blocks(text)) {
        let code = &ticked[1];
        let is_choice = ["FAMILY", "NAME", "VERSION", "FOLDER"]
            .iter()
            .any(|word| code.contains(word));
        if is_choice {
            continue;
        }
        if let Some(test) = test.captures(code) {
            found.push(Reference::Test {
                file: test[1].to_owned(),
                name: test[2].to_owned(),
            });
        } else if file.is_match(code) {
            found.push(Reference::File(code.to_owned()));
        } else if cargo_test.is_match(code) {
            for test in cargo_test.captures_iter(code) {
                found.push(Reference::CargoTest(test[1].to_owned()));
            }
        } else if code.starts_with("cargo check") {
            found.push(Reference::Command(code.to_owned()));
        } else if lint.is_match(code)
            && (code.starts_with("disallowed")
                || code.contains("arithmetic")
                || code.contains("conversions"))
        {
            found.push(Reference::Lint(code.to_owned()));
        } else if code.chars().all(char::is_alphabetic)
            && code.starts_with(char::is_uppercase)
            && code.contains(char::is_lowercase)
            && code != "Default"
        {
            found.push(Reference::Type(code.to_owned()));
        }
    }
    found
}

/// The code blocks of a page, each with the file that "In `FILE`" names before it, without the indentation of a list.
pub(crate) fn code_blocks(page: &str) -> Vec<(String, String)> {
    let named = Regex::new(r"\bIn `([\w./-]+)`").expect("a valid pattern");
    let mut blocks = Vec::new();
    let mut file = None;
    let mut open: Option<(usize, String)> = None;
    for line in page.lines() {
        let indent = line.len() - line.trim_start().len();
        let is_fence = line.trim_start().starts_with("```");
        if let Some((at, code)) = &mut open {
            if is_fence {
                let file: &Option<String> = &file;
                blocks.extend(file.clone().map(|file| (file, code.clone())));
                open = None;
            } else {
                code.push_str(line.get(*at..).unwrap_or_default());
                code.push('\n');
            }
        } else if is_fence {
            open = Some((indent, String::new()));
        } else if line.starts_with("## ") {
            file = None;
        } else if let Some(last) = named.captures_iter(line).last() {
            file = Some(last[1].to_owned());
        }
    }
    blocks
}

/// A page without its code blocks, whose backticks are no references.
fn without_blocks(text: &str) -> String {
    let mut is_code = false;
    let mut kept = String::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}
