//! How old the sample of a pod may be.

use hpa_engine::model::Pod;
use jiff::{SignedDuration, Timestamp};

use crate::observe::{Observer, at};

/// What is known of the sample of a pod that got ready lately.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SampleAge {
    /// It has none yet.
    None,
    /// Its counters say it, given so many seconds since they were read.
    Read(i64),
    /// It is so many seconds old.
    Old(i64),
}

/// How old the sample of a pod may be, most probably and at the ends.
pub(crate) const SAMPLE_AGES: [i64; 3] = [20, 0, 60];

/// How long ago metrics-server may have read the kubelet, in seconds: it does so every 15 s.
pub(crate) const READ_AGES: [i64; 6] = [0, 3, 6, 9, 12, MOST_READ_AGE];

/// From read to read of the kubelet by metrics-server, in seconds.
pub(crate) const MOST_READ_AGE: i64 = 15;

/// Where nothing says it.
pub(crate) const LIKELY_READ_AGE: i64 = 6;

/// So long a pod may have no sample, or one from before it was ready.
const YOUNG: SignedDuration = SignedDuration::from_secs(75);

/// The window of a sample, about.
const WINDOW: SignedDuration = SignedDuration::from_secs(15);

impl Observer<'_> {
    /// End and length of the interval of a pod's sample; none: it has no sample.
    pub(crate) fn sample(
        &self,
        pod: &Pod,
        now: Timestamp,
        age: SampleAge,
    ) -> Option<(Timestamp, SignedDuration)> {
        let seconds = match age {
            SampleAge::None if is_young(pod, now) => return None,
            SampleAge::None => 0,
            SampleAge::Old(seconds) => seconds,
            SampleAge::Read(seconds) => {
                let (begin, end) = self
                    .counters
                    .interval(&pod.name, now.as_millisecond() - seconds * 1000)?;
                return Some((at(end), SignedDuration::from_millis(end - begin)));
            }
        };
        Some((now - SignedDuration::from_secs(seconds), WINDOW))
    }
}

/// Whether a pod got ready so late that its sample may be from before, or missing.
pub(crate) fn is_young(pod: &Pod, now: Timestamp) -> bool {
    let since = pod.ready.and_then(|ready| ready.last_transition);
    pod.is_ready() && since.is_some_and(|since| now.duration_since(since) < YOUNG)
}
