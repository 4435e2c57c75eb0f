//! What a recording shows of one HPA: a compact history, which rules look back on.

mod builder;
mod table;

use jiff::{SignedDuration, Timestamp};

pub use builder::HistoryBuilder;

use super::Missing;
use crate::explain::clock::rough;

/// What a recording shows of one HPA, oldest first. It has at most 30 days of moments 15 s apart; of a longer recording
/// the end.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// The moments.
    pub samples: Vec<HistorySample>,
    /// Names of the metrics at the end.
    pub metrics: Vec<String>,
    /// Time between two syncs.
    pub sync_period: SignedDuration,
}

/// How things were from one moment to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HistorySample {
    /// From when on.
    pub at: Timestamp,
    /// For how long; a gap of the recording is not part of it.
    pub lasts: SignedDuration,
    /// `spec.replicas` of the scale; none: it was not known.
    pub replicas: Option<i32>,
    /// What the metrics asked for, before stabilization and limits; none: nothing.
    pub proposal: Option<i32>,
    /// `minReplicas`.
    pub min: i32,
    /// `maxReplicas`.
    pub max: i32,
    /// Pods that were ready.
    pub ready: i32,
    /// Whether the replicas changed here although the HPA did not change them.
    pub is_changed_by_another: bool,
    /// Which metrics were invalid: bit `i` for `spec.metrics[i]`, as far as there are bits.
    pub invalid: u64,
    /// Request of a pod in milli-units for the first metric in percent of requests, and its target.
    pub request: Option<(i64, i32)>,
    /// Mean cpu usage in milli-cores of counted pods in their first five minutes.
    pub young_cpu: Option<i64>,
    /// The same of older pods.
    pub steady_cpu: Option<i64>,
    /// Least memory that a counted pod used, in milli-bytes.
    pub least_memory: Option<i64>,
}

/// How long a pod counts as young.
const YOUNG: SignedDuration = SignedDuration::from_mins(5);

/// Moments that are kept: 30 days at 15 s.
const MOST: usize = 30 * 24 * 60 * 4;

impl History {
    /// How much time it covers, gaps left out.
    pub fn covered(&self) -> SignedDuration {
        let zero = SignedDuration::ZERO;
        self.samples
            .iter()
            .fold(zero, |sum, one| sum.saturating_add(one.lasts))
    }

    /// Its last `window`: as many of the newest moments as it takes.
    pub fn newest(&self, window: SignedDuration) -> &[HistorySample] {
        let end = self.samples.last().map(HistorySample::end);
        let from = end.and_then(|end| end.checked_sub(window).ok());
        let first = self
            .samples
            .partition_point(|sample| Some(sample.end()) <= from);
        &self.samples[first..]
    }

    /// Says so if it covers less than a window, with what can be said all the same.
    pub fn require(&self, window: SignedDuration, so_far: &str) -> Result<(), Missing> {
        let covered = self.covered();
        // A recording of 14 days has 14 days less one sync.
        if window <= covered.saturating_add(self.sync_period) {
            return Ok(());
        }
        Err(Missing::Because(format!(
            "the recording covers {} of {}{so_far}",
            rough(covered),
            rough(window)
        )))
    }

    /// Percent of the time of some moments in which something was so.
    pub fn percent(samples: &[HistorySample], is_so: impl Fn(&HistorySample) -> bool) -> f64 {
        let seconds = |sample: &HistorySample| sample.lasts.as_secs_f64();
        // An empty sum of floats is -0.
        let all = samples.iter().map(seconds).fold(0.0, |sum, one| sum + one);
        let so = samples
            .iter()
            .filter(|sample| is_so(sample))
            .map(seconds)
            .fold(0.0, |sum, one| sum + one);
        // 7 s of 100 s are 7% exactly, and not 100 times 0.07.
        if 0.0 < all { so * 100.0 / all } else { 0.0 }
    }

    /// When the replicas changed: from how many to how many, and whether another writer did it.
    pub fn changes(&self) -> impl Iterator<Item = (&HistorySample, i32, i32)> {
        let mut last = None;
        self.samples.iter().filter_map(move |sample| {
            let to = sample.replicas?;
            let from = last.replace(to)?;
            (from != to).then_some((sample, from, to))
        })
    }

    /// When the HPA turned the direction of its changes: what another writer turned, it did not.
    pub fn turns(&self) -> Vec<Timestamp> {
        let mut last = None;
        let mut turns = Vec::new();
        for (sample, from, to) in self.changes() {
            if sample.is_changed_by_another {
                last = None;
                continue;
            }
            let is_up = from < to;
            if last.replace(is_up).is_some_and(|was_up| was_up != is_up) {
                turns.push(sample.at);
            }
        }
        turns
    }

    /// Longest time to ready pods, and how often: from where the metrics began to ask for more than there were to where
    /// as many more pods were ready.
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
        // In large steps, so that it costs little.
        if MOST + MOST / 8 < self.samples.len() {
            self.samples.drain(..self.samples.len() - MOST);
        }
    }
}

impl HistorySample {
    /// When it was over.
    pub fn end(&self) -> Timestamp {
        self.at.saturating_add(self.lasts).unwrap_or(self.at)
    }
}
