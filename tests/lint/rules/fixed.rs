//! What `--fix` can correct is correct afterwards, and stays unchanged.

use hpa_lint::{LintInput, Report, Rule, fix, rules::catalogue};

use super::examples::{Example, examples, report};

/// The text of the example after all fixes, or why it has none.
fn fixed(rule: &'static Rule, example: &Example) -> Result<(String, Report), String> {
    let mut now = Example {
        words: example.words.clone(),
        text: example.text.clone(),
    };
    for _ in 0..20 {
        let found = report(rule, &now);
        let mut input = LintInput::default();
        input.add_text("example.yaml", &now.text, true);
        let round = fix::round(&input, &found);
        if let Some(refused) = round.refused.first() {
            return Err(refused.why.clone());
        }
        match round.texts.into_values().next() {
            Some(text) => now.text = text,
            None => return Ok((now.text, found)),
        }
    }
    Err("the fixes do not come to an end".to_owned())
}

#[test]
fn the_first_example_of_a_fixable_rule_is_clean_after_its_fix() {
    for rule in catalogue().filter(|rule| rule.is_fixable) {
        let name = format!("{} {}", rule.code, rule.name);
        let example = examples(rule).into_iter().next().expect("an example");
        let (text, found) =
            fixed(rule, &example).unwrap_or_else(|why| panic!("{name} is not fixed: {why}"));
        assert_ne!(text, example.text, "{name} fixes nothing");
        assert!(
            found.findings.is_empty(),
            "{name} still fires: {:#?}\n{text}",
            found.findings
        );
        let kept = example.text.lines().filter(|line| text.contains(*line));
        assert!(
            example.text.lines().count() < 2 * kept.count(),
            "{name} rewrote most of\n{text}"
        );
    }
}

#[test]
fn only_fixable_rules_have_fixes() {
    for rule in catalogue().filter(|rule| !rule.is_fixable) {
        for example in examples(rule) {
            for reported in report(rule, &example).findings {
                assert_eq!(reported.finding.fix, [], "{}", rule.code);
            }
        }
    }
}

/// A text that another parser reads differently is not fixed: it must not be an ordinary manifest.
#[test]
fn every_example_is_read_alike_by_both_parsers() {
    for rule in catalogue() {
        let templates = "{{";
        let examples = examples(rule).into_iter();
        for example in examples.filter(|example| !example.text.contains(templates)) {
            let found = kubectl_hpa_yaml::check_agreement(&example.text);
            assert_eq!(found, Ok(()), "{}: {}", rule.code, example.text);
        }
    }
}
