//! The values of a Pods, Object or External metric over time, from where its metrics API reads them too.
//! kube-state-metrics shows only the values of the syncs before its scrapes.

use std::collections::BTreeMap;

use hpa_engine::model::{MetricValueStatus, Quantity};

use crate::{
    names,
    observe::{Observer, Sources, period_of},
    scrape::Scrape,
    series::{Millis, Series, SeriesSet},
    sync_times::earliest_sync,
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

/// Delays to try, the shortest first.
const DELAYS: [Millis; 3] = [0, 15_000, 30_000];

/// Time and value, oldest first.
pub type Samples = Vec<Sample>;

type Sample = (Millis, f64);

/// The values of a metric.
#[derive(Clone, Debug, PartialEq)]
pub enum CourseValues {
    /// Those of an Object or External metric.
    Whole(Samples),
    /// Those of a Pods metric, by the name of the pod.
    ByPod(BTreeMap<String, Samples>),
}

impl Default for CourseValues {
    fn default() -> Self {
        Self::Whole(Samples::default())
    }
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
    /// Whether the controller had other values: in more than one in ten syncs, or two of a few.
    pub fn is_refuted(self) -> bool {
        let other = self.compared - self.matching;
        self.compared + 5 < other * 10
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
    fn widened(&self, (least, most): (f64, f64)) -> (f64, f64) {
        if self.delay == 0 {
            return (least, most);
        }
        (least - least.abs() * MARGIN, most + most.abs() * MARGIN)
    }

    /// The load: the values, or the sum over the pods of the target.
    pub fn total(&self, sources: &Sources<'_>) -> Samples {
        let by_pod = match &self.values {
            CourseValues::Whole(samples) => return samples.clone(),
            CourseValues::ByPod(by_pod) => by_pod,
        };
        let observer = Observer::new(sources);
        let mut sums: BTreeMap<Millis, f64> = BTreeMap::new();
        for (pod, samples) in by_pod {
            // A rate lasts longer than its pod.
            let existing = samples.iter().filter(|(at, _)| observer.exists(pod, *at));
            for (at, value) in existing {
                *sums.entry(*at).or_default() += value;
            }
        }
        sums.into_iter().collect()
    }

    /// Compares it with the controller's own values, as far as scrapes show them, and finds the shortest delay with which
    /// the controller had these values.
    pub fn confirm(&mut self, sources: &Sources<'_>) -> Confirmation {
        let scrapes = Scrape::all(sources.set, &sources.today.hpa);
        let observer = Observer::new(sources);
        let mut confirmation = Confirmation::default();
        for delay in DELAYS {
            self.delay = delay;
            confirmation = self.confirmation(&scrapes, &observer);
            if !confirmation.is_refuted() {
                break;
            }
        }
        confirmation
    }

    fn confirmation(&self, scrapes: &[Scrape], observer: &Observer<'_>) -> Confirmation {
        let period = period_of(observer.today);
        let mut confirmation = Confirmation::default();
        for scrape in scrapes {
            let Some(Some(value)) = scrape.values.get(self.index) else {
                continue;
            };
            let since = earliest_sync(scrape, period) - self.interval - self.delay;
            let until = scrape.time + if self.is_scraped { self.interval } else { 0 };
            let possible: Vec<(f64, f64)> = match &self.values {
                CourseValues::Whole(samples) => {
                    let bounds = bounds(between(samples, since, until));
                    let all = bounds.map(|bounds| shared(bounds, value, scrape));
                    all.into_iter().flatten().collect()
                }
                CourseValues::ByPod(by_pod) => {
                    let counted =
                        [since, scrape.time].map(|at| observer.counted_by_pods_metrics(at));
                    let averages = self.averages(by_pod, &counted, (since, until));
                    averages.into_iter().collect()
                }
            };
            if possible.is_empty() {
                continue;
            }
            confirmation.compared += 1;
            let mut possible = possible.into_iter();
            let is_one = possible.any(|bounds| is_within(value, self.widened(bounds)));
            confirmation.matching += usize::from(is_one);
        }
        confirmation
    }

    /// The averages that a sync can have had between two times, at which these pods were counted. None: no pod has a
    /// value.
    fn averages(
        &self,
        by_pod: &BTreeMap<String, Samples>,
        [before, after]: &[Vec<String>; 2],
        (since, until): (Millis, Millis),
    ) -> Option<(f64, f64)> {
        let (mut certain, mut possible) = (Vec::new(), Vec::new());
        let new = after.iter().filter(|pod| !before.contains(pod));
        for pod in before.iter().chain(new) {
            let samples = by_pod
                .get(pod)
                .map_or(&[][..], |all| between(all, since, until));
            let Some(bounds) = bounds(samples) else {
                continue;
            };
            let lasts = samples
                .first()
                .is_some_and(|(at, _)| *at <= since + self.interval)
                && samples
                    .last()
                    .is_some_and(|(at, _)| until - self.interval <= *at);
            if lasts && before.contains(pod) && after.contains(pod) {
                certain.push(bounds);
            } else {
                possible.push(bounds);
            }
        }
        let least = least_average(
            certain.iter().map(|one| one.0).collect(),
            possible.iter().map(|one| one.0).collect(),
        );
        let most = least_average(
            certain.iter().map(|one| -one.1).collect(),
            possible.iter().map(|one| -one.1).collect(),
        );
        Some((least?, -most?))
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
fn between(samples: &[Sample], from: Millis, to: Millis) -> &[Sample] {
    let place = |time| samples.partition_point(|(at, _)| *at < time);
    &samples[place(from)..place(to + 1)]
}

/// The lowest and the highest value.
fn bounds(samples: &[Sample]) -> Option<(f64, f64)> {
    let values = samples.iter().map(|(_, value)| (*value, *value));
    values.reduce(joined)
}

fn joined(some: (f64, f64), others: (f64, f64)) -> (f64, f64) {
    (some.0.min(others.0), some.1.max(others.1))
}

/// How far a rate of delayed samples was from those of all samples under a load that rose and fell by half in a minute:
/// at most 6%, with the real prometheus-adapter.
const MARGIN: f64 = 0.1;

/// The least average of all certain values and any of the possible ones. None: there are no values.
fn least_average(certain: Vec<f64>, mut possible: Vec<f64>) -> Option<f64> {
    possible.sort_by(f64::total_cmp);
    let mut count = certain.len() as f64;
    let mut sum: f64 = certain.into_iter().sum();
    for value in possible {
        if 0.0 < count && sum / count <= value {
            break;
        }
        sum += value;
        count += 1.0;
    }
    (0.0 < count).then(|| sum / count)
}

/// What the status of a metric can have for these values: the values, or their averages over `status.replicas` of the
/// target, which can lag behind.
fn shared(
    (least, most): (f64, f64),
    value: &MetricValueStatus,
    scrape: &Scrape,
) -> Vec<(f64, f64)> {
    if value.average_value.is_none() {
        return vec![(least, most)];
    }
    let target = scrape.target.map_or(scrape.current, |(_, status)| status);
    let counts = [scrape.current, target].map(|replicas| f64::from(replicas.max(1)));
    let average = |count: f64| (least / count, most / count);
    counts.map(average).to_vec()
}

/// Whether the controller's own value is between these, up to its rounding.
fn is_within(value: &MetricValueStatus, (least, most): (f64, f64)) -> bool {
    let value = value.average_value.as_ref().or(value.value.as_ref());
    let Some(value) = value.map(Quantity::approximate_f64) else {
        return false;
    };
    let rounding = ROUNDING + value.abs() * 1e-9;
    least - rounding <= value && value <= most + rounding
}

/// Adapters cut the value of each pod to thousandths, and the controller their average.
const ROUNDING: f64 = 0.0025;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn average_of_pods_has_all_that_certainly_count_and_any_of_the_others() {
        assert_eq!(least_average(vec![4.0, 8.0], vec![9.0, 0.0]), Some(4.0));
        assert_eq!(least_average(vec![], vec![9.0, 5.0]), Some(5.0));
        assert_eq!(least_average(vec![], vec![]), None);
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
