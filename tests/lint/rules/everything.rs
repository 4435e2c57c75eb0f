//! Runs every rule on every example: one snapshot has what fires where, so a rule that fires in the wrong place shows
//! as a difference.

use std::{collections::BTreeSet, fmt::Write as _};

use hpa_lint::{Severity, rules::catalogue};

use super::examples::{examples, report_of};

/// `UPDATE_GENERATED=1` rewrites it.
const SNAPSHOT: &str = "tests/lint/rules/everything.txt";

#[test]
fn every_rule_fires_on_every_example_where_it_did() {
    let all: BTreeSet<&'static str> = catalogue().map(|rule| rule.code).collect();
    let mut found = String::from(
        "# Which rules fire on the examples of each rule when all run. The first of a rule is its bad example.\n",
    );
    for rule in catalogue() {
        for (number, example) in (1..).zip(examples(rule)) {
            let report = report_of(all.clone(), &example);
            write!(found, "{} {} {number}:", rule.code, rule.name).expect("a text takes all");
            for reported in &report.findings {
                let mark = match reported.finding.severity {
                    Severity::Error => "E",
                    Severity::Warning => "W",
                    Severity::Info => "I",
                    Severity::Note => "N",
                };
                let (code, path) = (reported.rule.code, &reported.finding.path);
                write!(found, " {mark}{code}@{path}").expect("a text takes all");
            }
            found.push('\n');
        }
    }
    if std::env::var_os("UPDATE_GENERATED").is_some() {
        std::fs::write(SNAPSHOT, &found).expect("the snapshot can be written");
        return;
    }
    let known = std::fs::read_to_string(SNAPSHOT).expect("the snapshot is there");
    let (known, found): (BTreeSet<&str>, BTreeSet<&str>) =
        (known.lines().collect(), found.lines().collect());
    let deleted: Vec<&&str> = known.difference(&found).collect();
    let new: Vec<&&str> = found.difference(&known).collect();
    assert!(
        deleted.is_empty() && new.is_empty(),
        "if this is meant: UPDATE_GENERATED=1 cargo test --test lint rules\nno longer: {deleted:#?}\nnow: {new:#?}"
    );
}
