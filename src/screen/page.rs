//! A page that covers the screen: the explanation, the help, or a list. It can be scrolled and searched.

use hpa_engine::model::HpaKey;
use hpa_watch::EntryId;
use ratatui::{
    buffer::Buffer,
    layout::Rect,
    text::{Line, Span},
};

use super::{
    cx::DrawContext,
    palette::ScreenRole,
    text::{self, draw_line},
};

/// A page that covers the screen.
#[derive(Debug)]
pub(super) struct ScreenPage {
    pub(super) kind: PageKind,
    pub(super) title: String,
    lines: Vec<Line<'static>>,
    /// The first visible line.
    top: usize,
    /// The first visible column.
    left: usize,
    /// Number of visible lines at the last drawing.
    visible: usize,
    search: String,
}

/// The content of a page.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum PageKind {
    /// The explanation of an HPA, at an entry of its past or in its latest state.
    Explanation { hpa: HpaKey, entry: Option<EntryId> },
    /// Everything else.
    Other,
}

/// How far to scroll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scroll {
    Lines(isize),
    Pages(isize),
    Columns(isize),
    Begin,
    End,
}

impl ScreenPage {
    /// A page at its start.
    pub(super) fn new(kind: PageKind, title: String, lines: Vec<Line<'static>>) -> Self {
        Self {
            kind,
            title,
            lines,
            top: 0,
            left: 0,
            visible: 1,
            search: String::new(),
        }
    }

    /// The same page with other lines, such as for another width: the scroll position stays.
    pub(super) fn replace(&mut self, lines: Vec<Line<'static>>) {
        self.lines = lines;
        self.top = self.top.min(self.last_top());
    }

    /// Scrolls.
    pub(super) fn scroll(&mut self, scroll: Scroll) {
        let page = self.visible.saturating_sub(1).max(1);
        self.top = match scroll {
            Scroll::Lines(lines) => self.top.saturating_add_signed(lines),
            Scroll::Pages(pages) => {
                let lines = isize::try_from(page).unwrap_or(isize::MAX);
                self.top.saturating_add_signed(lines.saturating_mul(pages))
            }
            Scroll::Begin => 0,
            Scroll::End => usize::MAX,
            Scroll::Columns(columns) => {
                self.left = self.left.saturating_add_signed(columns).min(self.widest());
                self.top
            }
        };
        self.top = self.top.min(self.last_top());
    }

    /// Searches from the current position; returns whether there is a match.
    pub(super) fn search(&mut self, what: &str) -> bool {
        what.to_lowercase().clone_into(&mut self.search);
        self.go_to(self.top..self.lines.len()) || self.go_to(0..self.top)
    }

    /// Goes to the next or previous match of the last search, wrapping around.
    pub(super) fn search_again(&mut self, is_back: bool) -> bool {
        if self.search.is_empty() {
            return false;
        }
        if is_back {
            let found = (0..self.top).rev().find(|line| self.has(*line));
            let found = found.or_else(|| {
                (self.top..self.lines.len())
                    .rev()
                    .find(|line| self.has(*line))
            });
            self.top = found.unwrap_or(self.top).min(self.last_top());
            return found.is_some();
        }
        let next = (self.top + 1).min(self.lines.len());
        self.go_to(next..self.lines.len()) || self.go_to(0..next)
    }

    fn go_to(&mut self, mut lines: std::ops::Range<usize>) -> bool {
        let found = lines.find(|line| self.has(*line));
        self.top = found.unwrap_or(self.top).min(self.last_top());
        found.is_some()
    }

    fn has(&self, line: usize) -> bool {
        !self.search.is_empty()
            && self
                .lines
                .get(line)
                .is_some_and(|line| plain(line).to_lowercase().contains(&self.search))
    }

    fn last_top(&self) -> usize {
        self.lines.len().saturating_sub(self.visible)
    }

    fn widest(&self) -> usize {
        self.lines
            .iter()
            .map(Line::width)
            .max()
            .unwrap_or_default()
            .saturating_sub(1)
    }

    /// Draws the page, with a title line above and the keys below.
    pub(super) fn draw(&mut self, cx: &DrawContext<'_>, buffer: &mut Buffer, area: Rect) {
        let area = area.intersection(buffer.area);
        self.visible = usize::from(area.height.saturating_sub(2)).max(1);
        self.top = self.top.min(self.last_top());
        let bar = Rect {
            height: 1.min(area.height),
            ..area
        };
        buffer.set_style(bar, cx.style(ScreenRole::Bar));
        let title = cx.cut(&format!(" {}", self.title), area.width.into());
        draw_line(
            buffer,
            area,
            0,
            &Line::styled(title, cx.style(ScreenRole::Bar)),
        );
        let lines = self.lines.iter().enumerate().skip(self.top);
        for (row, (index, line)) in (1..area.height.saturating_sub(1)).zip(lines) {
            let line = shifted(line, self.left);
            draw_line(buffer, area, row, &line);
            if self.has(index) {
                let whole = Rect::new(area.x, area.y + row, area.width, 1);
                buffer.set_style(whole.intersection(buffer.area), cx.style(ScreenRole::Found));
            }
        }
        if let Some(row) = area.height.checked_sub(1).filter(|row| 0 < *row) {
            draw_line(buffer, area, row, &self.footer(cx));
        }
    }

    fn footer(&self, cx: &DrawContext<'_>) -> Line<'static> {
        let last = (self.top + self.visible).min(self.lines.len());
        let first = (self.top + 1).min(last);
        let mut spans = vec![cx.span(
            ScreenRole::Dim,
            &format!("{first}-{last} of {}  ", self.lines.len()),
        )];
        let mut keys = vec![("Esc", "back"), ("↑↓", "scroll"), ("/", "search")];
        if !self.search.is_empty() {
            keys.push(("n N", "next, previous"));
        }
        if matches!(self.kind, PageKind::Explanation { .. }) {
            keys.push(("r", "again"));
        }
        for (key, what) in keys {
            let key = if cx.options.has_unicode || key.is_ascii() {
                key
            } else {
                "j k"
            };
            spans.push(cx.span(ScreenRole::Key, key));
            spans.push(cx.span(ScreenRole::Dim, &format!(" {what}  ")));
        }
        Line::from(spans)
    }
}

fn plain(line: &Line<'_>) -> String {
    line.spans.iter().map(|span| &*span.content).collect()
}

/// The line without its first `columns`.
fn shifted(line: &Line<'static>, columns: usize) -> Line<'static> {
    let mut left = columns;
    let spans = line.spans.iter().filter_map(|span| {
        let hidden = text::head(&span.content, left).len();
        let (hidden, seen) = span.content.split_at(hidden);
        left -= Span::raw(hidden).width().min(left);
        (!seen.is_empty()).then(|| {
            // A wide letter that would be half hidden stays, and ends the shift.
            left = 0;
            Span::styled(seen.to_owned(), span.style)
        })
    });
    Line::from(spans.collect::<Vec<_>>())
}
