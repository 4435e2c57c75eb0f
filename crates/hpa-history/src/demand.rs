//! Total usage of the target's pods over time.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    names,
    series::{Millis, Series, growth},
    sources::{Sources, pods_of},
    usage::of_containers,
};

/// Total usage of `cpu` or `memory` by all pods of the target, in steps of `step` milliseconds: the middle of each
/// step, and the amount. Omits steps without samples, and those in which the use of a container is not known: a total
/// without it would count it as idle.
pub fn demand(sources: &Sources<'_>, resource: &str, step: Millis) -> Vec<(Millis, f64)> {
    let name = match resource {
        "cpu" => names::CPU,
        "memory" => names::MEMORY,
        _ => return Vec::new(),
    };
    let pods = pods_of(sources);
    let mut steps = Steps {
        length: step,
        ..Steps::default()
    };
    let own = of_containers(sources.set, name).filter(|series| pods.has(series.label("pod")));
    for series in own {
        if resource == "cpu" {
            steps.add_counter(series);
        } else {
            steps.add_gauge(series);
        }
    }
    steps.totals()
}

/// The total of each step, by its number.
#[derive(Default)]
struct Steps {
    /// The length of a step.
    length: Millis,
    totals: BTreeMap<Millis, f64>,
    /// The steps in which the use of a container is not known.
    unknown: BTreeSet<Millis>,
}

impl Steps {
    /// Distributes the growth of a counter over the steps between two samples, as a rate per second.
    fn add_counter(&mut self, series: &Series) {
        let step = self.length;
        for pair in series.samples.windows(2) {
            let ((from, before), (to, after)) = (pair[0], pair[1]);
            if to <= from {
                continue;
            }
            let numbers = from.div_euclid(step)..=(to - 1).div_euclid(step);
            if LONGEST_GAP < to - from {
                self.unknown.extend(numbers);
                continue;
            }
            let rate = growth(before, after) / (to - from) as f64;
            for number in numbers {
                let overlap = to.min((number + 1) * step) - from.max(number * step);
                // Milliseconds of use in a step, divided by its length: cores.
                *self.totals.entry(number).or_default() +=
                    rate * overlap as f64 * 1000.0 / step as f64;
            }
        }
    }

    /// The mean of a gauge in each step.
    fn add_gauge(&mut self, series: &Series) {
        let mut own: BTreeMap<Millis, (f64, f64)> = BTreeMap::new();
        for (time, value) in &series.samples {
            let (sum, count) = own.entry(time.div_euclid(self.length)).or_default();
            *sum += value;
            *count += 1.0;
        }
        for pair in series.samples.windows(2) {
            let (from, to) = (pair[0].0, pair[1].0);
            if LONGEST_GAP < to - from {
                let numbers = from.div_euclid(self.length)..=to.div_euclid(self.length);
                self.unknown
                    .extend(numbers.filter(|number| !own.contains_key(number)));
            }
        }
        for (number, (sum, count)) in own {
            *self.totals.entry(number).or_default() += sum / count;
        }
    }

    fn totals(self) -> Vec<(Millis, f64)> {
        let known = self.totals.into_iter();
        known
            .filter(|(number, _)| !self.unknown.contains(number))
            .map(|(number, amount)| (number * self.length + self.length / 2, amount))
            .collect()
    }
}

/// If the samples of a container are further apart, its use in between is not known.
const LONGEST_GAP: Millis = 120_000;

#[cfg(test)]
mod tests {
    use super::*;

    fn series(samples: &[(Millis, f64)]) -> Series {
        Series {
            samples: samples.to_vec(),
            ..Series::default()
        }
    }

    fn steps(length: Millis) -> Steps {
        Steps {
            length,
            ..Steps::default()
        }
    }

    #[test]
    fn a_counter_is_shared_out_over_the_steps_between_its_samples() {
        let mut steps = steps(10_000);
        steps.add_counter(&series(&[(5_000, 0.0), (25_000, 10.0), (40_000, 13.0)]));
        // Half a core for 20 s from second 5 on, then 0.2 cores.
        let known = [(5_000, 0.25), (15_000, 0.5), (25_000, 0.35), (35_000, 0.2)];
        assert_eq!(steps.totals(), known);
    }

    #[test]
    fn container_that_starts_again_uses_what_its_new_counter_shows() {
        let mut steps = steps(10_000);
        steps.add_counter(&series(&[(0, 5.0), (10_000, 10.0), (20_000, 2.0)]));
        assert_eq!(steps.totals(), [(5_000, 0.5), (15_000, 0.2)]);
    }

    #[test]
    fn no_total_leaves_out_a_container_that_was_not_seen_for_a_while() {
        let mut cpu = steps(60_000);
        let all: Vec<(Millis, f64)> = (0..=10).map(|at| (at * 60_000, 60.0 * at as f64)).collect();
        cpu.add_counter(&series(&all));
        cpu.add_counter(&series(&[
            (0, 0.0),
            (60_000, 60.0),
            (480_000, 90.0),
            (540_000, 150.0),
        ]));
        let known: Vec<Millis> = cpu.totals().iter().map(|(at, _)| at / 60_000).collect();
        assert_eq!(known, [0, 8, 9]);
        let mut memory = steps(60_000);
        memory.add_gauge(&series(&all));
        memory.add_gauge(&series(&[(0, 5.0), (60_000, 5.0), (480_000, 7.0)]));
        let known: Vec<Millis> = memory.totals().iter().map(|(at, _)| at / 60_000).collect();
        assert_eq!(known, [0, 1, 8, 9, 10]);
    }
}
