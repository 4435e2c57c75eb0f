//! The book contains every page of the documentation, and its pages are true.
#![expect(clippy::unwrap_used, reason = "test code")]

pub(super) mod permissions;
mod privacy;
mod transcripts;

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::{Path, PathBuf},
};

use permissions::{roles, rows};
use pulldown_cmark::{Event, Parser, Tag};
use regex::Regex;
use serde_json::Value;

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
    let deleted: Vec<_> = once.difference(&pages).collect();
    assert!(missing.is_empty(), "not in docs/SUMMARY.md: {missing:?}");
    assert!(
        deleted.is_empty(),
        "in docs/SUMMARY.md, but no page: {deleted:?}"
    );
}

/// Users look up what the controller writes according to the specification.
#[test]
fn runbook_explains_every_reason_of_a_condition_or_event() {
    let reason = Regex::new(r"\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b").unwrap();
    let cells = |text: &str, column: usize| -> BTreeSet<String> {
        let rows = text.lines().filter(|line| line.starts_with("| "));
        let cells = rows.filter_map(|row| row.split(" | ").nth(column));
        let found = cells.flat_map(|cell| reason.find_iter(cell));
        found.map(|found| found.as_str().to_owned()).collect()
    };
    let between = |text: &str, from: &str, to: &str| -> String {
        let (_, rest) = text.split_once(from).unwrap();
        rest.split_once(to).unwrap_or((rest, "")).0.to_owned()
    };
    let controller = text_of("docs/dev/controller.md");
    let runbook = text_of("docs/runbook.md");
    let conditions = between(&controller, "### 2.5 ", "### 2.6 ");
    let events = between(&controller, "### 2.6 ", "client-go's correlator");
    let explained = cells(&between(&runbook, "## Conditions", "## Events"), 1);
    let written = cells(&conditions, 2);
    assert!(20 < written.len(), "{written:?}");
    assert_eq!(written, explained);
    // Reasons of a metric are explained once.
    let written: BTreeSet<String> = cells(&events, 1).difference(&explained).cloned().collect();
    assert!(3 < written.len(), "{written:?}");
    let of_events = cells(&between(&runbook, "## Events", "\n## "), 0);
    assert!(written.is_subset(&of_events), "{written:?} {of_events:?}");
}

