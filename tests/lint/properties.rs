//! Properties of every text.

use hpa_lint::LintInput;
use kubectl_hpa_yaml::{Document, decode, parse, parse_without_comments};
use proptest::prelude::*;

use crate::{
    input::{HPA, report},
    tree,
};

/// Texts that sometimes look like YAML.
fn text() -> impl Strategy<Value = String> {
    let token = prop::sample::select(TOKENS.split('¦').collect::<Vec<_>>());
    prop_oneof![
        4 => prop::collection::vec(token, 0..60).prop_map(|tokens| tokens.concat()),
        1 => any::<String>(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn every_part_of_every_document_stands_in_the_text(text in text()) {
        tree::yaml(text.as_bytes());
    }

    #[test]
    fn without_comments_everything_else_is_read_alike(text in text()) {
        let with = parse(&text).into_iter().map(|document| {
            document.map(|document| Document { comments: Vec::new(), ..document })
        });
        let with = with.collect::<Vec<_>>();
        prop_assert_eq!(format!("{:?}", parse_without_comments(&text)), format!("{with:?}"));
    }

    #[test]
    fn any_bytes_can_be_linted(bytes in prop::collection::vec(any::<u8>(), 0..200), is_found in any::<bool>()) {
        let file = hpa_lint::File { name: "any".to_owned(), bytes, is_found, is_linted: true, is_rendered: false };
        let mut input = LintInput::default();
        input.add_files([Ok::<_, ()>(file)]).expect("there is no error in it");
        report(&input);
    }

    #[test]
    fn any_text_can_be_linted_and_what_comes_behind_it_is_checked(text in text()) {
        let mut input = LintInput::default();
        input.add_text("any", &text, true);
        report(&input);
        // A document cannot be separated from the text before it if that leaves a quote open or is a directive for it.
        let is_closed = !text.contains(['"', '\'', '%']);
        let mut input = LintInput::default();
        input.add_text("any", &format!("{text}\n---\n{HPA}"), true);
        let report = report(&input);
        let is_checked = report.findings.iter().any(|one| one.rule.code == "HPA102");
        prop_assert!(is_checked || !is_closed, "{:?}", report.findings);
    }

    #[test]
    fn json_is_read_as_the_value_that_was_written(value in json()) {
        let text = serde_json::to_string_pretty(&value).expect("it is JSON");
        let documents = parse(&text);
        let found = documents.first().map(|document| document.as_ref().expect("it is no error").root.to_json());
        let is_empty = value.is_null();
        prop_assert_eq!(found, (!is_empty).then_some(value));
    }

    #[test]
    fn decoding_keeps_what_is_utf_8(text in any::<String>()) {
        let is_utf16 = text.as_bytes().starts_with(&[0xff]) || text.as_bytes().starts_with(&[0xfe]);
        let decoded = decode(text.clone().into_bytes());
        prop_assert!(is_utf16 || decoded.text == text && decoded.replaced.is_empty());
    }
}

fn json() -> impl Strategy<Value = serde_json::Value> {
    use serde_json::Value;
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "[ -~äöü\u{1F389}\n\t]{0,12}".prop_map(Value::from),
    ];
    let tree = leaf.prop_recursive(4, 32, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::btree_map("[ -~]{0,8}", inner, 0..5)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    });
    prop::collection::btree_map("[ -~]{1,8}", tree, 0..5)
        .prop_map(|entries| Value::Object(entries.into_iter().collect()))
}

const TOKENS: &str = "\n¦  ¦: ¦- ¦---\n¦...\n¦{¦}¦[¦]¦, ¦\"¦'¦|\n¦>-\n¦&a ¦*a¦<<¦? ¦!!str ¦!x ¦# c¦\t¦\r\n¦\u{feff}¦\0¦é¦🎉¦{{ .x }}\
    ¦%YAML 1.1\n¦NOTES:\n¦kind: ¦HorizontalPodAutoscaler¦apiVersion: autoscaling/v2\n¦spec:\n¦items:\n¦kind: List\n\
    ¦1¦0x¦-¦.inf¦a¦metadata:\n¦  name: on\n";
