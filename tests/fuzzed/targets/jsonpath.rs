//! kubectl's templates: any template on a fixed document, or on the document that follows after a line break.

use kubectl_jsonpath::{Template, TemplateOptions};
use serde_json::{Value, json};

pub fn jsonpath(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let (template, document) = match text.rsplit_once('\n') {
        Some((template, rest)) => match serde_json::from_str(rest) {
            Ok(document) => (template, document),
            Err(_) => (text, example()),
        },
        None => (text, example()),
    };
    let parsed = match Template::parse(template) {
        Ok(parsed) => parsed,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    assert_eq!(parsed.text(), template);
    let mut harmless = document.clone();
    hpa_render::json::sanitize_document(&mut harmless);
    for (is_missing_allowed, is_json) in [(false, false), (true, false), (true, true)] {
        let options = TemplateOptions {
            is_missing_allowed,
            is_json,
        };
        match parsed.execute(&harmless, options) {
            // The template's own texts are printed unchanged.
            Ok(printed) if !template.chars().any(char::is_control) && !template.contains('\\') => {
                let is_line = |letter| is_json && letter == '\n';
                assert!(
                    !printed
                        .chars()
                        .any(|letter| letter.is_control() && !is_line(letter)),
                    "{template:?} printed {printed:?}"
                );
            }
            Ok(_) => {}
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    if let Err(error) = parsed.first(&document) {
        assert!(!error.to_string().is_empty());
    }
}

/// All kinds of values, some of them hostile.
fn example() -> Value {
    json!({
        "name": "x", "evil": "a\u{1b}]0;owned\u{7}b", "n": null, "i": 5, "f": 1.5, "g": 1e21, "h": 1e-7, "u": u64::MAX,
        "m": i64::MIN, "t": true, "s": "<a&b>", "labels": {"a.b": "dotted"}, "empty": {}, "none": [],
        "parts": [
            {"name": "one", "v": 1, "ok": true, "tags": ["a", "b"]},
            {"name": "two", "v": 2, "ok": false, "tags": []},
            {"name": "three", "v": 3, "x": {"y": "z"}},
            [1, 2.5, "\u{202e}x"],
        ],
    })
}
