//! The charts beside and below each other: the replicas first, then as many metrics as fit.

use ratatui::{buffer::Buffer, layout::Rect};

use super::{axis::Axis, columns::Stretch, frame, metric, replicas, ticks::ticks};
use crate::{
    screen::{
        Tick, TickKind,
        options::Mode,
        scene::{Scene, Shown},
    },
    watch::Moment,
};

/// Where a chart was drawn: its cells, and the time that they stand for.
#[derive(Clone, Copy, Debug)]
pub(in crate::screen) struct Drawn {
    pub(in crate::screen) cells: Rect,
    pub(in crate::screen) axis: Axis,
}

/// Draws the charts of an HPA over the last `minutes`. Of the metrics, the one with number `first` comes first.
pub(in crate::screen) fn draw(
    scene: &Scene<'_>,
    buffer: &mut Buffer,
    area: Rect,
    shown: &Shown<'_>,
    first: usize,
    minutes: i64,
) -> Vec<Drawn> {
    let metrics = shown.moment.map_or(0, |moment| moment.metrics.len());
    let places = places(area, 1 + metrics);
    let mut drawn = Vec::new();
    for (index, place) in places.into_iter().enumerate() {
        let cells = frame::inside(place);
        if cells.is_empty() {
            continue;
        }
        let axis = Axis::around(scene, minutes, cells.width);
        let stretch = stretch(scene, shown, axis);
        let ticks = happened(scene, &stretch);
        match index.checked_sub(1) {
            None => replicas::draw(scene, buffer, place, shown, &stretch, &ticks),
            Some(index) => {
                let index = (first + index) % metrics.max(1);
                metric::draw(scene, buffer, place, shown, index, &stretch, &ticks);
            }
        }
        drawn.push(Drawn { cells, axis });
    }
    drawn
}

/// Divides the area among at most `wanted` charts.
fn places(area: Rect, wanted: usize) -> Vec<Rect> {
    let wanted = u16::try_from(wanted).unwrap_or(u16::MAX).max(1);
    let most_columns = (area.width / LEAST_WIDTH).clamp(1, 3);
    let most_rows = (area.height / LEAST_HEIGHT).max(1);
    let columns = most_columns.min(wanted);
    let rows = wanted.div_ceil(columns).min(most_rows);
    let mut places = Vec::new();
    for index in 0..wanted.min(columns * rows) {
        let (column, row) = (index % columns, index / columns);
        // What is left over in the last row goes to its charts.
        let in_row = columns.min(wanted.min(columns * rows) - row * columns);
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

fn stretch<'a>(scene: &Scene<'a>, shown: &Shown<'a>, axis: Axis) -> Stretch<'a> {
    let until = match scene.options.mode {
        Mode::Live => scene.now,
        Mode::Replay => scene.at,
    };
    let until = shown.hpa.gone_at.map_or(until, |gone| until.min(gone));
    let end = axis.end.min(until);
    let mut moments: Vec<&Moment> = Vec::new();
    for moment in shown.hpa.history.moments().rev() {
        if moment.at <= end {
            moments.push(moment);
        }
        if moment.at < axis.begin {
            break;
        }
    }
    moments.reverse();
    Stretch {
        moments,
        axis,
        hold: shown.hpa.latest.assessment.observation.sync_period().value * 4,
        until,
    }
}

/// What happened to the HPA, and the user's marks.
fn happened(scene: &Scene<'_>, stretch: &Stretch<'_>) -> Vec<Tick> {
    let marks = scene.state.marks.iter().map(|mark| Tick {
        at: mark.at,
        kind: TickKind::Mark,
    });
    let mut ticks: Vec<Tick> = ticks(stretch.moments.iter().copied()).collect();
    ticks.extend(marks);
    ticks
}

/// Columns and lines below which a chart cannot be read.
const LEAST_WIDTH: u16 = 38;
const LEAST_HEIGHT: u16 = 8;
