//! What the controller may have found in a sync.

use hpa_analysis::inference::{RoundingEnd, with_values_of_metrics};
use hpa_engine::{
    engine,
    model::{
        ApiError, ContainerUsage, ExternalMetricValue, IndexedAnswer, Memory, MetricSpec,
        MetricValue, MetricValueStatus, Observation, Pod, PodMetrics, PodPhase, Quantity, Reading,
        Scale, Shared, quantity::Format,
    },
    trace::{MetricStep, PodClass, Trace},
};
use jiff::{SignedDuration, Timestamp};

use crate::{
    pods::{PodHistory, quantity},
    sample_age::{LIKELY_READ_AGE, MOST_READ_AGE, READ_AGES, SAMPLE_AGES, SampleAge, is_young},
    scrape::{Scrape, hpa_of},
    series::{Millis, SeriesSet},
    sync_times::SyncTimes,
    usage::Counters,
};

/// What is known of the HPA today, and what was read of its past.
pub struct Sources<'a> {
    /// The series.
    pub set: &'a SeriesSet,
    /// The HPA as it is today, with its scale and its controller.
    pub today: &'a Observation,
}

/// Makes observations of the past.
pub(crate) struct Observer<'a> {
    set: &'a SeriesSet,
    today: &'a Observation,
    pods: PodHistory<'a>,
    pub(crate) counters: Counters<'a>,
    last_pods: Shared<Pod>,
    times: SyncTimes,
    /// How long before a sync metrics-server reads the kubelet, as the syncs before show it: both have the same period.
    pub(crate) read_age: i64,
    seen: Option<Seen>,
    /// When the newest rescale was: `lastScaleTime`, which nobody exports.
    scaled: Option<Timestamp>,
}

/// The newest sync that was seen.
struct Seen {
    at: Millis,
    values: Vec<Option<MetricValueStatus>>,
    /// Between which syncs metrics-server read what this one had; none: nobody saw that.
    read: Option<(Millis, Millis)>,
}

/// What the controller may have found, the most probable first.
pub(crate) struct Found {
    pub(crate) observations: Vec<Observation>,
    /// How long ago metrics-server read the kubelet in each of them, where that matters.
    pub(crate) read_ages: Vec<Option<i64>>,
    /// Whether the pods were read, as opposed to assumed.
    pub(crate) has_pods: bool,
    /// Whether the values are the controller's own.
    pub(crate) has_values: bool,
}

impl<'a> Observer<'a> {
    pub(crate) fn new(sources: &Sources<'a>) -> Self {
        let target = &sources.today.hpa.spec.scale_target;
        let selector = sources
            .today
            .scale
            .read()
            .map_or("", |scale| &scale.selector);
        let containers = sources
            .today
            .pods
            .read()
            .and_then(|pods| pods.first())
            .map(|pod| {
                pod.containers
                    .iter()
                    .map(|one| one.name.clone())
                    .collect::<Vec<_>>()
            });
        Self {
            set: sources.set,
            today: sources.today,
            pods: PodHistory::new(
                sources.set,
                (&target.kind, &target.name),
                selector,
                &containers.unwrap_or_default(),
            ),
            counters: Counters::new(sources.set),
            last_pods: Shared::default(),
            times: SyncTimes::default(),
            read_age: LIKELY_READ_AGE,
            seen: None,
            scaled: None,
        }
    }

    /// Whether a metric is one of pods, or compared with the number of those that are ready.
    fn counts_pods(&self) -> bool {
        let mut metrics = self.today.hpa.spec.metrics.iter();
        metrics.any(|metric| match metric {
            MetricSpec::External(_) | MetricSpec::Object(_) => {
                metric.target().is_some_and(|target| target.value.is_some())
            }
            _ => true,
        })
    }

    /// Whether pods were read.
    pub(crate) fn has_pods(&self) -> bool {
        !self.pods.is_empty()
    }

