//! Splits a time span into pieces of one request each.

use std::collections::VecDeque;

/// A piece, both milliseconds included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chunk {
    /// The first millisecond.
    pub(super) first: i64,
    /// The last millisecond.
    pub(super) last: i64,
}

impl Chunk {
    /// Milliseconds that the range of a query must have at the end of this piece. The range excludes its first instant
    /// in Prometheus 3 and in VictoriaMetrics; where it is included, a sample there is in the answer but not in this
    /// piece.
    pub(super) fn range(self) -> i64 {
        self.last - self.first + 1
    }

    /// Whether an instant belongs to it.
    pub(super) fn covers(self, at: i64) -> bool {
        (self.first..=self.last).contains(&at)
    }

    /// Splits off the newest milliseconds; `None` if it has no more than those.
    pub(super) fn without_newest(self, length: i64) -> Option<(Self, Self)> {
        let last = self.last.checked_sub(length)?;
        let (rest, newest) = (
            Self { last, ..self },
            Self {
                first: last.saturating_add(1),
                ..self
            },
        );
        (self.first <= last).then_some((rest, newest))
    }

    /// Splits it into pieces of about equal length, at most `longest` each, in order. Their ends are valid for ranges
    /// in seconds.
    pub(super) fn split(self, longest: i64) -> VecDeque<Self> {
        let mut pieces = VecDeque::new();
        let parts = |whole: i64, part: i64| (whole + part - 1) / part;
        let count = parts(self.range() - 1, longest).max(1);
        let length = parts(parts(self.range() - 1, count), 1000) * 1000;
        let length = length.min(longest);
        let mut first = self.first;
        let mut last = first.saturating_add(length);
        while first <= self.last {
            let piece = Self {
                first,
                last: last.min(self.last),
            };
            pieces.push_back(piece);
            first = piece.last.saturating_add(1);
            last = piece.last.saturating_add(length);
        }
        pieces
    }
}

/// A duration in `PromQL`.
pub(super) fn duration(millis: i64) -> String {
    if millis % 1000 == 0 {
        format!("{}s", millis / 1000)
    } else {
        format!("{millis}ms")
    }
}

/// Seconds with a fraction, as for the parameter `time`.
pub(super) fn seconds(millis: i64) -> String {
    let (seconds, fraction) = (millis.div_euclid(1000), millis.rem_euclid(1000));
    if fraction == 0 {
        seconds.to_string()
    } else {
        format!("{seconds}.{fraction:03}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_cover_every_millisecond_once() {
        for (first, last, length, count) in [
            (0, 86_400_000, 21_600_000, 4),
            (5, 5, 1000, 1),
            (0, 2000, 1000, 2),
            (0, 2001, 1000, 3),
            (7, 3_600_000, 60_000, 60),
        ] {
            let pieces = Chunk { first, last }.split(length);
            assert_eq!(pieces.len(), count, "{pieces:?}");
            assert_eq!(pieces[0].first, first);
            assert_eq!(pieces[pieces.len() - 1].last, last);
            for (one, next) in pieces.iter().zip(pieces.iter().skip(1)) {
                assert_eq!(one.last + 1, next.first);
                assert_eq!(next.range() % 1000, (next.last - one.last) % 1000);
            }
        }
    }

    #[test]
    fn the_newest_piece_and_the_rest_cover_every_millisecond_once() {
        let whole = Chunk {
            first: 7,
            last: 3_600_000,
        };
        let (rest, newest) = whole.without_newest(60_000).unwrap();
        assert_eq!((rest.first, newest.last), (whole.first, whole.last));
        assert_eq!((rest.last + 1, newest.range()), (newest.first, 60_000));
        assert_eq!(whole.without_newest(3_600_000), None);
    }

    #[test]
    fn times_are_written_as_prometheus_reads_them() {
        assert_eq!(duration(3_600_000), "3600s");
        assert_eq!(duration(3_600_001), "3600001ms");
        assert_eq!(seconds(1_700_000_000_000), "1700000000");
        assert_eq!(seconds(1_700_000_000_020), "1700000000.020");
    }
}
