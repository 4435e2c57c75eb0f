//! One finding in the style of rustc.

use std::ops::Range;

use annotate_snippets::{
    AnnotationKind, Group, Level, Origin, Patch, Renderer, Snippet, renderer::DecorStyle,
};
use hpa_lint::{Basis, FileId, Location, Reported, Severity};
use hpa_words::{letters::is_unsafe, sanitize::one_line, wrap::wrap};

use super::view::{Index, LintView, display_name, named};

/// Draws findings.
pub(super) struct Snippets<'v> {
    view: &'v LintView<'v>,
    index: &'v Index<'v>,
    renderer: Renderer,
}

/// A mark in a file.
struct SnippetMark {
    location: Location,
    is_primary: bool,
    text: String,
}

impl<'v> Snippets<'v> {
    /// Draws in the style of the view.
    pub(super) fn new(view: &'v LintView<'v>, index: &'v Index<'v>) -> Self {
        let renderer = if view.style.has_color {
            Renderer::styled()
        } else {
            Renderer::plain()
        };
        Self {
            view,
            index,
            renderer: renderer
                .decor_style(DecorStyle::Ascii)
                .term_width(view.style.width),
        }
    }

    /// A finding: title, its lines, those of related objects, and the help.
    pub(super) fn finding(&self, reported: &Reported) -> String {
        let finding = &reported.finding;
        let rule = reported.rule;
        let level = match finding.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Info => Level::INFO,
            Severity::Note => Level::NOTE,
        };
        let id = format!("{} {}", rule.code, rule.name);
        let before = finding.severity.as_str().len() + id.len() + "[]: ".len();
        let title = level
            .primary_title(self.wrap(&finding.message, before))
            .id(id);
        let mut group = Group::with_title(title);
        let mut remarks = Vec::new();
        group = if let Some(location) = reported.location {
            let mut marks = vec![SnippetMark {
                location,
                is_primary: true,
                text: String::new(),
            }];
            for label in self.index.labels(reported) {
                if let Some(location) = label.location
                    && location.file == marks[0].location.file
                {
                    marks.push(SnippetMark {
                        location,
                        is_primary: false,
                        text: self.view.style.clean(label.text),
                    });
                } else {
                    remarks.push(format!("{}: {}", label.path, label.text));
                }
            }
            self.lines(group, location.file, &marks)
        } else {
            for label in self.index.labels(reported) {
                remarks.push(format!("{}: {}", label.path, label.text));
            }
            group.element(Origin::path(self.view.style.clean(&format!(
                "{}{}{}",
                named(&reported.object),
                if finding.path.is_empty() { "" } else { ": " },
                finding.path
            ))))
        };
        for related in &finding.related {
            match self.index.locate(&related.object, &related.path) {
                Some(location) => {
                    let mark = SnippetMark {
                        location,
                        is_primary: false,
                        text: self.view.style.clean(&related.note),
                    };
                    group = self.lines(group, location.file, &[mark]);
                }
                None => remarks.push(format!(
                    "{}{}{}: {}",
                    named(&related.object),
                    if related.path.is_empty() { "" } else { ": " },
                    related.path,
                    related.note
                )),
            }
        }
        for remark in remarks {
            let text = self.wrap(&remark, REMARK);
            group = group.element(Level::NOTE.message(text));
        }
        if finding.basis != Basis::Manifest {
            let level = Level::NOTE.with_name("basis");
            group = group.element(level.message(finding.basis.as_str()));
        }
        group = group.element(Level::HELP.message(self.wrap(&finding.help, REMARK)));
        let mut groups = vec![group];
        groups.extend(self.fix(reported));
        without_nameless(self.renderer.render(&groups))
    }

    /// What `--fix` would write.
    fn fix(&self, reported: &Reported) -> Option<Group<'static>> {
        let fixes = self.index.fix(reported);
        let (first, last) = (fixes.first()?.0, fixes.last()?.0);
        let (start, end) = (first.start as usize, last.end as usize);
        let original = &self.index.text(first.file)[start..end];
        let lines = SourceLines::of(original);
        let name = self
            .view
            .style
            .clean(&self.view.input.sources.get(first.file).name);
        let mut snippet = Snippet::source(lines.text.clone())
            .line_start(self.index.place(first).start.0)
            .path(name);
        for (location, text) in fixes {
            let range = lines.position(location.start as usize - start)
                ..lines.position(location.end as usize - start);
            let text = SourceLines::of(&text).text;
            if lines.text[range.clone()].contains('\n') && !text.is_empty() {
                // Of several lines that become others, only the others would be drawn.
                let end = range.end..range.end;
                snippet = snippet.patch(Patch::new(range, String::new()));
                snippet = snippet.patch(Patch::new(end, text));
            } else {
                snippet = snippet.patch(Patch::new(range, text));
            }
        }
        Some(Level::HELP.secondary_title("--fix writes").element(snippet))
    }

    /// Adds the lines of marks in one file. For a very long line, such as a flow list, only the parts around the marks
    /// are drawn, with their location above.
    fn lines(&self, group: Group<'static>, file: FileId, marks: &[SnippetMark]) -> Group<'static> {
        let text = self.index.text(file);
        let clipped: Vec<Range<usize>> = marks
            .iter()
            .map(|mark| first_line(text, &mark.location))
            .collect();
        let first = clipped.iter().map(|range| range.start).min();
        let last = clipped.iter().map(|range| range.end).max();
        let (first, last) = (first.unwrap_or(0), last.unwrap_or(0));
        let start = text[..first].rfind('\n').map_or(0, |newline| newline + 1);
        let end = text[last..]
            .find('\n')
            .map_or(text.len(), |newline| last + newline);
        let source = self.view.input.sources.get(file);
        let name = display_name(&source.name, source.is_rendered);
        let name = self.view.style.clean(&name);
        let is_long = LONGEST_LINE < end - start && !text[first..last].contains('\n');
        if !is_long {
            let snippet = self.snippet(file, start..end, marks, &clipped);
            return group.element(snippet.path(name));
        }
        let (line, column) = self.index.place(marks[0].location).start;
        let window = boundary(text, first.saturating_sub(AROUND).max(start))
            ..boundary(text, (last + AROUND).min(end));
        group
            .element(Origin::path(name).line(line).char_column(column))
            .element(self.snippet(file, window, marks, &clipped))
    }

    /// A part of a file, with marks at the given ranges.
    fn snippet(
        &self,
        file: FileId,
        part: Range<usize>,
        marks: &[SnippetMark],
        clipped: &[Range<usize>],
    ) -> Snippet<'static, annotate_snippets::Annotation<'static>> {
        let start = part.start;
        let byte = u32::try_from(start).unwrap_or(u32::MAX);
        let place = self.index.place(Location {
            file,
            start: byte,
            end: byte,
        });
        // The rest of a Windows line ending, which is cut off here.
        let lines = SourceLines::of(self.index.text(file)[part].trim_end_matches('\r'));
        let mut snippet = Snippet::source(lines.text.clone()).line_start(place.start.0);
        for (mark, range) in marks.iter().zip(clipped) {
            let kind = if mark.is_primary {
                AnnotationKind::Primary
            } else {
                AnnotationKind::Context
            };
            let span = lines.position(range.start - start)..lines.position(range.end - start);
            let mut annotation = kind.span(span);
            if !mark.text.is_empty() {
                annotation = annotation.label(mark.text.clone());
            }
            snippet = snippet.annotation(annotation);
        }
        snippet
    }

    /// Wraps a text that begins at column `before` of its line.
    fn wrap(&self, text: &str, before: usize) -> String {
        let text = self.view.style.clean(text);
        let width = self.view.style.width.saturating_sub(before).max(LEAST);
        wrap(&text, width).join("\n")
    }
}

