//! Validation of label keys and values, and its error texts.

use super::{Wording, go_text::go_quoted};

/// Maximum bytes of a label's name and of its value.
const NAME_LIMIT: usize = 63;

/// Maximum bytes of a key's prefix.
const PREFIX_LIMIT: usize = 253;

/// Upstream's rule for a name.
const NAME_REASON: &str = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with \
    an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is \
    '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

/// Upstream's rule for a value.
const VALUE_REASON: &str = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' \
    or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', \
    regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

/// Upstream's rule for a prefix.
const PREFIX_REASON: &str = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' \
    or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is \
    '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

/// Upstream's rule for a DNS label.
const LABEL_REASON: &str = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', \
    and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation \
    is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

/// The error text for a string at `path`. Upstream: `field.Invalid`.
pub(super) fn invalid_value(path: &str, value: &str, reason: &str) -> String {
    invalid(path, &go_quoted(value), reason)
}

/// The error text for any other value at `path`, which is printed already.
pub(super) fn invalid(path: &str, value: &str, reason: &str) -> String {
    format!("{path}: Invalid value: {value}: {reason}")
}

/// What is wrong with a label key, if anything.
pub(super) fn label_key_reasons(key: &str, wording: Wording) -> Option<String> {
    joined(&label_key_problems(key, wording))
}

/// Everything that is wrong with a label key. Upstream: `content.IsLabelKey`.
pub fn label_key_problems(key: &str, wording: Wording) -> Vec<String> {
    let (prefix, name) = match key.split_once('/') {
        None => (None, key),
        Some((_, name)) if name.contains('/') => {
            let subject = if wording.has_bytes_wording {
                "a valid label key"
            } else {
                "a qualified name"
            };
            return vec![format!(
                "{subject} {NAME_REASON} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
            )];
        }
        Some((prefix, name)) => (Some(prefix), name),
    };
    let mut reasons = Vec::new();
    match prefix {
        None => {}
        Some("") => reasons.push("prefix part must be non-empty".to_owned()),
        Some(prefix) => {
            if PREFIX_LIMIT < prefix.len() {
                reasons.push(format!("prefix part {}", too_long(PREFIX_LIMIT, wording)));
            }
            if !is_subdomain(prefix) {
                reasons.push(format!("prefix part {PREFIX_REASON}"));
            }
        }
    }
    if name.is_empty() {
        reasons.push("name part must be non-empty".to_owned());
    } else if NAME_LIMIT < name.len() {
        reasons.push(format!("name part {}", too_long(NAME_LIMIT, wording)));
    }
    if !is_name(name) {
        reasons.push(format!("name part {NAME_REASON}"));
    }
    reasons
}

/// Everything that is wrong with a DNS label, such as the name of a container. Upstream: `validation.IsDNS1123Label`,
/// which counts characters in every version.
pub fn label_problems(text: &str) -> Vec<String> {
    let mut reasons = Vec::new();
    if NAME_LIMIT < text.len() {
        reasons.push(format!("must be no more than {NAME_LIMIT} characters"));
    }
    if !is_label(text) {
        let reason = if is_subdomain(text) {
            "must not contain dots"
        } else {
            LABEL_REASON
        };
        reasons.push(reason.to_owned());
    }
    reasons
}

/// Everything that is wrong with a DNS subdomain, such as the name of most objects. Upstream:
/// `validation.IsDNS1123Subdomain`.
pub fn subdomain_problems(text: &str) -> Vec<String> {
    let mut reasons = Vec::new();
    if PREFIX_LIMIT < text.len() {
        reasons.push(format!("must be no more than {PREFIX_LIMIT} characters"));
    }
    if !is_subdomain(text) {
        reasons.push(PREFIX_REASON.to_owned());
    }
    reasons
}

/// What is wrong with a label value, if anything. Upstream: `content.IsLabelValue`.
pub(super) fn label_value_reasons(value: &str, wording: Wording) -> Option<String> {
    joined(&label_value_problems(value, wording))
}

/// Everything that is wrong with a label value. Upstream: `content.IsLabelValue`.
pub fn label_value_problems(value: &str, wording: Wording) -> Vec<String> {
    let mut reasons = Vec::new();
    if NAME_LIMIT < value.len() {
        reasons.push(too_long(NAME_LIMIT, wording));
    }
    if !value.is_empty() && !is_name(value) {
        reasons.push(VALUE_REASON.to_owned());
    }
    reasons
}

fn joined(reasons: &[String]) -> Option<String> {
    (!reasons.is_empty()).then(|| reasons.join("; "))
}

fn too_long(limit: usize, wording: Wording) -> String {
    let unit = if wording.has_bytes_wording {
        "bytes"
    } else {
        "characters"
    };
    format!("must be no more than {limit} {unit}")
}

fn is_name(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_inner = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    bytes.iter().all(is_inner)
        && bytes.first().is_some_and(u8::is_ascii_alphanumeric)
        && bytes.last().is_some_and(u8::is_ascii_alphanumeric)
}

fn is_subdomain(text: &str) -> bool {
    text.split('.').all(is_label)
}

fn is_label(text: &str) -> bool {
    let is_outer = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let bytes = text.as_bytes();
    bytes.iter().all(|byte| is_outer(byte) || *byte == b'-')
        && bytes.first().is_some_and(is_outer)
        && bytes.last().is_some_and(is_outer)
}
