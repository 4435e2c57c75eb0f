//! Trees that are not kept: behind a mebibyte of text, an object is parsed again for its rules and for its lines.

use std::{fmt::Write as _, fs};

use hpa_lint::rules::catalogue;

use crate::{repository::Repository, rules::examples::examples};

/// All examples and planted mistakes, each in a file, and as the items of lists.
fn write_all(repository: &Repository) {
    let of_rules = catalogue().flat_map(examples).map(|example| example.text);
    let planted = fs::read_dir("tests/lint/planted").unwrap();
    let mut planted: Vec<_> = planted.map(|file| file.unwrap().path()).collect();
    planted.sort();
    let planted = planted.iter().map(|path| fs::read_to_string(path).unwrap());
    for (number, text) in of_rules.chain(planted).enumerate() {
        repository.write(&format!("deploy/{number}/hpa.yaml"), &text);
        let mut list = "apiVersion: v1\nkind: List\nitems:\n".to_owned();
        for object in text.split("---\n").filter(|text| text.contains("kind:")) {
            let lines = object.trim_end().lines();
            let mut lines = lines.skip_while(|line| line.is_empty() || line.starts_with('#'));
            writeln!(list, "- {}", lines.next().unwrap()).unwrap();
            lines.for_each(|line| writeln!(list, "  {line}").unwrap());
        }
        repository.write(&format!("deploy/{number}/list/hpa.yaml"), &list);
    }
}

#[test]
fn what_is_parsed_again_has_the_same_findings_lines_labels_and_fixes() {
    let repository = Repository::with_hpa();
    write_all(&repository);
    let report = |comment: usize| {
        repository.write("deploy/0.yaml", &format!("#{}\n", " ".repeat(comment)));
        repository.lint("-R -f deploy -o json")
    };
    let kept = report(0);
    assert!(10_000 < kept.1.lines().count(), "{kept:?}");
    // Not as a whole: it is long.
    assert!(report(1 << 20) == kept, "the reports differ");
}
