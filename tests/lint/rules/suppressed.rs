//! Every rule can be suppressed, without suppressing any other.

use hpa_lint::{
    Report, Rule, RuleSelection, RuleSelector, Severity, SuppressedBy, rules::catalogue,
};

use super::examples::{Example, examples, report};

/// The first example of each rule that reports findings.
fn first_examples() -> impl Iterator<Item = (&'static Rule, Example)> {
    catalogue()
        .filter(|rule| rule.severity != Severity::Note)
        .map(|rule| {
            let first = examples(rule).into_iter().next();
            (rule, first.expect("every rule has an example"))
        })
}

#[track_caller]
fn is_silent(rule: &Rule, before: &Report, after: &Report, by: SuppressedBy) {
    let name = format!("{} {}", rule.code, rule.name);
    let codes = |report: &Report| -> Vec<&str> {
        report.findings.iter().map(|one| one.rule.code).collect()
    };
    let mut others = codes(before);
    others.retain(|code| *code != rule.code);
    assert_eq!(codes(after), others, "{name}");
    let count = codes(before).len() - others.len();
    assert_eq!(after.suppressed.len(), count, "{name}");
    for suppressed in &after.suppressed {
        assert_eq!(suppressed.by, by, "{name}");
        assert_eq!(suppressed.reason.as_deref(), Some("as agreed"), "{name}");
        assert_eq!(suppressed.reported.rule.code, rule.code);
    }
    assert_eq!(after.remarks, [], "{name}");
    assert_eq!(after.unused_suppressions, [], "{name}");
}

#[test]
fn a_comment_before_the_document_silences_its_rule() {
    for (rule, example) in first_examples() {
        let before = report(rule, &example);
        // Answers of a cluster have no comments.
        if before.findings.iter().any(|one| one.location.is_none()) {
            continue;
        }
        let comment = format!("# kubectl-hpa: ignore {} (as agreed)\n", rule.code);
        let text = example
            .text
            .split("---\n")
            .map(|document| format!("{comment}{document}"))
            .collect::<Vec<_>>()
            .join("---\n");
        let after = report(rule, &Example { text, ..example });
        is_partly_silent(rule, &before, &after);
    }
}

/// Comments before documents that are not about the rule suppress nothing, which no finding says here.
#[track_caller]
fn is_partly_silent(rule: &Rule, before: &Report, after: &Report) {
    let mut after = after.clone();
    after.unused_suppressions.clear();
    is_silent(rule, before, &after, SuppressedBy::Comment);
}

#[test]
fn an_annotation_silences_its_rule() {
    for (rule, example) in first_examples() {
        let before = report(rule, &example);
        let annotations = [
            format!("kubectl-hpa/ignore: {}", rule.name),
            "kubectl-hpa/ignore-reason: as agreed".to_owned(),
        ];
        let Some(text) = annotated(&example.text, &annotations) else {
            continue;
        };
        let after = report(rule, &Example { text, ..example });
        let mut after = after.clone();
        after.unused_suppressions.clear();
        is_silent(rule, &before, &after, SuppressedBy::Annotation);
    }
}

/// The text with the two annotations in every block-style `metadata:`.
fn annotated(text: &str, annotations: &[String; 2]) -> Option<String> {
    let mut out = String::new();
    let mut count = 0;
    let lines: Vec<&str> = text.lines().collect();
    let mut index = 0;
    while let Some(line) = lines.get(index) {
        index += 1;
        out.push_str(line);
        out.push('\n');
        let content = line.trim_start_matches([' ', '-']);
        if content != "metadata:" {
            continue;
        }
        count += 1;
        let pad = " ".repeat(line.len() - content.len() + 2);
        let rest = &lines[index..];
        let end = rest.iter().position(|line| !line.starts_with(&pad));
        let end = end.unwrap_or(rest.len());
        let heading = format!("{pad}annotations:");
        let known = rest[..end].iter().position(|line| *line == heading);
        if let Some(known) = known {
            for line in &rest[..=known] {
                out.push_str(line);
                out.push('\n');
            }
            index += known + 1;
        } else {
            out.push_str(&heading);
            out.push('\n');
        }
        for annotation in annotations {
            out.push_str(&format!("{pad}  {annotation}\n"));
        }
    }
    (count > 0).then_some(out)
}

#[test]
fn ignore_silences_exactly_one_rule() {
    let all = catalogue().map(|rule| rule.code).collect();
    for rule in catalogue() {
        let selection = RuleSelection {
            ignore: vec![RuleSelector::parse(rule.name).expect("it is a rule")],
            ..RuleSelection::default()
        };
        let left = selection.apply(&all);
        let deleted: Vec<&str> = all.difference(&left).copied().collect();
        assert_eq!(deleted, [rule.code]);
    }
}
