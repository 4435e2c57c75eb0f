//! Draws the screen from its parts.

use super::{
    causes::{self, SharedCause},
    charts::{self, SPANS},
    cx::{DrawContext, HpaRow},
    header,
    layout::{LEAST_HEIGHT, LEAST_WIDTH, LayoutNeeds, Places, words_width},
    lists,
    palette::ScreenRole,
    pods, scrubber, status_bar,
    table::{self, VisibleRows},
    text::draw_line,
    verdict::{self, CachedVerdict},
    view::{Hits, Screen},
};
use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
    text::Line,
};

impl Screen {
    /// Draws everything, and returns the cursor position of a line that is being typed.
    pub(super) fn draw_frame(
        &mut self,
        cx: &DrawContext<'_>,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        let area = self.area;
        self.hits = Hits::default();
        if area.width < LEAST_WIDTH || area.height < LEAST_HEIGHT {
            too_small(cx, buffer, area);
            return None;
        }
        if let Some(page) = &mut self.page {
            page.draw(cx, buffer, area);
        } else {
            self.draw_parts(cx, buffer);
        }
        let last = Rect {
            y: area.bottom() - 1,
            height: 1,
            ..area
        };
        if let Some(prompt) = &self.prompt {
            return Some(prompt.draw(cx, buffer, last));
        }
        if let Some(message) = self.message.as_deref().filter(|_| self.page.is_some()) {
            let blank = " ".repeat(area.width.into());
            draw_line(buffer, last, 0, &Line::raw(blank));
            let message = cx.cut(message, area.width.into());
            draw_line(
                buffer,
                last,
                0,
                &Line::from(cx.span(ScreenRole::Strong, &message)),
            );
        }
        None
    }

    fn draw_parts(&mut self, cx: &DrawContext<'_>, buffer: &mut Buffer) {
        let rows = self.rows(cx);
        let index = self.settle(&rows);
        let row = index.map(|index| &rows[index]);
        let causes = SharedCause::all(&rows);
        let missed = causes::missed(cx, &rows);
        if let Some(row) = row.filter(|row| row.is_latest) {
            self.verdict_words = Some(CachedVerdict::of(cx, row, self.verdict_words.take()));
        }
        let verdict_words = row.and_then(|row| self.words_of(row));
        let needs = LayoutNeeds {
            rows: rows.len(),
            causes: causes.len() + usize::from(missed.is_some()),
            parts: self.parts,
            lists: row.map_or(0, |row| {
                let events = row.hpa.latest.assessment.context.events.len();
                row.alarms().len() + events + row.hpa.notes(cx.at).count()
            }),
            metrics: row
                .and_then(|row| row.entry)
                .map_or(0, |entry| entry.metrics.len()),
            words: row.map_or(0, |row| {
                let width = words_width(self.area, self.parts);
                verdict::height(cx, row, verdict_words, width.into())
            }),
            has_scrubber: self.playback.is_some(),
        };
        let Some(places) = Places::of(self.area, needs) else {
            return;
        };
        header::draw(cx, buffer, places.header, &rows, &self.filter);
        causes::draw(cx, buffer, places.causes, &causes, missed);
        self.draw_table(cx, buffer, places.table, &rows, index);
        if let Some(row) = row {
            let of_hpa = cx.of(row);
            verdict::draw(&of_hpa, buffer, places.verdict, row, self.words_of(row));
            if !places.charts.is_empty() {
                let minutes = SPANS[self.span];
                self.hits.charts =
                    charts::draw(&of_hpa, buffer, places.charts, row, self.metric, minutes);
            }
            pods::draw(&of_hpa, buffer, places.pods, row);
            lists::draw(&of_hpa, buffer, places.lists, row);
            self.hits.lists = places.lists;
        }
        if let Some(playback) = &self.playback {
            self.hits.scrubber = scrubber::draw(cx, buffer, places.scrubber, playback);
        }
        let status = status_bar::StatusBar {
            message: self.message.as_deref(),
            sorting: self.sorting,
            minutes: SPANS[self.span],
        };
        status_bar::draw(cx, buffer, places.status, row, &status);
    }

    /// The known words about a row.
    fn words_of(&self, row: &HpaRow<'_>) -> Option<&CachedVerdict> {
        if row.is_latest {
            return self.verdict_words.as_ref();
        }
        let verdict_words = self.past_verdict.as_ref().zip(row.entry);
        verdict_words
            .filter(|(words, entry)| words.is_about(row.key, entry.at))
            .map(|(words, _)| words)
    }

    fn draw_table(
        &mut self,
        cx: &DrawContext<'_>,
        buffer: &mut Buffer,
        area: Rect,
        rows: &[HpaRow<'_>],
        chosen: Option<usize>,
    ) {
        let mut visible = usize::from(area.height.saturating_sub(1)).max(1);
        let has_footer = visible < rows.len() && 3 < area.height;
        visible -= usize::from(has_footer);
        if let Some(chosen) = chosen {
            let first = (chosen + 1).saturating_sub(visible);
            self.top = self.top.clamp(first, chosen);
        }
        self.top = self.top.min(rows.len().saturating_sub(visible));
        let table = VisibleRows {
            rows,
            top: self.top,
            visible,
            chosen: self.chosen.as_ref(),
            sorting: self.sorting,
            minutes: SPANS[self.span],
        };
        table::draw(cx, buffer, area, &table);
        if has_footer {
            table::draw_footer(cx, buffer, area, &table);
        }
        self.hits.rows = Rect {
            y: area.y + 1.min(area.height),
            height: u16::try_from(visible)
                .unwrap_or(u16::MAX)
                .min(area.height.saturating_sub(1)),
            ..area
        };
        let seen = rows.iter().skip(self.top).take(visible);
        self.hits.keys = seen.map(|row| row.key.clone()).collect();
        if rows.is_empty() {
            let text = if cx.state.hpas.is_empty() {
                "No HPA is there yet. It appears here as soon as it is created."
            } else {
                "No HPA matches the filter. Esc clears it."
            };
            draw_line(
                buffer,
                area,
                1,
                &Line::from(cx.span(ScreenRole::Text, text)),
            );
        }
    }

    /// Index of the chosen row: the previous choice, else the first. Until the user does something it is the first.
    pub(super) fn settle(&mut self, rows: &[HpaRow<'_>]) -> Option<usize> {
        let chosen = self.chosen.as_ref().filter(|_| self.is_touched);
        let index = rows.iter().position(|row| Some(row.key) == chosen);
        if index.is_none() {
            self.chosen = rows.first().map(|row| row.key.clone());
        }
        index.or(if rows.is_empty() { None } else { Some(0) })
    }
}

/// Draws a message that the screen is too small.
fn too_small(cx: &DrawContext<'_>, buffer: &mut Buffer, area: Rect) {
    let texts = [
        format!("This window is {} by {}.", area.width, area.height),
        format!("{LEAST_WIDTH} by {LEAST_HEIGHT} is enough."),
    ];
    let top = (area.height / 2).saturating_sub(1);
    for (row, text) in (top..).zip(texts) {
        let text = cx.cut(&text, area.width.into());
        draw_line(buffer, area, row, &Line::from(text).centered());
    }
}
