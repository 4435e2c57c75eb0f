//! What the controller may have read in a sync.

use std::{mem, rc::Rc};

use hpa_engine::model::{MetricValueStatus, Observation, Pod, Shared};
use jiff::Timestamp;

use crate::{
    case::Case,
    frame::{with_new_values_of_pods, with_status_replicas},
    observer::{Observer, Seen},
    pods::quantity,
    sample_age::{
        READ_AGES, SAMPLE_AGES, Sample, SampleAge, has_sample, is_running, is_young, samples,
    },
    sampled::had_other_scale_target,
    scrape::Scrape,
    series::Millis,
    sync_times::{SyncTimes, earliest_sync, period_of},
    usage::{CountersOfPods, READ_PERIOD},
    values::with_values,
};

pub(crate) use crate::series::at;

/// What the controller may have read, the most probable first.
pub(crate) struct Found {
    pub(crate) observations: Vec<Observation>,
    /// For each observation, how long before metrics-server may have read the kubelet, if that matters.
    pub(crate) read_ages: Vec<Vec<Millis>>,
    /// How many of the first observations lead to exactly the controller's values by the counters.
    pub(crate) exact_count: usize,
    /// Whether the pods were read, not assumed.
    pub(crate) has_pods: bool,
    /// Whether the values are the controller's own.
    pub(crate) has_values: bool,
    /// Whether they can be those of the pods.
    pub(crate) fits_pods: bool,
}

impl<'a> Observer<'a> {
    /// Learns the sync times from all scrapes.
    pub(crate) fn learn(&mut self, scrapes: &[Scrape], period: Millis) {
        self.times = SyncTimes::new(scrapes, &self.pods, period);
    }

    /// The most probable time of the sync that a scrape shows.
    pub(crate) fn time_of(&self, scrape: &Scrape, before: Option<&Scrape>) -> Timestamp {
        at(self.times.of(scrape, before).likely)
    }

    /// Whether a scrape shows the same sync as the previous one.
    pub(crate) fn is_again(&self, scrape: &Scrape) -> bool {
        self.times.is_again(scrape)
    }

    /// Whether the number of syncs up to a scrape is uncertain.
    pub(crate) fn is_unsure(&self, scrape: &Scrape) -> bool {
        self.times.is_unsure(scrape)
    }

    /// Records a sync. If the values of two syncs differ, metrics-server read the kubelet in between.
    pub(crate) fn saw(&mut self, scrape: &Scrape, at: Timestamp) {
        self.take_rescale(scrape, at);
        let at = at.as_millisecond();
        let read = self.read(&scrape.values);
        self.seen = Some(Seen {
            at,
            values: scrape.values.clone(),
            read,
        });
    }

    /// Records a rescale, in whole seconds as the API server stores it.
    pub(crate) fn take_rescale(&mut self, scrape: &Scrape, at: Timestamp) {
        if scrape.current != scrape.desired {
            self.scaled = Timestamp::from_second(at.as_second()).ok();
        }
    }

    /// When metrics-server may have read the kubelet at the earliest.
    fn read(&self, values: &[Option<MetricValueStatus>]) -> Option<Millis> {
        let seen = self.seen.as_ref()?;
        let is_other = values.iter().any(Option::is_some) && seen.values != values;
        if is_other { Some(seen.at) } else { seen.read }
    }

    /// How long before a sync metrics-server may have read the kubelet at most.
    fn most_read_age(&self, values: &[Option<MetricValueStatus>], at: Millis) -> Millis {
        // The same values do not show that it did not read again: they are rounded.
        let elapsed = |from: Millis| (at - from + SYNC_TIME_ERROR).min(READ_PERIOD);
        self.read(values).map_or(READ_PERIOD, elapsed)
    }

    /// How long before a sync metrics-server may have read the kubelet, the most probable first.
    fn read_ages(&self, values: &[Option<MetricValueStatus>], at: Millis) -> Vec<Millis> {
        let most = self.most_read_age(values, at);
        let likely = self.reads.likely_age(at).clamp(0, most);
        let between = READ_AGES.into_iter().filter(|age| *age < most);
        let mut ages: Vec<Millis> = [likely, 0, most].into_iter().chain(between).collect();
        let mut known = Vec::new();
        ages.retain(|age| {
            let is_new = !known.contains(age);
            known.push(*age);
            is_new
        });
        ages
    }

