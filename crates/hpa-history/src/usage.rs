//! The usage of containers, from their counters.

use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

use hpa_engine::model::{Pod, Quantity, Shared, quantity::Format};

use crate::{
    names,
    pods::quantity,
    series::{Millis, Series, SeriesSet, Track},
};

/// Usage with bounds: a counter shows the growth between two samples, but not when it happened.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bounded {
    /// Lower bound.
    pub least: f64,
    /// Most probable value.
    pub likely: f64,
    /// Upper bound.
    pub most: f64,
}

impl Bounded {
    fn exactly(value: f64) -> Self {
        Self {
            least: value,
            likely: value,
            most: value,
        }
    }

    /// Either of both, most probably the later.
    fn then(self, later: Self) -> Self {
        Self {
            least: self.least.min(later.least),
            likely: later.likely,
            most: self.most.max(later.most),
        }
    }

    fn plus(self, other: Self) -> Self {
        Self {
            least: self.least + other.least,
            likely: self.likely + other.likely,
            most: self.most + other.most,
        }
    }
}

/// The counters of each pod's containers.
#[derive(Default)]
pub(crate) struct Counters<'a> {
    pods: BTreeMap<&'a str, Rc<PodCounters<'a>>>,
    /// Cache for the last requested list of pods: neighboring syncs have the same.
    newest: RefCell<(Shared<Pod>, CountersOfPods<'a>)>,
}

/// The counters of each pod of a list. None: no series.
pub(crate) type CountersOfPods<'a> = Rc<[Option<Rc<PodCounters<'a>>>]>;

/// The counters of a pod's containers, by name.
#[derive(Default)]
pub(crate) struct PodCounters<'a> {
    containers: BTreeMap<&'a str, ContainerSeries<'a>>,
}

/// The series of a container. A restarted container has others.
#[derive(Default)]
struct ContainerSeries<'a> {
    cpu: Vec<Track<'a>>,
    memory: Vec<Track<'a>>,
    starts: Vec<Track<'a>>,
}

/// The time between two reads of the kubelet by metrics-server.
pub(crate) const READ_PERIOD: Millis = 15_000;

/// A container that has run this long has a sample from its start.
const FRESH: Millis = 10_000;

/// Within this many reads, every container has another sample.
const MOST_READS: Millis = 4;

/// The kubelet reads a working container every 10 to 20 s. If samples are further apart, some are missing.
const DENSE: Millis = 21_000;

/// The kubelet reads an idle container again after at most this pause.
const LONGEST_PAUSE: Millis = 31_000;

/// More bytes than any container has.
const ANY: f64 = 1e15;

/// metrics-server may lag by this much: two scrapes of the kubelet, and the kubelet's own reading before that.
pub(crate) const BEHIND: Millis = 45_000;

impl<'a> Counters<'a> {
    pub(crate) fn new(set: &'a SeriesSet) -> Self {
        let mut pods: BTreeMap<&str, PodCounters<'_>> = BTreeMap::new();
        let mut take =
            |name, into: for<'b> fn(&'b mut ContainerSeries<'a>) -> &'b mut Vec<Track<'a>>| {
                for series in of_containers(set, name) {
                    let of_pod = pods.entry(series.label("pod")).or_default();
                    let container = of_pod.containers.entry(series.label("container"));
                    into(container.or_default()).push(Track::new(series));
                }
            };
        take(names::CPU, |one| &mut one.cpu);
        take(names::MEMORY, |one| &mut one.memory);
        take(names::STARTED, |one| &mut one.starts);
        let pods = pods.into_iter().map(|(name, one)| (name, Rc::new(one)));
        Self {
            pods: pods.collect(),
            newest: RefCell::new((Shared::default(), Rc::default())),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        let mut all = self.pods.values().flat_map(|pod| pod.containers.values());
        all.all(|one| one.cpu.is_empty() && one.memory.is_empty())
    }

    /// The counters of each of these pods.
    pub(crate) fn of(&self, pods: &Shared<Pod>) -> CountersOfPods<'a> {
        let mut newest = self.newest.borrow_mut();
        if !newest.0.is_same(pods) {
            let of_pods = pods.iter().map(|pod| self.pods.get(pod.name.as_str()));
            *newest = (pods.clone(), of_pods.map(Option::<&_>::cloned).collect());
        }
        Rc::clone(&newest.1)
    }
}

