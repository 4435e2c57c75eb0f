//! The pages quote the program's real output.
//!
//! `TRYCMD=overwrite cargo test --test docs` rewrites the transcripts.

use std::collections::BTreeSet;

use clap::CommandFactory as _;
use kubectl_hpa::cli::Cli;

use super::{root, text_of, texts_below};

#[test]
#[cfg(unix)]
fn transcripts_of_the_book_are_true() {
    trycmd::TestCases::new()
        .env("TZ", "UTC")
        .env("LC_ALL", "C.UTF-8")
        .env("KUBECONFIG", "tests/docs/book/kubeconfig.yaml")
        .case("docs/start.md")
        .case("docs/formats.md")
        .case("docs/simulate.md")
        .case("docs/simulation-model.md")
        .case("docs/troubleshooting.md");
}

#[test]
fn page_of_formats_lists_what_every_command_can_print() {
    let mut there = BTreeSet::new();
    for command in Cli::command().get_subcommands() {
        let mut arguments = command.get_arguments();
        if let Some(output) = arguments.find(|argument| argument.get_long() == Some("output")) {
            for value in output.get_possible_values() {
                if !value.get_name().contains('=') {
                    there.insert((command.get_name().to_owned(), value.get_name().to_owned()));
                }
            }
        }
    }
    let page = text_of("docs/formats.md");
    let listed: BTreeSet<_> = page
        .lines()
        .filter_map(|line| {
            let (command, rest) = line.strip_prefix("| `")?.split_once("` | `")?;
            Some((command.to_owned(), rest.split('`').next()?.to_owned()))
        })
        .collect();
    assert_eq!(listed, there, "docs/formats.md (left), the program (right)");
    for schema in texts_below("docs/schema", "json").into_keys() {
        assert!(page.contains(&format!("(schema/{schema})")), "{schema}");
    }
}

/// The page that is explained part by part is that of the README's incident: `…` marks omitted text, and the words on
/// the right name the parts.
#[test]
fn page_with_names_of_its_parts_has_the_lines_of_the_program() {
    let output = assert_cmd::Command::cargo_bin("kubectl-hpa")
        .unwrap()
        .args(["explain", "-f", "examples/not-ready-pods.jsonl"])
        .current_dir(root())
        .env("TZ", "UTC")
        .env("LC_ALL", "C.UTF-8")
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let mut printed = printed.lines();
    let page = text_of("docs/explain.md");
    let block = page.split("```text\n").nth(1).unwrap();
    let (block, _) = block.split_once("```").unwrap();
    let mut parts: BTreeSet<&str> = BTreeSet::new();
    for line in block.lines() {
        let part = PARTS
            .into_iter()
            .find(|part| line.ends_with(&format!("  {part}")));
        let line = line
            .strip_suffix(part.unwrap_or_default())
            .unwrap()
            .trim_end();
        parts.extend(part);
        if line == "…" {
            continue;
        }
        let there = match line.strip_suffix(" …") {
            Some(begin) => printed.any(|printed| printed.starts_with(begin)),
            None => printed.any(|printed| printed == line),
        };
        assert!(there, "not printed, or not in this order: {line:?}");
    }
    assert_eq!(parts.len(), PARTS.len(), "only {parts:?} are named");
}

const PARTS: [&str; 6] = [
    "headline",
    "answer",
    "ladder",
    "what would change it",
    "around",
    "trust",
];

/// Messages that cannot be produced offline are quoted in blocks without a prompt, with `…` for variable parts.
#[test]
fn quoted_messages_are_in_the_program() {
    let page = text_of("docs/troubleshooting.md");
    let mut sources = String::new();
    for (_, text) in texts_below("src", "rs")
        .into_iter()
        .chain(texts_below("crates", "rs"))
        .chain(texts_below("tests/faults", "rs"))
    {
        let lines: Vec<&str> = text.split("\\\n").map(str::trim_start).collect();
        sources += &lines
            .concat()
            .replace("\\\"", "\"")
            .replace("{{", "{")
            .replace("}}", "}");
    }
    let quoted = page.split("```text\n").skip(1);
    let quoted = quoted.map(|rest| rest.split("```").next().unwrap().trim());
    let of_table = page
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    let mut wrong = Vec::new();
    let mut number = 0;
    for message in quoted.chain(of_table) {
        number += 1;
        // Names of examples and quoted names also vary.
        let parts = message.split(['…', '"', ':']).map(str::trim);
        for part in parts.filter(|part| 12 < part.len()) {
            if !sources.contains(part) {
                wrong.push(part);
            }
        }
    }
    assert!(12 < number, "the page has another form");
    assert!(wrong.is_empty(), "no such words in the program: {wrong:#?}");
}
