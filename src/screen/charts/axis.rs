//! A time axis, divided into the columns of a chart.

use jiff::{SignedDuration, Timestamp};

use crate::screen::{cx::DrawContext, options::Mode};

/// A time range, divided into columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::screen) struct TimeAxis {
    pub(in crate::screen) begin: Timestamp,
    /// Not before `begin`.
    pub(in crate::screen) end: Timestamp,
    pub(in crate::screen) columns: u16,
}

/// The possible spans of a chart, in minutes.
pub(in crate::screen) const SPANS: [i64; 9] = [2, 5, 15, 30, 60, 180, 360, 720, 1440];

/// The shortest span, however little was observed.
const LEAST_SPAN: SignedDuration = SignedDuration::from_secs(15);

/// Index of the initial span.
pub(in crate::screen) const SPAN_AT_FIRST: usize = 2;

impl TimeAxis {
    /// The last `minutes` before now, or less if less was observed; if the viewed time is further back, it is in the
    /// middle.
    pub(in crate::screen) fn around(cx: &DrawContext<'_>, minutes: i64, columns: u16) -> Self {
        let span = SignedDuration::from_mins(minutes);
        let earliest = cx.now.checked_sub(span).unwrap_or(Timestamp::MIN);
        let end = if cx.options.mode == Mode::Live && cx.at < earliest {
            cx.at.checked_add(span / 2).unwrap_or(Timestamp::MAX)
        } else {
            cx.now
        };
        let begin = end.checked_sub(span).unwrap_or(Timestamp::MIN);
        // The time before the first observation takes no room.
        let first = cx.first_seen.unwrap_or(begin);
        let latest = end.checked_sub(LEAST_SPAN).unwrap_or(begin);
        Self {
            begin: begin.max(first).min(latest),
            end,
            columns,
        }
    }

    /// The column of a time, if it is within the axis.
    pub(in crate::screen) fn column(&self, at: Timestamp) -> Option<u16> {
        if at < self.begin || self.end < at || self.columns == 0 {
            return None;
        }
        let length = self.milliseconds().max(1);
        let column =
            (at.as_millisecond() - self.begin.as_millisecond()) * i64::from(self.columns) / length;
        let last = self.columns - 1;
        Some(u16::try_from(column).unwrap_or(last).min(last))
    }

    /// The last time in a column.
    pub(in crate::screen) fn time(&self, column: u16) -> Timestamp {
        let columns = i64::from(self.columns.max(1));
        let column = i64::from(column).min(columns - 1);
        let end = (self.milliseconds() * (column + 1)).div_euclid(columns);
        let last = self.begin.as_millisecond() + (end - 1).max(0);
        if column + 1 == columns {
            return self.end;
        }
        Timestamp::from_millisecond(last)
            .unwrap_or(self.end)
            .min(self.end)
    }

    fn milliseconds(&self) -> i64 {
        self.end.as_millisecond() - self.begin.as_millisecond()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_and_times_lead_to_each_other() {
        let begin: Timestamp = "2026-11-21T12:00:00Z".parse().unwrap();
        for (seconds, columns) in [(900, 60), (900, 7), (120, 1), (86_400, 199)] {
            let axis = TimeAxis {
                begin,
                end: begin + SignedDuration::from_secs(seconds),
                columns,
            };
            assert_eq!(axis.column(begin), Some(0));
            assert_eq!(axis.column(axis.end), Some(columns - 1));
            for column in 0..columns {
                assert_eq!(axis.column(axis.time(column)), Some(column));
            }
            assert_eq!(axis.column(begin - SignedDuration::from_secs(1)), None);
            assert_eq!(axis.column(axis.end + SignedDuration::from_secs(1)), None);
        }
    }
}
