//! Compares the values of a metric over time with the controller's own.

use std::collections::BTreeMap;

use hpa_engine::model::{MetricValueStatus, Quantity};

use crate::{
    metric_course::{CourseValues, MetricCourse, Samples, between, bounds},
    observer::Observer,
    scrape::Scrape,
    series::Millis,
    sources::Sources,
    sync_times::{earliest_sync, period_of},
};

/// Delays to try, the shortest first.
const DELAYS: [Millis; 3] = [0, 15_000, 30_000];

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
}

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
    use super::least_average;

    #[test]
    fn average_of_pods_has_all_that_certainly_count_and_any_of_the_others() {
        assert_eq!(least_average(vec![4.0, 8.0], vec![9.0, 0.0]), Some(4.0));
        assert_eq!(least_average(vec![], vec![9.0, 5.0]), Some(5.0));
        assert_eq!(least_average(vec![], vec![]), None);
    }
}
