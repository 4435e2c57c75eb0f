//! Renders a Markdown page for a terminal.

use hpa_words::wrap::wrap_indented;

use super::{Style, style::Role, styled::StyledText, table::Table};

/// The page with colored headings, wrapped paragraphs, tables in columns and indented code.
pub fn page(markdown: &str, style: Style) -> String {
    let mut writer = ManualWriter {
        style,
        out: String::new(),
        pending: String::new(),
        indent: "",
        table: Vec::new(),
    };
    // Pictures and formulas are for reading, example manifests for skipping.
    let mut code: Option<Role> = None;
    for line in markdown.lines() {
        if let Some(language) = line.strip_prefix("```") {
            writer.flush();
            code = match (code, language) {
                (Some(_), _) => None,
                (None, "text") => Some(Role::Text),
                (None, _) => Some(Role::Dim),
            };
        } else if let Some(role) = code {
            writer.code(line, role);
        } else {
            writer.line(line);
        }
    }
    writer.flush();
    writer.out
}

struct ManualWriter {
    style: Style,
    out: String,
    /// The paragraph or item that is being read.
    pending: String,
    /// The indent of its second and further lines.
    indent: &'static str,
    /// The rows of the table that is being read.
    table: Vec<Vec<String>>,
}

impl ManualWriter {
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
            if self.table.is_empty() {
                self.flush();
            }
            self.table.push(cells(line));
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

    fn code(&mut self, line: &str, role: Role) {
        if !line.is_empty() {
            let line = self.style.clean(line);
            self.out.push_str("    ");
            self.out.push_str(&self.style.paint(role, &line));
        }
        self.out.push('\n');
    }

    /// Writes the paragraph, the item or the table that was read.
    fn flush(&mut self) {
        let rows = std::mem::take(&mut self.table).into_iter();
        let mut table = Table::new(self.style);
        for (number, cells) in rows.filter(|cells| !cells.is_empty()).enumerate() {
            table.push(if number == 0 { Role::Dim } else { Role::Text }, cells);
        }
        let mut text = StyledText::default();
        table.write_wrapped(&mut text);
        self.out.push_str(&text.paint(self.style));
        if !self.pending.is_empty() {
            let text = self.style.clean(&without_marks(&self.pending));
            let lines = wrap_indented(&text, self.style.width, "", self.indent);
            self.out.push_str(&lines.join("\n"));
            self.out.push('\n');
            self.pending.clear();
        }
        self.indent = "";
    }
}

/// The cells of a row without markup; empty for the line below the header.
fn cells(line: &str) -> Vec<String> {
    let inner = line.trim().trim_matches('|');
    if inner.chars().all(|letter| "-| :".contains(letter)) {
        return Vec::new();
    }
    let cells = inner
        .split(" | ")
        .map(|cell| without_marks(cell.trim()).replace("\\|", "|"));
    cells.collect()
}

/// The text without markup of emphasis and code. A link to another page becomes its text; a link to the web keeps its
/// address as well.
fn without_marks(markdown: &str) -> String {
    let mut out = String::with_capacity(markdown.len());
    let mut is_code = false;
    let mut rest = markdown;
    while let Some(letter) = rest.chars().next() {
        let after = &rest[letter.len_utf8()..];
        rest = after;
        match letter {
            '`' => is_code = !is_code,
            '*' if !is_code => rest = after.strip_prefix('*').unwrap_or(after),
            '[' if !is_code => match link(after) {
                Some((text, target, behind)) => {
                    out.push_str(&without_marks(text));
                    if target.starts_with("https://") {
                        out.push_str(&format!(" ({target})"));
                    }
                    rest = behind;
                }
                None => out.push(letter),
            },
            letter => out.push(letter),
        }
    }
    out
}

/// Text and target of a link after its opening bracket, and the rest of the line.
fn link(rest: &str) -> Option<(&str, &str, &str)> {
    let (text, after) = rest.split_once("](")?;
    let (target, behind) = after.split_once(')')?;
    (!text.contains('[')).then_some((text, target, behind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_and_targets_of_links_to_pages_vanish() {
        assert_eq!(
            without_marks("`a*b` is **strong**, [a `link`](x.md) and metrics[0]"),
            "a*b is strong, a link and metrics[0]"
        );
    }

    #[test]
    fn addresses_of_the_web_can_be_copied() {
        assert_eq!(
            without_marks("- [kubernetes#1](https://example.com/1), why"),
            "- kubernetes#1 (https://example.com/1), why"
        );
    }
}
