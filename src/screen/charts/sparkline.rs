//! The desired replicas over time in one line of text.

use super::{axis::TimeAxis, columns::stretch};
use crate::screen::cx::{DrawContext, HpaRow};

/// The desired replicas of an HPA over the last `minutes`, one letter for each of `width` columns: from zero to the
/// maximum. Unknown times are blank.
pub(in crate::screen) fn sparkline(
    cx: &DrawContext<'_>,
    row: &HpaRow<'_>,
    minutes: i64,
    width: u16,
) -> String {
    let axis = TimeAxis::around(cx, minutes, width);
    let columns =
        stretch(cx, row, axis).columns(|entry| entry.desired.or(entry.current).map(f64::from));
    let known = columns.iter().flatten();
    let high = known.map(|column| column.most).fold(1.0, f64::max);
    let levels = cx.glyphs().levels;
    let letter = |value: f64| {
        let below = (1_u8..8).take_while(|level| f64::from(*level) / 8.0 < value / high);
        levels[below.count()]
    };
    columns
        .iter()
        .map(|column| column.map_or(" ", |column| letter(column.most)))
        .collect()
}
