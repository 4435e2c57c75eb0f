//! The first example of every rule fires it, the second does not.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use hpa_engine::model::{Input as Given, KubeVersion};
use hpa_lint::{
    History, LintInput, LintSettings, Report, Rule, Severity, compare_contexts, in_full,
    rules::catalogue, run,
};
use hpa_objects::manifest;
use regex::Regex;

use super::repeated::with_repeated;

/// A fenced block of a rule's documentation.
pub(crate) struct Example {
    /// Words behind `yaml`: `complete`, `strict`, `kube=1.32`, `live` for what a cluster answered, `compared` for
    /// manifests and, behind the line `# In the cluster:`, what a cluster has, `contexts` for what the clusters of several
    /// contexts answered, each behind a line such as `# In context prod-eu:`, `history` for an HPA and, as a second
    /// document, a table of how things were (columns as in `History::of_table`). `excerpt` for the lines that matter of
    /// an example that is in the file of the rule below `examples`; a line that starts with `# …` is for lines left out.
    pub(crate) words: Vec<String>,
    pub(crate) text: String,
}

/// The examples of a rule: those of its page, but whole.
pub(crate) fn examples(rule: &Rule) -> Vec<Example> {
    let shown = blocks(&rule.lines());
    if !shown.iter().any(Example::is_excerpt) {
        return shown;
    }
    let whole =
        fs::read_to_string(file_of_examples(rule)).expect("the rule has a file of examples");
    blocks(&in_full(with_repeated(&whole).lines()))
}

fn file_of_examples(rule: &Rule) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lint/rules/examples");
    folder.join(format!("{}.md", rule.code))
}

fn blocks(lines: &[&str]) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut is_inside = false;
    for line in lines {
        match line.strip_prefix("```") {
            Some(info) if !is_inside => {
                is_inside = true;
                examples.push(Example {
                    words: info.split_whitespace().map(str::to_owned).collect(),
                    text: String::new(),
                });
            }
            Some(_) => is_inside = false,
            None if is_inside => {
                let example = examples.last_mut().expect("a block has begun");
                example.text.push_str(line);
                example.text.push('\n');
            }
            None => {}
        }
    }
    examples.retain(|example| example.words.first().is_some_and(|word| word == "yaml"));
    examples
}

impl Example {
    fn is_excerpt(&self) -> bool {
        self.words.iter().any(|word| word == "excerpt")
    }

    /// The first lines of this excerpt that are not in `whole`, in this order.
    fn not_in(&self, whole: &Self) -> Option<Vec<&str>> {
        let whole: Vec<&str> = whole.text.lines().collect();
        let mut rest = &whole[..];
        let lines: Vec<&str> = self.text.lines().collect();
        for run in lines.split(|line| line.trim_start().starts_with("# …")) {
            let Some(at) = (0..=rest.len()).find(|at| rest[*at..].starts_with(run)) else {
                return Some(run.to_vec());
            };
            rest = &rest[at + run.len()..];
        }
        None
    }
}

pub(crate) fn report(rule: &'static Rule, example: &Example) -> Report {
    report_of([rule.code].into(), example)
}

/// Runs some rules on an example, as its words say.
pub(crate) fn report_of(enabled: BTreeSet<&'static str>, example: &Example) -> Report {
    run_of(enabled, example).1
}

/// The same with what was looked at.
pub(crate) fn run_of(enabled: BTreeSet<&'static str>, example: &Example) -> (LintInput, Report) {
    run_with(enabled, example, |_| {})
}

