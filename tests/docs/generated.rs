//! Generated files are up to date.
//!
//! `UPDATE_GENERATED=1 cargo test --test docs` rewrites them.
#![expect(clippy::unwrap_used, reason = "test code")]

use std::{collections::BTreeSet, env, fmt::Write as _, fs, path::Path};

use clap::{Command, CommandFactory as _};
use clap_mangen::{
    Man,
    roff::{Roff, roman},
};
use hpa_diagnosis::{CONDITIONS, ConditionRow, flapping};
use hpa_explain::learn;
use hpa_lint::rules;
use hpa_objects::recording::Snapshot;
use hpa_render::{
    history::{HistoryOutput, HistoryOverviewOutput},
    json::ExplainOutput,
    lint::LintOutput,
    list::ListOutput,
    replay::ReplayedReconcile,
    rules::RulesOutput,
    simulate::SimulateOutput,
    watch::jsonl::WatchLine,
};
use kubectl_hpa::{
    cli::{Cli, ShellName},
    completion,
};
use schemars::schema_for;

use super::algorithm;

#[test]
fn completions_are_up_to_date() {
    let shells = [
        ("completions/kubectl-hpa.bash", ShellName::Bash),
        ("completions/kubectl-hpa.fish", ShellName::Fish),
        ("completions/_kubectl-hpa.ps1", ShellName::Powershell),
        ("completions/_kubectl-hpa", ShellName::Zsh),
    ];
    for (path, shell) in shells {
        check(path, &completion::script(shell, "kubectl-hpa").unwrap());
    }
}

#[test]
fn man_pages_are_up_to_date() {
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    let mut names = BTreeSet::new();
    check_man_pages(&command, None, &mut names);
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/man")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(
            names.contains(&name),
            "docs/man/{name} is no command's page"
        );
    }
}

fn check_man_pages(command: &Command, above: Option<&str>, names: &mut BTreeSet<String>) {
    let name = command.get_display_name().unwrap_or(command.get_name());
    check(&format!("docs/man/{name}.1"), &man_page(command, above));
    names.insert(format!("{name}.1"));
    for subcommand in command.get_subcommands().filter(|one| !one.is_hide_set()) {
        check_man_pages(subcommand, Some(name), names);
    }
}

/// clap's sections, and the text after the help: a section for each of its headings, examples unchanged.
fn man_page(command: &Command, above: Option<&str>) -> String {
    let name = command.get_display_name().unwrap_or(command.get_name());
    let version = env!("CARGO_PKG_VERSION");
    // Written here because clap omits an empty date, so that the next field would be the date. There is no date: a
    // page belongs to a version.
    let mut page =
        format!(".TH {name} 1 \"\" \"kubectl-hpa {version}\" \"kubectl-hpa\"\n").into_bytes();
    let man = Man::new(command.clone());
    man.render_name_section(&mut page).unwrap();
    man.render_synopsis_section(&mut page).unwrap();
    man.render_description_section(&mut page).unwrap();
    man.render_options_section(&mut page).unwrap();
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page).unwrap();
    }
    let mut roff = Roff::new();
    if let Some(help) = command.get_after_help() {
        let (mut is_first, mut is_example, mut is_apart) = (true, false, false);
        for line in help.to_string().lines() {
            let (heading, rest) = line.split_once(':').unwrap_or_default();
            let is_heading =
                !line.starts_with(' ') && !heading.is_empty() && heading.split(' ').count() <= 2;
            if (line.starts_with("  ") || is_example && line.is_empty()) != is_example {
                is_example = !is_example;
                roff.control(if is_example { "nf" } else { "fi" }, []);
                is_apart = !is_example;
            } else if is_first && !is_heading {
                roff.control("SH", ["NOTES"]);
            }
            is_first = false;
            if is_heading {
                roff.control("SH", [heading.to_uppercase().as_str()]);
                if !rest.is_empty() {
                    roff.text([roman(rest.trim_start())]);
                }
                is_apart = false;
            } else if is_example {
                roff.text([roman(line)]);
            } else if line.is_empty() {
                is_apart = true;
            } else {
                if is_apart {
                    roff.control("PP", []);
                }
                roff.text([roman(line)]);
                is_apart = false;
            }
        }
        if is_example {
            roff.control("fi", []);
        }
    }
    if let Some(above) = above {
        roff.control("SH", ["SEE ALSO"]);
        roff.text([roman(format!("{above}(1)"))]);
    }
    roff.to_writer(&mut page).unwrap();
    plain(&String::from_utf8(page).unwrap())
}

/// The page in ASCII, which every roff reads, with one macro where clap breaks a line, leaves one empty and breaks
/// again.
fn plain(page: &str) -> String {
    let lines: Vec<&str> = page.lines().map(str::trim_end).collect();
    let page = lines.join("\n").replace("\n.br\n\n.br\n", "\n.sp\n") + "\n";
    let mut text = String::new();
    for letter in page.chars() {
        if letter.is_ascii() {
            text.push(letter);
        } else {
            text.push_str(&format!("\\[u{:04X}]", u32::from(letter)));
        }
    }
    text
}

