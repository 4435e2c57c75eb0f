//! A metric over time, relative to its target, with the tolerance range.

use hpa_watch::{HistoryEntry, MetricPoint};
use hpa_words::amount::trimmed;
use ratatui::{buffer::Buffer, layout::Rect};
use unicode_width::UnicodeWidthStr as _;

use super::{columns::Stretch, frame, plot::Plot};
use crate::screen::{
    Tick,
    cx::{DrawContext, HpaRow},
    palette::ScreenRole,
    table::against,
};

/// Draws the chart of the metric at `index` of the spec.
pub(super) fn draw(
    cx: &DrawContext<'_>,
    buffer: &mut Buffer,
    area: Rect,
    row: &HpaRow<'_>,
    index: usize,
    stretch: &Stretch<'_>,
    ticks: &[Tick],
) {
    let point = |entry: &HistoryEntry, value: fn(&MetricPoint) -> Option<f64>| {
        entry.metrics.get(index).and_then(value)
    };
    let columns = |value| stretch.columns(|entry| point(entry, value));
    let ratio = columns(|metric| metric.ratio);
    let low = columns(|metric| metric.tolerance.map(|tolerance| tolerance.0));
    let high = columns(|metric| metric.tolerance.map(|tolerance| tolerance.1));
    let target = columns(|metric| {
        metric
            .tolerance
            .or(metric.ratio.map(|_| (1.0, 1.0)))
            .map(|_| 1.0)
    });
    let failed = columns(|metric| metric.failure.as_ref().map(|_| 1.0));
    let known = ratio.iter().flatten().chain(high.iter().flatten());
    let highest = known.map(|column| column.most).fold(LEAST_HEIGHT, f64::max);

    let glyphs = cx.glyphs();
    let cells = frame::inside(area);
    let most = highest.min(MOST_HEIGHT);
    let mut plot = Plot {
        buffer,
        area: cells,
        high: most,
        glyphs,
    };
    plot.band(&low, &high, glyphs.band, cx.style(ScreenRole::Limit));
    plot.levels(&target, glyphs.bound, cx.style(ScreenRole::Bound));
    plot.steps(&ratio, cx.style(ScreenRole::Line));
    if let Some(bottom) = cells.height.checked_sub(1) {
        for (x, _) in (0..).zip(&failed).filter(|(_, failed)| failed.is_some()) {
            plot.put(x, bottom, glyphs.cross, cx.style(ScreenRole::Error));
        }
    }

    let beyond = if most < highest { ">" } else { "" };
    let (title, entries) = legend(cx, row, index, area.width);
    frame::legend(cx, buffer, area, &title, &entries);
    frame::number(
        cx,
        buffer,
        area,
        0,
        &format!("{beyond}{}×", trimmed(most, 1)),
    );
    if 1 < cells.height {
        frame::number(cx, buffer, area, cells.height - 1, "0");
    }
    frame::times(cx, buffer, area, stretch.axis, ticks);
    frame::cursor(cx, buffer, area, stretch.axis);
}

fn legend(
    cx: &DrawContext<'_>,
    row: &HpaRow<'_>,
    index: usize,
    width: u16,
) -> (String, Vec<(ScreenRole, &'static str, String)>) {
    let glyphs = cx.glyphs();
    let Some(metric) = row.entry.and_then(|entry| entry.metrics.get(index)) else {
        return (format!("metric {}", index + 1), Vec::new());
    };
    let width = frame::legend_width(width);
    if let Some(failure) = &metric.failure {
        // The reason matters more than the name, and gets all the remaining width.
        let name = cx.cut(&metric.name, (width / 3).max(8));
        let room = width.saturating_sub(name.width() + glyphs.cross.width() + BETWEEN);
        let failure = cx.cut(failure, room);
        return (name, vec![(ScreenRole::Error, glyphs.cross, failure)]);
    }
    let name = cx.cut(&metric.name, (width / 2).max(8));
    // As much as fits next to the name.
    let room = width.saturating_sub(name.width() + glyphs.steps[0].width() + BETWEEN);
    let mut text = against(metric);
    let ratio = metric
        .ratio
        .map(|ratio| format!(" = {}×", trimmed(ratio, 2)));
    let proposal = metric
        .proposal
        .map(|proposal| format!(", asks for {proposal}"));
    for more in [ratio, proposal].into_iter().flatten() {
        if text.width() + more.width() <= room {
            text.push_str(&more);
        }
    }
    let text = cx.cut(&text, room);
    let mut entries = vec![(ScreenRole::Line, glyphs.steps[0], text)];
    entries.push((ScreenRole::Bound, glyphs.bound, "target".to_owned()));
    if let Some((low, high)) = metric.tolerance {
        let band = format!("{}…{}×", trimmed(low, 2), trimmed(high, 2));
        entries.push((ScreenRole::Limit, glyphs.band, band));
    }
    (name, entries)
}

/// Blanks around the symbol of a legend entry.
const BETWEEN: usize = 3;

/// At least this multiple of the target is shown.
const LEAST_HEIGHT: f64 = 1.5;

/// Larger multiples of the target are drawn in the top row: otherwise the tolerance would not be visible.
const MOST_HEIGHT: f64 = 3.0;
