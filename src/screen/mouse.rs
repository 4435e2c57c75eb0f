//! Handles the mouse.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use jiff::SignedDuration;
use ratatui::layout::Position;

use super::{cx::DrawContext, page::Scroll, request::ScreenRequest, view::Screen};

impl Screen {
    /// Handles an event of the mouse.
    pub(super) fn mouse(
        &mut self,
        mouse: MouseEvent,
        cx: &DrawContext<'_>,
    ) -> Option<ScreenRequest> {
        if self.prompt.is_some() {
            return None;
        }
        let at = Position::new(mouse.column, mouse.row);
        let lines = match mouse.kind {
            MouseEventKind::ScrollUp => -1,
            MouseEventKind::ScrollDown => 1,
            MouseEventKind::Down(MouseButton::Left) => return self.click(at, cx),
            MouseEventKind::Drag(MouseButton::Left) => return self.point_at_time(at, cx),
            _ => return None,
        };
        match &mut self.page {
            Some(page) => page.scroll(Scroll::Lines(lines * 3)),
            None => self.move_by(cx, lines),
        }
        None
    }

    fn click(&mut self, at: Position, cx: &DrawContext<'_>) -> Option<ScreenRequest> {
        if self.page.is_some() {
            return None;
        }
        self.message = None;
        if self.hits.rows.contains(at) {
            let row = usize::from(at.y - self.hits.rows.y);
            let key = self.hits.keys.get(row)?.clone();
            let is_second = self.last_click.take().is_some_and(|(last, when)| {
                // The clock of a replay is not the user's.
                let is_soon = self.is_replay() || cx.now.duration_since(when) <= DOUBLE_CLICK;
                last == key && is_soon
            });
            self.chosen = Some(key.clone());
            if is_second {
                return self.explain(cx);
            }
            self.last_click = Some((key, cx.now));
            return None;
        }
        self.last_click = None;
        if self.hits.lists.contains(at) {
            self.open_lists(cx);
            return None;
        }
        self.point_at_time(at, cx)
    }

    /// Views the time at a column of a chart or of the replay line.
    fn point_at_time(&mut self, at: Position, cx: &DrawContext<'_>) -> Option<ScreenRequest> {
        if self.page.is_some() {
            return None;
        }
        let charts = self
            .hits
            .charts
            .iter()
            .map(|chart| (chart.cells, chart.axis));
        let (cells, axis) = charts
            .chain(self.hits.scrubber)
            .find(|(cells, _)| cells.contains(at))?;
        self.show_at(cx, axis.time(at.x - cells.x))
    }
}

/// The longest time between the clicks of a double click.
const DOUBLE_CLICK: SignedDuration = SignedDuration::from_millis(500);
