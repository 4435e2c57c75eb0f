//! Total usage of the target's pods over time.

use std::collections::BTreeMap;

use crate::{
    names,
    observe::{Observer, Sources},
    series::{Millis, Series},
    usage::of_containers,
};

/// Total usage of `cpu` or `memory` by all pods of the target, in steps of `step` milliseconds: the middle of each
/// step, and the amount. Omits steps without samples.
pub fn demand(sources: &Sources<'_>, resource: &str, step: Millis) -> Vec<(Millis, f64)> {
    let name = match resource {
        "cpu" => names::CPU,
        "memory" => names::MEMORY,
        _ => return Vec::new(),
    };
    let observer = Observer::new(sources);
    let mut steps: BTreeMap<Millis, f64> = BTreeMap::new();
    let own =
        of_containers(sources.set, name).filter(|series| observer.is_own(series.label("pod")));
    for series in own {
        if resource == "cpu" {
            add_counter(series, step, &mut steps);
        } else {
            add_gauge(series, step, &mut steps);
        }
    }
    steps
        .into_iter()
        .map(|(number, amount)| (number * step + step / 2, amount))
        .collect()
}

/// Distributes the growth of a counter over the steps between two samples, as a rate per second.
fn add_counter(series: &Series, step: Millis, steps: &mut BTreeMap<Millis, f64>) {
    for pair in series.samples.windows(2) {
        let ((from, before), (to, after)) = (pair[0], pair[1]);
        // A counter that falls was reset. Over a long gap, the time of the growth is unknown.
        if after < before || to <= from || 120_000 < to - from {
            continue;
        }
        let rate = (after - before) / (to - from) as f64;
        for number in from.div_euclid(step)..=(to - 1).div_euclid(step) {
            let overlap = to.min((number + 1) * step) - from.max(number * step);
            // Milliseconds of use in a step, divided by its length: cores.
            *steps.entry(number).or_default() += rate * overlap as f64 * 1000.0 / step as f64;
        }
    }
}

/// The mean of a gauge in each step.
fn add_gauge(series: &Series, step: Millis, steps: &mut BTreeMap<Millis, f64>) {
    let mut own: BTreeMap<Millis, (f64, f64)> = BTreeMap::new();
    for (time, value) in &series.samples {
        let (sum, count) = own.entry(time.div_euclid(step)).or_default();
        *sum += value;
        *count += 1.0;
    }
    for (number, (sum, count)) in own {
        *steps.entry(number).or_default() += sum / count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_is_shared_out_over_the_steps_between_its_samples() {
        let series = Series {
            samples: vec![(5_000, 0.0), (25_000, 10.0), (30_000, 1.0), (40_000, 3.0)],
            ..Series::default()
        };
        let mut steps = BTreeMap::new();
        add_counter(&series, 10_000, &mut steps);
        // Half a core for 20 s from second 5 on, nothing over the reset, 0.2 cores for the last 10 s.
        assert_eq!(
            steps,
            BTreeMap::from([(0, 0.25), (1, 0.5), (2, 0.25), (3, 0.2)])
        );
    }
}