/// The same with other settings.
pub(crate) fn run_with(
    enabled: BTreeSet<&'static str>,
    example: &Example,
    change: impl FnOnce(&mut LintSettings),
) -> (LintInput, Report) {
    let word = |name: &str| example.words.iter().any(|word| word == name);
    let version = example
        .words
        .iter()
        .find_map(|word| word.strip_prefix("kube="))
        .map_or("1.36", |version| version);
    let version: KubeVersion = version.parse().expect("kube= is a version");
    let mut settings = LintSettings::new(Given::given(version));
    settings.enabled = enabled;
    settings.is_complete = word("complete");
    settings.is_strict = word("strict");
    change(&mut settings);
    let mut input = LintInput::default();
    if word("live") {
        let now = "2026-11-02T10:00:00Z".parse().expect("a time");
        input
            .add_observed("example.yaml", &example.text, now)
            .unwrap_or_else(|error| panic!("{error} in\n{}", example.text));
    } else if word("compared") {
        let now = "2026-11-02T10:00:00Z".parse().expect("a time");
        let parts = example.text.split_once("# In the cluster:\n");
        let (manifests, stored) = parts.expect("the line is there");
        input.add_text("example.yaml", manifests, true);
        for snapshot in manifest::read(stored.as_bytes(), "stored.yaml", now).expect("objects") {
            input.attach_stored(&snapshot).expect("a whole HPA");
        }
    } else if word("contexts") {
        let now = "2026-11-02T10:00:00Z".parse().expect("a time");
        let mut clusters = Vec::new();
        let mut parts = example.text.split("# In context ");
        // A comment before the first one is about it.
        let mut before = parts.next().unwrap_or_default();
        for part in parts {
            let (context, text) = part
                .split_once(":\n")
                .expect("a name has a line of its own");
            let text = format!("{before}{text}");
            before = "";
            let mut cluster = LintInput::default();
            cluster
                .add_observed("example.yaml", &text, now)
                .expect("objects");
            clusters.push((context.to_owned(), cluster));
        }
        compare_contexts(&mut clusters);
        input = clusters.swap_remove(0).1;
    } else if word("history") {
        let (hpa, table) = example
            .text
            .split_once("---\n")
            .expect("an HPA and a table");
        input.add_text("example.yaml", hpa, true);
        let [subject] = &mut input.hpas[..] else {
            panic!("wanted one HPA in\n{}", example.text);
        };
        let table: String = table
            .lines()
            .skip_while(|line| !line.starts_with("history:"))
            .skip(1)
            .flat_map(|line| [line, "\n"])
            .collect();
        let (_, spec) = subject
            .spec(&input.sources)
            .expect("the engine supports the HPA");
        let metrics = spec.metrics.iter();
        let history = History::of_table(
            &table,
            (spec.min_replicas(), spec.max_replicas),
            metrics
                .map(|metric| metric.short_name().to_owned())
                .collect(),
        )
        .unwrap_or_else(|error| panic!("{error} in\n{}", example.text));
        subject.history = Some(Arc::new(history));
    } else {
        // Another file begins with its name.
        let mut name = "example.yaml";
        for text in example.text.split("# file: ") {
            let mut text = text;
            if text.as_ptr() != example.text.as_ptr() {
                (name, text) = text.split_once('\n').expect("a name has a line of its own");
            }
            input.add_text(name, text, true);
        }
    }
    let report = run(&input, &settings);
    (input, report)
}

#[test]
fn first_example_fires_and_second_does_not() {
    for rule in catalogue().filter(|rule| rule.severity != Severity::Note) {
        let examples = examples(rule);
        let [bad, good, ..] = &examples[..] else {
            panic!("{}: wanted two examples", rule.code);
        };
        let name = format!("{} {}", rule.code, rule.name);
        let found = report(rule, bad);
        let codes: Vec<&str> = found.findings.iter().map(|one| one.rule.code).collect();
        assert!(
            codes.contains(&rule.code),
            "{name} does not fire on its first example: {found:#?}"
        );
        let found = report(rule, good);
        assert!(
            found.findings.is_empty() && found.notes.is_empty(),
            "{name} fires, or does not run, on its second example: {found:#?}"
        );
    }
}

#[test]
fn a_page_that_shows_the_lines_that_matter_shows_lines_of_the_whole_example() {
    let mut files = BTreeSet::new();
    for rule in catalogue() {
        let shown = blocks(&rule.lines());
        if !shown.iter().any(Example::is_excerpt) {
            continue;
        }
        files.insert(file_of_examples(rule));
        let whole = examples(rule);
        assert_eq!(shown.len(), whole.len(), "{}", rule.code);
        for (shown, whole) in shown.iter().zip(&whole) {
            assert!(shown.is_excerpt(), "{} shows one example whole", rule.code);
            assert_eq!(shown.not_in(whole), None, "{}", rule.code);
            let is_left_out = |line: &str| line.trim_start().starts_with("# …");
            assert!(
                !shown.text.lines().all(is_left_out),
                "{} shows nothing",
                rule.code
            );
        }
    }
    let folder = files.first().and_then(|file| file.parent());
    let entries = fs::read_dir(folder.expect("some pages show lines")).expect("it can be read");
    let entries: BTreeSet<PathBuf> = entries
        .map(|entry| entry.expect("it can be read").path())
        .collect();
    assert_eq!(entries, files);
}

#[test]
fn messages_are_fragments_with_help() {
    let last = Regex::new(r"[.!]$").expect("the expression is valid");
    for rule in catalogue() {
        for example in examples(rule) {
            for reported in report(rule, &example).findings {
                let finding = reported.finding;
                let first = finding.message.chars().next();
                let first_word = finding.message.split(' ').next().unwrap_or_default();
                let is_identifier = first_word.chars().skip(1).any(char::is_uppercase)
                    || first_word.contains('/')
                    || finding.message.starts_with(&reported.object.kind);
                assert!(
                    first.is_some_and(|first| !first.is_uppercase()) || is_identifier,
                    "{}: {}",
                    rule.code,
                    finding.message
                );
                assert!(!last.is_match(&finding.message), "{}", finding.message);
                assert!(!finding.help.is_empty(), "{} has no help", rule.code);
            }
        }
    }
}
