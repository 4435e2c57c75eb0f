//! Thresholds can be configured, so they have names and say what they decide.

use std::collections::BTreeSet;

use kubectl_hpa::rules::{catalogue, page};

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
fn configured_thresholds_are_asked_for_by_the_rule_that_declares_them() {
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
