//! Sizes, first lines and words of source files.

use super::{assert_none, project_files, text_of, texts};

#[test]
fn every_rust_file_opens_with_its_documentation() {
    let found: Vec<_> = rust_files()
        .into_iter()
        .filter(|(_, text)| !text.starts_with("//! "))
        .map(|(path, _)| path)
        .collect();
    assert_none("files that do not open with `//!`", &found);
}

#[test]
fn source_files_are_short_enough_to_read() {
    let found: Vec<_> = ["src/", "crates/"]
        .into_iter()
        .flat_map(|folder| texts(folder, ".rs"))
        .filter(|(_, text)| 600 < text.lines().count())
        .map(|(path, text)| format!("{path}: {} lines, at most 600", text.lines().count()))
        .collect();
    assert_none("files to split", &found);
    for (page, limit) in [("docs/dev/ARCHITECTURE.md", 150), ("CONTRIBUTING.md", 110)] {
        let lines = text_of(page).lines().count();
        assert!(lines <= limit, "{page}: {lines} lines, at most {limit}");
    }
}

#[test]
fn nothing_is_left_for_later() {
    let words = [
        concat!("TO", "DO"),
        concat!("FIX", "ME"),
        concat!("XX", "X"),
        concat!("to", "do!"),
        concat!("unimple", "mented!"),
        concat!("#[ig", "nore"),
        concat!("should_", "panic"),
        concat!("allow(dead", "_code)"),
    ];
    let mut found = Vec::new();
    for (path, text) in rust_files() {
        for (line, number) in text.lines().zip(1..) {
            for word in words.iter().filter(|word| line.contains(**word)) {
                found.push(format!("{path}:{number}: {word}"));
            }
        }
    }
    assert_none("things left for later", &found);
}

#[test]
fn tests_are_named_as_sentences() {
    let prefix = concat!("fn te", "st_");
    let mut found = Vec::new();
    for (path, text) in rust_files() {
        for (line, number) in text.lines().zip(1..) {
            if line.contains(prefix) {
                found.push(format!("{path}:{number}: {}", line.trim()));
            }
        }
    }
    assert_none("tests named `test_…`", &found);
}

#[test]
fn no_file_names_a_folder_of_one_machine() {
    let folders = [
        concat!("/wo", "rk/"),
        concat!("/ro", "ot/"),
        concat!("/ho", "me/"),
    ];
    let mut found = Vec::new();
    for file in project_files() {
        for (line, number) in file.text.as_deref().unwrap_or_default().lines().zip(1..) {
            if folders.iter().any(|folder| names_folder(line, folder)) {
                found.push(format!("{}:{number}: {}", file.path, line.trim()));
            }
        }
    }
    assert_none("paths of one machine", &found);
}

/// Whether an absolute path in `line` starts with `folder`: `(/srv/x` does for `/srv/`, `docs/srv/x` doesn't.
fn names_folder(line: &str, folder: &str) -> bool {
    line.match_indices(folder).any(|(at, _)| {
        !line[..at].ends_with(|before: char| before.is_alphanumeric() || "._-}".contains(before))
    })
}

fn rust_files() -> Vec<(String, String)> {
    ["src/", "crates/", "tests/", "benches/", "examples/"]
        .into_iter()
        .flat_map(|folder| texts(folder, ".rs"))
        .collect()
}
