//! Decisions a second, trace included, inputs in memory: `cargo bench --bench deciding`.
//!
//! The goals: 100,000 decisions a second on one core with 10 pods and one CPU metric, and a cost linear in pods.

use divan::{Bencher, counter::ItemsCount};
use hpa_engine::{
    engine::decide,
    model::{Memory, Observation, Reading},
};
use hpa_testing::{NOW, hpa, pod};

fn main() {
    divan::main();
}

/// One sync that stays within tolerance.
#[divan::bench(args = [10, 100, 1_000, 10_000, 50_000])]
fn decide_one_cpu_metric(bencher: Bencher<'_, '_>, pods: usize) {
    let observation = observation(pods);
    let mut memory = Memory::default();
    decide(&observation, &mut memory, NOW);
    bencher
        .counter(ItemsCount::new(1_usize))
        .bench_local(|| decide(&observation, &mut memory.clone(), NOW));
}

/// The same with every tenth pod without a sample, which requires the adjusted average.
#[divan::bench(args = [10, 50_000])]
fn decide_with_missing_pods(bencher: Bencher<'_, '_>, pods: usize) {
    let mut observation = observation(pods);
    if let Reading::Read(metrics) = &mut observation.pod_metrics {
        let mut index = 0;
        metrics.retain(|_| {
            index += 1;
            index % 10 != 0
        });
    }
    let mut memory = Memory::default();
    decide(&observation, &mut memory, NOW);
    bencher
        .counter(ItemsCount::new(1_usize))
        .bench_local(|| decide(&observation, &mut memory.clone(), NOW));
}

fn observation(pods: usize) -> Observation {
    let replicas = i32::try_from(pods).expect("fewer pods than fit an int32");
    let pods = (0..pods).map(|index| {
        let pod = pod(&format!("web-{index:05}")).requesting("500m");
        pod.cpu(&format!("{}n", 290_000_000 + index))
    });
    let world = hpa("web").bounds(1, i32::MAX).cpu(60);
    world.with_replicas(replicas).pods(pods).observation
}
