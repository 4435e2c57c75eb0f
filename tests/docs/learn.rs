//! The pages about the algorithm: each function has one page, and no page needs a cluster.
#![expect(clippy::unwrap_used, reason = "test code")]

use std::{collections::BTreeSet, fs, path::Path};

use assert_cmd::Command;
use hpa_explain::learn;
use hpa_lint::rules;
use hpa_render::Style;
use kubectl_hpa::commands::learn::pages;
use unicode_width::UnicodeWidthStr as _;

#[test]
fn every_function_of_the_controller_has_one_page_or_decides_nothing() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/upstream_functions.txt");
    let listed = fs::read_to_string(file).unwrap();
    let is_controller = |line: &&str| {
        [
            "horizontal.go ",
            "hpa_selector_store.go ",
            "replica_calculator.go ",
            "metrics/",
        ]
        .iter()
        .any(|file| line.starts_with(file))
    };
    let mut expected: Vec<String> = (listed.lines().filter(is_controller))
        .map(|line| line.rsplit_once(' ').unwrap().0.to_owned())
        .collect();
    let pages = learn::topics().flat_map(|topic| topic.functions.iter());
    let pages = pages.map(|function| format!("{} {}", function.file, function.function));
    // The index page lists the others: - `Run` in `horizontal.go`: what it does instead
    let (_, others) = pages::INDEX.split_once("\n## What has no page\n").unwrap();
    let others = others.lines().filter_map(|line| {
        let (function, file) = line.strip_prefix("- `")?.split_once("` in `")?;
        let (file, _) = file.split_once("`: ")?;
        Some(format!("{file} {function}"))
    });
    let mut found: Vec<String> = pages.chain(others).collect();
    expected.sort();
    found.sort();
    assert_eq!(found, expected);
}

#[test]
fn rules_that_a_page_names_are_rules() {
    for topic in learn::topics() {
        for code in topic.rules {
            assert!(rules::find(code).is_some(), "{}: {code}", topic.id);
        }
    }
}

#[test]
fn pages_have_all_their_parts_and_fit_a_terminal() {
    let parts = [
        "Inputs",
        "Formula",
        "Picture",
        "Examples",
        "Kubernetes versions",
        "Common misconceptions",
        "Output of explain",
        "Lint rules",
    ];
    let mut ids = BTreeSet::new();
    for topic in learn::topics() {
        assert!(ids.insert(topic.id), "{} is there twice", topic.id);
        let is_kebab = |letter: char| letter.is_ascii_lowercase() || letter == '-';
        assert!(topic.id.chars().all(is_kebab), "{}", topic.id);
        assert!(
            topic.answers.ends_with('?'),
            "{}: {}",
            topic.id,
            topic.answers
        );
        let page = pages::markdown(topic);
        let headings: Vec<&str> = page
            .lines()
            .filter_map(|line| line.strip_prefix("## "))
            .collect();
        assert_eq!(headings, parts, "{}", topic.id);
        let mut is_code = false;
        for line in page.lines() {
            if line.starts_with("```") {
                is_code = !is_code;
            } else if is_code {
                assert!(
                    line.width() <= 76,
                    "{}: {} columns: {line}",
                    topic.id,
                    line.width()
                );
            }
        }
    }
    assert!((25..=45).contains(&ids.len()), "{} pages", ids.len());
}

/// Whether all lines fit into 80 columns, except tables on pages with a long flag, which is not broken.
fn fits(page: &str) -> bool {
    let has_long_flag = page.split_whitespace().any(|word| 40 < word.width());
    let is_row = |line: &str| line.contains("  ");
    page.lines()
        .all(|line| line.width() <= 80 || has_long_flag && is_row(line))
}

#[test]
fn pages_fit_80_columns_and_a_locale_without_unicode() {
    let plain = Style {
        has_unicode: false,
        ..Style::plain()
    };
    for topic in learn::topics() {
        let page = pages::page(topic, Style::plain());
        assert!(fits(&page), "{page}");
        let page = pages::page(topic, plain);
        let other: String = page.chars().filter(|letter| !letter.is_ascii()).collect();
        assert_eq!(other, "", "{}", topic.id);
    }
}

#[test]
fn every_page_is_printed_without_a_cluster() {
    let list = printed(&["explain", "--learn"]);
    for topic in learn::topics() {
        assert!(list.contains(topic.id), "{} is not in the list", topic.id);
        assert!(list.contains(topic.chapter.title()));
    }
    let page = printed(&["explain", "--learn", "group-pods"]);
    assert!(page.starts_with("Which pods count"), "{page}");
    assert!(fits(&page), "{page}");
    assert!(!page.contains("](") && !page.contains("```"), "{page}");
    // The name of a function leads to its page, and Markdown is the file of the book.
    assert_eq!(printed(&["explain", "--learn", "groupPods"]), page);
    let markdown = printed(&["explain", "--learn=group-pods", "-o", "markdown"]);
    let topic = learn::find("group-pods").unwrap();
    assert_eq!(markdown, pages::markdown(topic));
}

#[test]
fn unknown_page_is_an_error_that_names_the_nearest() {
    let error = refused(&["explain", "--learn", "tolerence"]);
    assert!(error.contains("Did you mean tolerance?"), "{error}");
    let error = refused(&["explain", "--learn", "stabilizeRecomendation"]);
    assert!(
        error.contains("Did you mean stabilize-recommendation?"),
        "{error}"
    );
    let error = refused(&["explain", "--learn", "nosuch"]);
    assert!(!error.contains("Did you mean"), "{error}");
    let error = refused(&["explain", "web", "--learn", "tolerance"]);
    assert!(error.contains("remove the name and -f"), "{error}");
    let error = refused(&["explain", "--learn", "tolerance", "-o", "json"]);
    assert!(error.contains("text, markdown or name"), "{error}");
}

fn printed(args: &[&str]) -> String {
    let output = command(args).assert().success().get_output().clone();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    String::from_utf8(output.stdout).unwrap()
}

fn refused(args: &[&str]) -> String {
    let output = command(args).assert().code(2).get_output().clone();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "");
    String::from_utf8(output.stderr).unwrap()
}

fn command(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("kubectl-hpa").unwrap();
    command.args(args).env("KUBECONFIG", "/nonexistent");
    command.env("LC_ALL", "C.UTF-8").env_remove("COLUMNS");
    command
}
