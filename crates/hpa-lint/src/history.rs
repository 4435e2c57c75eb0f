//! A compact history of one HPA from a recording, for rules that look back.

mod builder;
mod table;

use std::collections::BTreeMap;

use hpa_diagnosis::flapping::{Known, OwnRescale, turns};
use hpa_engine::model::FieldManager;
use jiff::{SignedDuration, Timestamp};

pub use builder::HistoryBuilder;

use hpa_words::clock::rough;

use super::Missing;

/// The history of one HPA, oldest first. Keeps at most the last 30 days of samples at 15 s.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// The samples.
    pub samples: Vec<HistorySample>,
    /// Names of the metrics at the end of the recording.
    pub metrics: Vec<String>,
    /// The sync period.
    pub sync_period: SignedDuration,
    /// The other writers of the replicas that are known, by the times of the samples.
    pub writers: BTreeMap<Timestamp, FieldManager>,
}

/// The state from one sample to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HistorySample {
    /// The start.
    pub at: Timestamp,
    /// How long it lasts, without gaps of the recording.
    pub lasts: SignedDuration,
    /// `spec.replicas` of the scale. None: unknown.
    pub replicas: Option<i32>,
    /// The recommendation before stabilization and rate limits. None: there was none.
    pub proposal: Option<i32>,
    /// `minReplicas`.
    pub min: i32,
    /// `maxReplicas`.
    pub max: i32,
    /// Number of ready pods.
    pub ready: i32,
    /// Whether another writer changed the replicas here.
    pub is_changed_by_another: bool,
    /// The invalid metrics: bit `i` for `spec.metrics[i]`, as far as there are bits.
    pub invalid: u64,
    /// For the first metric in percent of requests: the request of a pod in milli-units, and the target in percent.
    pub request: Option<(i64, i32)>,
    /// Mean CPU usage in milli-cores of counted pods in their first five minutes.
    pub young_cpu: Option<i64>,
    /// The same for older pods.
    pub steady_cpu: Option<i64>,
    /// Lowest memory usage of a counted pod, in milli-bytes.
    pub least_memory: Option<i64>,
}

/// Maximum number of samples: 30 days at 15 s.
const MOST: usize = 30 * 24 * 60 * 4;

impl History {
    /// The time covered, without gaps.
    pub fn covered(&self) -> SignedDuration {
        let zero = SignedDuration::ZERO;
        self.samples
            .iter()
            .fold(zero, |sum, one| sum.saturating_add(one.lasts))
    }

    /// The newest samples that cover `window`.
    pub fn newest(&self, window: SignedDuration) -> &[HistorySample] {
        let end = self.samples.last().map(HistorySample::end);
        let from = end.and_then(|end| end.checked_sub(window).ok());
        let first = self
            .samples
            .partition_point(|sample| Some(sample.end()) <= from);
        &self.samples[first..]
    }

    /// Fails if the history covers less than `window`. `so_far` is what can be said anyway.
    pub fn require(&self, window: SignedDuration, so_far: &str) -> Result<(), Missing> {
        let covered = self.covered();
        // A recording of 14 days covers 14 days minus one sync.
        if window <= covered.saturating_add(self.sync_period) {
            return Ok(());
        }
        Err(Missing::Because(format!(
            "the recording covers {} of {}{so_far}",
            rough(covered),
            rough(window)
        )))
    }

    /// Percent of the samples' time for which `is_so` holds.
    pub fn percent(samples: &[HistorySample], is_so: impl Fn(&HistorySample) -> bool) -> f64 {
        let seconds = |sample: &HistorySample| sample.lasts.as_secs_f64();
        // An empty sum of floats is -0.
        let all = samples.iter().map(seconds).fold(0.0, |sum, one| sum + one);
        let so = samples
            .iter()
            .filter(|sample| is_so(sample))
            .map(seconds)
            .fold(0.0, |sum, one| sum + one);
        // 7 s of 100 s is exactly 7%; 100 times 0.07 is not.
        if 0.0 < all { so * 100.0 / all } else { 0.0 }
    }

    /// The time of the samples for which `is_so` holds.
    pub fn lasting(&self, is_so: impl Fn(&HistorySample) -> bool) -> SignedDuration {
        let so = self.samples.iter().filter(|sample| is_so(sample));
        so.fold(SignedDuration::ZERO, |sum, one| {
            sum.saturating_add(one.lasts)
        })
    }

    /// The changes of the replicas, as (sample, before, after).
    pub fn changes(&self) -> impl Iterator<Item = (&HistorySample, i32, i32)> {
        let mut last = None;
        self.samples.iter().filter_map(move |sample| {
            let to = sample.replicas?;
            let from = last.replace(to)?;
            (from != to).then_some((sample, from, to))
        })
    }

    /// When the HPA reversed the direction of its changes, ignoring changes by another writer.
    pub fn turns(&self) -> Vec<Timestamp> {
        let own = self
            .changes()
            .filter(|(sample, ..)| !sample.is_changed_by_another);
        let own = own.map(|(sample, from, to)| OwnRescale {
            at: sample.at,
            from,
            to,
        });
        turns(&own.collect::<Vec<_>>(), Known::All)
    }

    /// The time to ready pods, for each scale-up: from when the metrics recommended more replicas until more pods were
    /// ready.
    pub fn reactions(&self) -> Vec<SignedDuration> {
        let mut waiting: Option<(Timestamp, i32)> = None;
        let mut reactions = Vec::new();
        for sample in &self.samples {
            if let Some((since, ready)) = waiting
                && ready < sample.ready
            {
                reactions.push(sample.at.duration_since(since));
                waiting = None;
            }
            let wants_more = sample
                .proposal
                .zip(sample.replicas)
                .is_some_and(|(proposal, replicas)| replicas < proposal.min(sample.max));
            match waiting {
                None if wants_more => waiting = Some((sample.at, sample.ready)),
                // The load went away before a pod came, so there was nothing to wait for.
                Some((_, ready)) if !wants_more && sample.replicas <= Some(ready) => waiting = None,
                _ => {}
            }
        }
        reactions
    }

    /// Another writer changed the replicas at that sample.
    fn changed_by_another(&mut self, at: Timestamp, by: Option<FieldManager>) {
        let mut samples = self.samples.iter_mut().rev();
        if let Some(sample) = samples.find(|sample| sample.at <= at) {
            sample.is_changed_by_another = true;
            self.writers.extend(by.map(|by| (sample.at, by)));
        }
    }

    fn push(&mut self, sample: HistorySample) {
        if let Some(last) = self.samples.last_mut() {
            let gap = self.sync_period.saturating_mul(4);
            let apart = sample.at.duration_since(last.at).max(SignedDuration::ZERO);
            last.lasts = if apart <= gap {
                apart
            } else {
                self.sync_period
            };
        }
        self.samples.push(sample);
        // Rarely and in large steps, to keep it cheap.
        if MOST + MOST / 8 < self.samples.len() {
            self.samples.drain(..self.samples.len() - MOST);
            let first = self.samples.first().map(|sample| sample.at);
            self.writers.retain(|at, _| first <= Some(*at));
        }
    }
}

impl HistorySample {
    /// The end of the history.
    pub fn end(&self) -> Timestamp {
        self.at.saturating_add(self.lasts).unwrap_or(self.at)
    }
}