#[test]
fn schemas_are_up_to_date() {
    let schemas = [
        ("docs/schema/explain.json", schema_for!(ExplainOutput)),
        ("docs/schema/lint.json", schema_for!(LintOutput)),
        ("docs/schema/list.json", schema_for!(ListOutput)),
        ("docs/schema/rules.json", schema_for!(RulesOutput)),
        ("docs/schema/snapshot.json", schema_for!(Snapshot)),
        ("docs/schema/replay.json", schema_for!(ReplayedReconcile)),
        ("docs/schema/history.json", schema_for!(HistoryOutput)),
        (
            "docs/schema/history-overview.json",
            schema_for!(HistoryOverviewOutput),
        ),
        ("docs/schema/simulate.json", schema_for!(SimulateOutput)),
        ("docs/schema/watch.json", schema_for!(WatchLine)),
        ("docs/schema/lint-config.json", hpa_lint::config::schema()),
    ];
    for (path, schema) in schemas {
        check(
            path,
            &format!("{}\n", serde_json::to_string_pretty(&schema).unwrap()),
        );
    }
}

#[test]
fn pages_of_rules_are_up_to_date() {
    check("docs/rules/README.md", &rules::index());
    let mut names = BTreeSet::from(["README.md".to_owned()]);
    for rule in rules::catalogue() {
        let name = rules::page_name(rule);
        check(&format!("docs/rules/{name}"), &rules::page(rule));
        names.insert(name);
    }
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/rules")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(names.contains(&name), "docs/rules/{name} is no rule's page");
    }
}

#[test]
fn contents_of_the_book_list_every_rule_and_every_page_of_the_algorithm() {
    let path = "docs/SUMMARY.md";
    let found = text_of(path);
    let rules = rules::catalogue().map(|rule| {
        let (code, name, page) = (rule.code, rule.name, rules::page_name(rule));
        format!("  - [{code} {name}](rules/{page})\n")
    });
    let topics = learn::topics().map(|topic| {
        let (title, page) = (topic.title, learn::page_name(topic));
        format!("  - [{title}](algorithm/{page})\n")
    });
    let expected = with_pages(&found, "- [Rules](rules/README.md)\n", rules);
    let index = "- [How the HPA decides](algorithm/README.md)\n";
    check(path, &with_pages(&expected, index, topics));
}

/// The contents with these lines below the line `index`, replacing the existing ones.
fn with_pages(contents: &str, index: &str, pages: impl Iterator<Item = String>) -> String {
    let (before, after) = contents.split_once(index).unwrap();
    let mut expected = format!("{before}{index}");
    expected.extend(pages);
    for line in after.lines().skip_while(|line| line.starts_with("  - [")) {
        expected += &format!("{line}\n");
    }
    expected
}

#[test]
fn pages_of_the_algorithm_are_up_to_date() {
    let path = "docs/algorithm/README.md";
    check(path, &algorithm::index(&text_of(path)));
    let mut names = BTreeSet::from(["README.md".to_owned()]);
    for topic in learn::topics() {
        let name = learn::page_name(topic);
        let path = format!("docs/algorithm/{name}");
        check(&path, &algorithm::page(&text_of(&path), topic));
        assert!(names.insert(name), "{} is there twice", topic.id);
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/algorithm");
    for entry in fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(
            names.contains(&name),
            "docs/algorithm/{name} is nobody's page"
        );
    }
}

/// Every condition with what counts for whom. The thresholds of a rule are those of the table.
#[test]
fn page_of_conditions_is_up_to_date() {
    let text = text_of(CONDITIONS_PAGE);
    let (written, _) = text.split_once(MADE_FROM_HERE).unwrap();
    let mut page = format!("{written}{MADE_FROM_HERE}\n");
    for row in CONDITIONS {
        let ConditionRow {
            name,
            summary,
            evidence,
            now,
            alarm,
            finding,
            past,
            why,
        } = row();
        write!(
            page,
            "\n## {name}\n\n{summary}\n\nEvidence: {evidence}.\n\n\
             | who asks | what counts |\n| --- | --- |\n\
             | `explain`, `list`, `replay`: now | {now} |\n\
             | `watch`, `export`: the alarm | {alarm} |\n\
             | `lint`: a finding | {finding} |\n\
             | `history`, `simulate`: the past | {past} |\n\n{why}\n"
        )
        .unwrap();
    }
    check(CONDITIONS_PAGE, &page);
    let thresholds = rules::find("HPA901").unwrap().thresholds.iter();
    let defaults: Vec<String> = thresholds.map(|one| one.default.to_string()).collect();
    let judged = [
        flapping::TURNS.to_string(),
        flapping::WITHIN.as_secs().to_string(),
    ];
    assert_eq!(defaults, judged);
}

const CONDITIONS_PAGE: &str = "docs/conditions.md";

const MADE_FROM_HERE: &str = "<!-- made from crates/hpa-diagnosis/src/table.rs -->";

/// Compares a file of the project with its expected content, or writes it if requested.
#[track_caller]
fn check(path: &str, expected: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if env::var_os("UPDATE_GENERATED").is_some() {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, expected).unwrap();
        return;
    }
    assert!(
        text_of(path) == expected,
        "{path} is out of date: run UPDATE_GENERATED=1 cargo test --test docs"
    );
}

fn text_of(path: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let found = fs::read_to_string(file).unwrap_or_default();
    found.replace("\r\n", "\n")
}
