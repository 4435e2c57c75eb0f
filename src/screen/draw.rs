//! Draws the screen from its parts.

use super::text::draw_line;
use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
    text::Line,
};

use super::{
    charts::{self, SPANS},
    header,
    layout::{LEAST_HEIGHT, LEAST_WIDTH, Needs, Places},
    lists,
    palette::Role,
    pods,
    scene::{Scene, Shown},
    scrubber, status_bar, table,
    verdict::{self, Told},
    view::{Hits, Screen},
};

impl Screen {
    /// Draws everything, and gives where the cursor of a line that is typed is.
    pub(super) fn draw_scene(
        &mut self,
        scene: &Scene<'_>,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        let area = self.area;
        self.hits = Hits::default();
        if area.width < LEAST_WIDTH || area.height < LEAST_HEIGHT {
            too_small(scene, buffer, area);
            return None;
        }
        if let Some(page) = &mut self.page {
            page.draw(scene, buffer, area);
        } else {
            self.draw_parts(scene, buffer);
        }
        let last = Rect {
            y: area.bottom() - 1,
            height: 1,
            ..area
        };
        if let Some(prompt) = &self.prompt {
            return Some(prompt.draw(scene, buffer, last));
        }
        if let Some(message) = self.message.as_deref().filter(|_| self.page.is_some()) {
            let blank = " ".repeat(area.width.into());
            draw_line(buffer, last, 0, &Line::raw(blank));
            let message = scene.cut(message, area.width.into());
            draw_line(
                buffer,
                last,
                0,
                &Line::from(scene.span(Role::Strong, &message)),
            );
        }
        None
    }

    fn draw_parts(&mut self, scene: &Scene<'_>, buffer: &mut Buffer) {
        let rows = self.rows(scene);
        let index = self.settle(&rows);
        let shown = index.map(|index| &rows[index]);
        let needs = Needs {
            rows: rows.len(),
            lists: shown.map_or(0, |shown| {
                shown.alarms().len() + shown.hpa.latest.assessment.context.events.len()
            }),
            metrics: shown
                .and_then(|shown| shown.moment)
                .map_or(0, |moment| moment.metrics.len()),
            has_scrubber: self.playback.is_some(),
        };
        let Some(places) = Places::of(self.area, needs) else {
            return;
        };
        header::draw(scene, buffer, places.header, &rows, &self.filter);
        self.draw_table(scene, buffer, places.table, &rows, index);
        if let Some(shown) = shown {
            let told = if shown.is_latest {
                self.told = Some(Told::of(scene, shown, self.told.take()));
                self.told.as_ref()
            } else {
                let told = self.told_then.as_ref().zip(shown.moment);
                told.filter(|(told, moment)| told.is_about(shown.key, moment.at))
                    .map(|(told, _)| told)
            };
            let of_hpa = scene.of(shown);
            verdict::draw(&of_hpa, buffer, places.verdict, shown, told);
            if !places.charts.is_empty() {
                let minutes = SPANS[self.span];
                self.hits.charts =
                    charts::draw(&of_hpa, buffer, places.charts, shown, self.metric, minutes);
            }
            pods::draw(&of_hpa, buffer, places.pods, shown);
            lists::draw(&of_hpa, buffer, places.lists, shown);
            self.hits.lists = places.lists;
        }
        if let Some(playback) = &self.playback {
            self.hits.scrubber = scrubber::draw(scene, buffer, places.scrubber, playback);
        }
        let status = status_bar::Status {
            message: self.message.as_deref(),
            sorting: self.sorting,
            minutes: SPANS[self.span],
        };
        status_bar::draw(scene, buffer, places.status, shown, &status);
    }

    fn draw_table(
        &mut self,
        scene: &Scene<'_>,
        buffer: &mut Buffer,
        area: Rect,
        rows: &[Shown<'_>],
        chosen: Option<usize>,
    ) {
        let visible = usize::from(area.height.saturating_sub(1)).max(1);
        if let Some(chosen) = chosen {
            let first = (chosen + 1).saturating_sub(visible);
            self.top = self.top.clamp(first, chosen);
        }
        self.top = self.top.min(rows.len().saturating_sub(visible));
        table::draw(scene, buffer, area, rows, self.top, self.chosen.as_ref());
        self.hits.rows = Rect {
            y: area.y + 1.min(area.height),
            height: area.height.saturating_sub(1),
            ..area
        };
        let seen = rows.iter().skip(self.top).take(visible);
        self.hits.keys = seen.map(|shown| shown.key.clone()).collect();
        if rows.is_empty() {
            let text = if scene.state.hpas.is_empty() {
                "No HPA is there yet. It appears here as soon as it is created."
            } else {
                "No HPA matches the filter. Esc clears it."
            };
            draw_line(buffer, area, 1, &Line::from(scene.span(Role::Text, text)));
        }
    }

    /// Index of the row that is chosen: the one that was, else the first. Until the user does something it is the first.
    pub(super) fn settle(&mut self, rows: &[Shown<'_>]) -> Option<usize> {
        let chosen = self.chosen.as_ref().filter(|_| self.is_touched);
        let index = rows.iter().position(|shown| Some(shown.key) == chosen);
        if index.is_none() {
            self.chosen = rows.first().map(|shown| shown.key.clone());
        }
        index.or(if rows.is_empty() { None } else { Some(0) })
    }
}

/// Asks for more room.
fn too_small(scene: &Scene<'_>, buffer: &mut Buffer, area: Rect) {
    let texts = [
        format!("This window is {} by {}.", area.width, area.height),
        format!("{LEAST_WIDTH} by {LEAST_HEIGHT} is enough."),
    ];
    let top = (area.height / 2).saturating_sub(1);
    for (row, text) in (top..).zip(texts) {
        let text = scene.cut(&text, area.width.into());
        draw_line(buffer, area, row, &Line::from(text).centered());
    }
}
