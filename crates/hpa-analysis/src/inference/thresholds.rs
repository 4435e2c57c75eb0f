//! The usage at which a metric would ask for more or for fewer replicas, found with the engine itself.

use std::cmp::Ordering;

use super::{
    cause::Cause,
    edge_guess::Terms,
    flag::Flag,
    probe::{UsageProbe, evaluation, proposal},
};
use crate::{
    engine,
    model::{Direction, Memory, Observation},
    trace::{MetricEvaluation, Milli, Trace},
};

/// The usage at which one metric changes its mind.
#[derive(Clone, Debug, PartialEq)]
pub struct Thresholds {
    /// Index in `spec.metrics`.
    pub index: usize,
    /// The least usage at which it asks for more than there are; none if no usage does, or if it does so now.
    pub up: Option<Threshold>,
    /// The largest usage at which it asks for fewer than there are; none if no usage does, or if it does so now.
    pub down: Option<Threshold>,
    /// Whether it asks for fewer, for as many, or for more than there are now.
    pub now: Ordering,
}

/// A usage at the edge, and what the engine makes of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Threshold {
    /// Total usage over the counted pods, or over all series.
    pub total: Milli,
    /// The metric at that usage.
    pub evaluation: MetricEvaluation,
    /// What it asks for.
    pub replicas: i32,
}

/// Finds the usage at which the metric at `index` of `spec.metrics` would ask for more and for fewer replicas than
/// `current`, everything else being as it is. One thousandth of a unit less or more, and it would not.
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

/// The same of every metric if the controller has the setting that `cause` names; none if it names no flag.
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

/// The usage of one metric at which its proposal reaches a number, everything else being as it is.
#[derive(Clone, Debug)]
pub(super) struct Edges {
    probe: UsageProbe,
    terms: Terms,
}

impl Edges {
    /// The edges of the metric at `index` of `spec.metrics`; none if its usage can't be set.
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

    /// The least usage at which it asks for `replicas` or more. One thousandth of a unit less, and it does not.
    pub(super) fn least_for(&mut self, replicas: i32) -> Option<Threshold> {
        let guess = self.terms.guess_least(replicas)?;
        edge(&mut self.probe, guess, Direction::Up, |proposal| {
            replicas <= proposal
        })
    }

    /// The largest usage at which it asks for `replicas` or fewer. One thousandth of a unit more, and it does not.
    pub(super) fn largest_for(&mut self, replicas: i32) -> Option<Threshold> {
        let guess = self.terms.guess_largest(replicas)?;
        edge(&mut self.probe, guess, Direction::Down, |proposal| {
            proposal <= replicas
        })
    }
}

/// Gallops from `guess` until the answer changes, then halves the interval.
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
    // `outward` leads to where it certainly wants, `inward` back to where it does not.
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

/// Thousandths beyond which a product with 100 or with a number of pods may overflow in the controller.
pub(super) const LARGEST: i64 = 1 << 56;
