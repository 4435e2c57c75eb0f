//! The frame of every chart: a legend above, numbers on the left, time below.

use crate::screen::text::draw_line;
use jiff::Timestamp;
use ratatui::{
    buffer::Buffer,
    layout::Rect,
    text::{Line, Span},
};
use unicode_width::UnicodeWidthStr as _;

use super::axis::TimeAxis;
use crate::screen::{Tick, cx::DrawContext, palette::ScreenRole};

/// The cells of a chart within its whole area: below the legend, right of the numbers and above the two lines of time.
pub(super) fn inside(area: Rect) -> Rect {
    Rect {
        x: area.x + NUMBERS.min(area.width),
        y: area.y + 1.min(area.height),
        width: area.width.saturating_sub(NUMBERS + 1),
        height: area.height.saturating_sub(3),
    }
}

/// Columns for the title and the legend next to it: the next chart starts right after this one.
pub(super) fn legend_width(width: u16) -> usize {
    usize::from(width).saturating_sub(GAP)
}

/// Draws the legend: as many pieces as fit.
pub(super) fn legend(
    cx: &DrawContext<'_>,
    buffer: &mut Buffer,
    area: Rect,
    title: &str,
    entries: &[(ScreenRole, &str, String)],
) {
    let width = legend_width(area.width);
    let mut spans = vec![Span::styled(
        cx.cut(title, width),
        cx.style(ScreenRole::Title),
    )];
    let mut used = spans[0].width();
    for (role, glyph, text) in entries {
        let text = cx.clean(text);
        let needed = 2 + glyph.width() + 1 + text.width();
        if width < used + needed {
            continue;
        }
        used += needed;
        spans.push(Span::raw("  "));
        spans.push(Span::styled((*glyph).to_owned(), cx.style(*role)));
        spans.push(Span::raw(format!(" {text}")));
    }
    draw_line(buffer, area, 0, &Line::from(spans));
}

/// Draws a number next to a row of the chart; `row` counts from the top of the cells.
pub(super) fn number(cx: &DrawContext<'_>, buffer: &mut Buffer, area: Rect, row: u16, text: &str) {
    let width = usize::from(NUMBERS) - 1;
    let text = format!("{:>width$}", cx.cut(text, width));
    let line = Line::styled(text, cx.style(ScreenRole::Dim));
    let place = Rect {
        width: NUMBERS.min(area.width),
        ..area
    };
    draw_line(buffer, place, row + 1, &line);
}

/// Draws the time line with its ticks, and the times below it.
pub(super) fn times(
    cx: &DrawContext<'_>,
    buffer: &mut Buffer,
    area: Rect,
    axis: TimeAxis,
    ticks: &[Tick],
) {
    let cells = inside(area);
    if area.height < 3 || cells.width == 0 {
        return;
    }
    let row = cells.bottom();
    let line = cx.glyphs().axis.repeat(cells.width.into());
    let place = |height| Rect::new(cells.x, row, cells.width, height);
    draw_line(
        buffer,
        place(1),
        0,
        &Line::styled(line, cx.style(ScreenRole::Dim)),
    );
    let mut ticks = ticks.to_vec();
    ticks.sort_by_key(|tick| tick.kind);
    for tick in ticks {
        if let Some(column) = axis.column(tick.at)
            && let Some(cell) = buffer.cell_mut((cells.x + column, row))
        {
            cell.set_symbol(cx.glyphs().tick(tick.kind));
            cell.set_style(cx.style(ScreenRole::of_tick(tick.kind)));
        }
    }
    labels(cx, buffer, place(2), axis);
}

/// Draws the times at the left end, at some columns between and at the right end.
fn labels(cx: &DrawContext<'_>, buffer: &mut Buffer, area: Rect, axis: TimeAxis) {
    let clock = cx.clock_now();
    let short = |at: Timestamp| {
        at.to_zoned(clock.zone.clone())
            .strftime("%H:%M:%S")
            .to_string()
    };
    let count = (area.width / 16).clamp(1, 6);
    for index in 0..=count {
        let column = (area.width - 1) * index / count;
        let is_last = index == count;
        let at = if index == 0 {
            axis.begin
        } else {
            axis.time(column)
        };
        let text = if is_last && axis.end == cx.now && count == 1 && area.width < 20 {
            "now".to_owned()
        } else {
            short(at)
        };
        let width = u16::try_from(text.width()).unwrap_or(u16::MAX);
        let start = match index {
            0 => 0,
            _ if is_last => area.width.saturating_sub(width),
            _ => column.saturating_sub(width / 2),
        };
        if area.width < 18 && index == 0 {
            continue;
        }
        let place = Rect::new(area.x + start, area.y, area.width - start, 2);
        draw_line(
            buffer,
            place,
            1,
            &Line::styled(text, cx.style(ScreenRole::Dim)),
        );
    }
}

/// Shows the viewed time in the cells of a chart.
pub(super) fn cursor(cx: &DrawContext<'_>, buffer: &mut Buffer, area: Rect, axis: TimeAxis) {
    if !cx.is_past {
        return;
    }
    let cells = inside(area);
    if let Some(column) = axis.column(cx.at) {
        let column = Rect::new(cells.x + column, cells.y, 1, cells.height + 1);
        buffer.set_style(column.intersection(area), cx.style(ScreenRole::Cursor));
    }
}

/// Columns that the numbers on the left take.
const NUMBERS: u16 = 5;

/// Empty columns between the titles of two charts.
const GAP: usize = 2;
