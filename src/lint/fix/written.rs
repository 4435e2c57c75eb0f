//! New values, as they are written in block style, in flow style and in JSON.

use crate::yaml::{Node, Value, parse};

/// A value that a rule wrote as YAML on one line.
pub(super) struct Written {
    text: String,
    node: Node,
}

impl Written {
    /// Reads it.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let error = || format!("{text:?} is no value");
        match parse(text).into_iter().next() {
            Some(Ok(document)) => Ok(Self {
                text: text.to_owned(),
                node: document.root,
            }),
            // An empty document is left out when it is read.
            None if text.trim().is_empty() || text == "null" || text == "~" => Ok(Self {
                text: "null".to_owned(),
                node: Node::default(),
            }),
            _ => Err(error()),
        }
    }

    pub(super) fn into_node(self) -> Node {
        self.node
    }

    pub(super) fn is_text(&self) -> bool {
        matches!(self.node.value, Value::Text(_))
    }

    /// As JSON on one line, with spaces as people write them.
    pub(super) fn json(&self) -> String {
        let mut out = String::new();
        json(&self.node, &mut out);
        out
    }

    /// As it was written.
    pub(super) fn flow(&self) -> &str {
        &self.text
    }

    /// What follows `key:` in block style, whose key stands in this column.
    pub(super) fn block(&self, column: usize, newline: &str) -> String {
        let mut out = String::new();
        self.block_of(&self.node, column, newline, &mut out);
        out
    }

    fn block_of(&self, node: &Node, column: usize, newline: &str, out: &mut String) {
        let indent = " ".repeat(column + 2);
        match &node.value {
            Value::Mapping(entries) if !entries.is_empty() => {
                for entry in entries {
                    out.push_str(newline);
                    out.push_str(&indent);
                    out.push_str(self.source(entry.key_span));
                    out.push(':');
                    self.block_of(&entry.node, column + 2, newline, out);
                }
            }
            // Lists stay on one line: there is no style of dashes that every file has.
            _ => {
                out.push(' ');
                out.push_str(self.source(node.span));
            }
        }
    }

    fn source(&self, span: crate::yaml::Span) -> &str {
        self.text[super::edit::range(&self.text, span)].trim()
    }
}

fn json(node: &Node, out: &mut String) {
    match &node.value {
        Value::Mapping(entries) => {
            out.push('{');
            for (index, entry) in entries.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { ", " });
                out.push_str(&quoted(&entry.key));
                out.push_str(": ");
                json(&entry.node, out);
            }
            out.push('}');
        }
        Value::Sequence(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { ", " });
                json(item, out);
            }
            out.push(']');
        }
        _ => out.push_str(&node.to_json().to_string()),
    }
}

/// A text in JSON's quotes.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
