//! When metrics-server reads the kubelet: every 15 s, independent of the syncs. The controller's own values show it, as only the
//! samples of one read lead to them.

use hpa_engine::{
    engine,
    model::{
        Memory, MetricStatus, MetricValueStatus, Observation, Quantity, Reading, quantity::Overflow,
    },
};
use jiff::Timestamp;

use crate::{
    frame::pod_metrics,
    sample_age::{LIKELY_READ_AGE, MOST_READ_AGE, Sample, SampleAge, samples},
    series::Millis,
    usage::CountersOfPods,
};

/// How well each time fits what was seen, in steps within [`MOST_READ_AGE`].
pub(crate) struct ReadTimes([f64; STEPS]);

impl Default for ReadTimes {
    fn default() -> Self {
        Self([0.0; STEPS])
    }
}

/// Milliseconds of a step.
const STEP: Millis = 250;

/// The steps from read to read.
const STEPS: usize = (MOST_READ_AGE / STEP) as usize;

/// How much of what was seen counts after another sync: metrics-server can have started again.
const KEPT: f64 = 0.9;

impl ReadTimes {
    /// How long before `time` it most probably read.
    pub(crate) fn likely_age(&self, time: Millis) -> Millis {
        self.best(time, ages().collect()).unwrap_or(LIKELY_READ_AGE)
    }

    /// Takes how long before `time` it can have read. That it can be any time, or none, says nothing.
    pub(crate) fn take(&mut self, time: Millis, ages: &[Millis]) {
        if ages.is_empty() || ages.len() == STEPS {
            return;
        }
        for score in &mut self.0 {
            *score *= KEPT;
        }
        for age in ages {
            self.0[step(time - age)] += 1.0;
        }
    }

    /// The one of these ages, in their order, that fits best; the middle one of several. None: nothing was seen yet.
    fn best(&self, time: Millis, mut ages: Vec<Millis>) -> Option<Millis> {
        let score = |age: &Millis| self.0[step(time - age)];
        let best = ages.iter().map(score).fold(0.0, f64::max);
        ages.retain(|age| score(age) == best);
        (0.0 < best).then(|| ages[ages.len() / 2])
    }
}

fn step(time: Millis) -> usize {
    usize::try_from(time.rem_euclid(MOST_READ_AGE) / STEP).unwrap_or(0)
}

/// An age for each step, the lowest first. Together they are all the times between two reads.
fn ages() -> impl Iterator<Item = Millis> {
    (0..MOST_READ_AGE).step_by(STEP as usize)
}

/// Inputs of a sync, and how long before it metrics-server may have read them.
pub(crate) type WithAges = (Observation, Vec<Millis>);

impl ReadTimes {
    /// The inputs that lead to exactly these values of the metrics: those with the samples of one read, the most probable read first.
    /// `observation` has pods, of which some are new, and the values of other metrics.
    pub(crate) fn leading_to(
        &self,
        values: &[Option<MetricValueStatus>],
        observation: &Observation,
        counters: &CountersOfPods<'_>,
        now: Timestamp,
    ) -> Vec<WithAges> {
        let Some(pods) = observation.pods.read() else {
            return Vec::new();
        };
        let time = now.as_millisecond();
        let mut found: Vec<WithAges> = Vec::new();
        let mut last: Option<(Vec<Sample>, bool)> = None;
        for age in ages() {
            let samples = samples(pods, counters, now, SampleAge::Read(age));
            if let Some((_, fits)) = last.as_ref().filter(|(known, _)| *known == samples) {
                if *fits && let Some((_, ages)) = found.last_mut() {
                    ages.push(age);
                }
                continue;
            }
            let with = with_usage(observation, counters, &samples, time - age);
            let with = with.filter(|with| leads_to(with, values, now));
            last = Some((samples, with.is_some()));
            found.extend(with.map(|with| (with, vec![age])));
        }
        let fitting = found.iter().flat_map(|(_, ages)| ages).copied().collect();
        let likely = self.best(time, fitting).unwrap_or(LIKELY_READ_AGE);
        let distance = |ages: &[Millis]| ages.iter().map(|age| (age - likely).abs()).min();
        found.sort_by_key(|(_, ages)| distance(ages));
        found
    }
}

/// The observation with what metrics-server computes from the counters if it last read at a time. None: they do not show it.
fn with_usage(
    observation: &Observation,
    counters: &CountersOfPods<'_>,
    samples: &[Sample],
    read: Millis,
) -> Option<Observation> {
    let mut observation = observation.clone();
    let pods = observation.pods.read()?;
    let mut list = pod_metrics(&observation.hpa.spec.metrics, pods, samples);
    for (sample, of_pod) in samples.iter().zip(&mut list) {
        let counters = counters[sample.pod].as_ref()?;
        for container in &mut of_pod.containers {
            for (resource, value) in &mut container.usage {
                *value = counters.reported_use(&container.name, resource, read)?;
            }
        }
    }
    observation.pod_metrics = Reading::Read(list.into());
    Some(observation)
}

/// Whether a sync with these inputs comes to these values of the resource metrics.
fn leads_to(
    observation: &Observation,
    values: &[Option<MetricValueStatus>],
    now: Timestamp,
) -> bool {
    let trace = engine::decide(observation, &mut Memory::default(), now);
    let computed = trace
        .outcome
        .as_ref()
        .map(|one| &one.status.current_metrics);
    let pairs = computed.into_iter().flatten().zip(values);
    let mut compared = pairs.filter_map(|(computed, value)| match computed {
        MetricStatus::Resource { current, .. }
        | MetricStatus::ContainerResource { current, .. } => {
            Some(value.as_ref().is_some_and(|value| agrees(current, value)))
        }
        _ => None,
    });
    compared
        .next()
        .is_some_and(|first| first && compared.all(|one| one))
}

/// Whether an exported value is the computed one; an exporter can have a part of it.
fn agrees(computed: &MetricValueStatus, exported: &MetricValueStatus) -> bool {
    let MetricValueStatus {
        value: _,
        average_value,
        average_utilization,
    } = exported;
    let milli =
        |one: &Option<Quantity>| one.as_ref().map(|one| one.milli_value(Overflow::Saturate));
    (average_value.is_none() || milli(average_value) == milli(&computed.average_value))
        && (average_utilization.is_none() || *average_utilization == computed.average_utilization)
}