    /// Whether a pod of this name belongs to the target.
    pub(crate) fn is_own(&self, pod: &str) -> bool {
        self.pods.has(pod)
    }

    /// Learns from all scrapes when the controller synced.
    pub(crate) fn learn(&mut self, scrapes: &[Scrape], period: Millis) {
        self.times = SyncTimes::new(scrapes, &self.pods, period);
    }

    /// When the sync was that a scrape shows, most probably.
    pub(crate) fn time_of(&self, scrape: &Scrape, before: Option<&Scrape>) -> Timestamp {
        at(self.times.of(scrape, before).likely)
    }

    /// Whether a scrape shows the same sync as the one before it.
    pub(crate) fn is_again(&self, scrape: &Scrape) -> bool {
        self.times.is_again(scrape)
    }

    /// Whether it is not sure how many syncs there were up to a scrape.
    pub(crate) fn is_unsure(&self, scrape: &Scrape) -> bool {
        self.times.is_unsure(scrape)
    }

    /// Takes note of a sync: metrics-server has read something new between two syncs with different values.
    pub(crate) fn saw(&mut self, scrape: &Scrape, at: Timestamp) {
        self.take_rescale(scrape, at);
        let at = at.as_millisecond();
        let read = self.read(&scrape.values, at);
        self.seen = Some(Seen {
            at,
            values: scrape.values.clone(),
            read,
        });
    }

    /// Takes note of a rescale, in whole seconds as the API server keeps it.
    pub(crate) fn take_rescale(&mut self, scrape: &Scrape, at: Timestamp) {
        if scrape.current != scrape.desired {
            self.scaled = Timestamp::from_second(at.as_second()).ok();
        }
    }

    fn read(&self, values: &[Option<MetricValueStatus>], at: Millis) -> Option<(Millis, Millis)> {
        let seen = self.seen.as_ref()?;
        let is_other = values.iter().any(Option::is_some) && seen.values != values;
        if is_other {
            Some((seen.at, at))
        } else {
            seen.read
        }
    }

    /// How long before a sync metrics-server may have read the kubelet, the most probable first, in seconds.
    fn read_ages(&self, values: &[Option<MetricValueStatus>], at: Millis) -> Vec<i64> {
        let (least, most) = match self.read(values, at) {
            Some((from, to)) => ((at - to).max(0) / 1000, (at - from + 999) / 1000),
            None => (0, MOST_READ_AGE),
        };
        let most = most.min(MOST_READ_AGE);
        let likely = self.read_age.clamp(least.min(most), most);
        let between = READ_AGES
            .into_iter()
            .filter(|age| least < *age && *age < most);
        let mut ages: Vec<i64> = [likely, least, most].into_iter().chain(between).collect();
        let mut known = Vec::new();
        ages.retain(|age| {
            let is_new = !known.contains(age);
            known.push(*age);
            is_new
        });
        ages
    }

    /// The pods that there were.
    fn pods_at(
        &mut self,
        scrape: &Scrape,
        before: Option<&Scrape>,
        time: Millis,
        is_deleted: bool,
    ) -> Shared<Pod> {
        let pods = match before {
            _ if !self.has_pods() => self.assumed_pods(scrape.current, time).into(),
            None => self.pods.recent(scrape.time),
            Some(before) => {
                let change = scrape.desired - scrape.current;
                self.pods
                    .between((before.time, scrape.time), time, change, is_deleted)
            }
        };
        let last = &self.last_pods;
        if !last.is_same(&pods) && *last != pods {
            self.last_pods = pods;
        }
        self.last_pods.clone()
    }

