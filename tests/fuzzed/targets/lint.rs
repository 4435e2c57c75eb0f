//! `lint` on any text: it terminates, every format can be written, and fixes terminate, keep every document readable
//! and leave nothing to fix the second time.

use clap::ValueEnum as _;
use hpa_engine::model;
use hpa_lint::{File, LintInput, LintSettings, Report, fix, run};
use hpa_objects::manifest::ASSUMED_VERSION;
use hpa_render::{
    Style,
    lint::{LintView, checkstyle, concise, github, gitlab, json, junit, sarif, text},
};

use kubectl_hpa::cli::LintFormat;

use super::terminal::assert_harmless;

/// As in `commands`: more rounds than any object has fixable findings.
const MOST_ROUNDS: usize = 100;

pub fn lint(bytes: &[u8]) {
    let mut settings = LintSettings::new(model::Input::assumed(ASSUMED_VERSION));
    settings.enabled = hpa_lint::rules::catalogue().map(|rule| rule.code).collect();
    settings.is_complete = bytes.len().is_multiple_of(2);
    let file = File {
        name: "any.yaml".to_owned(),
        bytes: bytes.to_vec(),
        is_found: bytes.len().is_multiple_of(3),
        is_linted: true,
        is_rendered: false,
    };
    let mut input = LintInput::default();
    let Ok(()) = input.add_files([Ok::<_, std::convert::Infallible>(file)]);
    let report = run(&input, &settings);
    written(&report, &input);
    fixed(&input, report, &settings);
}

fn written(report: &Report, input: &LintInput) {
    let view = LintView {
        report,
        input,
        style: Style::plain(),
        is_quiet: false,
        has_statistics: false,
    };
    let mut harmless = |part: String| {
        assert_harmless(&part);
        Ok(())
    };
    for format in LintFormat::value_variants() {
        match format {
            LintFormat::Text => text(&view, &mut harmless).expect("it is written"),
            LintFormat::Junit => junit(&view, &mut harmless).expect("it is written"),
            LintFormat::Checkstyle => checkstyle(&view, &mut harmless).expect("it is written"),
            LintFormat::Concise => concise(&view).for_each(|line| assert_harmless(&line)),
            LintFormat::Github => github(&view).for_each(|line| assert_harmless(&line)),
            LintFormat::Json => {
                let json = serde_json::to_value(json(&view)).expect("it is JSON");
                assert!(json.is_object());
            }
            LintFormat::Sarif => assert!(serde_json::to_value(sarif(&view)).is_ok()),
            LintFormat::Gitlab => assert!(serde_json::to_value(gitlab(&view)).is_ok()),
        }
    }
}

fn fixed(input: &LintInput, report: Report, settings: &LintSettings) {
    let (mut now, mut report) = (input.clone(), report);
    for round in 0.. {
        let done = fix::round(&now, &report);
        if done.texts.is_empty() {
            break;
        }
        assert!(round < MOST_ROUNDS, "fixes do not come to an end");
        for (file, text) in &done.texts {
            same_documents(&now.sources.get(*file).text, text);
        }
        now = now.read_again(done.texts, usize::MAX);
        report = run(&now, settings);
    }
}

/// Checks that the same documents are readable as before, and no others.
fn same_documents(before: &str, after: &str) {
    let numbers = |text| -> Vec<(bool, u32)> {
        let documents = kubectl_hpa_yaml::parse(text).into_iter();
        documents
            .map(|document| match document {
                Ok(document) => (true, document.number),
                Err(error) => (false, error.document),
            })
            .collect()
    };
    assert_eq!(
        numbers(before),
        numbers(after),
        "{before:?} became {after:?}"
    );
}
