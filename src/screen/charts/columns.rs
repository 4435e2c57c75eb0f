//! A value over time, aggregated into the columns of a chart. A column keeps the minimum and the maximum of its
//! values, so that a spike is visible however long a column is.

use hpa_watch::HistoryEntry;
use jiff::{SignedDuration, Timestamp};

use super::axis::TimeAxis;
use crate::screen::{
    cx::{DrawContext, HpaRow},
    options::Mode,
};

/// The values in a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ValueColumn {
    /// The value at its start.
    pub(super) first: f64,
    /// The value at its end.
    pub(super) last: f64,
    pub(super) least: f64,
    pub(super) most: f64,
}

/// The entries that a chart shows, and how long each holds.
pub(super) struct Stretch<'a> {
    /// Oldest first: those within the axis and the one before it.
    pub(super) entries: Vec<&'a HistoryEntry>,
    pub(super) axis: TimeAxis,
    /// How long an entry holds if none follows.
    pub(super) hold: SignedDuration,
    /// Until when the last one holds at most.
    pub(super) until: Timestamp,
}

impl Stretch<'_> {
    /// A value over time. There is a gap where it is not known, and where nothing was observed for long.
    pub(super) fn columns(
        &self,
        value: impl Fn(&HistoryEntry) -> Option<f64>,
    ) -> Vec<Option<ValueColumn>> {
        let mut columns = vec![None; self.axis.columns.into()];
        let nexts = self.entries.iter().skip(1).map(|next| next.at);
        let nexts = nexts.chain([self.until]);
        for (entry, next) in self.entries.iter().zip(nexts) {
            let Some(value) = value(entry).filter(|value| value.is_finite()) else {
                continue;
            };
            let held = entry.at.checked_add(self.hold).unwrap_or(next);
            let end = next.min(held).min(self.until).min(self.axis.end);
            let first = self.axis.column(entry.at.max(self.axis.begin));
            let last = self.axis.column(end);
            if let (Some(first), Some(last)) = (first, last) {
                for column in &mut columns[first.into()..=usize::from(last).max(first.into())] {
                    merge(column, value);
                }
            }
        }
        columns
    }
}

/// The entries of an HPA that a chart of that axis shows.
pub(super) fn stretch<'a>(cx: &DrawContext<'a>, row: &HpaRow<'a>, axis: TimeAxis) -> Stretch<'a> {
    let until = match cx.options.mode {
        Mode::Live => cx.now,
        Mode::Replay => cx.at,
    };
    let until = row
        .hpa
        .deleted_at
        .map_or(until, |deleted| until.min(deleted));
    let end = axis.end.min(until);
    let mut entries: Vec<&HistoryEntry> = Vec::new();
    for entry in row.hpa.history.entries().rev() {
        if entry.at <= end {
            entries.push(entry);
        }
        if entry.at < axis.begin {
            break;
        }
    }
    entries.reverse();
    Stretch {
        entries,
        axis,
        hold: row.hpa.latest.assessment.observation.sync_period().value * 4,
        until,
    }
}

fn merge(column: &mut Option<ValueColumn>, value: f64) {
    *column = Some(match *column {
        None => ValueColumn {
            first: value,
            last: value,
            least: value,
            most: value,
        },
        Some(before) => ValueColumn {
            first: before.first,
            last: value,
            least: before.least.min(value),
            most: before.most.max(value),
        },
    });
}