/// A reader of an alarm finds what to do, from both pages. `UPDATE_GENERATED` writes the links of docs/watch.md;
/// another test checks that the headings exist.
#[test]
fn every_alarm_leads_to_its_section_of_the_runbook() {
    let named = Regex::new(r#"Self::\w+ => "([a-z-]+)""#).unwrap();
    let source = text_of("crates/hpa-watch/src/alarm/mod.rs");
    let runbook = text_of("docs/runbook.md");
    let watch = text_of("docs/watch.md");
    let mut expected = watch.clone();
    let mut alarms = 0;
    for alarm in named
        .captures_iter(&source)
        .map(|found| found[1].to_owned())
    {
        let row = format!(r"\n\| `{alarm}` \| \[[^\]]+\]\((#[a-z0-9-]+)\) \|\n");
        let section = Regex::new(&row).unwrap().captures(&runbook);
        let section = section.unwrap_or_else(|| panic!("docs/runbook.md has no row {alarm}"));
        let cell = format!(r"\n\| \[?`{alarm}`(\]\([^)]*\))? \| ");
        let cell = Regex::new(&cell).unwrap();
        assert!(cell.is_match(&watch), "docs/watch.md has no row {alarm}");
        let link = format!("\n| [`{alarm}`](runbook.md{}) | ", &section[1]);
        expected = cell.replace(&expected, link.as_str()).into_owned();
        alarms += 1;
    }
    assert!(8 < alarms, "{alarms} alarms");
    if env::var_os("UPDATE_GENERATED").is_some() {
        fs::write(root().join("docs/watch.md"), expected).unwrap();
    } else {
        assert!(
            watch == expected,
            "links of alarms: run UPDATE_GENERATED=1 cargo test --test docs"
        );
    }
}

/// Users would search in vain for a label that the report no longer has.
#[test]
fn labels_that_the_pages_name_are_printed() {
    let label = Regex::new("`([A-Za-z][A-Za-z -]+)`").unwrap();
    let explain = text_of("docs/explain.md");
    let tables = explain.split("\n| line | ").skip(1);
    let tables = tables.flat_map(|table| table.split("\n\n").next().unwrap().lines().skip(2));
    let mut cells: Vec<String> = tables
        .map(|row| row.split(" | ").next().unwrap().to_owned())
        .collect();
    let runbook = text_of("docs/runbook.md");
    let symptoms = runbook
        .split("\n## ")
        .find(|part| part.starts_with("Symptoms\n"))
        .unwrap();
    cells.extend(
        symptoms
            .lines()
            .filter_map(|row| Some(row.split(" | ").nth(2)?.to_owned())),
    );
    let sources: String = texts_below("crates/hpa-explain/src", "rs")
        .into_values()
        .collect();
    let sources = sources
        + &texts_below("crates/hpa-render/src", "rs")
            .into_values()
            .collect::<String>();
    let cells = cells.join("\n");
    let labels: BTreeSet<&str> = label
        .captures_iter(&cells)
        .map(|found| found.get(1).unwrap().as_str())
        .collect();
    assert!(30 < labels.len(), "{labels:?}");
    let unknown: Vec<_> = labels
        .iter()
        .filter(|label| !sources.contains(&format!("\"{label}\"")))
        .collect();
    assert!(unknown.is_empty(), "the report has no {unknown:?}");
}

#[test]
fn page_of_permissions_lists_those_of_the_manifests() {
    let [of_cluster, of_control_plane] = &roles(&text_of("deploy/rbac.yaml"))[..] else {
        panic!("a role for the cluster and one for kube-system")
    };
    let listed = |is_of_control_plane| -> BTreeSet<_> {
        rows()
            .into_iter()
            .filter(|row| row.is_of_control_plane == is_of_control_plane)
            .inspect(|row| {
                let is_known = |one: &String| ["explain", "lint", "list"].contains(&one.as_str());
                assert!(!row.without.is_empty() && row.named_by.iter().all(is_known));
            })
            .map(|row| (row.group, row.resource, row.verbs))
            .collect()
    };
    let in_cluster = listed(false);
    assert_eq!(in_cluster, permissions_of(of_cluster));
    assert_eq!(listed(true), permissions_of(of_control_plane));
    let mut in_namespace = permissions_of(&roles(&text_of("deploy/rbac-namespace.yaml"))[0]);
    for (group, resource) in [
        ("", "nodes"),
        ("apiregistration.k8s.io", "apiservices"),
        ("apiextensions.k8s.io", "customresourcedefinitions"),
    ] {
        let verbs = BTreeSet::from(["list".to_owned()]);
        in_namespace.insert((group.to_owned(), resource.to_owned(), verbs));
    }
    assert_eq!(in_namespace, in_cluster);
}

/// Group, resource and verbs of all rules of a role.
fn permissions_of(role: &Value) -> BTreeSet<(String, String, BTreeSet<String>)> {
    let texts = |value: &Value| -> Vec<String> {
        let texts = value.as_array().expect("a list").iter();
        texts
            .map(|text| text.as_str().expect("a text").to_owned())
            .collect()
    };
    let mut granted = BTreeSet::new();
    for rule in role["rules"].as_array().expect("a list") {
        for group in texts(&rule["apiGroups"]) {
            for resource in texts(&rule["resources"]) {
                let verbs = texts(&rule["verbs"]).into_iter().collect();
                granted.insert((group.clone(), resource, verbs));
            }
        }
    }
    granted
}

/// The Markdown files below docs, as `docs/SUMMARY.md` names them.
fn pages_of_the_book() -> BTreeSet<String> {
    texts_below("docs", "md").into_keys().collect()
}

/// The texts of all files with this extension below a folder, by their relative paths.
fn texts_below(folder: &str, extension: &str) -> BTreeMap<String, String> {
    let begin = root().join(folder);
    let mut texts = BTreeMap::new();
    let mut folders = vec![begin.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                let name = path.strip_prefix(&begin).unwrap().to_str().unwrap();
                let text = fs::read_to_string(&path).unwrap();
                texts.insert(name.replace('\\', "/"), text.replace("\r\n", "\n"));
            }
        }
    }
    texts
}

fn text_of(path: &str) -> String {
    let text = fs::read_to_string(root().join(path)).unwrap();
    text.replace("\r\n", "\n")
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}
