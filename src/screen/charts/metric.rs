//! A metric over time, as a share of its target, with the tolerance within which nothing changes.

use ratatui::{buffer::Buffer, layout::Rect};
use unicode_width::UnicodeWidthStr as _;

use super::{columns::Stretch, frame, plot::Plot};
use crate::{
    explain::amount::trimmed,
    screen::{
        Tick,
        palette::Role,
        scene::{Scene, Shown},
        table::against,
    },
    watch::{MetricPoint, Moment},
};

/// Draws the chart of the metric at `index` of the spec.
pub(super) fn draw(
    scene: &Scene<'_>,
    buffer: &mut Buffer,
    area: Rect,
    shown: &Shown<'_>,
    index: usize,
    stretch: &Stretch<'_>,
    ticks: &[Tick],
) {
    let point = |moment: &Moment, value: fn(&MetricPoint) -> Option<f64>| {
        moment.metrics.get(index).and_then(value)
    };
    let columns = |value| stretch.columns(|moment| point(moment, value));
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

    let glyphs = scene.glyphs();
    let cells = frame::inside(area);
    let most = highest.min(MOST_HEIGHT);
    let mut plot = Plot {
        buffer,
        area: cells,
        high: most,
        glyphs,
    };
    plot.band(&low, &high, glyphs.band, scene.style(Role::Limit));
    plot.levels(&target, glyphs.bound, scene.style(Role::Bound));
    plot.steps(&ratio, scene.style(Role::Line));
    if let Some(bottom) = cells.height.checked_sub(1) {
        for (x, _) in (0..).zip(&failed).filter(|(_, failed)| failed.is_some()) {
            plot.put(x, bottom, glyphs.cross, scene.style(Role::Error));
        }
    }

    let beyond = if most < highest { ">" } else { "" };
    let (title, entries) = legend(scene, shown, index, area.width);
    frame::legend(scene, buffer, area, &title, &entries);
    frame::number(
        scene,
        buffer,
        area,
        0,
        &format!("{beyond}{}×", trimmed(most, 1)),
    );
    if 1 < cells.height {
        frame::number(scene, buffer, area, cells.height - 1, "0");
    }
    frame::times(scene, buffer, area, stretch.axis, ticks);
    frame::cursor(scene, buffer, area, stretch.axis);
}

fn legend(
    scene: &Scene<'_>,
    shown: &Shown<'_>,
    index: usize,
    width: u16,
) -> (String, Vec<(Role, &'static str, String)>) {
    let glyphs = scene.glyphs();
    let Some(metric) = shown.moment.and_then(|moment| moment.metrics.get(index)) else {
        return (format!("metric {}", index + 1), Vec::new());
    };
    let width = frame::legend_width(width);
    if let Some(failure) = &metric.failure {
        // The reason matters more than the name, and gets all that is left beside it.
        let name = scene.cut(&metric.name, (width / 3).max(8));
        let room = width.saturating_sub(name.width() + glyphs.cross.width() + BETWEEN);
        let failure = scene.cut(failure, room);
        return (name, vec![(Role::Error, glyphs.cross, failure)]);
    }
    let name = scene.cut(&metric.name, (width / 2).max(8));
    // As much as fits beside the name.
    let room = width.saturating_sub(name.width() + glyphs.steps[0].width() + BETWEEN);
    let mut text = against(metric);
    let ratio = metric
        .ratio
        .map(|ratio| format!(" = {}×", trimmed(ratio, 2)));
    let asks = metric.asks.map(|asks| format!(", asks for {asks}"));
    for more in [ratio, asks].into_iter().flatten() {
        if text.width() + more.width() <= room {
            text.push_str(&more);
        }
    }
    let text = scene.cut(&text, room);
    let mut entries = vec![(Role::Line, glyphs.steps[0], text)];
    entries.push((Role::Bound, glyphs.bound, "target".to_owned()));
    if let Some((low, high)) = metric.tolerance {
        let band = format!("{}…{}×", trimmed(low, 2), trimmed(high, 2));
        entries.push((Role::Limit, glyphs.band, band));
    }
    (name, entries)
}

/// Columns of blanks around the mark of a piece of the legend.
const BETWEEN: usize = 3;

/// So many times the target are always shown.
const LEAST_HEIGHT: f64 = 1.5;

/// More than so many times the target is drawn in the top row: else the tolerance could not be seen.
const MOST_HEIGHT: f64 = 3.0;
