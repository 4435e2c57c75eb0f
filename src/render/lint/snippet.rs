//! One finding as rustc would print it.

use std::ops::Range;

use annotate_snippets::{
    AnnotationKind, Group, Level, Origin, Patch, Renderer, Snippet, renderer::DecorStyle,
};

use super::view::{Index, View, named};
use crate::{
    lint::{Basis, FileId, Location, Reported, Severity},
    model::letters::is_unsafe,
};

/// Draws findings.
pub(super) struct Snippets<'v> {
    view: &'v View<'v>,
    index: &'v Index<'v>,
    renderer: Renderer,
}

/// A mark in a file.
struct Mark {
    location: Location,
    is_primary: bool,
    text: String,
}

impl<'v> Snippets<'v> {
    /// Draws in the style of the view.
    pub(super) fn new(view: &'v View<'v>, index: &'v Index<'v>) -> Self {
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

    /// A finding: title, the lines concerned, those of other objects, what to do.
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
            let mut marks = vec![Mark {
                location,
                is_primary: true,
                text: String::new(),
            }];
            for label in self.index.labels(reported) {
                if let Some(location) = label.location
                    && location.file == marks[0].location.file
                {
                    marks.push(Mark {
                        location,
                        is_primary: false,
                        text: self.view.style.clean(label.text),
                    });
                } else {
                    remarks.push(format!("{}: {}", label.path, label.text));
                }
            }
            group.element(self.snippet(location.file, &marks))
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
                    let mark = Mark {
                        location,
                        is_primary: false,
                        text: self.view.style.clean(&related.note),
                    };
                    group = group.element(self.snippet(location.file, &[mark]));
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
        self.renderer.render(&groups)
    }

    /// What `--fix` would write.
    fn fix(&self, reported: &Reported) -> Option<Group<'static>> {
        let fixes = self.index.fix(reported);
        let (first, last) = (fixes.first()?.0, fixes.last()?.0);
        let (start, end) = (first.start as usize, last.end as usize);
        let original = &self.index.text(first.file)[start..end];
        let shown = Shown::of(original);
        let name = self
            .view
            .style
            .clean(&self.view.input.sources.get(first.file).name);
        let mut snippet = Snippet::source(shown.text.clone())
            .line_start(self.index.place(first).start.0)
            .path(name);
        for (location, text) in fixes {
            let range = shown.position(location.start as usize - start)
                ..shown.position(location.end as usize - start);
            snippet = snippet.patch(Patch::new(range, Shown::of(&text).text));
        }
        Some(Level::HELP.secondary_title("--fix writes").element(snippet))
    }

    /// The lines of some marks of one file.
    fn snippet(
        &self,
        file: FileId,
        marks: &[Mark],
    ) -> Snippet<'static, annotate_snippets::Annotation<'static>> {
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
        let line = self
            .index
            .place(Location {
                file,
                start: u32::try_from(start).unwrap_or(u32::MAX),
                end: u32::try_from(start).unwrap_or(u32::MAX),
            })
            .start
            .0;
        // The rest of a line end of Windows, which is cut off here.
        let shown = Shown::of(text[start..end].trim_end_matches('\r'));
        let name = self
            .view
            .style
            .clean(&self.view.input.sources.get(file).name);
        let mut snippet = Snippet::source(shown.text.clone())
            .line_start(line)
            .path(name);
        for (mark, range) in marks.iter().zip(clipped) {
            let kind = if mark.is_primary {
                AnnotationKind::Primary
            } else {
                AnnotationKind::Context
            };
            let span = shown.position(range.start - start)..shown.position(range.end - start);
            let mut annotation = kind.span(span);
            if !mark.text.is_empty() {
                annotation = annotation.label(mark.text.clone());
            }
            snippet = snippet.annotation(annotation);
        }
        snippet
    }

    /// A text that begins at column `before` of its line.
    fn wrap(&self, text: &str, before: usize) -> String {
        let text = self.view.style.clean(text);
        let width = self.view.style.width.saturating_sub(before).max(LEAST);
        textwrap::fill(&text, textwrap::Options::new(width).break_words(false))
    }
}

/// Columns before a remark.
const REMARK: usize = "12345 = basis: ".len();

/// Columns below which wrapping makes nothing easier to read.
const LEAST: usize = 36;

/// What of a range stands on its first line: a mark over many lines hides what it marks.
fn first_line(text: &str, location: &Location) -> Range<usize> {
    let boundary = |byte: u32| {
        let mut byte = (byte as usize).min(text.len());
        while !text.is_char_boundary(byte) {
            byte -= 1;
        }
        byte
    };
    let (start, end) = (boundary(location.start), boundary(location.end));
    let end = end.max(start);
    let line = text[start..end].find('\n').map_or(end, |at| start + at);
    start..start + text[start..line].trim_end().len()
}

/// Lines of a file as they are shown: what could steer the terminal or hide letters is replaced.
struct Shown {
    text: String,
    /// Offsets where the shown text begins to be longer or shorter: original, shown.
    shifts: Vec<(usize, usize)>,
}

impl Shown {
    fn of(text: &str) -> Self {
        let mut shown = String::with_capacity(text.len());
        let mut shifts = Vec::new();
        for (at, letter) in text.char_indices() {
            if letter == '\r' && text[at + 1..].starts_with('\n') {
                shifts.push((at + 1, shown.len()));
            } else if letter == '\t' {
                shown.push(' ');
            } else if letter != '\n' && is_unsafe(letter) {
                shown.push('\u{fffd}');
                shifts.push((at + letter.len_utf8(), shown.len()));
            } else {
                shown.push(letter);
            }
        }
        Self {
            text: shown,
            shifts,
        }
    }

    /// Where a byte of the original stands.
    fn position(&self, byte: usize) -> usize {
        let after = self
            .shifts
            .partition_point(|(original, _)| *original <= byte);
        let position = match after.checked_sub(1).map(|index| self.shifts[index]) {
            Some((original, shown)) => shown + (byte - original),
            None => byte,
        };
        position.min(self.text.len())
    }
}
