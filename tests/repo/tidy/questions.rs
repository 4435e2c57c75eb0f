//! Every question in the documentation has tests, and they exist.

use regex::Regex;

use super::{assert_none, text_of, texts};

#[test]
fn every_question_has_tests_that_exist() {
    let named = Regex::new(r"`((?:live|pages|faults)/\w+)::(\w+)`").unwrap();
    let questions = text_of("docs/dev/questions.md");
    let sources = texts("tests/", ".rs");
    let mut wrong = Vec::new();
    let mut numbers = Vec::new();
    for row in questions.lines() {
        let number = row
            .strip_prefix("| ")
            .and_then(|row| row.split(' ').next())
            .and_then(|number| number.parse::<u32>().ok());
        let Some(number) = number else { continue };
        numbers.push(number);
        let tests: Vec<_> = named.captures_iter(row).collect();
        if tests.is_empty() {
            wrong.push(format!("question {number} has no test"));
        }
        for test in tests {
            let path = format!("tests/{}.rs", &test[1]);
            let test = format!("#[test]\nfn {}()", &test[2]);
            let exists = sources
                .iter()
                .any(|(source, code)| *source == path && code.contains(&test));
            if !exists {
                wrong.push(format!("question {number}: {path} has no {test:?}"));
            }
        }
    }
    assert_eq!(numbers, (1..=22).collect::<Vec<_>>());
    assert_none("questions without their tests", &wrong);
}