/// Longer lines, in bytes, are not drawn whole: each finding on such a line would repeat it.
const LONGEST_LINE: usize = 2_000;

/// Bytes of such a line drawn before and after the marks, more than any terminal shows.
const AROUND: usize = 300;

/// Width of the prefix of a remark.
const REMARK: usize = "12345 = basis: ".len();

/// Below this width wrapping does not help.
const LEAST: usize = 36;

/// Removes the empty line that the renderer leaves for a snippet without a name, below a location that we print
/// ourselves.
fn without_nameless(text: String) -> String {
    let is_nameless = |line: &&str| line.contains(":::") && one_line(line).trim() == ":::";
    if !text.split('\n').any(|line| is_nameless(&line)) {
        return text;
    }
    let lines: Vec<&str> = text.split('\n').filter(|line| !is_nameless(line)).collect();
    lines.join("\n")
}

/// The part of a range on its first line: a mark over many lines hides what it marks.
fn first_line(text: &str, location: &Location) -> Range<usize> {
    let start = boundary(text, location.start as usize);
    let end = boundary(text, location.end as usize);
    let end = end.max(start);
    let line = text[start..end].find('\n').map_or(end, |at| start + at);
    start..start + text[start..line].trim_end().len()
}

/// The start of the character that contains a byte.
fn boundary(text: &str, byte: usize) -> usize {
    let mut byte = byte.min(text.len());
    while !text.is_char_boundary(byte) {
        byte -= 1;
    }
    byte
}

/// Lines of a file, with characters replaced that could control the terminal or hide others.
pub fn visible(text: &str) -> String {
    SourceLines::of(text).text
}

/// Lines of a file as they are shown: characters that could control the terminal or hide others are replaced.
struct SourceLines {
    text: String,
    /// Offsets at which the shown text becomes longer or shorter: original, shown.
    shifts: Vec<(usize, usize)>,
}

impl SourceLines {
    fn of(text: &str) -> Self {
        let mut lines = String::with_capacity(text.len());
        let mut shifts = Vec::new();
        for (at, letter) in text.char_indices() {
            if letter == '\r' && text[at + 1..].starts_with('\n') {
                shifts.push((at + 1, lines.len()));
            } else if letter == '\t' {
                lines.push(' ');
            } else if letter != '\n' && is_unsafe(letter) {
                lines.push('\u{fffd}');
                shifts.push((at + letter.len_utf8(), lines.len()));
            } else {
                lines.push(letter);
            }
        }
        Self {
            text: lines,
            shifts,
        }
    }

    /// The shown offset of a byte of the original.
    fn position(&self, byte: usize) -> usize {
        let after = self
            .shifts
            .partition_point(|(original, _)| *original <= byte);
        let position = match after.checked_sub(1).map(|index| self.shifts[index]) {
            Some((original, lines)) => lines + (byte - original),
            None => byte,
        };
        position.min(self.text.len())
    }
}
