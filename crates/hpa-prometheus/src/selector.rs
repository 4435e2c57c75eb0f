//! Which series to request, and whether a series is one of them.

use std::{collections::BTreeMap, fmt};

/// Series by name and labels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selector {
    names: Vec<String>,
    matchers: Vec<(String, Condition)>,
}

/// The condition on a label.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Condition {
    Is(String),
    IsNot(String),
    IsOneOf(Vec<String>),
    StartsWith(String),
    /// An RE2 regular expression, which only the server can evaluate.
    Matches(String),
}

impl Selector {
    /// Series of this name.
    pub fn new(name: &str) -> Self {
        Self::any_of(&[name])
    }

    /// Series of any of these names.
    pub fn any_of(names: &[&str]) -> Self {
        Self {
            names: names.iter().map(|name| (*name).to_owned()).collect(),
            matchers: Vec::new(),
        }
    }

    /// Requires a label to have this value; empty: to be missing.
    #[must_use]
    pub fn is(self, label: &str, value: &str) -> Self {
        self.with(label, Condition::Is(value.to_owned()))
    }

    /// Requires a label to have another value.
    #[must_use]
    pub fn is_not(self, label: &str, value: &str) -> Self {
        self.with(label, Condition::IsNot(value.to_owned()))
    }

    /// Requires a label to have one of these values.
    #[must_use]
    pub fn is_one_of<S: AsRef<str>>(self, label: &str, values: &[S]) -> Self {
        let values = values.iter().map(|value| value.as_ref().to_owned());
        self.with(label, Condition::IsOneOf(values.collect()))
    }

    /// Requires the value of a label to start with this and continue.
    #[must_use]
    pub fn starts_with(self, label: &str, value: &str) -> Self {
        self.with(label, Condition::StartsWith(value.to_owned()))
    }

    /// Requires an RE2 regular expression to match the whole value of a label.
    #[must_use]
    pub fn matches(self, label: &str, expression: &str) -> Self {
        self.with(label, Condition::Matches(expression.to_owned()))
    }

    /// The names.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The same selector for one of the names.
    pub(super) fn for_name(&self, name: &str) -> Self {
        Self {
            names: vec![name.to_owned()],
            matchers: self.matchers.clone(),
        }
    }

    fn with(mut self, label: &str, condition: Condition) -> Self {
        self.matchers.push((label.to_owned(), condition));
        self
    }

    /// Whether a series with these labels is selected, as far as can be known without the server.
    pub(super) fn covers(&self, labels: &BTreeMap<String, String>) -> bool {
        let value = |label: &str| labels.get(label).map_or("", String::as_str);
        let name = value(NAME);
        self.names.iter().any(|one| one == name)
            && self.matchers.iter().all(|(label, condition)| {
                let value = value(label);
                match condition {
                    Condition::Is(expected) => value == expected,
                    Condition::IsNot(other) => value != other,
                    Condition::IsOneOf(values) => values.iter().any(|one| one == value),
                    Condition::StartsWith(start) => {
                        value.len() > start.len() && value.starts_with(start)
                    }
                    Condition::Matches(_) => true,
                }
            })
    }
}

/// In `PromQL`.
impl fmt::Display for Selector {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        match &self.names[..] {
            [name] if is_metric_name(name) => formatter.write_str(name)?,
            [name] => parts.push(format!("{NAME}={}", quoted(name))),
            names => parts.push(format!("{NAME}=~{}", quoted(&any_of(names)))),
        }
        for (label, condition) in &self.matchers {
            let label = if is_label_name(label) {
                label.clone()
            } else {
                quoted(label)
            };
            parts.push(match condition {
                Condition::Is(value) => format!("{label}={}", quoted(value)),
                Condition::IsNot(value) => format!("{label}!={}", quoted(value)),
                Condition::IsOneOf(values) => format!("{label}=~{}", quoted(&any_of(values))),
                Condition::StartsWith(start) => {
                    format!("{label}=~{}", quoted(&format!("{}.+", literal(start))))
                }
                Condition::Matches(expression) => format!("{label}=~{}", quoted(expression)),
            });
        }
        if parts.is_empty() {
            return Ok(());
        }
        write!(formatter, "{{{}}}", parts.join(","))
    }
}

/// The label with the name.
pub(super) const NAME: &str = "__name__";

/// Whether it is valid as an unquoted label name.
pub(super) fn is_label_name(text: &str) -> bool {
    is_metric_name(text) && !text.contains(':')
}

fn is_metric_name(text: &str) -> bool {
    let is_first = |letter: char| letter.is_ascii_alphabetic() || "_:".contains(letter);
    text.starts_with(is_first)
        && text
            .chars()
            .all(|letter| is_first(letter) || letter.is_ascii_digit())
}

/// A regular expression that matches exactly these texts.
fn any_of(texts: &[String]) -> String {
    let texts: Vec<String> = texts.iter().map(|text| literal(text)).collect();
    texts.join("|")
}

/// A regular expression that matches exactly this text.
fn literal(text: &str) -> String {
    let mut expression = String::with_capacity(text.len());
    for letter in text.chars() {
        if "\\.+*?()|[]{}^$".contains(letter) {
            expression.push('\\');
        }
        expression.push(letter);
    }
    expression
}

/// A string literal in `PromQL`.
fn quoted(text: &str) -> String {
    let text = text
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n");
    format!("\"{text}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_are_written_as_promql_reads_them() {
        let hpa = Selector::new("kube_horizontalpodautoscaler_info")
            .is("namespace", "shop")
            .is_not("container", "");
        assert_eq!(
            hpa.to_string(),
            r#"kube_horizontalpodautoscaler_info{namespace="shop",container!=""}"#
        );
        assert_eq!(Selector::new("up").to_string(), "up");
        assert_eq!(
            Selector::any_of(&["a", "b"])
                .is_one_of("pod", &["web.0", "web-1"])
                .to_string(),
            r#"{__name__=~"a|b",pod=~"web\\.0|web-1"}"#
        );
        assert_eq!(
            Selector::new("queue.length")
                .starts_with("pod", "web-")
                .is("a.b", "x\"\\\n")
                .to_string(),
            r#"{__name__="queue.length",pod=~"web-.+","a.b"="x\"\\\n"}"#
        );
    }

    #[test]
    fn series_of_others_are_noticed() {
        let labels = |pairs: &[(&str, &str)]| {
            let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
            pairs.iter().map(own).collect::<BTreeMap<_, _>>()
        };
        let selector = Selector::new("up")
            .is("namespace", "shop")
            .is("container", "")
            .starts_with("pod", "web-");
        let own = labels(&[(NAME, "up"), ("namespace", "shop"), ("pod", "web-1")]);
        assert!(selector.covers(&own));
        for (label, value) in [
            (NAME, "down"),
            ("namespace", "shop2"),
            ("container", "app"),
            ("pod", "web-"),
            ("pod", "other"),
        ] {
            let mut other = own.clone();
            other.insert(label.to_owned(), value.to_owned());
            assert!(!selector.covers(&other), "{label}");
        }
        assert!(!selector.covers(&BTreeMap::new()));
    }
}
