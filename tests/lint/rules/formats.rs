//! Every finding of every rule in every format.

use std::collections::BTreeSet;

use hpa_lint::rules::catalogue;
use hpa_render::{
    Style,
    lint::{LintView, json, sarif},
};

use super::examples::{examples, run_of};
use crate::{
    formats::{checkstyle, concise, github, gitlab, junit, text},
    schema::Schema,
};

#[test]
fn every_finding_is_what_the_schema_of_its_format_says() {
    let json_schema = Schema::parse(include_str!("../../../docs/schema/lint.json"));
    let sarif_schema = Schema::parse(include_str!("../sarif-2.1.0.json"));
    let all: BTreeSet<&'static str> = catalogue().map(|rule| rule.code).collect();
    for rule in catalogue() {
        for example in examples(rule) {
            let (input, report) = run_of(all.clone(), &example);
            let view = LintView {
                report: &report,
                input: &input,
                style: Style::plain(),
                is_quiet: false,
                has_statistics: false,
            };
            let count = report.findings.len();
            let written = serde_json::to_value(json(&view)).expect("it is JSON");
            assert_eq!(
                json_schema.errors(&written),
                Vec::<String>::new(),
                "{}",
                rule.code
            );
            let written = serde_json::to_value(sarif(&view)).expect("it is JSON");
            assert_eq!(
                sarif_schema.errors(&written),
                Vec::<String>::new(),
                "{}",
                rule.code
            );
            for xml in [checkstyle(&view), junit(&view)] {
                roxmltree::Document::parse(&xml)
                    .unwrap_or_else(|error| panic!("{}: {error}\n{xml}", rule.code));
            }
            assert_eq!(concise(&view).lines().count(), count, "{}", rule.code);
            assert_eq!(github(&view).lines().count(), count, "{}", rule.code);
            assert_eq!(gitlab(&view).len(), count, "{}", rule.code);
            let written = text(&view);
            for reported in &report.findings {
                let title = format!("[{} {}]: ", reported.rule.code, reported.rule.name);
                assert!(written.contains(&title), "{title} is not in\n{written}");
            }
        }
    }
}

/// A word longer than its line stays whole, so that it can be copied and searched for.
#[test]
fn no_word_of_a_message_is_broken_at_any_width() {
    let mut missing = Vec::new();
    for rule in catalogue() {
        for example in examples(rule) {
            let (input, report) = run_of([rule.code].into(), &example);
            for width in [40, 60, 80, 100] {
                let view = LintView {
                    report: &report,
                    input: &input,
                    style: Style {
                        width,
                        ..Style::plain()
                    },
                    is_quiet: false,
                    has_statistics: false,
                };
                let written = text(&view);
                let written: BTreeSet<&str> = written.split_whitespace().collect();
                for reported in &report.findings {
                    let finding = &reported.finding;
                    let texts = [&finding.message, &finding.help];
                    let words = texts.into_iter().flat_map(|text| text.split_whitespace());
                    let broken = words.filter(|word| !written.contains(word));
                    missing.extend(broken.map(|word| format!("{} at {width}: {word}", rule.code)));
                }
            }
        }
    }
    assert_eq!(missing, Vec::<String>::new());
}

#[test]
fn every_page_of_a_rule_is_what_the_schema_says() {
    let schema = Schema::parse(include_str!("../../../docs/schema/rules.json"));
    let all: Vec<_> = catalogue().collect();
    let written = serde_json::to_value(hpa_render::rules::json(&all)).expect("it is JSON");
    assert_eq!(schema.errors(&written), Vec::<String>::new());
    for rule in all {
        let page = hpa_render::rules::page(rule, Style::plain());
        assert!(page.starts_with(&format!("{} {}\n", rule.code, rule.name)));
        assert!(!page.contains("```"), "{page}");
    }
}
