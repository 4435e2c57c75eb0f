//! The usage at which a metric would recommend more or fewer replicas, found with the engine.

use std::cmp::Ordering;

use hpa_engine::{
    engine,
    model::{Direction, Memory, Observation},
    trace::{MetricEvaluation, Milli, Trace},
};

use super::{
    cause::Cause,
    edge_guess::Terms,
    flag::Flag,
    probe::{UsageProbe, evaluation, proposal},
};

/// The usage at which one metric's recommendation changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Thresholds {
    /// Index in `spec.metrics`.
    pub index: usize,
    /// The lowest usage at which it recommends more than the current replicas. None if no usage does, or if it does
    /// now.
    pub up: Option<Threshold>,
    /// The highest usage at which it recommends fewer than the current replicas. None if no usage does, or if it does
    /// now.
    pub down: Option<Threshold>,
    /// How its recommendation compares with the current replicas.
    pub now: Ordering,
}

/// A usage at the edge, and the engine's result for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Threshold {
    /// Total usage over the counted pods, or over all series.
    pub total: Milli,
    /// The metric at that usage.
    pub evaluation: MetricEvaluation,
    /// The recommendation.
    pub replicas: i32,
}

/// Finds the usage at which the metric at `index` of `spec.metrics` would recommend more and fewer replicas than
/// `current`, with everything else unchanged. One thousandth of a unit less or more, and it would not.
pub fn thresholds(
    observation: &Observation,
    trace: &Trace,
    index: usize,
    current: i32,
) -> Option<Thresholds> {
    let proposed = proposal(evaluation(trace, index)?)?;
    let mut edges = Edges::new(observation, trace, index, current)?;
    let now = proposed.cmp(&current);
    Some(Thresholds {
        index,
        up: (now != Ordering::Greater)
            .then(|| edges.least_for(current.saturating_add(1)))
            .flatten(),
        down: (now != Ordering::Less)
            .then(|| edges.largest_for(current.saturating_sub(1)))
            .flatten(),
        now,
    })
}

/// The thresholds of all metrics if the controller has the setting that `cause` names. Empty if it does not name a
/// flag.
pub fn thresholds_under(
    observation: &Observation,
    trace: &Trace,
    cause: &Cause,
) -> Vec<Thresholds> {
    let (Cause::Flag(setting, value), Some(current)) = (cause, trace.current()) else {
        return Vec::new();
    };
    let Some(flag) = Flag::of(*setting) else {
        return Vec::new();
    };
    let mut observation = observation.clone();
    flag.set(&mut observation.controller, *value);
    let trace = engine::decide(&observation, &mut Memory::default(), trace.at);
    trace
        .metrics()
        .filter_map(|metric| thresholds(&observation, &trace, metric.index, current))
        .collect()
}

/// The usages at which the proposal of one metric reaches a number, with everything else unchanged.
#[derive(Clone, Debug)]
pub(super) struct Edges {
    probe: UsageProbe,
    terms: Terms,
}

impl Edges {
    /// For the metric at `index` of `spec.metrics`. None if its usage cannot be set.
    pub(super) fn new(
        observation: &Observation,
        trace: &Trace,
        index: usize,
        current: i32,
    ) -> Option<Self> {
        let evaluation = evaluation(trace, index)?;
        Some(Self {
            terms: Terms::new(evaluation, current)?,
            probe: UsageProbe::new(observation, trace, index)?,
        })
    }

    /// The lowest usage at which it recommends `replicas` or more. One thousandth of a unit less, and it does not.
    pub(super) fn least_for(&mut self, replicas: i32) -> Option<Threshold> {
        let guess = self.terms.guess_least(replicas)?;
        edge(&mut self.probe, guess, Direction::Up, |proposal| {
            replicas <= proposal
        })
    }

    /// The highest usage at which it recommends `replicas` or fewer. One thousandth of a unit more, and it does not.
    pub(super) fn largest_for(&mut self, replicas: i32) -> Option<Threshold> {
        let guess = self.terms.guess_largest(replicas)?;
        edge(&mut self.probe, guess, Direction::Down, |proposal| {
            proposal <= replicas
        })
    }
}

/// Searches exponentially from `guess` until the answer changes, then bisects.
fn edge(
    probe: &mut UsageProbe,
    guess: i64,
    direction: Direction,
    is_reached: impl Fn(i32) -> bool,
) -> Option<Threshold> {
    let mut wants = |total: i64| {
        let evaluation = probe.at(Milli(total))?;
        let replicas = proposal(&evaluation)?;
        is_reached(replicas).then_some(Threshold {
            total: Milli(total),
            evaluation,
            replicas,
        })
    };
    // `outward` moves to where the condition certainly holds, `inward` back to where it does not.
    let outward = match direction {
        Direction::Down => -1,
        Direction::Up => 1,
    };
    let limit = match direction {
        Direction::Down => 0,
        Direction::Up => LARGEST,
    };
    let clamp = |total: i64| total.clamp(0, LARGEST);
    let mut step = 1_i64;
    let (mut inside, mut outside) = if let Some(mut found) = wants(guess) {
        loop {
            let next = clamp(found.total.0 - outward * step);
            if next == found.total.0 {
                return Some(found);
            }
            match wants(next) {
                Some(threshold) => found = threshold,
                None => break (next, found),
            }
            step = step.saturating_mul(2).min(LARGEST);
        }
    } else {
        let mut last = guess;
        loop {
            let next = clamp(last + outward * step);
            match wants(next) {
                Some(threshold) => break (last, threshold),
                None if next == limit => return None,
                None => last = next,
            }
            step = step.saturating_mul(2).min(LARGEST);
        }
    };
    while 1 < (outside.total.0 - inside).abs() {
        let middle = inside.midpoint(outside.total.0);
        match wants(middle) {
            Some(threshold) => outside = threshold,
            None => inside = middle,
        }
    }
    Some(outside)
}

/// Beyond this many thousandths, a product with 100 or with a number of pods can overflow in the controller.
pub(super) const LARGEST: i64 = 1 << 56;
