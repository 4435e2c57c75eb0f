//! Every link from one file of the project to another leads somewhere.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Component, Path},
};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use regex::Regex;

use super::{assert_none, project_files, texts};

#[test]
fn every_local_link_in_markdown_resolves() {
    let files: BTreeSet<_> = project_files().into_iter().map(|file| file.path).collect();
    let pages: BTreeMap<_, _> = texts("", ".md")
        .into_iter()
        .map(|(path, text)| (path, Page::read(&text)))
        .collect();
    let mut broken = Vec::new();
    for (path, page) in &pages {
        for link in &page.links {
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => path.clone(),
                _ if path.starts_with(RULES) => resolve("docs/rules/README.md", file),
                _ => resolve(path, file),
            };
            let folder = format!("{target}/");
            if !files.contains(&target) && !files.iter().any(|file| file.starts_with(&folder)) {
                broken.push(format!("{path}: {link}"));
            } else if !anchor.is_empty()
                && !pages
                    .get(&target)
                    .is_some_and(|page| page.anchors.contains(anchor))
            {
                broken.push(format!("{path}: {link} (no such heading)"));
            }
        }
    }
    assert_none("links that lead nowhere", &broken);
}

/// The text next to a rule becomes its page in `docs/rules`, and its links are those of the page.
const RULES: &str = "crates/hpa-lint/src/rules/";

/// Comments, scripts and rules name pages as text, which link checkers do not see.
#[test]
fn every_page_that_a_text_names_exists() {
    let named = Regex::new(r"(^|[^\w/.-])(docs/(?:[\w-]+/)*[\w-]+\.md)\b").unwrap();
    let files = project_files();
    let paths: BTreeSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
    let mut missing = Vec::new();
    for file in &files {
        for found in named.captures_iter(file.text.as_deref().unwrap_or_default()) {
            if !paths.contains(&found[2]) {
                missing.push(format!("{}: {}", file.path, &found[2]));
            }
        }
    }
    assert_none("pages that do not exist", &missing);
}

#[test]
fn anchors_are_those_of_the_usual_web_view() {
    let page = Page::read("# 2.1 When `a_b` happens, & why\n\n## Twice\n\n## Twice\n");
    let anchors: Vec<_> = page.anchors.iter().map(String::as_str).collect();
    assert_eq!(anchors, ["21-when-a_b-happens--why", "twice", "twice-1"]);
}

/// The parts of a Markdown file that matter for links.
#[derive(Default)]
struct Page {
    anchors: BTreeSet<String>,
    links: Vec<String>,
}

impl Page {
    fn read(text: &str) -> Self {
        let mut page = Self::default();
        let mut heading: Option<String> = None;
        for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
            match event {
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    page.links.push(dest_url.into_string());
                }
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::Text(part) | Event::Code(part) => {
                    if let Some(heading) = &mut heading {
                        heading.push_str(&part);
                    }
                }
                Event::End(TagEnd::Heading(_)) => {
                    if let Some(heading) = heading.take() {
                        page.add_anchor(&heading);
                    }
                }
                _ => {}
            }
        }
        page
    }

    fn add_anchor(&mut self, heading: &str) {
        let anchor: String = heading
            .to_lowercase()
            .chars()
            .filter(|character| character.is_alphanumeric() || " -_".contains(*character))
            .map(|character| if character == ' ' { '-' } else { character })
            .collect();
        let mut candidates =
            std::iter::once(anchor.clone()).chain((1..).map(|number| format!("{anchor}-{number}")));
        let free = candidates.find(|candidate| !self.anchors.contains(candidate));
        self.anchors.extend(free);
    }
}

/// The path that `link` in the file `from` leads to, from the root of the project.
fn resolve(from: &str, link: &str) -> String {
    let path = Path::new(from).with_file_name(link);
    let mut parts: Vec<&str> = Vec::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                parts.pop();
            }
            Component::Normal(part) => parts.extend(part.to_str()),
            _ => {}
        }
    }
    parts.join("/")
}