    /// As many pods as the HPA counted, all ready: nobody says more.
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
                        pod.requests.clone_from(&pod_of_today.requests);
                        pod.owner.clone_from(&pod_of_today.owner);
                    }
                    None => pod = pod.requesting("cpu", quantity("cpu", 1.0)),
                }
                pod
            })
            .collect()
    }

    /// What the sync found that a scrape shows. `values` are those of its metrics; `before` is the scrape before.
    pub(crate) fn at(
        &mut self,
        scrape: &Scrape,
        before: Option<&Scrape>,
        replicas: i32,
        values: &[Option<MetricValueStatus>],
    ) -> Option<Found> {
        let has_pods = self.has_pods();
        let time = self.times.of(scrape, before);
        // Pods that a scale-down removes were there before it.
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
        let mut observations = Vec::new();
        let mut read_ages = Vec::new();
        let mut has_values = true;
        let now = at(time.likely);
        for pods in pods {
            let is_young = pods.iter().any(|pod| is_young(pod, now));
            let mut ages: Vec<SampleAge> = if self.counters.is_empty() {
                let ages = SAMPLE_AGES.map(SampleAge::Old);
                ages.into_iter().chain([SampleAge::None]).collect()
            } else {
                self.read_ages(values, time.likely)
                    .into_iter()
                    .map(SampleAge::Read)
                    .collect()
            };
            if !is_young {
                ages.truncate(1);
            }
            for age in ages {
                let of_age = self.observation((scrape, now), before, replicas, pods.clone(), age);
                has_values &= self.with_values(of_age, (scrape, now), values, &mut observations)?;
                let read_age = match age {
                    SampleAge::Read(age) if is_young => Some(age),
                    _ => None,
                };
                read_ages.resize(observations.len(), read_age);
            }
        }
        (!observations.is_empty()).then_some(Found {
            observations,
            read_ages,
            has_pods: self.pods.is_complete(self.counts_pods()),
            has_values,
        })
    }

    /// What the metrics asked for in a sync that left no status, most probably, at least and at most, as the counters have it; none:
    /// they do not say.
    pub(crate) fn recommendations(&mut self, scrape: &Scrape, before: &Scrape) -> Option<[i32; 3]> {
        let nothing = vec![None; scrape.values.len()];
        let found = self.at(scrape, Some(before), scrape.current, &nothing)?;
        let recommendations = |observation: &Observation| {
            let trace = engine::decide(observation, &mut Memory::default(), scrape.timestamp());
            Some(trace.stabilize()?.recommendation)
        };
        let all: Vec<i32> = found
            .observations
            .iter()
            .filter_map(recommendations)
            .collect();
        let least = all.iter().min()?;
        Some([*all.first()?, *least, *all.iter().max()?])
    }

    /// Adds the observation with the values of its metrics, at both ends of what these are rounded from where that can
    /// matter. Says whether all are the controller's own; none: a value is not known at all.
    fn with_values(
        &self,
        mut observation: Observation,
        (scrape, now): (&Scrape, Timestamp),
        values: &[Option<MetricValueStatus>],
        into: &mut Vec<Observation>,
    ) -> Option<bool> {
        let is_exported = values.iter().any(Option::is_some);
        if !is_exported {
            return self
                .with_counters(&observation, scrape, into)
                .then_some(false);
        }
        for (index, _) in values
            .iter()
            .enumerate()
            .filter(|(_, value)| value.is_none())
        {
            fail(&mut observation, index);
        }
        let known: Vec<(usize, &MetricValueStatus)> = values
            .iter()
            .enumerate()
            .filter_map(|(index, value)| Some((index, value.as_ref()?)))
            .collect();
        let trace = engine::decide(&observation, &mut Memory::default(), now);
        let ends = if adds_pods_back(&trace) {
            &RoundingEnd::ALL[..]
        } else {
            &RoundingEnd::ALL[..1]
        };
        for end in ends {
            into.extend(with_values_of_metrics(&observation, &trace, &known, *end));
        }
        Some(true)
    }

    /// The same from the counters of the containers; false: they do not say it.
    fn with_counters(
        &self,
        observation: &Observation,
        scrape: &Scrape,
        into: &mut Vec<Observation>,
    ) -> bool {
        let is_resource = |metric: &MetricSpec| {
            matches!(
                metric,
                MetricSpec::Resource(_) | MetricSpec::ContainerResource(_)
            )
        };
        let metrics = &observation.hpa.spec.metrics;
        if self.counters.is_empty() || metrics.is_empty() || !metrics.iter().all(is_resource) {
            return false;
        }
        let bounds: [fn(&crate::Bounded) -> f64; 3] =
            [|one| one.likely, |one| one.least, |one| one.most];
        let read = observation.pod_metrics.read();
        let of_pods: Vec<_> = read
            .into_iter()
            .flat_map(|samples| samples.iter())
            .map(|sample| self.use_of(&sample.name, metrics, scrape.time))
            .collect();
        for bound in bounds {
            let mut then = observation.clone();
            if let Reading::Read(samples) = &mut then.pod_metrics {
                for (sample, of_pod) in samples.iter_mut().zip(&of_pods) {
                    fill(sample, of_pod, bound);
                }
                samples.retain(|sample| !sample.containers.is_empty());
            }
            into.push(then);
        }
        true
    }

    /// What each container of a pod uses of each resource that a metric is about.
    fn use_of(&self, pod: &str, metrics: &[MetricSpec], time: Millis) -> UseOfPod<'a> {
        ["cpu", "memory"]
            .into_iter()
            .filter(|resource| metrics.iter().any(|metric| metric.is_resource(resource)))
            .map(|resource| (resource, self.counters.of_pod(pod, resource, time)))
            .collect()
    }

    fn observation(
        &self,
        (scrape, now): (&Scrape, Timestamp),
        before: Option<&Scrape>,
        replicas: i32,
        pods: Shared<Pod>,
        age: SampleAge,
    ) -> Observation {
        let mut hpa = hpa_of(self.set, &self.today.hpa, scrape);
        hpa.status = before.map_or_else(Default::default, |before| before.status(&self.today.hpa));
        hpa.status.last_scale_time = self.scaled;
        let selector = self.today.scale.read().map_or("", |scale| &scale.selector);
        let status_replicas = status_replicas(scrape, before)
            .unwrap_or_else(|| i32::try_from(pods.len()).unwrap_or(i32::MAX));
        let mut observation = Observation {
            scale: Reading::Read(Scale {
                spec_replicas: replicas,
                status_replicas,
                selector: selector.to_owned(),
            }),
            scale_write_error: None,
            status_write_error: None,
            custom_metrics: Vec::new(),
            external_metrics: Vec::new(),
            pod_metrics: Reading::Read(Shared::default()),
            pods: Reading::Read(Shared::default()),
            controller: self.today.controller.clone(),
            hpa,
            other_hpas: self.today.other_hpas.clone(),
        };
        let measured: Vec<(&Pod, Timestamp, SignedDuration)> = pods
            .iter()
            .filter(|pod| pod.phase == PodPhase::Running)
            .filter_map(|pod| {
                let (end, window) = self.sample(pod, now, age)?;
                Some((pod, end, window))
            })
            .collect();
        let timestamp = Some(now);
        let metrics = observation.hpa.spec.metrics.clone();
        let mut resources: Vec<&str> = Vec::new();
        let one = Quantity::from_milli(1, Format::DecimalSI);
        for (index, metric) in metrics.iter().enumerate() {
            match metric {
                MetricSpec::Resource(_) | MetricSpec::ContainerResource(_) => {
                    resources.push(metric.short_name());
                }
                MetricSpec::Pods(_) => observation.custom_metrics.push(IndexedAnswer {
                    index,
                    answer: Reading::Read(
                        measured
                            .iter()
                            .map(|(pod, ..)| MetricValue {
                                object: pod.name.clone(),
                                timestamp,
                                window_seconds: None,
                                value: one.clone(),
                            })
                            .collect(),
                    ),
                }),
                MetricSpec::Object(source) => observation.custom_metrics.push(IndexedAnswer {
                    index,
                    answer: Reading::Read(
                        vec![MetricValue {
                            object: source.described_object.name.clone(),
                            timestamp,
                            window_seconds: None,
                            value: one.clone(),
                        }]
                        .into(),
                    ),
                }),
                MetricSpec::External(_) => observation.external_metrics.push(IndexedAnswer {
                    index,
                    answer: Reading::Read(
                        vec![ExternalMetricValue {
                            labels: Vec::new(),
                            timestamp,
                            value: one.clone(),
                        }]
                        .into(),
                    ),
                }),
                MetricSpec::Unknown { .. } => {}
            }
        }
        if !resources.is_empty() {
            let usage = |name: &String| ContainerUsage {
                name: name.clone(),
                usage: resources
                    .iter()
                    .map(|resource| ((*resource).to_owned(), one.clone()))
                    .collect(),
            };
            let samples = measured.iter().map(|(pod, end, window)| PodMetrics {
                name: pod.name.clone(),
                labels: None,
                timestamp: Some(*end),
                window: *window,
                containers: pod.containers.iter().map(|one| usage(&one.name)).collect(),
            });
            observation.pod_metrics = Reading::Read(samples.collect());
        }
        observation.pods = Reading::Read(pods);
        observation
    }
}

