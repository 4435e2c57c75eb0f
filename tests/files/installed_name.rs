//! The name as installed: under krew's second name everything that is printed is about commands that exist there.

use std::{
    fs,
    os::unix::fs::symlink,
    path::Path,
    process::{Command, Stdio},
    sync::LazyLock,
};

use clap::CommandFactory as _;
use kubectl_hpa::cli::Cli;
use regex::Regex;

const PROGRAM: &str = env!("CARGO_BIN_EXE_kubectl-hpa");

#[test]
fn each_command_speaks_of_the_name_as_installed() {
    let folder = tempfile::tempdir().unwrap();
    let second = folder.path().join("kubectl-explain_hpa");
    symlink(PROGRAM, &second).unwrap();
    let (mut wrong, mut with_a_name) = (Vec::new(), 0);
    for words in calls() {
        let usual = printed(Path::new(PROGRAM), &words);
        let installed = printed(&second, &words);
        let renamed = usual
            .replace("kubectl hpa", "kubectl explain-hpa")
            .replace("kubectl_complete-hpa", "kubectl_complete-explain_hpa");
        let (found, expected) = (without_files(&installed), without_files(&renamed));
        if found != expected {
            wrong.push(format!(
                "{}\n{}",
                words.join(" "),
                difference(&found, &expected)
            ));
        }
        with_a_name += usize::from(usual != renamed);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(80 < with_a_name, "{with_a_name}");
}

#[test]
fn a_kept_page_says_how_it_was_made_without_what_belongs_to_one_user() {
    let file = "examples/questions/../broken-metric.jsonl";
    let flags = "--token t0 --server https://s1 --user u2 --assume-tolerance 0.2";
    for format in ["html", "markdown"] {
        let call = format!("explain -f {file} {flags} -o {format}");
        let words: Vec<String> = call.split(' ').map(str::to_owned).collect();
        let page = printed(Path::new(PROGRAM), &words);
        let (_, end) = page.rsplit_once("Written by").unwrap();
        let kept = "kubectl hpa explain --filename broken-metric.jsonl";
        assert!(
            end.contains(kept) && end.contains("--assume-tolerance 0.2"),
            "{end}"
        );
        assert!(
            !["t0", "s1", "u2", "questions"]
                .iter()
                .any(|own| end.contains(own)),
            "{end}"
        );
    }
}

/// Help, pages, tables, reports and errors, as far as they need no cluster.
fn calls() -> Vec<Vec<String>> {
    let mut calls: Vec<String> = Vec::new();
    for command in Cli::command().get_subcommands() {
        let name = command.get_name();
        calls.push(format!("{name} --help"));
        calls.push(format!("{name} -h"));
        // Without a cluster.
        calls.push(format!("{name} web --nonsense"));
    }
    let examples = fs::read_dir("examples/questions").unwrap();
    let examples = examples.map(|file| file.unwrap().path().display().to_string());
    for file in examples.filter(|file| !file.ends_with("record.sh")) {
        calls.push(format!("explain -f {file}"));
        calls.push(format!("capture {file}"));
    }
    let file = "examples/questions/19-up-and-down.jsonl";
    for format in ["wide", "json", "markdown", "html"] {
        calls.push(format!("explain -f {file} -o {format}"));
    }
    for format in ["text", "json", "html"] {
        calls.push(format!("simulate -f {file} --for 1m -o {format}"));
    }
    calls.extend(
        ["list -f", "lint", "explain --at 1999-01-01T00:00:00Z -f"]
            .map(|call| format!("{call} {file}")),
    );
    for format in [
        "text", "full", "json", "sarif", "junit", "markdown", "html", "gitlab",
    ] {
        calls.push(format!("lint examples/lint -o {format}"));
    }
    for rule in hpa_lint::rules::catalogue() {
        calls.push(format!("rules {}", rule.code));
    }
    for topic in hpa_explain::learn::topics() {
        calls.push(format!("explain --learn {}", topic.id));
    }
    let others = [
        "",
        "--help",
        "get web -n shop",
        "explain --learn",
        "explain --learn nothing",
        "rules",
        "rules -o json",
        "rules -o markdown",
        "explain --learn policies -o markdown",
        "rules nothing",
        "completion",
        "export rules",
        "export rules -o operator",
        "export dashboard",
        "explain web -w -o json",
        "list web -o html",
        "list web --at 10:42",
        "history 'web-*' --at 03:12",
        "lint https://example.com/web.yaml",
        "explain -f README.md",
        "replay README.md",
        "capture web --every 15s -o README.md",
        "simulate -f examples/two-hpas.jsonl",
        "expla",
        "history --price 3",
        "mcp --namespaces shop",
    ];
    calls.extend(others.map(str::to_owned));
    let words = |call: &String| {
        call.split_whitespace()
            .map(|word| word.replace('\'', ""))
            .collect()
    };
    calls.iter().map(words).collect()
}

/// What it prints to both outputs, in one line: lines break elsewhere.
fn printed(program: &Path, words: &[String]) -> String {
    let output = Command::new(program)
        .args(words)
        .env("COLUMNS", "80")
        .env("KUBECONFIG", "nowhere")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8(text).unwrap();
    // In HTML a name is in pieces that do not break.
    let text = PIECES.replace_all(&text, "");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

static PIECES: LazyLock<Regex> =
    LazyLock::new(|| Regex::new("<span class=\"(piece|long)\">|</span>").unwrap());

/// The same without the name of the file.
fn without_files(text: &str) -> String {
    text.replace("kubectl-explain_hpa", "kubectl-hpa")
}

/// Where two texts begin to differ.
fn difference(found: &str, expected: &str) -> String {
    let pairs = found.chars().zip(expected.chars());
    let same = pairs.take_while(|(one, other)| one == other).count();
    let from = |text: &str| {
        text.chars()
            .skip(same.saturating_sub(60))
            .take(160)
            .collect::<String>()
    };
    format!("  found    {}\n  expected {}", from(found), from(expected))
}