impl PodCounters<'_> {
    /// Start and end of metrics-server's interval for a pod if it last read the kubelet at `time`. None: no interval
    /// yet.
    ///
    /// Mirrors `store` in metrics-server's `pkg/storage/pod.go` (0.9.0).
    pub(crate) fn interval(&self, time: Millis) -> Option<(Millis, Millis)> {
        let mut containers = self.containers.values().filter(|one| !one.cpu.is_empty());
        let first = containers.next()?;
        // The interval that ends first counts for the pod. If any container has none, the pod has no sample.
        containers.try_fold(first.interval(time)?, |interval, one| {
            let one = one.interval(time)?;
            Some(if one.1 < interval.1 { one } else { interval })
        })
    }

    /// Whether the samples of a pod around `time` are so far apart that metrics-server had others.
    pub(crate) fn has_gap(&self, time: Millis) -> bool {
        self.containers.values().any(|one| {
            let mut pairs = one.cpu.iter().flat_map(|track| {
                let samples = &track.series.samples;
                let to = track.count(time);
                let around = to.saturating_sub(2)..(to + 1).min(samples.len());
                samples[around].windows(2)
            });
            pairs.any(|pair| LONGEST_PAUSE < pair[1].0 - pair[0].0)
        })
    }

    /// Whether the samples of one of the pod's containers ended so long before `time` that metrics-server must have had
    /// others, if any.
    pub(crate) fn is_lost(&self, time: Millis) -> bool {
        self.containers.values().any(|one| {
            let series = one.cpu.iter().chain(&one.memory);
            let newest = series.filter_map(|one| {
                one.up_to(time).last()?;
                recent(one, time).last()
            });
            let newest = newest.map(|(at, _)| *at).max();
            newest.is_some_and(|newest| newest < time - BEHIND)
        })
    }

    /// A container's usage of a resource, as metrics-server reports it if it last read the kubelet at `time`. None: the
    /// counters do not show it.
    ///
    /// Mirrors `resourceUsage` in metrics-server's `pkg/storage/types.go` (0.9.0).
    pub(crate) fn reported_use(
        &self,
        container: &str,
        resource: &str,
        time: Millis,
    ) -> Option<Quantity> {
        let series = self.containers.get(container)?;
        let interval = series.interval(time)?;
        match resource {
            "cpu" => {
                let cores = series.rate(interval)?;
                Some(Quantity::from_nano((cores * 1e9) as i64, Format::DecimalSI))
            }
            "memory" => {
                let of_end = |one: &Track<'_>| one.up_to(interval.1).last().copied();
                let newest = series.memory.iter().filter_map(of_end);
                let (_, used) = newest.max_by_key(|(at, _)| *at)?;
                Some(quantity(resource, used))
            }
            _ => None,
        }
    }

    /// A container's usage of a resource, as metrics-server may report it at `time`.
    pub(crate) fn use_of(&self, container: &str, resource: &str, time: Millis) -> Option<Bounded> {
        let series = self.containers.get(container)?;
        match resource {
            "cpu" => sum(&series.cpu, rate, time),
            "memory" => sum(&series.memory, level, time),
            _ => None,
        }
    }
}

impl ContainerSeries<'_> {
    /// How fast the CPU counter grew between two of its samples, or since the start of the container. None: it is another
    /// container by then.
    fn rate(&self, (begin, end): (Millis, Millis)) -> Option<f64> {
        let sample_at = |one: &Track<'_>, time| {
            let newest = one.up_to(time).last();
            newest.filter(|(at, _)| *at == time).map(|(_, used)| *used)
        };
        let mut counters = self.cpu.iter();
        let (counter, used) = counters.find_map(|one| Some((one, sample_at(one, end)?)))?;
        let is_start = |one: &Track<'_>| {
            let start = one.up_to(end).last();
            start.is_some_and(|(_, start)| (start * 1000.0) as Millis == begin)
        };
        let before = match sample_at(counter, begin) {
            None if self.starts.iter().any(is_start) => 0.0,
            before => before?,
        };
        (before <= used).then(|| (used - before) * 1000.0 / (end - begin) as f64)
    }

    fn interval(&self, time: Millis) -> Option<(Millis, Millis)> {
        let newest = |time| {
            let samples = self.cpu.iter().filter_map(|one| one.up_to(time).last());
            samples.map(|(at, _)| *at).max()
        };
        let last = newest(time)?;
        // What it read earlier, unless that was the same.
        let earlier = (1..=MOST_READS).filter_map(|reads| newest(time - reads * READ_PERIOD));
        let before = earlier.into_iter().find(|at| *at < last);
        let begin = before.or_else(|| {
            let mut starts = self.starts.iter().rev();
            let start = starts.find_map(|one| one.up_to(time).last())?;
            let start = (start.1 * 1000.0) as Millis;
            (FRESH..READ_PERIOD)
                .contains(&(last - start))
                .then_some(start)
        });
        Some((begin?, last))
    }
}