/// The metric at `index` failed, and nobody kept why.
fn fail(observation: &mut Observation, index: usize) {
    let failed = || ApiError {
        message: "the reason is not recorded".to_owned(),
        ..ApiError::default()
    };
    let is_of_pods = matches!(
        observation.hpa.spec.metrics.get(index),
        Some(MetricSpec::Resource(_) | MetricSpec::ContainerResource(_))
    );
    if is_of_pods {
        observation.pod_metrics = Reading::Failed(failed());
    }
    for answer in observation
        .custom_metrics
        .iter_mut()
        .filter(|one| one.index == index)
    {
        answer.answer = Reading::Failed(failed());
    }
    for answer in observation
        .external_metrics
        .iter_mut()
        .filter(|one| one.index == index)
    {
        answer.answer = Reading::Failed(failed());
    }
}

/// Whether pods without a value that counts take part, so that the exact usage matters and not only its rounded value.
fn adds_pods_back(trace: &Trace) -> bool {
    trace
        .metrics()
        .flat_map(|metric| &metric.steps)
        .any(|step| match step {
            MetricStep::GroupPods(groups) => groups
                .pods
                .iter()
                .any(|pod| matches!(pod.class, PodClass::Missing | PodClass::Unready)),
            _ => false,
        })
}

pub(crate) fn at(time: Millis) -> Timestamp {
    Timestamp::from_millisecond(time).unwrap_or_default()
}

