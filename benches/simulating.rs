//! Simulations, without reading and printing: `cargo bench --bench simulating`.
//!
//! The goals: a day of 20 pods in half a second, a week in three, an hour of 10,000 pods in five, at most 100 MiB; and a cost
//! that is linear in time, and in pods.

#[path = "../crates/hpa-simulation/tests/support/mod.rs"]
mod support;

use divan::Bencher;
use hpa_simulation::{Amount, DemandSource, Load, Scenario, simulate, unguarded};

fn main() {
    divan::main();
}

/// Twenty pods whose load goes up and down once a day.
#[divan::bench(args = [6, 24, 168], sample_count = 3, sample_size = 1)]
fn hours_of_20_pods(bencher: Bencher<'_, '_>, hours: i64) {
    let scenario = scenario(20, hours);
    bencher.bench_local(|| simulate(&scenario, 1, 60_000, &[], None, &unguarded));
}

/// An hour of many pods.
#[divan::bench(args = [100, 1_000, 10_000], sample_count = 3, sample_size = 1)]
fn hour_of_pods(bencher: Bencher<'_, '_>, pods: usize) {
    let scenario = scenario(pods, 1);
    bencher.bench_local(|| simulate(&scenario, 1, 60_000, &[], None, &unguarded));
}

/// The HPA of the tests with this many pods, which have no limit.
fn scenario(pods: usize, hours: i64) -> Scenario {
    let replicas = i32::try_from(pods).expect("fewer pods than fit an int32");
    let even = f64::from(replicas) * 0.12;
    let sine = format!("sine:{}..{}/24h", even * 0.5, even * 1.5);
    let mut scenario = support::with_load(
        support::of_pods(pods),
        Load::parse(&sine, Amount::parse).expect("a load"),
    );
    scenario.length = hours * 3_600_000;
    scenario.observation.hpa.spec.max_replicas = 2 * replicas;
    scenario.demands[0].before = even;
    scenario.demands[0].source = DemandSource::Cpu {
        base: 0.0,
        capacity: None,
        is_queued: false,
    };
    scenario
}
