//! Writes new values in block style, flow style and JSON.

use kubectl_hpa_yaml::{Entry, YamlNode, YamlValue, parse};

/// A value that a rule specifies as YAML on one line.
pub(super) struct WrittenValue {
    text: String,
    node: YamlNode,
}

impl WrittenValue {
    /// Parses it.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let error = || format!("{text:?} is not a value");
        match parse(text).into_iter().next() {
            Some(Ok(document)) => Ok(Self {
                text: text.to_owned(),
                node: document.root,
            }),
            // The parser skips empty documents.
            None if text.trim().is_empty() || text == "null" || text == "~" => Ok(Self {
                text: "null".to_owned(),
                node: YamlNode::default(),
            }),
            _ => Err(error()),
        }
    }

    pub(super) fn into_node(self) -> YamlNode {
        self.node
    }

    /// Whether it is a non-empty mapping or list.
    pub(super) fn has_parts(&self) -> bool {
        !self.node.entries().is_empty() || !self.node.items().is_empty()
    }

    pub(super) fn is_text(&self) -> bool {
        matches!(self.node.value, YamlValue::Text(_))
    }

    /// As JSON on one line, with the usual spaces.
    pub(super) fn json(&self) -> String {
        let mut out = String::new();
        json(&self.node, &mut out);
        out
    }

    /// As the rule specified it.
    pub(super) fn flow(&self) -> &str {
        &self.text
    }

    /// The text after `key:` in block style. `column` is the key's column.
    pub(super) fn block(&self, column: usize, style: YamlStyle) -> String {
        let mut out = String::new();
        self.block_of(&self.node, column, style, &mut out);
        out
    }

    fn block_of(&self, node: &YamlNode, column: usize, style: YamlStyle, out: &mut String) {
        let mut line = |column: usize, dash: &str, entry: &Entry| {
            out.push_str(style.newline);
            out.push_str(&" ".repeat(column));
            out.push_str(dash);
            out.push_str(self.source(entry.key_span));
            out.push(':');
            self.block_of(&entry.node, column + dash.len(), style, out);
        };
        match &node.value {
            YamlValue::Mapping(entries) if !entries.is_empty() => {
                for entry in entries {
                    line(column + 2, "", entry);
                }
            }
            YamlValue::Sequence(items)
                if !items.is_empty() && items.iter().all(|item| !item.entries().is_empty()) =>
            {
                let column = column + if style.has_indented_dashes { 2 } else { 0 };
                for entries in items.iter().map(YamlNode::entries) {
                    for (index, entry) in entries.iter().enumerate() {
                        match index {
                            0 => line(column, "- ", entry),
                            _ => line(column + 2, "", entry),
                        }
                    }
                }
            }
            _ => {
                out.push(' ');
                out.push_str(self.source(node.span));
            }
        }
    }

    fn source(&self, span: kubectl_hpa_yaml::Span) -> &str {
        self.text[super::place::range(&self.text, span)].trim()
    }
}

/// The style of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct YamlStyle {
    /// Its line break.
    pub(super) newline: &'static str,
    /// Whether the dashes of lists are indented more than their keys.
    has_indented_dashes: bool,
}

impl YamlStyle {
    /// The style of a text. Without a list in it, dashes align with their keys, as kubectl writes them.
    pub(super) fn of(text: &str) -> Self {
        let column = |line: &str| line.len() - line.trim_start().len();
        let mut lines = text
            .lines()
            .filter(|line| !line.trim_start().starts_with('#') && !line.trim().is_empty());
        let mut before = lines.next().unwrap_or_default();
        let mut has_indented_dashes = false;
        for line in lines {
            let is_key = before.trim_end().ends_with(':') && !before.trim_start().starts_with('-');
            if is_key && line.trim_start().starts_with("- ") {
                has_indented_dashes = column(before) < column(line);
                break;
            }
            before = line;
        }
        Self {
            newline: if text.contains("\r\n") { "\r\n" } else { "\n" },
            has_indented_dashes,
        }
    }
}

fn json(node: &YamlNode, out: &mut String) {
    match &node.value {
        YamlValue::Mapping(entries) => {
            out.push('{');
            for (index, entry) in entries.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { ", " });
                out.push_str(&quoted(&entry.key));
                out.push_str(": ");
                json(&entry.node, out);
            }
            out.push('}');
        }
        YamlValue::Sequence(items) => {
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

/// A text in JSON quotes.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
