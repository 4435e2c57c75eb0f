//! The page of a rule in a terminal.

use crate::{
    lint::Rule,
    render::{Style, style::Role},
    rules,
};

/// The page of a rule: its Markdown, with headings painted, paragraphs wrapped and code indented.
pub fn page(rule: &Rule, style: Style) -> String {
    let text = rules::page(rule);
    let mut writer = Writer {
        style,
        out: String::new(),
        pending: String::new(),
        indent: "",
    };
    let mut is_code = false;
    for line in text.lines() {
        if line.starts_with("```") {
            writer.flush();
            is_code = !is_code;
        } else if is_code {
            writer.code(line);
        } else {
            writer.line(line);
        }
    }
    writer.flush();
    writer.out
}

struct Writer {
    style: Style,
    out: String,
    /// The paragraph or item that is being read.
    pending: String,
    /// What stands before its second and further lines.
    indent: &'static str,
}

impl Writer {
    fn line(&mut self, line: &str) {
        let heading = line.trim_start_matches('#');
        if heading.len() < line.len() {
            self.flush();
            let heading = self.style.clean(heading.trim());
            self.out.push_str(&self.style.paint(Role::Strong, &heading));
            self.out.push('\n');
        } else if line.is_empty() {
            self.flush();
            if !self.out.ends_with("\n\n") && !self.out.is_empty() {
                self.out.push('\n');
            }
        } else if line.starts_with('|') {
            self.flush();
            self.out.push_str(&self.style.clean(line));
            self.out.push('\n');
        } else {
            if line.starts_with("- ") {
                self.flush();
                self.indent = "  ";
            }
            if !self.pending.is_empty() {
                self.pending.push(' ');
            }
            self.pending.push_str(line.trim_start());
        }
    }

    fn code(&mut self, line: &str) {
        if !line.is_empty() {
            let line = self.style.clean(line);
            self.out.push_str("    ");
            self.out.push_str(&self.style.paint(Role::Dim, &line));
        }
        self.out.push('\n');
    }

    /// Writes the paragraph or item that was read.
    fn flush(&mut self) {
        if !self.pending.is_empty() {
            let text = self.style.clean(&without_marks(&self.pending));
            let options = textwrap::Options::new(self.style.width)
                .subsequent_indent(self.indent)
                .break_words(false);
            self.out.push_str(&textwrap::fill(&text, options));
            self.out.push('\n');
            self.pending.clear();
        }
        self.indent = "";
    }
}

/// The text without marks of emphasis and code, and with links as their text alone.
fn without_marks(markdown: &str) -> String {
    let mut out = String::with_capacity(markdown.len());
    let mut is_code = false;
    let mut rest = markdown;
    while let Some(letter) = rest.chars().next() {
        let after = &rest[letter.len_utf8()..];
        rest = after;
        match letter {
            '`' => is_code = !is_code,
            '*' if !is_code && after.starts_with('*') => rest = &after[1..],
            '[' if !is_code => match link(after) {
                Some((text, behind)) => {
                    out.push_str(&without_marks(text));
                    rest = behind;
                }
                None => out.push(letter),
            },
            letter => out.push(letter),
        }
    }
    out
}

/// Text of a link of which the bracket was read, and what stands behind it.
fn link(rest: &str) -> Option<(&str, &str)> {
    let (text, after) = rest.split_once("](")?;
    let (_, behind) = after.split_once(')')?;
    (!text.contains('[')).then_some((text, behind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_and_targets_of_links_vanish() {
        assert_eq!(
            without_marks("`a*b` is **strong**, [a `link`](x.md) and metrics[0]"),
            "a*b is strong, a link and metrics[0]"
        );
    }
}
