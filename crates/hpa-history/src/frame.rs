//! An observation of the past: the HPA and its scale from a scrape, combined with possible pods and samples.

use hpa_engine::model::{
    ExternalMetricValue, HpaStatus, IndexedAnswer, MetricSpec, MetricValue, Observation, Pod,
    Quantity, Reading, Scale, Shared, quantity::Format,
};
use jiff::Timestamp;

use crate::{
    metric_course::MetricCourse,
    names,
    observer::Observer,
    pod_metrics::pod_metrics,
    sample_age::{Sample, is_running},
    scrape::{Scrape, hpa_of},
    series::Millis,
};

/// An observation without pods and samples.
pub(crate) struct Frame {
    /// The HPA and its controller, without pods and samples.
    pub(crate) observation: Observation,
    /// `status.replicas` of the target. None: the number of pods.
    status_replicas: Option<i32>,
    /// Other possible values of it.
    pub(crate) other_status_replicas: Vec<i32>,
}

impl Observer<'_> {
    /// The sync that a scrape shows.
    pub(crate) fn frame(&self, scrape: &Scrape, before: Option<&Scrape>, replicas: i32) -> Frame {
        let mut hpa = hpa_of(self.set, &self.today.hpa, scrape);
        // If no scrape shows the status that the sync read, that status had the current replicas.
        let found = || HpaStatus {
            current_replicas: scrape.current,
            desired_replicas: scrape.current,
            ..HpaStatus::default()
        };
        hpa.status = before.map_or_else(found, |before| before.status(&self.today.hpa));
        hpa.status.last_scale_time = self.scaled;
        let selector = self.today.scale.read().map_or("", |scale| &scale.selector);
        let status_replicas = status_replicas(scrape, before);
        Frame {
            other_status_replicas: match status_replicas {
                Some(likely) if self.counts_status_replicas() => {
                    others_between(likely, scrape, before, self.next_status_replicas(scrape))
                }
                _ => Vec::new(),
            },
            observation: Observation {
                scale: Reading::Read(Scale {
                    spec_replicas: replicas,
                    status_replicas: 0,
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
            },
            status_replicas,
        }
    }

    /// `status.replicas` of the target at the next scrape.
    fn next_status_replicas(&self, scrape: &Scrape) -> Option<i32> {
        let (_, name) = names::replicas(&self.today.hpa.spec.scale_target.kind)?;
        let samples = &self.set.of(name).first()?.samples;
        let place = samples.partition_point(|(at, _)| *at <= scrape.time);
        samples.get(place).map(|(_, value)| *value as i32)
    }
}

impl Frame {
    /// Adds pods and samples; the samples' values are not used yet.
    pub(crate) fn with_pods(
        &self,
        pods: Shared<Pod>,
        samples: &[Sample],
        now: Timestamp,
    ) -> Observation {
        let mut observation = self.observation.clone();
        if let Reading::Read(scale) = &mut observation.scale {
            scale.status_replicas = self
                .status_replicas
                .unwrap_or_else(|| i32::try_from(pods.len()).unwrap_or(i32::MAX));
        }
        let one = Quantity::from_milli(1, Format::DecimalSI);
        for (index, metric) in self.observation.hpa.spec.metrics.iter().enumerate() {
            if metric.is_pods() {
                let names = samples.iter().map(|sample| pods[sample.pod].name.clone());
                let answer = Reading::Read(values_of(names, now));
                let answer = IndexedAnswer { index, answer };
                observation.custom_metrics.push(answer);
            } else if let Some(source) = metric.object() {
                let name = source.described_object.name.clone();
                let answer = Reading::Read(values_of([name], now));
                let answer = IndexedAnswer { index, answer };
                observation.custom_metrics.push(answer);
            } else if metric.is_external() {
                let series = ExternalMetricValue {
                    labels: Vec::new(),
                    timestamp: Some(now),
                    value: one.clone(),
                };
                let answer = Reading::Read(vec![series].into());
                let answer = IndexedAnswer { index, answer };
                observation.external_metrics.push(answer);
            }
        }
        let list = pod_metrics(&observation.hpa.spec.metrics, &pods, samples);
        observation.pod_metrics = Reading::Read(list.into());
        observation.pods = Reading::Read(pods);
        observation
    }
}

/// The answer of the custom metrics API for these objects, with values that are not used yet.
pub(crate) fn values_of(
    names: impl IntoIterator<Item = String>,
    now: Timestamp,
) -> Shared<MetricValue> {
    let value = |name| MetricValue {
        object: name,
        timestamp: Some(now),
        window_seconds: None,
        value: Quantity::from_milli(1, Format::DecimalSI),
    };
    names.into_iter().map(value).collect()
}

/// The same with the other sets of pods that the answers of Pods metrics may have: those of all running pods, and fewer
/// and fewer of the new ones, as a pod has no value at first. With a course, the most probable set comes first. The sync
/// is between two times, and most probably `now`.
pub(crate) fn with_new_values_of_pods(
    observation: &Observation,
    course: Option<&MetricCourse>,
    now: Timestamp,
    (earliest, latest): (Millis, Millis),
) -> Vec<Observation> {
    let metrics = &observation.hpa.spec.metrics;
    let is_of_pods = |index: usize| metrics.get(index).is_some_and(MetricSpec::is_pods);
    if !(0..metrics.len()).any(is_of_pods) {
        return Vec::new();
    }
    let time = now.as_millisecond();
    let since = |pod: &Pod| {
        if let Some(course) = course {
            return course.first_of_pod(&pod.name);
        }
        let started = pod.started.or(pod.created);
        Some(started.map_or(Millis::MIN, Timestamp::as_millisecond))
    };
    let (certain, possible) = course.map_or((time - NEW, time), |course| {
        (course.read_by(earliest).0, course.read_by(latest).1)
    });
    let pods = observation.pods.read().map_or(&[][..], |pods| &**pods);
    let running = pods.iter().filter(|pod| is_running(pod));
    let mut running: Vec<(Millis, &Pod)> = running
        .filter_map(|pod| Some((since(pod)?, pod)))
        .filter(|(since, _)| *since <= possible)
        .collect();
    running.sort_by_key(|(since, _)| *since);
    let until = |time| running.partition_point(|(since, _)| *since <= time);
    let old = until(certain);
    let likely = course.map(|course| until(course.likely_read_by(time)));
    let step = ((running.len() - old) / MANY as usize).max(1);
    let others = (old..running.len()).step_by(step).chain([running.len()]);
    let others = others.filter(|count| Some(*count) != likely);
    let counts = likely.into_iter().chain(others).filter(|count| 0 < *count);
    let with = |count: usize| {
        let mut observation = observation.clone();
        let mut names: Vec<String> = running[..count]
            .iter()
            .map(|(_, pod)| pod.name.clone())
            .collect();
        names.sort();
        let values = values_of(names, now);
        for answer in &mut observation.custom_metrics {
            if is_of_pods(answer.index) {
                answer.answer = Reading::Read(values.clone());
            }
        }
        observation
    };
    counts.map(with).collect()
}

/// For this long after its start, a pod may have no value of a Pods metric: a rate needs two samples.
const NEW: Millis = 120_000;

/// Sets another `status.replicas` of the target.
pub(crate) fn with_status_replicas(mut observation: Observation, replicas: i32) -> Observation {
    if let Reading::Read(scale) = &mut observation.scale {
        scale.status_replicas = replicas;
    }
    observation
}

/// `status.replicas` of the target as the sync read it. The scrape after the sync may already show its effect.
fn status_replicas(scrape: &Scrape, before: Option<&Scrape>) -> Option<i32> {
    let of = |scrape: &Scrape| scrape.target.map(|(_, status)| status);
    let (after, earlier) = (of(scrape)?, before.and_then(of));
    let is_rescale = scrape.current != scrape.desired;
    let is_found =
        |earlier: &i32| after != scrape.current && (*earlier == scrape.current || is_rescale);
    if before.is_none() && is_rescale {
        // The first scrape can show what followed from the sync.
        return Some(scrape.current);
    }
    Some(earlier.filter(is_found).unwrap_or(after))
}

/// Other possible values of `status.replicas` at the sync: it moves towards `spec.replicas` between scrapes, and after
/// the sync towards the decision. kube-state-metrics can see a change later than the controller.
fn others_between(
    likely: i32,
    scrape: &Scrape,
    before: Option<&Scrape>,
    next: Option<i32>,
) -> Vec<i32> {
    let of = |scrape: &Scrape| scrape.target.map(|(_, status)| status);
    let Some(earlier) = before.and_then(of) else {
        return Vec::new();
    };
    let is_rescale = scrape.current != scrape.desired;
    let goal = scrape.current;
    let later = if is_rescale {
        goal
    } else {
        let after = of(scrape).unwrap_or(goal);
        next.unwrap_or(after)
            .clamp(after.min(goal), after.max(goal))
    };
    let (least, most) = (earlier.min(later), earlier.max(later));
    // A sample of many values suffices: the results of the others lie in between.
    let step = ((most - least) / MANY).max(1);
    let between = (least..most).step_by(usize::try_from(step).unwrap_or(1));
    let all = between.chain([most]).filter(|one| *one != likely);
    all.collect()
}

/// Approximate number of `status.replicas` values tried per sync.
const MANY: i32 = 8;
