//! YAML and JSON as trees: every part is where the tree says, and JSON has the value that a JSON parser reads.

use kubectl_hpa_yaml::{Document, Span, YamlNode, decode, parse, parse_object};
use serde_json::Value;

pub fn yaml(bytes: &[u8]) {
    let decoded = decode(bytes.to_vec());
    let text = decoded.text.as_str();
    for replaced in &decoded.replaced {
        assert!(text[*replaced as usize..].starts_with(char::REPLACEMENT_CHARACTER));
    }
    let documents = parse(text);
    let mut numbers = Vec::new();
    for document in &documents {
        match document {
            Ok(document) => {
                numbers.push(document.number);
                sound(text, document);
            }
            Err(error) => {
                numbers.push(error.document);
                assert!(
                    is_in(text, error.span) && is_in(text, error.region),
                    "{error:?} of {text:?}"
                );
                assert!(!error.problem.is_empty(), "{text:?}");
            }
        }
    }
    assert!(
        numbers.is_sorted() && !numbers.contains(&0),
        "{numbers:?} of {text:?}"
    );

    if let Ok(value @ Value::Object(_)) = serde_json::from_str::<Value>(text)
        && !has_depth(&value, 200)
    {
        let [Ok(document)] = documents.as_slice() else {
            panic!("{text:?} is one object, and was read as {documents:?}");
        };
        if document.repeated_keys.is_empty() && !text.contains("<<") {
            let found = document.root.to_json();
            assert!(is_same(&found, &value), "{text:?} was read as {found}");
        }
    }
}

fn sound(text: &str, document: &Document) {
    nodes(&document.root, &mut |span| {
        assert!(is_in(text, span), "{span:?} of {text:?}");
    });
    items(&document.root, &mut |item| {
        let before = document.number - 1;
        if let Some(alone) = parse_object(text, item.span.start, before) {
            assert_eq!(
                alone.root.to_json(),
                item.to_json(),
                "{:?} of {text:?}",
                item.span
            );
            assert_eq!(alone.number, document.number, "{text:?}");
        }
    });
    for comment in &document.comments {
        let comment = &text[comment.span.start as usize..comment.span.end as usize];
        assert!(comment.starts_with('#'), "{comment:?} of {text:?}");
    }
    for key in &document.repeated_keys {
        assert!(
            is_in(text, key.first) && is_in(text, key.again),
            "{key:?} of {text:?}"
        );
    }
}

fn nodes(node: &YamlNode, check: &mut impl FnMut(Span)) {
    check(node.span);
    for entry in node.entries() {
        check(entry.key_span);
        nodes(&entry.node, check);
    }
    for item in node.items() {
        nodes(item, check);
    }
}

/// Calls `check` with every item of a list that is a mapping.
fn items(node: &YamlNode, check: &mut impl FnMut(&YamlNode)) {
    for item in node.items() {
        if !item.entries().is_empty() {
            check(item);
        }
        items(item, check);
    }
    for entry in node.entries() {
        items(&entry.node, check);
    }
}

fn is_in(text: &str, span: Span) -> bool {
    text.get(span.start as usize..span.end as usize).is_some()
}

/// Whether it is nested this deep; then the tree is rejected.
fn has_depth(value: &Value, levels: usize) -> bool {
    let below = |value| levels == 0 || has_depth(value, levels - 1);
    match value {
        Value::Array(items) => items.iter().any(below),
        Value::Object(entries) => entries.values().any(below),
        _ => false,
    }
}

/// Numbers that int64 does not hold are compared as floats, like in kubectl.
fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            one.as_i64().is_some() && one.as_i64() == other.as_i64()
                || one.as_f64() == other.as_f64()
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .zip(other)
                    .all(|(one, other)| is_same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .all(|(key, one)| other.get(key).is_some_and(|other| is_same(one, other)))
        }
        _ => one == other,
    }
}
