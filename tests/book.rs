//! The book has every page of the documentation.
#![expect(clippy::unwrap_used, reason = "test code")]

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use pulldown_cmark::{Event, Parser, Tag};

#[test]
fn every_page_is_in_the_contents_once_and_nothing_else_is() {
    let mut listed = Vec::new();
    for event in Parser::new(&text_of("docs/SUMMARY.md")) {
        if let Event::Start(Tag::Link { dest_url, .. }) = event {
            listed.push(dest_url.into_string());
        }
    }
    let once: BTreeSet<_> = listed.iter().cloned().collect();
    assert_eq!(once.len(), listed.len(), "a page is listed twice");
    let mut pages = pages_of_the_book();
    pages.remove("SUMMARY.md");
    let missing: Vec<_> = pages.difference(&once).collect();
    let gone: Vec<_> = once.difference(&pages).collect();
    assert!(missing.is_empty(), "not in docs/SUMMARY.md: {missing:?}");
    assert!(gone.is_empty(), "in docs/SUMMARY.md, but no page: {gone:?}");
}

/// The Markdown files below docs, as `docs/SUMMARY.md` names them.
fn pages_of_the_book() -> BTreeSet<String> {
    let docs = root().join("docs");
    let mut pages = BTreeSet::new();
    let mut folders = vec![docs.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                let page = path.strip_prefix(&docs).unwrap().to_str().unwrap();
                pages.insert(page.replace('\\', "/"));
            }
        }
    }
    pages
}

fn text_of(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}
