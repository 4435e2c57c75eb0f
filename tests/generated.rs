//! Files that are made from the code are as the code would make them now.
//!
//! `UPDATE_GENERATED=1 cargo test --test generated` writes them anew.
#![cfg(feature = "cli")]
#![expect(clippy::unwrap_used, reason = "test code")]

use std::{collections::BTreeSet, env, fs, path::Path};

use clap::CommandFactory as _;
use clap_complete::Shell;
use kubectl_hpa::{
    cli::Cli,
    recording::Snapshot,
    render::{
        json::ExplainOutput, lint::LintOutput, list::ListOutput, replay::ReplayedReconcile,
        rules::RulesOutput, watch::jsonl::WatchLine,
    },
    rules,
};
use schemars::schema_for;

#[test]
fn completions_are_up_to_date() {
    let shells = [
        ("completions/kubectl-hpa.bash", Shell::Bash),
        ("completions/kubectl-hpa.fish", Shell::Fish),
        ("completions/_kubectl-hpa.ps1", Shell::PowerShell),
        ("completions/_kubectl-hpa", Shell::Zsh),
    ];
    for (path, shell) in shells {
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut Cli::command(), "kubectl-hpa", &mut script);
        check(path, &String::from_utf8(script).unwrap());
    }
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
        ("docs/schema/watch.json", schema_for!(WatchLine)),
        (
            "docs/schema/lint-config.json",
            kubectl_hpa::lint::config::schema(),
        ),
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
fn contents_of_the_book_list_every_rule() {
    let path = "docs/SUMMARY.md";
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let found = fs::read_to_string(file).unwrap().replace("\r\n", "\n");
    let (index, rule) = ("- [Rules](rules/README.md)\n", "  - [HPA");
    let (before, after) = found.split_once(index).unwrap();
    let mut expected = format!("{before}{index}");
    for rule in rules::catalogue() {
        let (code, name, page) = (rule.code, rule.name, rules::page_name(rule));
        expected += &format!("  - [{code} {name}](rules/{page})\n");
    }
    for line in after.lines().skip_while(|line| line.starts_with(rule)) {
        expected += &format!("{line}\n");
    }
    check(path, &expected);
}

/// Compares a file of the project with what it should be, or writes it if that is asked for.
#[track_caller]
fn check(path: &str, expected: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if env::var_os("UPDATE_GENERATED").is_some() {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, expected).unwrap();
        return;
    }
    let found = fs::read_to_string(&file)
        .unwrap_or_default()
        .replace("\r\n", "\n");
    assert!(
        found == expected,
        "{path} is out of date: run UPDATE_GENERATED=1 cargo test --test generated"
    );
}
