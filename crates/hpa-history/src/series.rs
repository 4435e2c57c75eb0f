//! Series as a monitoring server stores them.

use std::{
    cell::Cell,
    collections::{BTreeMap, BTreeSet},
};

use jiff::Timestamp;

use crate::possible::{ImpossibleSamples, is_of_scrape, retain_possible};

/// Milliseconds since 1970.
pub type Millis = i64;

/// A time of a series as the controller has it.
pub(crate) fn at(time: Millis) -> Timestamp {
    Timestamp::from_millisecond(time).unwrap_or_default()
}

/// A series with its raw samples, oldest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Its labels, with `__name__`.
    pub labels: BTreeMap<String, String>,
    /// Time and value of each sample.
    pub samples: Vec<(Millis, f64)>,
}

impl Series {
    /// `__name__`.
    pub fn name(&self) -> &str {
        self.label("__name__")
    }

    /// The value of a label. Empty if absent.
    pub fn label(&self, label: &str) -> &str {
        self.labels.get(label).map_or("", String::as_str)
    }

    /// The newest sample up to `time`, if it is younger than `reach`.
    pub fn at(&self, time: Millis, reach: Millis) -> Option<f64> {
        let (at, value) = *self.up_to(time).last()?;
        (time - at < reach).then_some(value)
    }

    /// The samples up to `time`.
    pub fn up_to(&self, time: Millis) -> &[(Millis, f64)] {
        let count = self.samples.partition_point(|(at, _)| *at <= time);
        &self.samples[..count]
    }

    /// The times of the first and the last sample.
    pub fn span(&self) -> Option<(Millis, Millis)> {
        Some((self.samples.first()?.0, self.samples.last()?.0))
    }
}

#[cfg(test)]
impl Series {
    /// A series with this `__name__` and further labels.
    pub(crate) fn named(name: &str, labels: &[(&str, &str)], samples: &[(Millis, f64)]) -> Self {
        let labels = [&[("__name__", name)][..], labels].concat();
        let label = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
        Self {
            labels: labels.into_iter().map(label).collect(),
            samples: samples.to_vec(),
        }
    }
}

/// A cursor over a series that is read forward in time: the next read is near the last one.
#[derive(Clone, Debug)]
pub(crate) struct Track<'a> {
    pub(crate) series: &'a Series,
    /// The number of samples up to the time of the last read.
    count: Cell<usize>,
}

impl<'a> Track<'a> {
    pub(crate) fn new(series: &'a Series) -> Self {
        Self {
            series,
            count: Cell::default(),
        }
    }

    /// The number of samples up to `time`.
    pub(crate) fn count(&self, time: Millis) -> usize {
        let samples = &self.series.samples;
        let begin = self.count.get().saturating_sub(NEAR);
        let end = (self.count.get() + NEAR).min(samples.len());
        let near = &samples[begin..end];
        let is_up_to = |(at, _): &(Millis, f64)| *at <= time;
        let is_near = samples[..begin].last().is_none_or(is_up_to)
            && !samples[end..].first().is_some_and(is_up_to);
        let count = if is_near {
            begin + near.partition_point(is_up_to)
        } else {
            samples.partition_point(is_up_to)
        };
        self.count.set(count);
        count
    }

    /// The samples up to `time`.
    pub(crate) fn up_to(&self, time: Millis) -> &'a [(Millis, f64)] {
        &self.series.samples[..self.count(time)]
    }

    /// The newest sample up to `time`, if it is younger than `reach`.
    pub(crate) fn at(&self, time: Millis, reach: Millis) -> Option<f64> {
        let (at, value) = *self.up_to(time).last()?;
        (time - at < reach).then_some(value)
    }

    /// Until when `at` returns the same as for `time`.
    pub(crate) fn until(&self, time: Millis, reach: Millis) -> Millis {
        let (before, after) = self.series.samples.split_at(self.count(time));
        let next = after.first().map_or(Millis::MAX, |(at, _)| *at);
        let end = before.last().map(|(at, _)| at + reach);
        end.filter(|end| time < *end)
            .map_or(next, |end| end.min(next))
    }
}

/// Up to this many samples forward or back are near.
const NEAR: usize = 8;

/// All series that were read, by name.
#[derive(Clone, Debug, Default)]
pub struct SeriesSet {
    by_name: BTreeMap<String, Named>,
    impossible: Vec<ImpossibleSamples>,
}

#[derive(Clone, Debug, Default)]
struct Named {
    series: Vec<Series>,
    interval: Option<Millis>,
    is_even: bool,
}

