//! How old the sample of a pod can be.

use hpa_engine::model::{Pod, PodPhase};
use jiff::{SignedDuration, Timestamp};

use crate::{
    series::{Millis, at},
    usage::{CountersOfPods, PodCounters, READ_PERIOD},
};

/// A possible state of the sample of a pod that became ready recently.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SampleAge {
    /// It has none yet.
    None,
    /// Its counters show the age, given how long ago they were read.
    Read(Millis),
    /// It is this many seconds old.
    Old(i64),
}

/// The possible ages of a pod's sample in seconds: the most probable, the lowest, the highest.
pub(crate) const SAMPLE_AGES: [i64; 3] = [20, 0, 60];

/// How long ago metrics-server may have read the kubelet.
pub(crate) const READ_AGES: [Millis; 6] = [0, 3_000, 6_000, 9_000, 12_000, READ_PERIOD];

/// Default if there is no evidence.
pub(crate) const LIKELY_READ_AGE: Millis = 6_000;

/// For this long, a pod may have no sample, or one from before it was ready.
const YOUNG: SignedDuration = SignedDuration::from_secs(75);

/// The approximate window of a sample.
const WINDOW: SignedDuration = SignedDuration::from_secs(15);

/// The sample of a pod, without its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sample {
    /// The index of the pod.
    pub(crate) pod: usize,
    /// The end of its interval.
    pub(crate) end: Timestamp,
    /// The length of its interval.
    pub(crate) window: SignedDuration,
    is_young: bool,
}

impl Sample {
    /// Whether both lists are equivalent for the controller. The age of a sample matters only for young pods.
    pub(crate) fn are_alike(some: &[Self], others: &[Self]) -> bool {
        let is_alike = |one: &Self, other: &Self| {
            one == other || (one.pod == other.pod && !one.is_young && !other.is_young)
        };
        some.len() == others.len()
            && some
                .iter()
                .zip(others)
                .all(|(one, other)| is_alike(one, other))
    }
}

/// The samples of the running pods.
pub(crate) fn samples(
    pods: &[Pod],
    counters: &CountersOfPods<'_>,
    now: Timestamp,
    age: SampleAge,
) -> Vec<Sample> {
    let running = pods.iter().zip(counters.iter()).enumerate();
    let running = running.filter(|(_, (pod, _))| is_running(pod));
    let sample = |(place, (pod, counters)): (usize, (&Pod, &Option<_>))| {
        let is_young = is_young(pod, now);
        let (end, window) = interval(counters.as_deref(), now, age, is_young)?;
        Some(Sample {
            pod: place,
            end,
            window,
            is_young,
        })
    };
    running.filter_map(sample).collect()
}

/// Whether a running pod has a sample.
pub(crate) fn has_sample(
    pods: &[Pod],
    counters: &CountersOfPods<'_>,
    now: Timestamp,
    age: SampleAge,
) -> bool {
    pods.iter().zip(counters.iter()).any(|(pod, counters)| {
        is_running(pod) && interval(counters.as_deref(), now, age, is_young(pod, now)).is_some()
    })
}

/// End and length of the interval of a pod's sample. None if it has no sample.
fn interval(
    counters: Option<&PodCounters<'_>>,
    now: Timestamp,
    age: SampleAge,
    is_young: bool,
) -> Option<(Timestamp, SignedDuration)> {
    let seconds = match age {
        SampleAge::None if is_young => return None,
        SampleAge::None => 0,
        SampleAge::Old(seconds) => seconds,
        SampleAge::Read(age) => {
            let (begin, end) = counters?.interval(now.as_millisecond() - age)?;
            return Some((at(end), SignedDuration::from_millis(end - begin)));
        }
    };
    Some((now - SignedDuration::from_secs(seconds), WINDOW))
}

/// Whether a pod runs. Other pods have no sample.
pub(crate) fn is_running(pod: &Pod) -> bool {
    pod.phase == PodPhase::Running
}

/// Whether a pod became ready so recently that its sample may be missing or from before.
pub(crate) fn is_young(pod: &Pod, now: Timestamp) -> bool {
    let since = pod.ready.and_then(|ready| ready.last_transition);
    pod.is_ready() && since.is_some_and(|since| now.duration_since(since) < YOUNG)
}
