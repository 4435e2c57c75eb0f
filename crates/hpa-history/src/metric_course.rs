//! The values of a Pods, Object or External metric over time, from where its metrics API reads them too.
//! kube-state-metrics shows only the values of the syncs before its scrapes.

use std::collections::BTreeMap;

use crate::{
    names,
    possible::Possible,
    series::{Millis, Series, SeriesSet},
    usage::Bounded,
};

/// The values of one metric.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MetricCourse {
    /// The index of the metric in the spec.
    pub index: usize,
    /// Its values.
    pub values: CourseValues,
    /// Time between two samples.
    pub interval: Millis,
    /// Whether a sample shows the newest value before it, as a scrape does; otherwise, the value at its own time.
    pub is_scraped: bool,
    /// How old the newest values were that a sync could read. The monitoring server gets a sample later than its time
    /// says where the exporter writes the time, as cAdvisor does.
    pub delay: Millis,
}

/// Time and value, oldest first.
pub type Samples = Vec<Sample>;

pub(crate) type Sample = (Millis, f64);

/// The values of a metric.
#[derive(Clone, Debug, PartialEq)]
pub enum CourseValues {
    /// Those of an Object or External metric.
    Whole(Samples),
    /// Those of a Pods metric, by the name of the pod.
    ByPod(BTreeMap<String, Samples>),
}

impl CourseValues {
    /// The sum of several series at each time.
    pub fn sum(series: Vec<Series>) -> Self {
        Self::Whole(sum(series))
    }

    /// The first of several series at each time.
    pub fn first(series: Vec<Series>) -> Self {
        let mut samples = possible(series);
        samples.dedup_by_key(|(at, _)| *at);
        Self::Whole(samples)
    }

    /// The values of each pod of the namespace. None: a series is of no pod.
    pub fn by_pod(series: Vec<Series>, namespace: &str) -> Option<Self> {
        let mut by_pod: BTreeMap<String, Vec<Series>> = BTreeMap::new();
        for one in series {
            if !["", namespace].contains(&one.label("namespace")) {
                continue;
            }
            let pod = Some(one.label("pod")).filter(|pod| !pod.is_empty())?;
            by_pod.entry(pod.to_owned()).or_default().push(one);
        }
        let by_pod = by_pod.into_iter();
        Some(Self::ByPod(
            by_pod.map(|(pod, series)| (pod, sum(series))).collect(),
        ))
    }
}

fn sum(series: Vec<Series>) -> Samples {
    let mut samples = possible(series);
    samples.dedup_by(|one, sum| {
        let is_same = one.0 == sum.0;
        if is_same {
            sum.1 += one.1;
        }
        is_same
    });
    samples
}

/// All samples that are numbers, in the order of their times.
fn possible(series: Vec<Series>) -> Samples {
    let mut all: Samples = series.into_iter().flat_map(|one| one.samples).collect();
    all.retain(|(_, value)| Possible::Number.has(*value));
    all.sort_by_key(|(at, _)| *at);
    all
}

impl Default for CourseValues {
    fn default() -> Self {
        Self::Whole(Samples::default())
    }
}

impl MetricCourse {
    /// The values that a sync at `time` can have read, if the metric is not of pods. None: unknown.
    pub(crate) fn at(&self, time: Millis) -> Option<Bounded> {
        let CourseValues::Whole(samples) = &self.values else {
            return None;
        };
        let (earlier, later) = self.near(samples, time);
        let likely = if self.is_scraped {
            later.first().or(earlier.last())?
        } else {
            earlier.last().or(later.first())?
        };
        self.bounded(likely.1, earlier, later)
    }

    /// The values of a pod that a sync at `time` can have read. None: unknown, or it probably had none yet, or the metric
    /// is not of pods.
    pub(crate) fn of_pod(&self, pod: &str, time: Millis) -> Option<Bounded> {
        let CourseValues::ByPod(by_pod) = &self.values else {
            return None;
        };
        let (earlier, later) = self.near(by_pod.get(pod)?, time);
        self.bounded(earlier.last()?.1, earlier, later)
    }

    /// Whether the metric is of pods.
    pub(crate) fn is_by_pod(&self) -> bool {
        matches!(self.values, CourseValues::ByPod(_))
    }

    /// When a pod has its first value.
    pub(crate) fn first_of_pod(&self, pod: &str) -> Option<Millis> {
        match &self.values {
            CourseValues::Whole(_) => None,
            CourseValues::ByPod(by_pod) => by_pod.get(pod)?.first().map(|(at, _)| *at),
        }
    }

    /// Until when a value is that a sync at `time` certainly read, and possibly.
    pub(crate) fn read_by(&self, time: Millis) -> (Millis, Millis) {
        (time - self.interval - self.delay, time + self.interval)
    }

    /// The same, most probably.
    pub(crate) fn likely_read_by(&self, time: Millis) -> Millis {
        time - self.delay / 4
    }

