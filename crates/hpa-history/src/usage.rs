//! What containers used, from their counters.

use std::collections::BTreeMap;

use crate::{
    names,
    sample_age::MOST_READ_AGE,
    series::{Millis, Series, SeriesSet},
};

/// The use of a resource between two bounds: a counter says how much there was between two of its samples, and not when.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bounded {
    /// At least.
    pub least: f64,
    /// Most probably.
    pub likely: f64,
    /// At most.
    pub most: f64,
}

impl Bounded {
    fn plus(self, other: Self) -> Self {
        Self {
            least: self.least + other.least,
            likely: self.likely + other.likely,
            most: self.most + other.most,
        }
    }
}

/// The counters of each pod's containers.
pub(crate) struct Counters<'a> {
    cpu: BTreeMap<(&'a str, &'a str), Vec<&'a Series>>,
    memory: BTreeMap<(&'a str, &'a str), Vec<&'a Series>>,
    starts: BTreeMap<(&'a str, &'a str), Vec<&'a Series>>,
}

/// From read to read of the kubelet by metrics-server.
const RESOLUTION: Millis = MOST_READ_AGE * 1000;

/// A container that runs for so long has a sample from its start.
const FRESH: Millis = 10_000;

/// So many reads back, every container has another sample.
const MOST_READS: Millis = 4;

/// metrics-server may be that far behind: two scrapes of the kubelet, and the kubelet's own reading before.
const BEHIND: Millis = 45_000;

impl<'a> Counters<'a> {
    pub(crate) fn new(set: &'a SeriesSet) -> Self {
        let by_container = |name| {
            let mut found: BTreeMap<_, Vec<&Series>> = BTreeMap::new();
            for series in of_containers(set, name) {
                let key = (series.label("pod"), series.label("container"));
                found.entry(key).or_default().push(series);
            }
            found
        };
        Self {
            cpu: by_container(names::CPU),
            memory: by_container(names::MEMORY),
            starts: by_container(names::STARTED),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.cpu.is_empty() && self.memory.is_empty()
    }

    /// Begin and end of the interval that metrics-server has of a pod if it read the kubelet last at `time`; none: it has none yet.
    ///
    /// Mirrors `store` in metrics-server's `pkg/storage/pod.go` (0.9.0).
    pub(crate) fn interval(&self, pod: &str, time: Millis) -> Option<(Millis, Millis)> {
        let of_container = |(key, series): (&(&str, &str), &Vec<&Series>)| {
            let newest = |time| {
                let samples = series.iter().filter_map(|one| one.up_to(time).last());
                samples.map(|(at, _)| *at).max()
            };
            let last = newest(time)?;
            // What it read at an earlier time, unless that was the same.
            let earlier = (1..=MOST_READS).filter_map(|reads| newest(time - reads * RESOLUTION));
            let before = earlier.into_iter().find(|at| *at < last);
            let begin = before.or_else(|| {
                let starts = self.starts.get(key)?;
                let start = starts.iter().rev().find_map(|one| one.up_to(time).last())?;
                let start = (start.1 * 1000.0) as Millis;
                (FRESH..RESOLUTION)
                    .contains(&(last - start))
                    .then_some(start)
            });
            Some((begin?, last))
        };
        let mut intervals = self
            .cpu
            .range((pod, "")..)
            .take_while(|((name, _), _)| *name == pod)
            .map(of_container);
        let first = intervals.next()??;
        // The one that ends first counts for the pod; without one of any container it has no sample.
        intervals.try_fold(first, |interval, one| {
            let one = one?;
            Some(if one.1 < interval.1 { one } else { interval })
        })
    }

    /// What each container of a pod uses of a resource, as metrics-server may say it at `time`.
    pub(crate) fn of_pod(
        &self,
        pod: &str,
        resource: &str,
        time: Millis,
    ) -> Vec<(&'a str, Bounded)> {
        let (all, bounds): (_, fn(&Series, Millis) -> Option<Bounded>) = match resource {
            "cpu" => (&self.cpu, rate),
            "memory" => (&self.memory, level),
            _ => return Vec::new(),
        };
        all.range((pod, "")..)
            .take_while(|((name, _), _)| *name == pod)
            .filter_map(|((_, container), series)| {
                // A container that starts again has another series.
                let found = series.iter().filter_map(|one| bounds(one, time));
                Some((*container, found.reduce(Bounded::plus)?))
            })
            .collect()
    }
}

/// The series of containers, each container's from one place: the kubelet has the same at `/metrics/cadvisor` and
/// `/metrics/resource`, and sums over whole pods besides.
pub(crate) fn of_containers<'a>(
    set: &'a SeriesSet,
    name: &str,
) -> impl Iterator<Item = &'a Series> + use<'a> {
    let all = set.of(name);
    let is_preferred = |one: &Series| one.label("metrics_path") != "/metrics/resource";
    let has_preferred = all.iter().any(is_preferred);
    all.iter().filter(move |one| {
        !matches!(one.label("container"), "" | "POD") && (is_preferred(one) || !has_preferred)
    })
}

/// The rate of a counter at `time`, between the least and the most of its recent samples; none: it has too few.
fn rate(series: &Series, time: Millis) -> Option<Bounded> {
    let samples = series.up_to(time);
    let from = samples.partition_point(|(at, _)| *at < time - BEHIND);
    // One sample before, so that an interval that begins earlier counts, too.
    let recent = &samples[from.saturating_sub(1)..];
    let mut rates = recent
        .windows(2)
        // A counter that falls was reset.
        .filter(|pair| pair[0].0 < pair[1].0 && pair[0].1 <= pair[1].1)
        .map(|pair| (pair[1].1 - pair[0].1) * 1000.0 / (pair[1].0 - pair[0].0) as f64);
    let first = rates.next()?;
    let bounds = Bounded {
        least: first,
        likely: first,
        most: first,
    };
    Some(rates.fold(bounds, |bounds, rate| Bounded {
        least: bounds.least.min(rate),
        likely: rate,
        most: bounds.most.max(rate),
    }))
}

/// A gauge at `time`.
fn level(series: &Series, time: Millis) -> Option<Bounded> {
    let samples = series.up_to(time);
    let from = samples.partition_point(|(at, _)| *at < time - BEHIND);
    let mut values = samples[from..].iter().map(|(_, value)| *value);
    let first = values.next()?;
    let bounds = Bounded {
        least: first,
        likely: first,
        most: first,
    };
    Some(values.fold(bounds, |bounds, value| Bounded {
        least: bounds.least.min(value),
        likely: value,
        most: bounds.most.max(value),
    }))
}

/// The share of the periods between two times in which the kernel held a container of the pods back; none: nobody counted.
pub fn throttled(set: &SeriesSet, from: Millis, to: Millis) -> Option<f64> {
    let total = |name: &str| {
        let grown = |series: &Series| {
            let samples = series.up_to(to);
            let first = samples.partition_point(|(at, _)| *at < from);
            samples[first..]
                .windows(2)
                .map(|pair| (pair[1].1 - pair[0].1).max(0.0))
                .sum::<f64>()
        };
        set.of(name).iter().map(grown).sum::<f64>()
    };
    let periods = total(names::PERIODS);
    (0.0 < periods).then(|| total(names::THROTTLED) / periods)
}
