//! JSON that is safe to show.

use hpa_words::sanitize::{is_unsafe, lines, one_line};
use serde_json::Value;

/// Sanitizes a document, in texts and in field names.
pub fn sanitize_document(value: &mut Value) {
    match value {
        Value::String(text) => *text = lines(text).into_owned(),
        Value::Array(values) => values.iter_mut().for_each(sanitize_document),
        Value::Object(fields) => {
            if fields.keys().any(|name| name.contains(is_unsafe)) {
                let renamed = std::mem::take(fields).into_iter();
                *fields = renamed
                    .map(|(name, value)| (one_line(&name).into_owned(), value))
                    .collect();
            }
            fields.values_mut().for_each(sanitize_document);
        }
        Value::Bool(_) | Value::Null | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn texts_of_a_document_cannot_take_over_the_terminal() {
        let mut value = json!({"name": "a\u{1b}]0;owned\u{7}b", "list": ["\u{1b}[31mred", {"x\u{9b}2J\u{202e}": 1}]});
        sanitize_document(&mut value);
        assert_eq!(value, json!({"name": "ab", "list": ["red", {"x": 1}]}));
    }
}
