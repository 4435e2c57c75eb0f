//! Properties of selectors, and what the recorded vectors (`tests/golden/vectors.rs`) do not contain.

use proptest::prelude::*;

use super::{LabelSelector, LabelSelectorRequirement, Selector, Wording};

const LATEST: Wording = Wording {
    has_bytes_wording: true,
    lists_as_json: true,
    has_label_selector_wording: true,
};

/// The wording up to 1.33.
const OLD: Wording = Wording {
    has_bytes_wording: false,
    lists_as_json: false,
    has_label_selector_wording: true,
};

/// Selector strings with every form of requirement, including names that are operators elsewhere.
fn texts() -> impl Strategy<Value = String> {
    let key = "(in|notin|app|[a-z]{1,2}\\.io/[A-Za-z]{1,2})";
    let value = "(in|notin|[a-z0-9]{0,3})";
    let list = format!("\\({value}( ?, ?{value}){{0,2}}\\)");
    let requirement = format!(
        "(!?{key}|{key} ?(=|==|!=) ?{value}|{key} (in|notin) {list}|{key}[<>][0-9]{{1,3}})"
    );
    let selector = format!("({requirement}( ?, ?{requirement}){{0,4}})?");
    proptest::string::string_regex(&selector).unwrap()
}

proptest! {
    #[test]
    fn the_canonical_string_is_the_same_selector(text in texts()) {
        let selector = Selector::parse(&text, LATEST).unwrap();
        let canonical = selector.to_string();
        prop_assert_eq!(&Selector::parse(&canonical, LATEST).unwrap(), &selector);
        prop_assert_eq!(selector.is_empty(), canonical.is_empty());
    }

    #[test]
    fn any_text_is_a_selector_or_an_error(
        text in prop_oneof![any::<String>(), "([a-z./=!(),<> \\x00\u{e9}]|in |notin |app){0,20}"],
    ) {
        if let Ok(selector) = Selector::parse(&text, LATEST) {
            prop_assert_eq!(Selector::parse(&selector.to_string(), OLD), Ok(selector));
        }
    }

    #[test]
    fn labels_match_the_selector_made_of_them(
        labels in proptest::collection::btree_map("[a-z]{1,3}", "[a-z0-9]{0,3}", 1..4),
    ) {
        let object = LabelSelector { match_labels: labels.clone(), ..LabelSelector::default() };
        let selector = object.to_selector(LATEST).unwrap();
        prop_assert!(selector.matches(&labels));
        for key in labels.keys() {
            let mut fewer = labels.clone();
            fewer.remove(key);
            prop_assert!(!selector.matches(&fewer));
        }
    }
}

fn object(key: &str, operator: &str, values: &[&str]) -> LabelSelector {
    LabelSelector {
        match_expressions: vec![LabelSelectorRequirement {
            key: key.to_owned(),
            operator: operator.to_owned(),
            values: values.iter().map(|value| (*value).to_owned()).collect(),
        }],
        ..LabelSelector::default()
    }
}

#[test]
fn an_object_becomes_requirements_sorted_by_key() {
    let mut selector = object("app", "In", &["b", "a"]);
    selector
        .match_labels
        .insert("zone".to_owned(), "x".to_owned());
    selector
        .match_labels
        .insert("app".to_owned(), "a".to_owned());
    let selector = selector.to_selector(LATEST).unwrap();
    assert_eq!(selector.to_string(), "app=a,app in (a,b),zone=x");
}

#[test]
fn an_object_prints_as_go_prints_it() {
    let mut selector = object("tier", "NotIn", &["a", "b"]);
    selector
        .match_labels
        .insert("zone".to_owned(), "x".to_owned());
    selector
        .match_labels
        .insert("app".to_owned(), "web".to_owned());
    assert_eq!(
        selector.to_go_string(),
        "&LabelSelector{MatchLabels:map[string]string{app: web,zone: x,},\
         MatchExpressions:[]LabelSelectorRequirement{\
         LabelSelectorRequirement{Key:tier,Operator:NotIn,Values:[a b],},},}"
    );
    assert_eq!(
        LabelSelector::default().to_go_string(),
        "&LabelSelector{MatchLabels:map[string]string{},MatchExpressions:[]LabelSelectorRequirement{},}"
    );
}

#[test]
fn errors_of_an_object_have_the_words_of_the_release() {
    let error = |selector: &LabelSelector, wording| selector.to_selector(wording).unwrap_err().0;
    let no_values = object("app", "In", &[]);
    let reason = "for 'in', 'notin' operators, values set can't be empty";
    assert_eq!(
        error(&no_values, LATEST),
        format!("values: Invalid value: null: {reason}")
    );
    assert_eq!(
        error(&no_values, OLD),
        format!("values: Invalid value: []string(nil): {reason}")
    );
    let values = object("app", "Exists", &["q", "<r>"]);
    let reason = "values set must be empty for exists and does not exist";
    assert_eq!(
        error(&values, LATEST),
        format!(
            "[values: Invalid value: [\"q\",\"\\u003cr\\u003e\"]: {reason}, {}]",
            error(&object("app", "In", &["q", "<r>"]), LATEST)
        )
    );
    assert_eq!(
        error(&object("app", "Exists", &["q", "r"]), OLD),
        format!("values: Invalid value: []string{{\"q\", \"r\"}}: {reason}")
    );
    assert_eq!(
        error(&object("app", "Gt", &["1"]), LATEST),
        "\"Gt\" is not a valid label selector operator"
    );
}

#[test]
fn errors_of_a_string_have_the_words_of_the_release() {
    let error = |text: &str, wording| Selector::parse(text, wording).unwrap_err().0;
    let long = "x".repeat(64);
    for (wording, unit) in [(LATEST, "bytes"), (OLD, "characters")] {
        assert_eq!(
            error(&format!("app={long}"), wording),
            format!(
                "unable to parse requirement: values[0][app]: Invalid value: \"{long}\": \
                 must be no more than 63 {unit}"
            )
        );
    }
    for (wording, subject) in [(LATEST, "a valid label key"), (OLD, "a qualified name")] {
        let error = error("a/b/c", wording);
        let expected = format!("<nil>: Invalid value: \"a/b/c\": {subject} must consist of");
        assert!(error.contains(&expected), "{error}");
    }
}