/// Computes the usage bounds at a time from samples.
type Bounds = fn(&[(Millis, f64)], Millis) -> Option<Bounded>;

/// The bounds of the sum of several series.
fn sum(series: &[Track<'_>], bounds: Bounds, time: Millis) -> Option<Bounded> {
    let found = series.iter();
    let found = found.filter_map(|one| bounds(recent(one, time), time));
    found.reduce(Bounded::plus)
}

/// The samples that metrics-server may have at `time`, and the one before, where an interval may start.
fn recent<'a>(track: &Track<'a>, time: Millis) -> &'a [(Millis, f64)] {
    let samples = &track.series.samples;
    let from = track.count(time - BEHIND - 1);
    let mut to = track.count(time);
    // The kubelet read in between, and metrics-server may have that value.
    if let (Some(before), Some(next)) = (samples[..to].last(), samples.get(to))
        && is_sparse(*before, *next)
    {
        to += 1;
    }
    &samples[from.saturating_sub(1)..to]
}

/// Whether the kubelet has read a container between two samples.
fn is_sparse(before: (Millis, f64), next: (Millis, f64)) -> bool {
    DENSE < next.0 - before.0
}

/// The series of containers, each container's from one endpoint: the kubelet exports the same at `/metrics/cadvisor`
/// and `/metrics/resource`, and also sums over whole pods.
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

/// The rate of a counter from sample to sample. None: too few samples. If samples are far apart, the time of the growth
/// is unknown.
fn rate(samples: &[(Millis, f64)], _: Millis) -> Option<Bounded> {
    let pairs = samples.windows(2);
    // A counter that falls was reset.
    let grown = pairs.filter(|pair| pair[0].0 < pair[1].0 && pair[0].1 <= pair[1].1);
    let rates = grown.map(|pair| {
        let rate = |over: Millis| (pair[1].1 - pair[0].1) * 1000.0 / over as f64;
        let likely = rate(pair[1].0 - pair[0].0);
        if is_sparse(pair[0], pair[1]) {
            Bounded {
                least: 0.0,
                likely,
                most: rate(FRESH),
            }
        } else {
            Bounded::exactly(likely)
        }
    });
    rates.reduce(Bounded::then)
}

/// The value of a gauge. None: no samples. If samples are far apart, the value in between is unknown.
fn level(samples: &[(Millis, f64)], time: Millis) -> Option<Bounded> {
    let mut past = samples.iter().filter(|(at, _)| *at <= time);
    let is_recent = |(at, _): &&(Millis, f64)| time - BEHIND <= *at;
    let levels = past.clone().filter(is_recent);
    let known = levels.map(|(_, value)| Bounded::exactly(*value));
    let known = known.reduce(Bounded::then);
    if !samples.windows(2).any(|pair| is_sparse(pair[0], pair[1])) {
        return known;
    }
    let (_, newest) = past.next_back()?;
    Some(Bounded {
        least: 0.0,
        likely: *newest,
        most: ANY,
    })
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;

    fn used(samples: &[(Millis, f64)], resource: &str, time: Millis) -> Option<Bounded> {
        let name = if resource == "cpu" {
            names::CPU
        } else {
            names::MEMORY
        };
        let labels = [("pod", "a"), ("container", "main")];
        let set = SeriesSet::new(vec![Series::named(name, &labels, samples)]);
        let pods = vec![Pod::ready("a", [], Timestamp::UNIX_EPOCH)].into();
        let of_pods = Counters::new(&set).of(&pods);
        of_pods[0].as_ref()?.use_of("main", resource, time)
    }

    #[test]
    fn counter_with_all_of_its_samples_is_known() {
        let samples = [(0, 0.0), (20_000, 2.0), (40_000, 6.0), (60_000, 9.0)];
        let bounds = Bounded {
            least: 0.1,
            likely: 0.2,
            most: 0.2,
        };
        assert_eq!(used(&samples, "cpu", 59_000), Some(bounds));
    }

    #[test]
    fn between_samples_that_are_far_apart_all_can_have_been_used_at_once() {
        let samples = [(0, 0.0), (300_000, 30.0), (600_000, 30.0)];
        let bounds = Bounded {
            least: 0.0,
            likely: 0.1,
            most: 3.0,
        };
        assert_eq!(used(&samples, "cpu", 100_000), Some(bounds));
        // The counter did not change.
        assert_eq!(used(&samples, "cpu", 500_000), Some(Bounded::default()));
        let memory = used(&samples, "memory", 500_000).unwrap();
        assert_eq!((memory.least, memory.likely, memory.most), (0.0, 30.0, ANY));
    }
}
