//! The mistakes planted in `tests/lint/planted`: each is found, and nothing else is called an error or a warning. The last
//! line of a file names the documents that it shares with `clean.yaml`.

use std::{collections::BTreeSet, fs};

use hpa_engine::model::Input as Given;
use hpa_lint::{LintInput, LintSettings, Severity, run};
use hpa_testing::version;

/// Findings of a file in addition to the one that its first line names, with the reason why they are right.
const ALSO: [(&str, &str); 1] = [
    // Zero replicas need the feature gate, whatever the metric.
    ("13-zero-needs-object-or-external.yaml", "HPA011"),
];

#[test]
fn every_planted_mistake_is_found_and_nothing_else() {
    let version = version(36);
    let clean = fs::read_to_string("tests/lint/planted/clean.yaml").expect("it can be read");
    let mut files = 0;
    for entry in fs::read_dir("tests/lint/planted").expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        let name = path.file_name().expect("a file").to_string_lossy();
        let text = fs::read_to_string(&path).expect("it can be read");
        let planted = text
            .strip_prefix("# planted: ")
            .and_then(|rest| rest.split([' ', '\n']).next())
            .expect("the first line says what is planted");
        let mut expected: BTreeSet<&str> = [planted].into();
        expected.remove("nothing");
        expected.extend(
            ALSO.iter()
                .filter(|(file, _)| *file == name)
                .map(|one| one.1),
        );
        let mut input = LintInput::default();
        input.add_text(&name, &whole(&text, &clean), true);
        let report = run(&input, &LintSettings::new(Given::given(version)));
        let found: BTreeSet<&str> = report
            .findings
            .iter()
            .filter(|one| Severity::Warning <= one.finding.severity)
            .map(|one| one.rule.code)
            .collect();
        assert_eq!(found, expected, "{name}");
        files += 1;
    }
    assert_eq!(files, 52);
}

fn whole(text: &str, clean: &str) -> String {
    let (own, kinds) = text
        .split_once("# and of clean.yaml: ")
        .unwrap_or((text, ""));
    let shared = kinds.split_terminator([',', '\n']).map(|kind| {
        let line = format!("\nkind: {}\n", kind.trim());
        let mut documents = clean.split("---\n");
        documents.find(|one| one.contains(&line)).expect(kind)
    });
    [own]
        .into_iter()
        .chain(shared)
        .collect::<Vec<_>>()
        .join("---\n")
}
