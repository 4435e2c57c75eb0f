//! The line of a replay: all of its time, what happened, and where it is.

use super::text::draw_line;
use jiff::Timestamp;
use ratatui::{buffer::Buffer, layout::Rect, text::Line};
use unicode_width::UnicodeWidthStr as _;

use super::{charts::Axis, options::Playback, palette::Role, scene::Scene};
use crate::explain::clock::duration;

/// Draws where the replay is, and gives the cells that stand for its time.
pub(super) fn draw(
    scene: &Scene<'_>,
    buffer: &mut Buffer,
    area: Rect,
    playback: &Playback,
) -> Option<(Rect, Axis)> {
    let width = usize::from(area.width);
    let left = left(playback);
    let right = right(scene, playback);
    let used = left.width() + right.width() + 2;
    let cells = u16::try_from(width.checked_sub(used)?)
        .ok()
        .filter(|cells| 4 <= *cells)?;
    let style = scene.style(Role::Strong);
    draw_line(buffer, area, 0, &Line::styled(left.clone(), style));
    let x = area.x + u16::try_from(left.width()).ok()? + 1;
    let cells = Rect::new(x, area.y, cells, 1);
    let axis = Axis {
        begin: playback.begin,
        end: playback.end.max(playback.begin),
        columns: cells.width,
    };
    let line = scene.glyphs().axis.repeat(cells.width.into());
    draw_line(
        buffer,
        cells,
        0,
        &Line::styled(line, scene.style(Role::Dim)),
    );
    ticks(scene, buffer, cells, axis, playback);
    let position = axis.column(scene.at.clamp(axis.begin, axis.end));
    if let Some(column) = position
        && let Some(cell) = buffer.cell_mut((cells.x + column, cells.y))
    {
        if cell.symbol() == scene.glyphs().axis {
            cell.set_symbol(scene.glyphs().cursor);
        }
        cell.set_style(scene.style(Role::Cursor));
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
        &Line::styled(right, scene.style(Role::Text)),
    );
    Some((cells, axis))
}

/// Draws what happened; of several things in one column the most urgent.
fn ticks(scene: &Scene<'_>, buffer: &mut Buffer, cells: Rect, axis: Axis, playback: &Playback) {
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
            cell.set_symbol(scene.glyphs().tick(kind));
            cell.set_style(scene.style(Role::of_tick(kind)));
        }
    }
}

fn left(playback: &Playback) -> String {
    if playback.is_playing {
        format!("plays {}x", playback.speed)
    } else {
        format!("paused {}x", playback.speed)
    }
}

/// `4 m 30 s of 15 m`.
fn right(scene: &Scene<'_>, playback: &Playback) -> String {
    let since = |at: Timestamp| {
        let elapsed = at.duration_since(playback.begin).as_secs().max(0);
        duration(jiff::SignedDuration::from_secs(elapsed))
    };
    format!(
        "{} of {}",
        since(scene.at.min(playback.end)),
        since(playback.end)
    )
}
