//! Every rule is complete.

use std::{collections::BTreeSet, fs, path::Path};

use hpa_lint::{
    Check, Needs, Severity,
    rules::{catalogue, find},
};

#[test]
fn codes_are_sorted_and_unique_and_of_their_family() {
    let codes: Vec<&str> = catalogue().map(|rule| rule.code).collect();
    let mut sorted = codes.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(codes, sorted);
    let families = [
        "schema",
        "bounds",
        "metrics",
        "behavior",
        "scale_target",
        "pods",
        "autoscalers",
        "cluster",
        "status",
        "history",
    ];
    for rule in catalogue() {
        let digit: usize = rule.code[3..4].parse().expect("HPA and three digits");
        let file = format!(
            "crates/hpa-lint/src/rules/{}/{}.rs",
            families[digit],
            rule.name.replace('-', "_")
        );
        assert_eq!(rule.file, file, "{}", rule.code);
    }
}

#[test]
fn names_are_unique_and_in_kebab_case() {
    let names: BTreeSet<&str> = catalogue().map(|rule| rule.name).collect();
    assert_eq!(names.len(), catalogue().count());
    for name in names {
        let is_kebab = name
            .chars()
            .all(|one| one.is_ascii_lowercase() || one.is_ascii_digit() || one == '-');
        assert!(is_kebab, "{name}");
    }
}

#[test]
fn every_file_of_a_rule_is_in_the_catalogue() {
    let files: BTreeSet<&str> = catalogue().map(|rule| rule.file).collect();
    let families = fs::read_dir("crates/hpa-lint/src/rules").expect("the folder is there");
    for family in families.map(|entry| entry.expect("it can be read").path()) {
        if !family.is_dir() {
            continue;
        }
        for file in fs::read_dir(&family).expect("the folder can be read") {
            let file = file.expect("it can be read").path();
            let text = fs::read_to_string(&file).expect("the file can be read");
            if text.contains("static RULE: Rule") {
                let name = Path::new(&file).display().to_string();
                assert!(files.contains(&*name), "{name} is not in its mod.rs");
            }
        }
    }
}

#[test]
fn every_rule_is_documented_under_the_same_headings() {
    for rule in catalogue() {
        let headings: Vec<&str> = rule
            .docs
            .lines()
            .filter_map(|line| line.trim_start().strip_prefix("## "))
            .collect();
        let is_note = rule.severity == Severity::Note;
        let expected: &[&str] = if is_note {
            &["What it does", "Why is this bad?", "Fix", "References"]
        } else {
            &[
                "What it does",
                "Why is this bad?",
                "Example",
                "Fix",
                "References",
            ]
        };
        assert_eq!(headings, expected, "{} {}", rule.code, rule.name);
        assert!(!rule.summary.ends_with('.'), "{}", rule.code);
        let is_machinery = matches!(rule.check, Check::Machinery);
        let may_be = ["HPA012", "HPA013", "HPA707"];
        assert_eq!(is_machinery, may_be.contains(&rule.code), "{}", rule.code);
    }
}

/// The agreed rules: changing a code, a name, a default severity or a need is a decision.
const DECIDED: &str = include_str!("catalogue.tsv");

#[test]
fn every_rule_is_as_it_was_decided() {
    let mut problems = Vec::new();
    let mut known = BTreeSet::new();
    for row in DECIDED.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = row.split('\t').collect();
        let [code, name, severities, opt_in, needs] = fields[..] else {
            panic!("a row has five fields: {row}");
        };
        known.insert(code);
        let Some(rule) = find(code) else {
            continue;
        };
        let says = |expected: &str, found: &str| expected.split('|').any(|one| one == found);
        let found_needs = match rule.needs {
            Needs::Manifest => "manifest",
            Needs::Related => "related",
            Needs::Comparison => "comparison",
            Needs::Live => "live",
            Needs::History => "history",
        };
        if rule.name != name {
            problems.push(format!("{code} is called {}, not {name}", rule.name));
        }
        if !says(severities, rule.severity.as_str()) {
            problems.push(format!("{code}: {}, not {severities}", rule.severity));
        }
        if rule.is_opt_in != (opt_in == "opt-in") {
            problems.push(format!("{code}: opt-in is {}", rule.is_opt_in));
        }
        if !says(needs, found_needs) {
            problems.push(format!("{code} needs {found_needs}, not {needs}"));
        }
    }
    for rule in catalogue() {
        if !known.contains(rule.code) {
            problems.push(format!("{} was never decided on", rule.code));
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
}

#[test]
fn every_rule_that_was_decided_on_is_there() {
    let rows = DECIDED.lines().filter(|line| !line.starts_with('#'));
    let absent: Vec<&str> = rows
        .filter(|row| row.split('\t').next().and_then(find).is_none())
        .collect();
    assert_eq!(
        absent,
        Vec::<&str>::new(),
        "{} rules are absent",
        absent.len()
    );
}

#[test]
fn pages_of_rules_name_what_they_yield_to() {
    for rule in catalogue() {
        for code in rule.yields_to {
            assert_ne!(*code, rule.code, "a rule cannot yield to itself");
            assert!(find(code).is_some(), "{} yields to {code}", rule.code);
        }
    }
}