impl SeriesSet {
    /// Sorts them by name, without samples that cannot be.
    pub fn new(series: Vec<Series>) -> Self {
        let mut by_name: BTreeMap<String, Named> = BTreeMap::new();
        let mut impossible: Vec<ImpossibleSamples> = Vec::new();
        for mut one in series {
            if let Some(found) = retain_possible(&mut one) {
                let is_same = |known: &&mut ImpossibleSamples| {
                    (&known.name, &known.hpa) == (&found.name, &found.hpa)
                };
                match impossible.iter_mut().find(is_same) {
                    Some(known) => {
                        known.count += found.count;
                        known.times.extend(found.times);
                    }
                    None => impossible.push(found),
                }
            }
            if one.samples.is_empty() {
                continue;
            }
            let named = by_name.entry(one.name().to_owned()).or_default();
            named.series.push(one);
        }
        for named in by_name.values_mut() {
            let mut distances: Vec<Millis> = distances(&named.series).collect();
            distances.sort_unstable();
            named.interval = median(&distances);
            let is_near = |one: Millis| named.interval.is_some_and(|all| (one - all).abs() < 100);
            let even = distances.iter().filter(|one| is_near(**one)).count();
            named.is_even = distances.len() < 2 * even;
        }
        Self {
            by_name,
            impossible,
        }
    }

    /// The samples that are left out because they cannot be.
    pub fn impossible(&self) -> &[ImpossibleSamples] {
        &self.impossible
    }

    /// The times of scrapes that show something that cannot be, of an HPA by namespace and name; none: of any HPA.
    pub(crate) fn unusable(&self, hpa: Option<&(String, String)>) -> BTreeSet<Millis> {
        let is_of_it = |one: &&ImpossibleSamples| {
            is_of_scrape(&one.name)
                && (hpa.is_none() || one.hpa.is_none() || one.hpa.as_ref() == hpa)
        };
        let found = self.impossible.iter().filter(is_of_it);
        found.flat_map(|one| one.times.iter().copied()).collect()
    }

    /// The series of a name.
    pub fn of(&self, name: &str) -> &[Series] {
        self.by_name.get(name).map_or(&[], |named| &named.series)
    }

    /// The scrape interval. None: no series with this name has two samples.
    pub fn interval(&self, name: &str) -> Option<Millis> {
        self.by_name.get(name)?.interval
    }

    /// Whether the samples with this name are evenly spaced. Scrape times are; the kubelet's are not.
    pub fn is_even(&self, name: &str) -> bool {
        self.by_name.get(name).is_some_and(|named| named.is_even)
    }

    /// How long a sample with this name stays valid.
    pub fn reach(&self, name: &str) -> Millis {
        self.interval(name).unwrap_or(60_000)
    }

    /// The value at `time` of the only series with this name.
    pub fn value(&self, name: &str, time: Millis) -> Option<f64> {
        let reach = self.reach(name);
        self.of(name).iter().find_map(|one| one.at(time, reach))
    }
}

/// Number of distances that suffice.
const MOST_DISTANCES: usize = 20_000;

/// The distances between neighboring samples of each series.
fn distances(series: &[Series]) -> impl Iterator<Item = Millis> {
    let pairs = series.iter().flat_map(|one| one.samples.windows(2));
    pairs.map(|pair| pair[1].0 - pair[0].0).take(MOST_DISTANCES)
}

/// The median of sorted distances.
fn median(distances: &[Millis]) -> Option<Millis> {
    distances
        .get(distances.len() / 2)
        .copied()
        .filter(|one| 0 < *one)
}

/// By how much a counter grew between two of its values. One that falls started again at zero.
pub(crate) fn growth(before: f64, after: f64) -> f64 {
    if after < before {
        after
    } else {
        after - before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_track_finds_what_a_search_finds_wherever_it_was_before() {
        let samples: Vec<(Millis, f64)> = (1..=100).map(|at| (at * 10, 1.0)).collect();
        let series = Series {
            samples,
            ..Series::default()
        };
        let track = Track::new(&series);
        for from in (0..1100).step_by(7) {
            for time in (-5..1100).step_by(11) {
                track.count(from);
                assert_eq!(track.up_to(time), series.up_to(time), "{from}, {time}");
                let until = track.until(time, 25);
                let value = track.at(time, 25);
                assert_eq!(track.at(until - 1, 25), value, "{time}");
                assert!(time < until);
            }
        }
    }
}
