//! The values of an External or Object metric over time, from where its metrics API reads them too. kube-state-metrics
//! shows only the values of the syncs before its scrapes.

use hpa_engine::model::{Hpa, MetricValueStatus};

use crate::{
    names,
    scrape::Scrape,
    series::{Millis, Series, SeriesSet},
    usage::Bounded,
};

/// The values of one metric.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MetricCourse {
    /// The index of the metric in the spec.
    pub index: usize,
    /// Time and value, oldest first.
    pub samples: Vec<(Millis, f64)>,
    /// Time between two samples.
    pub interval: Millis,
    /// Whether a sample shows the newest value before it, as a scrape does; otherwise, the value at its own time.
    pub is_scraped: bool,
}

/// How many of the controller's own values a course contains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Confirmation {
    /// Values that it contains.
    pub matching: usize,
    /// Values that were compared.
    pub compared: usize,
}

impl Confirmation {
    /// Whether the controller had other values.
    pub fn is_refuted(self) -> bool {
        self.matching * 10 < self.compared * 9
    }
}

impl MetricCourse {
    /// The values that a sync at `time` can have read. None: unknown.
    pub(crate) fn at(&self, time: Millis) -> Option<Bounded> {
        let near = self.between(time - self.interval, time + self.interval);
        let likely = if self.is_scraped {
            let before = near.partition_point(|(at, _)| *at < time);
            near.get(before).or(near.last())?
        } else {
            let until = near.partition_point(|(at, _)| *at <= time);
            near[..until].last().or(near.first())?
        };
        let (least, most) = bounds(near)?;
        Some(Bounded {
            least,
            likely: likely.1,
            most,
        })
    }

    /// Compares it with the controller's own values, as far as scrapes show them.
    pub fn confirmation(&self, set: &SeriesSet, today: &Hpa, period: Millis) -> Confirmation {
        let mut confirmation = Confirmation::default();
        for scrape in Scrape::all(set, today) {
            let Some(Some(value)) = scrape.values.get(self.index) else {
                continue;
            };
            // The sync was at most a period before the scrape, and a little more.
            let since = scrape.time - period - period / 10 - self.interval;
            let until = scrape.time + if self.is_scraped { self.interval } else { 0 };
            let Some(bounds) = bounds(self.between(since, until)) else {
                continue;
            };
            confirmation.compared += 1;
            confirmation.matching += usize::from(is_within(value, bounds, &scrape));
        }
        confirmation
    }

    /// Adds a 0 for each missing sample while the monitoring server scraped the HPA: KEDA takes a query without a result
    /// as 0.
    pub fn fill_with_zeros(&mut self, set: &SeriesSet) {
        let scrapes = set.of(names::DESIRED).iter();
        let spans: Vec<(Millis, Millis)> = scrapes.filter_map(Series::span).collect();
        let first = spans.iter().map(|(first, _)| *first).min();
        let last = spans.iter().map(|(_, last)| *last).max();
        let (Some(first), Some(last)) = (first, last) else {
            return;
        };
        let step = self.interval.max(1);
        let known: Vec<Millis> = self.samples.iter().map(|(at, _)| *at).collect();
        let mut at = first.div_euclid(step) * step + step;
        while at <= last {
            if known.binary_search(&at).is_err() && set.value(names::DESIRED, at).is_some() {
                self.samples.push((at, 0.0));
            }
            at += step;
        }
        self.samples.sort_by_key(|(at, _)| *at);
    }

    fn between(&self, from: Millis, to: Millis) -> &[(Millis, f64)] {
        let place = |time| self.samples.partition_point(|(at, _)| *at < time);
        &self.samples[place(from)..place(to + 1)]
    }
}

/// The lowest and the highest value.
fn bounds(samples: &[(Millis, f64)]) -> Option<(f64, f64)> {
    let values = samples.iter().map(|(_, value)| (*value, *value));
    values.reduce(|all, one| (all.0.min(one.0), all.1.max(one.1)))
}

/// Whether the controller's own value is between these, up to its rounding.
fn is_within(value: &MetricValueStatus, (least, most): (f64, f64), scrape: &Scrape) -> bool {
    let is_between = |value: f64, least: f64, most: f64| {
        let rounding = 0.0015 + value.abs() * 1e-9;
        least - rounding <= value && value <= most + rounding
    };
    if let Some(average) = &value.average_value {
        // The average is over `status.replicas` of the target, which can lag behind.
        let target = scrape.target.map_or(scrape.current, |(_, status)| status);
        return [scrape.current, target].iter().any(|replicas| {
            let replicas = f64::from((*replicas).max(1));
            is_between(average.approximate_f64(), least / replicas, most / replicas)
        });
    }
    let value = value.value.as_ref();
    value.is_some_and(|value| is_between(value.approximate_f64(), least, most))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn value_of_a_sync_is_between_the_neighboring_samples() {
        let mut course = MetricCourse {
            samples: vec![(0, 4.0), (5_000, 10.0), (10_000, 10.0), (60_000, 90.0)],
            interval: 5_000,
            ..MetricCourse::default()
        };
        let at = |course: &MetricCourse, time| {
            let one = course.at(time)?;
            Some((one.least, one.likely, one.most))
        };
        assert_eq!(at(&course, 2_000), Some((4.0, 4.0, 10.0)));
        assert_eq!(at(&course, 7_000), Some((10.0, 10.0, 10.0)));
        // Nothing is known between samples that are far apart.
        assert_eq!(at(&course, 30_000), None);
        // A scrape shows what was read before it.
        course.is_scraped = true;
        assert_eq!(at(&course, 2_000), Some((4.0, 10.0, 10.0)));
    }
}
