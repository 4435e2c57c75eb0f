//! The replay line: its whole time, its events, and the position.

use hpa_words::clock::duration;
use jiff::{SignedDuration, Timestamp};
use ratatui::{buffer::Buffer, layout::Rect, text::Line};
use unicode_width::UnicodeWidthStr as _;

use super::{
    charts::TimeAxis,
    cx::DrawContext,
    options::Playback,
    palette::ScreenRole,
    text::{draw_line, pad},
};

/// Draws the replay line, and returns the cells of its time line.
pub(super) fn draw(
    cx: &DrawContext<'_>,
    buffer: &mut Buffer,
    area: Rect,
    playback: &Playback,
) -> Option<(Rect, TimeAxis)> {
    let width = usize::from(area.width);
    let left = left(playback);
    let right = right(cx.at, playback);
    let used = left.width() + right.width() + 2;
    let cells = u16::try_from(width.checked_sub(used)?)
        .ok()
        .filter(|cells| 4 <= *cells)?;
    let style = cx.style(ScreenRole::Strong);
    draw_line(buffer, area, 0, &Line::styled(left.clone(), style));
    let x = area.x + u16::try_from(left.width()).ok()? + 1;
    let cells = Rect::new(x, area.y, cells, 1);
    let axis = TimeAxis {
        begin: playback.begin,
        end: playback.end.max(playback.begin),
        columns: cells.width,
    };
    let line = cx.glyphs().axis.repeat(cells.width.into());
    draw_line(
        buffer,
        cells,
        0,
        &Line::styled(line, cx.style(ScreenRole::Dim)),
    );
    ticks(cx, buffer, cells, axis, playback);
    let position = axis.column(cx.at.clamp(axis.begin, axis.end));
    if let Some(column) = position
        && let Some(cell) = buffer.cell_mut((cells.x + column, cells.y))
    {
        if cell.symbol() == cx.glyphs().axis {
            cell.set_symbol(cx.glyphs().cursor);
        }
        cell.set_style(cx.style(ScreenRole::Cursor));
    }
    let after = Rect::new(
        cells.right() + 1,
        area.y,
        area.right().saturating_sub(cells.right() + 1),
        1,
    );
    draw_line(
        buffer,
        after,
        0,
        &Line::styled(right, cx.style(ScreenRole::Text)),
    );
    Some((cells, axis))
}

/// Draws the events; of several in one column the most urgent.
fn ticks(
    cx: &DrawContext<'_>,
    buffer: &mut Buffer,
    cells: Rect,
    axis: TimeAxis,
    playback: &Playback,
) {
    let mut most = vec![None; cells.width.into()];
    for tick in &playback.ticks {
        if let Some(column) = axis.column(tick.at) {
            let kind: &mut Option<_> = &mut most[usize::from(column)];
            *kind = (*kind).max(Some(tick.kind));
        }
    }
    for (x, kind) in (cells.x..).zip(most) {
        if let (Some(kind), Some(cell)) = (kind, buffer.cell_mut((x, cells.y))) {
            cell.reset();
            cell.set_symbol(cx.glyphs().tick(kind));
            cell.set_style(cx.style(ScreenRole::of_tick(kind)));
        }
    }
}

/// Text of a constant width: the time line next to it must not move.
fn left(playback: &Playback) -> String {
    let what = if playback.is_playing {
        "plays"
    } else {
        "paused"
    };
    let fastest = Playback::SPEEDS.iter().max().unwrap_or(&playback.speed);
    let width = format!("paused {fastest}x").width();
    pad(&format!("{what} {}x", playback.speed), width)
}

/// `4 min 30 s of 15 min`, with room for the longest of such texts, and `so far` while the recording is read.
fn right(at: Timestamp, playback: &Playback) -> String {
    let since = |at: Timestamp| at.duration_since(playback.begin).as_secs().max(0);
    let text = |seconds| duration(SignedDuration::from_secs(seconds));
    let end = since(playback.end);
    // The last second before a whole minute or hour takes the most room.
    let longest = [end, end / 60 * 60 - 1, end / 3600 * 3600 - 1]
        .into_iter()
        .map(|seconds| text(seconds.max(0)).width())
        .max()
        .unwrap_or_default();
    let at = text(since(at.min(playback.end)));
    let so_far = if playback.is_complete { "" } else { " so far" };
    format!("{} of {}{so_far}", pad_left(&at, longest), text(end))
}

fn pad_left(text: &str, width: usize) -> String {
    " ".repeat(width.saturating_sub(text.width())) + text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// These texts determine the width of the time line: if one got wider, all its marks would jump.
    #[test]
    fn texts_beside_the_line_of_time_are_always_as_wide() {
        let begin: Timestamp = "2026-11-21T12:00:00Z".parse().unwrap();
        for seconds in [0, 59, 60, 61, 930, 3599, 3600, 3661, 5405, 40_000] {
            let playback = |is_playing, speed| Playback {
                begin,
                end: begin + SignedDuration::from_secs(seconds),
                is_complete: true,
                is_playing,
                speed,
                ticks: Vec::new(),
            };
            let playing = playback(true, 1);
            let widths = (0..=seconds)
                .map(|second| right(begin + SignedDuration::from_secs(second), &playing).width());
            let widths: std::collections::BTreeSet<usize> = widths.collect();
            assert_eq!(widths.len(), 1, "{seconds}: {widths:?}");
            assert_eq!(left(&playing).width(), left(&playback(false, 60)).width());
        }
    }
}
