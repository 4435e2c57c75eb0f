//! The replicas over time: running, desired, what the metrics ask for, and the limits.

use hpa_watch::HistoryEntry;
use ratatui::{buffer::Buffer, layout::Rect};

use super::{
    columns::{Stretch, ValueColumn},
    frame,
    plot::Plot,
};
use crate::screen::{
    Tick,
    cx::{DrawContext, HpaRow},
    palette::ScreenRole,
};

/// Draws the chart of the replicas.
pub(super) fn draw(
    cx: &DrawContext<'_>,
    buffer: &mut Buffer,
    area: Rect,
    row: &HpaRow<'_>,
    stretch: &Stretch<'_>,
    ticks: &[Tick],
) {
    let columns = |value: fn(&HistoryEntry) -> Option<i32>| {
        stretch.columns(|entry| value(entry).map(f64::from))
    };
    let ready = columns(|entry| i32::try_from(entry.pods.ready).ok());
    let desired = columns(|entry| entry.desired.or(entry.current));
    let proposals = columns(|entry| entry.proposal);
    let window = columns(|entry| entry.stabilized);
    let least = columns(|entry| limits(entry).0);
    let most = columns(|entry| limits(entry).1);
    let min = columns(|entry| Some(entry.min));
    let max = columns(|entry| Some(entry.max));
    let high = height([&ready, &desired], [&proposals, &window, &most, &max]);

    let glyphs = cx.glyphs();
    let cells = frame::inside(area);
    let mut plot = Plot {
        buffer,
        area: cells,
        high,
        glyphs,
    };
    // Lines below the pods matter once the pods are gone.
    plot.levels(&min, glyphs.bound, cx.style(ScreenRole::Bound));
    plot.levels(&least, glyphs.least, cx.style(ScreenRole::Limit));
    plot.bars(&ready, cx.style(ScreenRole::Ready));
    plot.levels(&max, glyphs.bound, cx.style(ScreenRole::Bound));
    plot.levels(&most, glyphs.most, cx.style(ScreenRole::Limit));
    plot.levels(&window, glyphs.window, cx.style(ScreenRole::Limit));
    let proposal = [glyphs.proposal, glyphs.beyond];
    plot.marks_or_beyond(&proposals, proposal, cx.style(ScreenRole::Proposal));
    plot.steps(&desired, cx.style(ScreenRole::Line));

    frame::legend(cx, buffer, area, "replicas", &legend(cx, row, high));
    frame::number(cx, buffer, area, 0, &format!("{high:.0}"));
    if 1 < cells.height {
        frame::number(cx, buffer, area, cells.height - 1, "0");
    }
    frame::times(cx, buffer, area, stretch.axis, ticks);
    frame::cursor(cx, buffer, area, stretch.axis);
}

/// The height of the chart: everything that runs or is desired, and as much of the proposals and limits as leaves the
/// rest readable.
fn height(must: [&[Option<ValueColumn>]; 2], may: [&[Option<ValueColumn>]; 4]) -> f64 {
    let most = |columns: &[Option<ValueColumn>]| {
        let known = columns.iter().flatten();
        known.map(|column| column.most).fold(0.0, f64::max)
    };
    let needed = must.into_iter().map(most).fold(1.0, f64::max);
    let reach = (needed * 1.5).max(4.0);
    let proposals = may[0].iter().flatten().map(|column| column.most.min(reach));
    let needed_with_proposal = proposals.fold(needed, f64::max);
    let others = may.into_iter().map(most).filter(|one| *one <= reach);
    // A little room above, so that a line at the top is visible.
    (others.fold(needed_with_proposal, f64::max) * 1.1).ceil()
}

/// The fewest and the most replicas that policies allow, if that differs from the bounds.
fn limits(entry: &HistoryEntry) -> (Option<i32>, Option<i32>) {
    let (least, most) = entry.limits.unzip();
    (
        least.filter(|least| entry.min < *least),
        most.filter(|most| *most < entry.max),
    )
}

fn legend(
    cx: &DrawContext<'_>,
    row: &HpaRow<'_>,
    high: f64,
) -> Vec<(ScreenRole, &'static str, String)> {
    let glyphs = cx.glyphs();
    let Some(entry) = row.entry else {
        return Vec::new();
    };
    let number =
        |replicas: Option<i32>| replicas.map_or_else(|| "?".to_owned(), |it| it.to_string());
    let desired = format!("desired {}", number(entry.desired.or(entry.current)));
    let mut entries = vec![
        (ScreenRole::Line, glyphs.steps[0], desired),
        (
            ScreenRole::Ready,
            glyphs.fill[7],
            format!("ready {}", entry.pods.ready),
        ),
    ];
    if let Some(proposals) = entry.proposal {
        let (glyph, above) = if high < f64::from(proposals) {
            (glyphs.beyond, " (above)")
        } else {
            (glyphs.proposal, "")
        };
        entries.push((
            ScreenRole::Proposal,
            glyph,
            format!("asks for {proposals}{above}"),
        ));
    }
    entries.push((
        ScreenRole::Bound,
        glyphs.bound,
        format!("min {} max {}", entry.min, entry.max),
    ));
    let (least, most) = limits(entry);
    if let Some(most) = most {
        entries.push((ScreenRole::Limit, glyphs.most, format!("most {most}")));
    }
    if let Some(least) = least {
        entries.push((ScreenRole::Limit, glyphs.least, format!("least {least}")));
    }
    if entry.stabilized.is_some() {
        entries.push((
            ScreenRole::Limit,
            glyphs.window,
            format!("window {}", number(entry.stabilized)),
        ));
    }
    entries
}
