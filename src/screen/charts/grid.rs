//! The grid of charts: the replicas first, then as many metrics as fit.

use ratatui::{buffer::Buffer, layout::Rect};

use super::{
    axis::TimeAxis,
    columns::{Stretch, stretch},
    frame, metric, replicas,
    ticks::ticks,
};
use crate::screen::{
    Tick, TickKind,
    cx::{DrawContext, HpaRow},
};

/// Where a chart was drawn: its cells, and their times.
#[derive(Clone, Copy, Debug)]
pub(in crate::screen) struct Drawn {
    pub(in crate::screen) cells: Rect,
    pub(in crate::screen) axis: TimeAxis,
}

/// Draws the charts of an HPA over the last `minutes`. The metric with index `first` comes first.
pub(in crate::screen) fn draw(
    cx: &DrawContext<'_>,
    buffer: &mut Buffer,
    area: Rect,
    row: &HpaRow<'_>,
    first: usize,
    minutes: i64,
) -> Vec<Drawn> {
    let metrics = row.entry.map_or(0, |entry| entry.metrics.len());
    let places = places(area, 1 + metrics);
    let mut drawn = Vec::new();
    for (index, place) in places.into_iter().enumerate() {
        let cells = frame::inside(place);
        if cells.is_empty() {
            continue;
        }
        let axis = TimeAxis::around(cx, minutes, cells.width);
        let stretch = stretch(cx, row, axis);
        let ticks = happened(cx, &stretch);
        match index.checked_sub(1) {
            None => replicas::draw(cx, buffer, place, row, &stretch, &ticks),
            Some(index) => {
                let index = (first + index) % metrics.max(1);
                metric::draw(cx, buffer, place, row, index, &stretch, &ticks);
            }
        }
        drawn.push(Drawn { cells, axis });
    }
    drawn
}

/// Divides the area among at most `requested` charts.
fn places(area: Rect, requested: usize) -> Vec<Rect> {
    let requested = u16::try_from(requested).unwrap_or(u16::MAX).max(1);
    let most_columns = (area.width / LEAST_WIDTH).clamp(1, 3);
    let most_rows = (area.height / LEAST_HEIGHT).max(1);
    let columns = most_columns.min(requested);
    let rows = requested.div_ceil(columns).min(most_rows);
    let mut places = Vec::new();
    for index in 0..requested.min(columns * rows) {
        let (column, row) = (index % columns, index / columns);
        // The remaining width in the last row goes to its charts.
        let in_row = columns.min(requested.min(columns * rows) - row * columns);
        let left = area.width * column / in_row;
        let right = area.width * (column + 1) / in_row;
        let top = area.height * row / rows;
        let bottom = area.height * (row + 1) / rows;
        places.push(Rect::new(
            area.x + left,
            area.y + top,
            right - left,
            bottom - top,
        ));
    }
    places
}

/// The events of the HPA, and the user's marks.
fn happened(cx: &DrawContext<'_>, stretch: &Stretch<'_>) -> Vec<Tick> {
    let marks = cx.state.marks.iter().map(|mark| Tick {
        at: mark.at,
        kind: TickKind::Mark,
    });
    let mut ticks: Vec<Tick> = ticks(stretch.entries.iter().copied()).collect();
    ticks.extend(marks);
    ticks
}

/// A smaller chart, in columns and lines, cannot be read.
const LEAST_WIDTH: u16 = 38;
const LEAST_HEIGHT: u16 = 8;
