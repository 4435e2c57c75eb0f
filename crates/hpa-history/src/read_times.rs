//! When metrics-server reads the kubelet: every 15 s, independent of the syncs. The controller's own values show it, as usually
//! only the samples of one read lead to them.

use hpa_engine::{
    engine,
    model::{
        Memory, MetricValueStatus, Observation, PodMetrics, Quantity, Reading, quantity::Overflow,
    },
};
use jiff::Timestamp;

use crate::{
    pod_metrics::pod_metrics,
    sample_age::{LIKELY_READ_AGE, SampleAge, samples},
    series::Millis,
    usage::{CountersOfPods, READ_PERIOD},
};

/// How well each time of a read fits what was seen, in steps within [`READ_PERIOD`].
pub(crate) struct ReadTimes([f64; STEPS]);

impl Default for ReadTimes {
    fn default() -> Self {
        Self([0.0; STEPS])
    }
}

/// Milliseconds of a step.
const STEP: Millis = 250;

/// The steps from read to read.
const STEPS: usize = (READ_PERIOD / STEP) as usize;

/// How much of what was seen counts after another sync: metrics-server can have started again. With nine tenths, seven syncs
/// weigh more than all that was before them.
const KEPT: f64 = 0.9;

/// Inputs of a sync, and how long before it metrics-server may have read them.
pub(crate) struct Candidate {
    pub(crate) observation: Observation,
    pub(crate) ages: Vec<Millis>,
}

impl ReadTimes {
    /// How long before `time` it most probably read.
    pub(crate) fn likely_age(&self, time: Millis) -> Millis {
        self.best(time, ages().collect()).unwrap_or(LIKELY_READ_AGE)
    }

    /// Learns how long before `time` it can have read. Ignored if every time fits, or none.
    pub(crate) fn learn(&mut self, time: Millis, ages: &[Millis]) {
        // All times or none: the sync says nothing about the read, and must not make older evidence weaker.
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

    /// The one of these ages, in their order, that fits best; the middle one of several. None: nothing was seen of them.
    fn best(&self, time: Millis, mut ages: Vec<Millis>) -> Option<Millis> {
        let score = |age: &Millis| self.0[step(time - age)];
        let best = ages.iter().map(score).fold(0.0, f64::max);
        ages.retain(|age| score(age) == best);
        (0.0 < best).then(|| ages[ages.len() / 2])
    }

    /// The inputs that lead to exactly these values of the metrics: those with the samples of one read, at most `oldest` before
    /// `now`, the most probable read first. `observation` has the pods, and the values of other metrics.
    ///
    /// None for a metric of one container: the load of a what-if is what that container uses, and these inputs have all.
    pub(crate) fn leading_to(
        &self,
        values: &[Option<MetricValueStatus>],
        observation: &Observation,
        counters: &CountersOfPods<'_>,
        (now, oldest): (Timestamp, Millis),
    ) -> Vec<Candidate> {
        let mut metrics = observation.hpa.spec.metrics.iter().zip(values);
        let has_all = metrics.all(|(metric, value)| match metric.pod_resource() {
            Some(_) => value.is_some(),
            None => metric.container().is_none(),
        });
        if !has_all {
            return Vec::new();
        }
        let time = now.as_millisecond();
        let mut found: Vec<Candidate> = Vec::new();
        let mut last = None;
        let mut last_fits = false;
        for age in ages().take_while(|age| *age <= oldest) {
            let usage = usage(observation, counters, now, age);
            // Usage changes only where a read passes a scrape of the counters: ages in between need no decision of their own.
            if usage == last {
                if last_fits && let Some(candidate) = found.last_mut() {
                    candidate.ages.push(age);
                }
                continue;
            }
            let with = usage.clone().map(|usage| Observation {
                pod_metrics: Reading::Read(usage.into()),
                ..observation.clone()
            });
            let fitting = with.filter(|with| leads_to(with, values, now));
            last_fits = fitting.is_some();
            last = usage;
            found.extend(fitting.map(|observation| Candidate {
                observation,
                ages: vec![age],
            }));
        }
        // What fits now may be several reads. What fitted before says which of them is probable.
        let fitting = found.iter().flat_map(|one| &one.ages).copied().collect();
        let likely = self
            .best(time, fitting)
            .unwrap_or_else(|| self.likely_age(time));
        let distance = |one: &Candidate| one.ages.iter().map(|age| apart(*age, likely)).min();
        found.sort_by_key(distance);
        found
    }
}

fn step(time: Millis) -> usize {
    usize::try_from(time.rem_euclid(READ_PERIOD) / STEP).unwrap_or(0)
}

/// An age for each step, the lowest first. Together they are all the times between two reads.
fn ages() -> impl Iterator<Item = Millis> {
    (0..READ_PERIOD).step_by(STEP as usize)
}

/// How far apart two ages are: after the highest one follows the lowest one of the next read.
pub(crate) fn apart(one: Millis, other: Millis) -> Millis {
    let apart = (one - other).abs().rem_euclid(READ_PERIOD);
    apart.min(READ_PERIOD - apart)
}

/// The answer of metrics-server, if it read so long before `now`. None: the counters do not show it.
fn usage(
    observation: &Observation,
    counters: &CountersOfPods<'_>,
    now: Timestamp,
    age: Millis,
) -> Option<Vec<PodMetrics>> {
    let pods = observation.pods.read()?;
    let samples = samples(pods, counters, now, SampleAge::Read(age));
    let mut list = pod_metrics(&observation.hpa.spec.metrics, pods, &samples);
    for (sample, of_pod) in samples.iter().zip(&mut list) {
        let counters = counters[sample.pod].as_ref()?;
        for container in &mut of_pod.containers {
            for (resource, value) in &mut container.usage {
                let read = now.as_millisecond() - age;
                *value = counters.reported_use(&container.name, resource, read)?;
            }
        }
    }
    Some(list)
}

/// Whether a sync with these inputs comes to these values of all resource metrics. There is at least one.
fn leads_to(
    observation: &Observation,
    values: &[Option<MetricValueStatus>],
    now: Timestamp,
) -> bool {
    let trace = engine::decide(observation, &mut Memory::default(), now);
    let is_resource = |index: &usize| {
        let metric = observation.hpa.spec.metrics.get(*index);
        metric.is_some_and(|metric| metric.pod_resource().is_some())
    };
    let mut resources = (0..values.len()).filter(is_resource).peekable();
    resources.peek().is_some()
        && resources.all(|index| {
            let evaluation = trace.metrics().find(|one| one.index == index);
            let computed = evaluation.and_then(|one| one.status.current());
            let pair = computed.zip(values[index].as_ref());
            pair.is_some_and(|(computed, exported)| agrees(computed, exported))
        })
}

/// Whether an exported value is the computed one; an exporter can have a part of it.
fn agrees(computed: &MetricValueStatus, exported: &MetricValueStatus) -> bool {
    let milli =
        |one: &Option<Quantity>| one.as_ref().map(|one| one.milli_value(Overflow::Saturate));
    (exported.average_value.is_none()
        || milli(&exported.average_value) == milli(&computed.average_value))
        && (exported.average_utilization.is_none()
            || exported.average_utilization == computed.average_utilization)
}
