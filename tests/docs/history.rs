//! The page of `history` names every series that the code reads.
#![expect(clippy::unwrap_used, reason = "test code")]

use std::{collections::BTreeSet, fs, path::Path};

use hpa_history::NAMES;
use regex::Regex;

#[test]
fn page_names_and_allows_every_series_that_is_read() {
    let page = text_of(&root().join("docs/history.md"));
    let section = page.split("\n### Which series it reads\n").nth(1).unwrap();
    let section = section.split("\n### ").next().unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    // The last column names other things.
    let cells = rows.map(|row| row.split(" | ").next().unwrap());
    let code = Regex::new(r"`(\w+)`").unwrap();
    let named: BTreeSet<String> = cells
        .flat_map(|cell| code.captures_iter(cell))
        .map(|name| name[1].to_owned())
        .collect();
    assert_eq!(named, read());
    let patterns = section.split("```text\n").nth(1).unwrap();
    let patterns = patterns.split("\n```").next().unwrap();
    let patterns: Vec<Regex> = patterns
        .lines()
        .map(|pattern| Regex::new(&format!("^(?:{pattern})$")).unwrap())
        .collect();
    for name in &named {
        let is_allowed = patterns.iter().any(|pattern| pattern.is_match(name));
        assert!(is_allowed, "no pattern allows {name}");
    }
    for pattern in &patterns {
        let is_of_use = named.iter().any(|name| pattern.is_match(name));
        assert!(is_of_use, "{pattern} allows nothing that is read");
    }
}

/// The names of series in the code.
fn read() -> BTreeSet<String> {
    let literal = Regex::new(r#""((?:container|keda|kube)_[a-z_]+)""#).unwrap();
    let mut read = BTreeSet::new();
    for folder in ["crates/hpa-history/src", "src/commands/history"] {
        for file in fs::read_dir(root().join(folder)).unwrap() {
            let path = file.unwrap().path();
            assert!(path.is_file(), "not searched: {}", path.display());
            let code = text_of(&path);
            let names = literal.captures_iter(&code);
            read.extend(names.map(|name| name[1].to_owned()));
        }
    }
    for one in NAMES {
        assert!(read.contains(one.name), "not found: {}", one.name);
    }
    read
}

/// The text of a file, with Unix line endings.
fn text_of(path: &Path) -> String {
    fs::read_to_string(path).unwrap().replace("\r\n", "\n")
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