    /// The samples that a sync at `time` can have read: up to the time of the most probable one, and after it.
    fn near<'s>(&self, samples: &'s [Sample], time: Millis) -> (&'s [Sample], &'s [Sample]) {
        let (since, until) = self.read_by(time);
        let near = between(samples, since, until);
        let likely = self.likely_read_by(time);
        let is_earlier = |(at, _): &Sample| {
            if self.is_scraped {
                *at < likely
            } else {
                *at <= likely
            }
        };
        near.split_at(near.partition_point(is_earlier))
    }

    /// A value between all of these.
    fn bounded(&self, likely: f64, earlier: &[Sample], later: &[Sample]) -> Option<Bounded> {
        let all = [bounds(earlier), bounds(later)].into_iter().flatten();
        let (least, most) = self.widened(all.reduce(joined)?);
        Some(Bounded {
            least,
            likely,
            most,
        })
    }

    /// Without the newest samples, a rate over the same time has a value that it never has with them.
    pub(crate) fn widened(&self, (least, most): (f64, f64)) -> (f64, f64) {
        if self.delay == 0 {
            return (least, most);
        }
        (least - least.abs() * MARGIN, most + most.abs() * MARGIN)
    }

    /// Adds a 0 for each missing sample while the monitoring server scraped the HPA: KEDA takes a query without a result
    /// as 0.
    pub fn fill_with_zeros(&mut self, set: &SeriesSet) {
        let CourseValues::Whole(samples) = &mut self.values else {
            return;
        };
        let scrapes = set.of(names::DESIRED).iter();
        let spans: Vec<(Millis, Millis)> = scrapes.filter_map(Series::span).collect();
        let first = spans.iter().map(|(first, _)| *first).min();
        let last = spans.iter().map(|(_, last)| *last).max();
        let (Some(first), Some(last)) = (first, last) else {
            return;
        };
        let step = self.interval.max(1);
        let known: Vec<Millis> = samples.iter().map(|(at, _)| *at).collect();
        let mut at = first.div_euclid(step) * step + step;
        while at <= last {
            if known.binary_search(&at).is_err() && set.value(names::DESIRED, at).is_some() {
                samples.push((at, 0.0));
            }
            at += step;
        }
        samples.sort_by_key(|(at, _)| *at);
    }
}

impl CourseValues {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Whole(samples) => samples.is_empty(),
            Self::ByPod(by_pod) => by_pod.is_empty(),
        }
    }
}

/// The samples from one time to another, including both.
pub(crate) fn between(samples: &[Sample], from: Millis, to: Millis) -> &[Sample] {
    let place = |time| samples.partition_point(|(at, _)| *at < time);
    &samples[place(from)..place(to + 1)]
}

/// The lowest and the highest value.
pub(crate) fn bounds(samples: &[Sample]) -> Option<(f64, f64)> {
    let values = samples.iter().map(|(_, value)| (*value, *value));
    values.reduce(joined)
}

fn joined(some: (f64, f64), others: (f64, f64)) -> (f64, f64) {
    (some.0.min(others.0), some.1.max(others.1))
}

/// How far a rate of delayed samples was from those of all samples under a load that rose and fell by half in a minute:
/// at most 6%, with the real prometheus-adapter.
const MARGIN: f64 = 0.1;

#[cfg(test)]
mod tests {
    use super::*;

    fn of(labels: &[(&str, &str)], value: f64) -> Series {
        Series::named("rps", labels, &[(0, value), (5000, value)])
    }

    #[test]
    fn values_of_pods_are_those_of_the_namespace_each_with_its_sum() {
        let found = vec![
            of(
                &[("pod", "web-1"), ("namespace", "shop"), ("port", "a")],
                1.0,
            ),
            of(
                &[("pod", "web-1"), ("namespace", "shop"), ("port", "b")],
                2.0,
            ),
            of(&[("pod", "web-1"), ("namespace", "other")], 8.0),
            of(&[("pod", "web-2")], 4.0),
        ];
        let by_pod = |pod: &str, value| (pod.to_owned(), vec![(0, value), (5000, value)]);
        let expected = BTreeMap::from([by_pod("web-1", 3.0), by_pod("web-2", 4.0)]);
        let expected = CourseValues::ByPod(expected);
        assert_eq!(CourseValues::by_pod(found, "shop"), Some(expected));
        let of_service = vec![of(&[("service", "web")], 1.0)];
        assert_eq!(CourseValues::by_pod(of_service, "shop"), None);
    }

    #[test]
    fn value_of_a_sync_is_between_the_neighboring_samples() {
        let mut course = MetricCourse {
            values: CourseValues::Whole(vec![
                (0, 4.0),
                (5_000, 10.0),
                (10_000, 10.0),
                (60_000, 90.0),
            ]),
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
