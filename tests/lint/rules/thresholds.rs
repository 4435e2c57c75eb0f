//! Thresholds are configurable, so they have names and say what they decide.

use std::collections::BTreeSet;

use hpa_lint::{
    Rule, Severity,
    config::decode,
    rules::{catalogue, page},
};

use super::examples::{Example, examples, run_with};

#[test]
fn thresholds_have_names_in_kebab_case_and_are_on_the_page() {
    for rule in catalogue() {
        let page = page(rule);
        let mut names = BTreeSet::new();
        for threshold in rule.thresholds {
            let name = format!("{} {}", rule.code, threshold.name);
            assert!(names.insert(threshold.name), "{name} is there twice");
            let is_kebab = threshold
                .name
                .split('-')
                .all(|part| !part.is_empty() && part.chars().all(|one| one.is_ascii_lowercase()));
            assert!(is_kebab, "{name}");
            assert!(page.contains(&format!("- `{}`", threshold.name)), "{name}");
            assert!(!threshold.summary.is_empty(), "{name}");
            assert!(!threshold.summary.ends_with('.'), "{name}");
            assert!(threshold.default.is_finite(), "{name}");
        }
    }
}

#[test]
fn what_the_page_says_of_the_configuration_file_is_what_the_file_takes() {
    for rule in catalogue().filter(|rule| !rule.thresholds.is_empty()) {
        let page = page(rule);
        let (_, rest) = page
            .split_once("`rules: ")
            .expect("the page has an example");
        let (example, _) = rest.split_once('`').expect("the example ends");
        let config = decode(&format!("rules: {example}\n"));
        let config = config.unwrap_or_else(|error| panic!("{}: {error:?}", rule.code));
        let defaults = rule.thresholds.iter();
        let defaults = defaults.map(|threshold| ((rule.code, threshold.name), threshold.default));
        assert_eq!(config.rules.thresholds, defaults.collect(), "{example}");
    }
}

#[test]
fn configured_thresholds_are_read_by_the_rule_that_declares_them() {
    for rule in catalogue() {
        let source = std::fs::read_to_string(rule.file).expect("the rule has its file");
        let check = source
            .split_once("pub(crate) static RULE")
            .map_or("", |(_, code)| code);
        for threshold in rule.thresholds {
            let quoted = format!("\"{}\"", threshold.name);
            assert!(
                2 <= check.matches(&quoted).count(),
                "{} declares {} and does not ask for it",
                rule.code,
                threshold.name
            );
        }
    }
}

/// Severity and path of a rule's finding on an example if one of its thresholds is `value`.
fn printed(
    rule: &'static Rule,
    example: &Example,
    threshold: &'static str,
    value: f64,
) -> Vec<(Severity, String)> {
    let (_, report) = run_with([rule.code].into(), example, |settings| {
        settings.thresholds.insert((rule.code, threshold), value);
    });
    let findings = report.findings.into_iter();
    findings
        .map(|one| (one.finding.severity, one.finding.path.into_owned()))
        .collect()
}

#[test]
fn every_threshold_has_an_edge_at_which_the_rule_changes_its_mind() {
    let values = [0.0, 0.001, 0.5, 1.0, 2.0, 10.0, 1e3, 1e6, 1e12];
    let mut without = Vec::new();
    for rule in catalogue() {
        for threshold in rule.thresholds {
            let decides = examples(rule).iter().any(|example| {
                let by_default = printed(rule, example, threshold.name, threshold.default);
                values
                    .iter()
                    .any(|value| printed(rule, example, threshold.name, *value) != by_default)
            });
            if !decides {
                without.push(format!("{} {}", rule.code, threshold.name));
            }
        }
    }
    assert!(without.is_empty(), "{without:?}");
}
