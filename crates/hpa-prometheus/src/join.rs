//! Joins the pieces of series.

use std::collections::BTreeMap;

use super::{answer::RawSeries, chunks::Chunk, replicas};

/// A server's data for one series; nothing is computed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Labels, with the name as `__name__`, without those that distinguish replicas of Prometheus.
    pub labels: BTreeMap<String, String>,
    /// Milliseconds since 1970 with the value, in order, without duplicate times.
    pub samples: Vec<(i64, f64)>,
    /// Milliseconds at which the server reports no number: the series has ended (VictoriaMetrics), or the value is NaN.
    pub absent: Vec<i64>,
}

impl Series {
    /// The value of a label; empty if it is missing.
    pub fn label(&self, name: &str) -> &str {
        self.labels.get(name).map_or("", String::as_str)
    }
}

/// Series that arrive in pieces.
#[derive(Default)]
pub(super) struct Joined {
    series: BTreeMap<BTreeMap<String, String>, Pieces>,
    /// Samples so far.
    pub(super) count: usize,
    /// Whether a sample was outside of the requested range.
    has_strays: bool,
}

/// Samples of one series, in the pieces as received: they are joined at the end.
#[derive(Default)]
struct Pieces {
    numbers: Vec<Vec<(i64, f64)>>,
    others: Vec<i64>,
}

/// Irregularities in answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Oddities {
    /// Whether there were samples outside of the requested range.
    pub(super) has_strays: bool,
    /// Series that have different values at the same time.
    pub(super) contradictions: usize,
}

impl Joined {
    /// Adds the samples that an answer has for a series in this piece.
    pub(super) fn add(&mut self, raw: RawSeries, chunk: Chunk) {
        let known = self.series.entry(raw.metric).or_default();
        let (mut numbers, mut others) = (raw.values.numbers, raw.values.others);
        let before = numbers.len() + others.len();
        // If ranges are inclusive, the instant before belongs to the previous piece.
        let is_stray = |at: &i64| !chunk.covers(*at) && *at != chunk.first - 1;
        self.has_strays |=
            numbers.iter().any(|(at, _)| is_stray(at)) || others.iter().any(is_stray);
        numbers.retain(|(at, _)| chunk.covers(*at));
        others.retain(|at| chunk.covers(*at));
        self.count += before;
        known.numbers.push(numbers);
        known.others.append(&mut others);
    }

    /// The number of series so far.
    pub(super) fn len(&self) -> usize {
        self.series.len()
    }

    /// The series, in the order of their labels.
    pub(super) fn finish(self) -> (Vec<Series>, Oddities) {
        let mut oddities = Oddities {
            has_strays: self.has_strays,
            contradictions: 0,
        };
        let series = self.series.into_iter().filter_map(|(labels, mut samples)| {
            // Answers arrive in any order.
            let begin = |piece: &Vec<(i64, f64)>| piece.first().map(|(at, _)| *at);
            samples.numbers.sort_by_key(begin);
            let (mut numbers, mut absent) = (samples.numbers.concat(), samples.others);
            oddities.contradictions += usize::from(order(&mut numbers));
            absent.sort_unstable();
            absent.dedup();
            (!numbers.is_empty() || !absent.is_empty()).then_some(Series {
                labels,
                samples: numbers,
                absent,
            })
        });
        let series = replicas::merge(series.collect());
        (series, oddities)
    }
}

/// Sorts samples and removes duplicate times. Of different values at the same time the greatest is kept, as in
/// VictoriaMetrics; returns whether there were any.
fn order(samples: &mut Vec<(i64, f64)>) -> bool {
    if samples.is_sorted_by(|one, next| one.0 < next.0) {
        return false;
    }
    samples.sort_by(|one, other| one.0.cmp(&other.0).then(other.1.total_cmp(&one.1)));
    let mut is_contradictory = false;
    let mut last: Option<(i64, f64)> = None;
    samples.retain(|sample| {
        let before = last.replace(*sample);
        match before.filter(|before| before.0 == sample.0) {
            Some(before) => {
                is_contradictory |= !is_same(before.1, sample.1);
                false
            }
            None => true,
        }
    });
    is_contradictory
}

/// Whether two values agree in about 12 digits: VictoriaMetrics keeps no more.
fn is_same(one: f64, other: f64) -> bool {
    one.to_bits() == other.to_bits() || (one - other).abs() <= 1e-11 * one.abs().max(other.abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::Samples;

    fn raw(numbers: &[(i64, f64)], others: &[i64]) -> RawSeries {
        let mut raw: RawSeries = serde_json::from_str(r#"{"metric":{"__name__":"up"}}"#).unwrap();
        raw.values = Samples {
            numbers: numbers.to_vec(),
            others: others.to_vec(),
        };
        raw
    }

    #[test]
    fn pieces_are_joined_in_order_and_each_time_counts_once() {
        let mut joined = Joined::default();
        let first = Chunk {
            first: 0,
            last: 1000,
        };
        let second = Chunk {
            first: 1001,
            last: 2000,
        };
        // Answers arrive in any order, and closed ranges repeat their edges.
        joined.add(
            raw(&[(1000, 2.0), (1500, 3.0), (2000, 4.0)], &[1700]),
            second,
        );
        joined.add(
            raw(&[(500, 1.0), (0, 0.0), (500, 1.0), (1000, 2.0)], &[]),
            first,
        );
        let (series, oddities) = joined.finish();
        assert_eq!(series.len(), 1);
        assert_eq!(
            series[0].samples,
            [(0, 0.0), (500, 1.0), (1000, 2.0), (1500, 3.0), (2000, 4.0)]
        );
        assert_eq!(series[0].absent, [1700]);
        assert_eq!(oddities, Oddities::default());
    }

    #[test]
    fn strays_and_contradictions_are_noticed() {
        let mut joined = Joined::default();
        let chunk = Chunk {
            first: 0,
            last: 1000,
        };
        joined.add(raw(&[(5, 1.0), (5, 2.0), (9999, 3.0)], &[]), chunk);
        let (series, oddities) = joined.finish();
        assert_eq!(series[0].samples, [(5, 2.0)]);
        assert!(oddities.has_strays);
        assert_eq!(oddities.contradictions, 1);
    }

    /// VictoriaMetrics stores a sample twice that was scraped twice, and rounds each differently.
    #[test]
    fn the_same_value_in_fewer_digits_is_no_contradiction() {
        let mut joined = Joined::default();
        let chunk = Chunk {
            first: 0,
            last: 1000,
        };
        let samples = [(5, 0.654_841_139_950_000_3), (5, 0.654_841_139_95)];
        joined.add(raw(&samples, &[]), chunk);
        assert_eq!(joined.finish().1.contradictions, 0);
    }

    #[test]
    fn series_without_samples_is_left_out() {
        let mut joined = Joined::default();
        joined.add(raw(&[], &[]), Chunk { first: 0, last: 9 });
        assert!(joined.finish().0.is_empty());
    }
}
