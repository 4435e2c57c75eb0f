//! Properties of every simulation.

mod support;

use hpa_simulation::{Amount, Load, LoadPoint, Run, Scenario, simulate, unguarded};
use support::{scenario, with_load};

fn run(scenario: &Scenario, seed: u64) -> Run {
    simulate(scenario, seed, 5_000, &[], None, &unguarded)
}

fn course(run: &Run) -> Vec<(i64, i32, i32)> {
    run.rescales
        .iter()
        .map(|one| (one.at, one.from, one.to))
        .collect()
}

#[test]
fn the_same_seed_gives_the_same_run_and_another_seed_another() {
    let scenario = with_load(scenario(), Load::parse("1..5/3m", Amount::parse).unwrap());
    let (one, again, other) = (run(&scenario, 7), run(&scenario, 7), run(&scenario, 8));
    assert_eq!(one.points, again.points);
    assert_eq!(one.summary, again.summary);
    assert_ne!(course(&one), course(&other));
}

#[test]
fn a_run_is_the_same_on_every_platform() {
    let mut scenario = with_load(
        scenario(),
        Load::parse("sine:1..5/20m", Amount::parse).unwrap(),
    );
    scenario.length = 3_600_000;
    // The results of random numbers and floats, to the last digit.
    let run = run(&scenario, 42);
    let per_pod: f64 = run.points.iter().map(|point| point.per_pod).sum();
    let text = format!("{:?} {per_pod:?}", course(&run));
    assert_eq!(text, include_str!("seed-42.txt").trim_end());
}

#[test]
fn replicas_stay_within_the_bounds() {
    for seed in 0..12 {
        let scenario = with_load(scenario(), wild(seed));
        let run = run(&scenario, seed);
        let (min, max) = (2, 20);
        for point in &run.points {
            assert!(
                (min..=max).contains(&point.replicas),
                "seed {seed}: {point:?}"
            );
            assert!(
                (0..=point.replicas).contains(&point.ready),
                "seed {seed}: {point:?}"
            );
        }
    }
}

#[test]
fn more_load_never_needs_fewer_replicas() {
    for seed in 0..12 {
        let load = wild(seed);
        let Load::Points(points) = &load else {
            panic!()
        };
        let more = points.iter().map(|point| LoadPoint {
            value: point.value * 1.3,
            ..*point
        });
        let more = run(&with_load(scenario(), Load::Points(more.collect())), seed);
        let less = run(&with_load(scenario(), load), seed);
        for (less, more) in less.points.iter().zip(&more.points) {
            assert!(less.needed <= more.needed, "seed {seed}: {less:?} {more:?}");
        }
        assert!(
            less.summary.pod_hours <= more.summary.pod_hours + 0.05,
            "seed {seed}"
        );
    }
}

#[test]
fn a_longer_window_never_gives_more_rescales_on_the_same_load_without_chance() {
    for seed in 0..8 {
        let rescales = |seconds: i32| {
            let mut scenario = with_load(scenario(), wild(seed));
            scenario.pods.spread.sigma = 0.0;
            scenario.pods.startup = hpa_simulation::Startup::Between(0, 0);
            scenario.pipeline.housekeeping = (1_000, 1_000);
            scenario.pipeline.resolution = 1_000;
            let down = scenario
                .observation
                .hpa
                .spec
                .rules_mut(hpa_engine::model::Direction::Down);
            down.stabilization_window_seconds = Some(seconds);
            run(&scenario, seed).rescales.len()
        };
        let counts: Vec<usize> = [0, 60, 300, 900].map(rescales).into();
        assert!(
            counts.is_sorted_by(|a, b| a >= b),
            "seed {seed}: {counts:?}"
        );
    }
}

#[test]
fn a_load_that_one_pod_in_the_middle_serves_keeps_the_replicas() {
    let scenario = with_load(scenario(), Load::Constant(Amount::Absolute(0.72)));
    let run = run(&scenario, 3);
    assert_eq!(course(&run), []);
    assert_eq!(run.summary.met_after, Some(0));
    assert!((run.summary.pod_hours - 6.0 * 900.0 / 3600.0).abs() < 0.01);
}

/// A load that varies randomly.
fn wild(seed: u64) -> Load {
    let mut random = oorandom::Rand64::new(u128::from(seed));
    let point = |index: i64, value: f64| LoadPoint {
        at: index * 60_000,
        value,
    };
    Load::Points(
        (0..16)
            .map(|index| point(index, random.rand_float() * 5.0))
            .collect(),
    )
}
