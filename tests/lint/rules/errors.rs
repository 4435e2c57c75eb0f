//! `list` shows only errors, so it runs fewer rules and reads fewer kinds. The errors must be the same.

use std::collections::BTreeSet;

use hpa_engine::model::{Input as Given, KubeVersion};
use hpa_lint::{LintInput, LintSettings, Severity, rules::catalogue, run};

use super::examples::examples;

/// Code, object and path of each error in a cluster with these objects.
fn errors(
    text: &str,
    change: impl FnOnce(&mut LintSettings),
) -> BTreeSet<(String, String, String)> {
    let version: KubeVersion = "1.36".parse().expect("a version");
    let mut settings = LintSettings::new(Given::given(version));
    change(&mut settings);
    let mut input = LintInput::default();
    input.add_text("example.yaml", text, true);
    input.world.set_live();
    let findings = run(&input, &settings).findings.into_iter();
    findings
        .filter(|one| one.finding.severity == Severity::Error)
        .map(|one| {
            let object = one.object.to_string();
            (
                one.rule.code.to_owned(),
                object,
                one.finding.path.into_owned(),
            )
        })
        .collect()
}

/// The documents of kinds that errors need.
fn needed(text: &str) -> String {
    let is_needed = |document: &&str| {
        let kind = document
            .lines()
            .find_map(|line| line.strip_prefix("kind: "));
        kind.is_none_or(LintSettings::errors_need)
    };
    let documents: Vec<&str> = text.split("---\n").filter(is_needed).collect();
    documents.join("---\n")
}

#[test]
fn errors_are_those_of_all_rules_and_all_kinds() {
    let mut count = 0;
    for rule in catalogue() {
        for example in examples(rule) {
            let all = errors(&example.text, |_| {});
            let few = errors(&needed(&example.text), LintSettings::keep_errors);
            assert_eq!(all, few, "{}: {}", rule.code, example.text);
            count += all.len();
        }
    }
    assert!(50 < count, "{count}");
}