    /// Possible ages of the samples of young pods, the most probable first.
    fn sample_ages(
        &self,
        (pods, counters): (&[Pod], &CountersOfPods<'_>),
        values: &[Option<MetricValueStatus>],
        now: Timestamp,
    ) -> Vec<SampleAge> {
        let read = self.read_ages(values, now.as_millisecond());
        let read: Vec<SampleAge> = read.into_iter().map(SampleAge::Read).collect();
        // Pods that have run for a while have samples, even if the series are missing.
        let is_old = |pod: &&Pod| is_running(pod) && !is_young(pod, now);
        let mut counted = counters.iter().flatten();
        let are_kept = !counted.any(|one| one.has_gap(now.as_millisecond()))
            && (has_sample(pods, counters, now, read[0]) || !pods.iter().any(|pod| is_old(&pod)));
        if !self.counters.is_empty() && are_kept {
            return read;
        }
        let ages = SAMPLE_AGES.map(SampleAge::Old);
        ages.into_iter().chain([SampleAge::None]).collect()
    }

    /// The pods that existed.
    fn pods_at(
        &mut self,
        scrape: &Scrape,
        before: Option<&Scrape>,
        time: Millis,
        is_deleted: bool,
    ) -> Shared<Pod> {
        let change = scrape.desired - scrape.current;
        let pods = match before {
            _ if !self.has_pods() => self.assumed_pods(scrape.current, time).into(),
            None => self.pods.first(scrape.time, time, change),
            Some(before) => self
                .pods
                .between((before.time, scrape.time), time, change, is_deleted),
        };
        let last = &self.last_pods;
        if !last.is_same(&pods) && *last != pods {
            self.last_pods = pods;
        }
        self.last_pods.clone()
    }

    /// As many ready pods as the HPA counted; no series shows more.
    fn assumed_pods(&self, count: i32, time: Millis) -> Vec<Pod> {
        let today = self.today.pods.read().and_then(|pods| pods.first());
        let since = at(time - 3_600_000);
        let selector = self.today.scale.read().map_or("", |scale| &scale.selector);
        let name = &self.today.hpa.spec.scale_target.name;
        (0..count.max(0))
            .map(|index| {
                let labels = crate::pods::labels_of(selector);
                let mut pod = Pod::ready(format!("{name}-{index}"), [], since);
                pod.labels = labels;
                match today {
                    Some(pod_of_today) => {
                        pod.containers.clone_from(&pod_of_today.containers);
                        pod.init_containers
                            .clone_from(&pod_of_today.init_containers);
                        pod.requests.clone_from(&pod_of_today.requests);
                        pod.owner.clone_from(&pod_of_today.owner);
                    }
                    None => pod = pod.requesting("cpu", quantity("cpu", 1.0)),
                }
                pod
            })
            .collect()
    }

    /// What the sync shown by `scrape` read. `values` are its metric values; `before` is the previous scrape.
    pub(crate) fn at(
        &mut self,
        scrape: &Scrape,
        before: Option<&Scrape>,
        replicas: i32,
        values: &[Option<MetricValueStatus>],
    ) -> Option<Found> {
        let (now, cases) = self.cases((scrape, before), replicas, values);
        let is_exported = values.iter().any(Option::is_some);
        let mut observations = Vec::new();
        let mut read_ages = Vec::new();
        let mut fits_pods = !is_exported;
        // Of the first case that is possible.
        let mut counters = None;
        for mut case in cases {
            let of_case = mem::take(&mut case.read_ages);
            let of_pods = Rc::clone(&case.counters);
            if is_exported {
                let (of_values, fits) = with_values(case.observation, values, now);
                observations.extend(of_values);
                fits_pods |= fits;
            } else {
                observations.extend(self.with_counters(case, scrape.time)?);
            }
            if !observations.is_empty() {
                counters.get_or_insert(of_pods);
            }
            read_ages.resize(observations.len(), of_case);
        }
        let mut exact = Vec::new();
        if let (Some(likely), Some(counters)) = (observations.first(), counters)
            && is_exported
            && !read_ages[0].is_empty()
        {
            let oldest = self.most_read_age(values, now.as_millisecond());
            let times = (now, oldest);
            exact = self.reads.leading_to(values, likely, &counters, times);
        }
        let exact_count = exact.len();
        let exact = exact.into_iter().map(|one| (one.observation, one.ages));
        let (of_exact, ages): (Vec<_>, Vec<_>) = exact.unzip();
        observations.splice(..0, of_exact);
        read_ages.splice(..0, ages);
        // The pods are those of today's scale target.
        let target = &self.today.hpa.spec.scale_target;
        let has_pods = self.pods.is_complete(self.counts_pods())
            && !had_other_scale_target(self.set, target, scrape.time);
        (!observations.is_empty()).then_some(Found {
            observations,
            read_ages,
            exact_count,
            has_pods,
            has_values: is_exported,
            fits_pods,
        })
    }

    /// The recommendation of a sync without a status, from the counters: most probable, lowest, highest. None if the
    /// counters do not show it.
    pub(crate) fn recommendations(&mut self, scrape: &Scrape, before: &Scrape) -> Option<[i32; 3]> {
        let nothing = vec![None; scrape.values.len()];
        let (_, cases) = self.cases((scrape, Some(before)), scrape.current, &nothing);
        let mut all = Vec::new();
        for case in cases {
            all.extend(self.recommended(case, (scrape.time, scrape.timestamp()))?);
        }
        let least = all.iter().min()?;
        Some([*all.first()?, *least, *all.iter().max()?])
    }

    /// What may have been read, without the metric values, the most probable first; and the time of the sync.
    fn cases(
        &mut self,
        (scrape, before): (&Scrape, Option<&Scrape>),
        replicas: i32,
        values: &[Option<MetricValueStatus>],
    ) -> (Timestamp, Vec<Case<'a>>) {
        let has_pods = self.has_pods();
        let time = self.times.of(scrape, before);
        // Pods that a scale-down removes still existed at the sync.
        let is_down = scrape.desired < scrape.current;
        let mut pods = vec![self.pods_at(scrape, before, time.likely, is_down)];
        let others = time.others.into_iter().map(|time| (time, is_down));
        for (time, is_deleted) in others.chain([(time.likely, !is_down)]) {
            let others = self.pods_at(scrape, before, time, is_deleted);
            let is_known = |one: &Shared<Pod>| one.is_same(&others) || *one == others;
            if has_pods && !pods.iter().any(is_known) {
                pods.push(others);
            }
        }
        let now = at(time.likely);
        let frame = self.frame(scrape, before, replicas);
        let course = self.courses.iter().find(|one| one.is_by_pod());
        let times = (earliest_sync(scrape, period_of(self.today)), scrape.time);
        let mut cases: Vec<Case<'a>> = Vec::new();
        for pods in pods {
            let first = cases.len();
            let counters = self.counters.of(&pods);
            let is_young = pods.iter().any(|pod| is_young(pod, now));
            let mut ages = self.sample_ages((&pods, &counters), values, now);
            if !is_young {
                ages.truncate(1);
            }
            for age in ages {
                let read_age = match age {
                    SampleAge::Read(age) if is_young => Some(age),
                    _ => None,
                };
                let samples = samples(&pods, &counters, now, age);
                let mut known = cases[first..].iter_mut();
                if let Some(alike) = known.find(|one| Sample::are_alike(&one.samples, &samples)) {
                    alike.read_ages.extend(read_age);
                    continue;
                }
                cases.push(Case {
                    observation: frame.with_pods(pods.clone(), &samples, now),
                    samples,
                    counters: Rc::clone(&counters),
                    read_ages: read_age.into_iter().collect(),
                });
            }
            // Which new pods an adapter has a value of is independent of metrics-server.
            let likely = &cases[first].observation;
            let mut others = with_new_values_of_pods(likely, course, now, times).into_iter();
            if course.is_some()
                && let Some(likely) = others.next()
            {
                for case in &mut cases[first..] {
                    let answers = &mut case.observation.custom_metrics;
                    answers.clone_from(&likely.custom_metrics);
                }
            }
            let others: Vec<Case<'a>> = others.map(|other| cases[first].with(other)).collect();
            cases.extend(others);
        }
        // How many replicas the target reports is independent of which of them are ready.
        let others: Vec<Case<'a>> = cases.first().map_or_else(Vec::new, |likely| {
            let others = frame.other_status_replicas.iter();
            let with = |replicas: &i32| {
                likely.with(with_status_replicas(likely.observation.clone(), *replicas))
            };
            others.map(with).collect()
        });
        cases.extend(others);
        (now, cases)
    }
}

/// The time of a sync is known about this well.
const SYNC_TIME_ERROR: Millis = 1_000;
