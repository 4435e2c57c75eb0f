//! Values of string fields that kubectl does not read as strings: the one place that knows which fields are strings.
//!
//! kubectl reads YAML 1.1: `yes`, `on` and `n` are booleans, `0777` and `1_000` are numbers. A string field with such a
//! value cannot be decoded, so the object is rejected, by kubectl itself or by the API server. Only fields that are
//! listed here are judged, so a field that takes a boolean, a number, a quantity or both is never reported.

mod shapes;

use kubectl_hpa_yaml::{Number, Span, YamlNode, YamlValue};
use shapes::{Fields, Shape, shape_of};

use super::{Object, fix::value_at};

/// A value of a string field that kubectl does not read as a string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NoText {
    /// The field.
    pub path: String,
    /// The value as written.
    pub written: String,
    /// What kubectl reads.
    pub read_as: String,
    /// Whether a file that Kustomize builds has a string here: it reads YAML 1.2, and every annotation as a string.
    pub is_text_to_kustomize: bool,
}

/// Finds these values in an object, and replaces each by the string that its author meant, so that this mistake does not
/// hide others. `written` has the text of a span.
pub(super) fn take<'t>(object: &mut Object, written: impl Fn(Span) -> &'t str) -> Vec<NoText> {
    let Some(shape) = shape_of(object.group(), &object.kind) else {
        return Vec::new();
    };
    let mut search = Search {
        steps: Vec::new(),
        found: Vec::new(),
    };
    search.object(&object.node, shape);
    let found = search.found.into_iter();
    let found: Vec<NoText> = found
        .map(|(path, node)| no_text(path, node, &written))
        .collect();
    for one in &found {
        if let Some(node) = value_at(&mut object.node, &one.path) {
            node.value = YamlValue::Text(one.written.as_str().into());
        }
    }
    found
}

fn no_text<'t>(path: String, node: &YamlNode, written: impl Fn(Span) -> &'t str) -> NoText {
    let value = node.to_json().to_string();
    // An alias or a tag is not the value.
    let is_value = |text: &&str| !text.is_empty() && !text.contains(['*', '!', '&', ' ', '\n']);
    let written = Some(written(node.span)).filter(is_value).unwrap_or(&value);
    let is_boolean = node.as_bool().is_some();
    let is_word = is_boolean && !written.eq_ignore_ascii_case(&value);
    let read_as = match &node.value {
        YamlValue::Number(Number::Float(number)) if !number.is_finite() => "a number".to_owned(),
        _ if is_boolean => "a boolean".to_owned(),
        _ if written == value => "a number".to_owned(),
        _ => format!("the number {value}"),
    };
    NoText {
        is_text_to_kustomize: is_word || path.starts_with("metadata.annotations"),
        path,
        written: written.to_owned(),
        read_as,
    }
}

struct Search<'a> {
    steps: Vec<Step<'a>>,
    found: Vec<(String, &'a YamlNode)>,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Key(&'a str),
    Item(usize),
}

impl<'a> Search<'a> {
    fn object(&mut self, node: &'a YamlNode, fields: Fields) {
        for (key, shape) in fields {
            if let Some(entry) = node.entry(key) {
                self.within(Step::Key(key), &entry.node, shape);
            }
        }
    }

    fn within(&mut self, step: Step<'a>, node: &'a YamlNode, shape: &'static Shape) {
        self.steps.push(step);
        match shape {
            Shape::Text => {
                if matches!(node.value, YamlValue::Bool(_) | YamlValue::Number(_)) {
                    self.found.push((path(&self.steps), node));
                }
            }
            Shape::Values => {
                for entry in node.entries() {
                    self.within(Step::Key(&entry.key), &entry.node, &Shape::Text);
                }
            }
            Shape::List(shape) => {
                for (index, item) in node.items().iter().enumerate() {
                    self.within(Step::Item(index), item, shape);
                }
            }
            Shape::Parts(fields) => self.object(node, fields),
        }
        self.steps.pop();
    }
}

fn path(steps: &[Step<'_>]) -> String {
    let mut path = String::new();
    for step in steps {
        match step {
            Step::Item(index) => path.push_str(&format!("[{index}]")),
            Step::Key(key) if key.contains(['.', '[', '/']) => path.push_str(&format!("[{key}]")),
            Step::Key(key) => {
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(key);
            }
        }
    }
    path
}
