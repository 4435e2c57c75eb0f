//! Placeholders that a tool replaces before a manifest is applied.

use kubectl_hpa_yaml::{Span, YamlNode, YamlValue};

use super::Object;

/// The first placeholder in a field in which no API server accepts one, as written. `slice` is the text of a span.
pub(super) fn first<'a>(object: &Object, slice: impl Fn(Span) -> &'a str) -> Option<String> {
    let fields: &[&str] = if &*object.kind == "ScaledObject" {
        &OF_SCALED_OBJECT
    } else {
        &OF_HPA
    };
    let mut found = None;
    for field in fields.iter().filter_map(|path| object.node.at(path)) {
        if found.is_none() {
            search(field, &slice, &mut found);
        }
    }
    found
}

/// Whether a value as written is a placeholder, in the style of some tool: `${MAX}`, `$MAX`, `$(MAX)`, `{{ max }}`,
/// `<max>`, `%MAX%`, `__MAX__`, `@MAX@`, `#{MAX}#`, `[[max]]`.
pub fn is_placeholder(written: &str) -> bool {
    let written = written.trim().trim_matches(['"', '\'']);
    let is_within = |begin: &str, end: &str| {
        let inside = written
            .split_once(begin)
            .and_then(|(_, rest)| rest.split_once(end));
        inside.is_some_and(|(inside, _)| inside.contains(|one: char| one.is_ascii_alphanumeric()))
    };
    let is_variable = written
        .split('$')
        .skip(1)
        .any(|rest| rest.starts_with(|one: char| one.is_ascii_alphabetic() || one == '_'));
    let pairs = [
        ("${", "}"),
        ("{{", "}}"),
        ("$(", ")"),
        ("$[", "]"),
        ("<", ">"),
        ("%", "%"),
        ("__", "__"),
        ("@", "@"),
        ("#{", "}"),
        ("[[", "]]"),
    ];
    is_variable
        || written.starts_with('{')
        || written.starts_with('[')
        || pairs.iter().any(|(begin, end)| is_within(begin, end))
}

/// Puts the first placeholder of a field, or of a field within it, into `found`. The name of a metric can be any text.
fn search<'a>(node: &YamlNode, slice: &impl Fn(Span) -> &'a str, found: &mut Option<String>) {
    let is_scalar_in_style = |written: &str| written.len() < LONGEST && is_placeholder(written);
    match &node.value {
        _ if found.is_some() => {}
        YamlValue::Mapping(entries) if !slice(node.span).starts_with('{') || is_json(entries) => {
            for entry in entries.iter().filter(|entry| &*entry.key != "metric") {
                search(&entry.node, slice, found);
            }
        }
        YamlValue::Sequence(items) if items.iter().any(|item| !item.entries().is_empty()) => {
            for item in items {
                search(item, slice, found);
            }
        }
        YamlValue::Sequence(items) if items.is_empty() => {}
        _ => {
            let written = slice(node.span).trim();
            if is_scalar_in_style(written) {
                *found = Some(written.to_owned());
            }
        }
    }
}

/// Whether a mapping in braces is one, and not `{name}` or `{{ name }}`, whose keys have no value.
fn is_json(entries: &[kubectl_hpa_yaml::Entry]) -> bool {
    let is_set = |node: &YamlNode| !matches!(node.value, YamlValue::Null);
    entries.is_empty() || entries.iter().any(|entry| is_set(&entry.node))
}

/// Longer values are texts, not placeholders.
const LONGEST: usize = 200;

const OF_HPA: [&str; 7] = [
    "metadata.name",
    "metadata.namespace",
    "spec.minReplicas",
    "spec.maxReplicas",
    "spec.scaleTargetRef",
    "spec.metrics",
    "spec.behavior",
];

const OF_SCALED_OBJECT: [&str; 5] = [
    "metadata.name",
    "metadata.namespace",
    "spec.minReplicaCount",
    "spec.maxReplicaCount",
    "spec.scaleTargetRef",
];

#[cfg(test)]
mod tests {
    use super::is_placeholder;

    #[test]
    fn every_style_of_a_placeholder_is_known_and_names_and_numbers_are_none() {
        for written in [
            "${MAX}",
            "${MAX:-3}",
            "$MAX",
            "web-$ENV",
            "$(MAX)",
            "$[max]",
            "{{ max }}",
            "'{{name}}'",
            "{name}",
            "<max>",
            "<app-name>",
            "web-<env>",
            "%MAX%",
            "__MAX__",
            "@MAX@",
            "@project.name@",
            "#{MAX}#",
            "[[max]]",
            "[APP]",
        ] {
            assert!(is_placeholder(written), "{written}");
        }
        for written in [
            "web",
            "web-api",
            "3",
            "apps/v1",
            "50%",
            "100%",
            "web_api",
            "user@host",
            "a<b",
            "''",
            "$",
            "#1",
        ] {
            assert!(!is_placeholder(written), "{written}");
        }
    }
}