/// The use of each resource, container by container.
type UseOfPod<'a> = Vec<(&'static str, Vec<(&'a str, crate::Bounded)>)>;

/// The use of a pod's containers as their counters have it.
fn fill(sample: &mut PodMetrics, of_pod: &UseOfPod<'_>, bound: fn(&crate::Bounded) -> f64) {
    for container in &mut sample.containers {
        container.usage = of_pod
            .iter()
            .flat_map(|(resource, of_containers)| {
                of_containers
                    .iter()
                    .filter(|(name, _)| *name == container.name)
                    .map(|(_, bounded)| {
                        ((*resource).to_owned(), quantity(resource, bound(bounded)))
                    })
            })
            .collect();
    }
    sample
        .containers
        .retain(|container| !container.usage.is_empty());
}

/// `status.replicas` of the target as the sync found it: the scrape after the sync may show what it led to.
fn status_replicas(scrape: &Scrape, before: Option<&Scrape>) -> Option<i32> {
    let of = |scrape: &Scrape| scrape.target.map(|(_, status)| status);
    let (after, earlier) = (of(scrape)?, before.and_then(of));
    let is_rescale = scrape.current != scrape.desired;
    let is_found =
        |earlier: &i32| after != scrape.current && (*earlier == scrape.current || is_rescale);
    Some(earlier.filter(is_found).unwrap_or(after))
}
