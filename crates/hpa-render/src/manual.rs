//! Renders a Markdown page for a terminal.

use unicode_width::UnicodeWidthStr as _;

use super::{
    Style,
    style::Role,
    wrap::{wrap, wrap_indented},
};

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
        let table = std::mem::take(&mut self.table);
        self.write_table(&table);
        if !self.pending.is_empty() {
            let text = self.style.clean(&without_marks(&self.pending));
            let lines = wrap_indented(&text, self.style.width, "", self.indent);
            self.out.push_str(&lines.join("\n"));
            self.out.push('\n');
            self.pending.clear();
        }
        self.indent = "";
    }

    /// Columns as wide as their cells; if they do not fit, the widest is wrapped.
    fn write_table(&mut self, rows: &[Vec<String>]) {
        let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
        let mut widths: Vec<usize> = (0..columns)
            .map(|column| {
                let cells = rows.iter().filter_map(|row| row.get(column));
                cells.map(|cell| cell.width()).max().unwrap_or_default()
            })
            .collect();
        let room = self
            .style
            .width
            .saturating_sub(2 * columns.saturating_sub(1));
        // Names and flags are not broken.
        let least: Vec<usize> = (0..columns)
            .map(|column| {
                let cells = rows.iter().filter_map(|row| row.get(column));
                let words = cells.flat_map(|cell| cell.split(' ').map(str::width));
                words.max().unwrap_or_default().max(NARROWEST)
            })
            .collect();
        while room < widths.iter().sum() {
            let can_shrink = widths
                .iter_mut()
                .zip(&least)
                .filter(|(width, least)| *least < *width);
            let Some((widest, _)) = can_shrink.max_by_key(|(width, _)| **width) else {
                break;
            };
            *widest -= 1;
        }
        for (number, row) in rows.iter().enumerate() {
            let role = if number == 0 { Role::Dim } else { Role::Text };
            let cells: Vec<Vec<String>> = row
                .iter()
                .zip(&widths)
                .map(|(cell, width)| wrap(&self.style.clean(cell), *width))
                .collect();
            let height = cells.iter().map(Vec::len).max().unwrap_or_default();
            for line in 0..height {
                let mut text = String::new();
                for (cell, width) in cells.iter().zip(&widths) {
                    let part = cell.get(line).map_or("", String::as_str);
                    text.push_str(part);
                    text.push_str(&" ".repeat(width.saturating_sub(part.width()) + 2));
                }
                self.out.push_str(&self.style.paint(role, text.trim_end()));
                self.out.push('\n');
            }
        }
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

/// No column gets narrower than this.
const NARROWEST: usize = 12;

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
