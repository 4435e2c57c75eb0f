//! What the controller reads, and when it syncs.

mod support;

use std::collections::BTreeSet;

use hpa_engine::model::{Input, Reading};
use hpa_simulation::{
    Amount, Event, Load, LoadPoint, Scenario, Sync, TimedEvent, simulate, unguarded,
};
use jiff::SignedDuration;
use support::{scenario, with_load};

fn syncs<T>(scenario: &Scenario, seed: u64, take: impl Fn(&Sync<'_>) -> T) -> Vec<T> {
    let mut all = Vec::new();
    let mut on_sync = |sync: Sync<'_>| all.push(take(&sync));
    simulate(scenario, seed, 5_000, &[], Some(&mut on_sync), &unguarded);
    all
}

/// metrics-server lists the pods first and answers only for these.
#[test]
fn metrics_are_of_pods_that_exist() {
    let mut scenario = with_load(scenario(), Load::parse("x1..x3/5m", Amount::parse).unwrap());
    scenario.events = [60_000, 200_000, 203_000, 400_000]
        .map(|at| TimedEvent {
            at,
            event: Event::Kill(2),
        })
        .into();
    for seed in 0..8 {
        let strangers = syncs(&scenario, seed, |sync| {
            let pods = sync.observation.pods.read().unwrap();
            let names: BTreeSet<&str> = pods.iter().map(|pod| pod.name.as_str()).collect();
            let metrics = sync.observation.pod_metrics.read().unwrap();
            metrics
                .iter()
                .filter(|item| !names.contains(item.name.as_str()))
                .count()
        });
        assert_eq!(strangers.iter().sum::<usize>(), 0, "seed {seed}");
    }
}

#[test]
fn controller_that_starts_syncs_at_once_since_1_37_and_after_a_period_before() {
    let mut scenario = scenario();
    scenario.events = vec![TimedEvent {
        at: 100_000,
        event: Event::ControllerRestart,
    }];
    for (version, first) in [("1.36", 116_000), ("1.37", 101_000)] {
        scenario.observation.controller.version = Input::given(version.parse().unwrap());
        for seed in 0..8 {
            let all = syncs(&scenario, seed, |sync| (sync.at, sync.is_first));
            let after: Vec<(i64, bool)> =
                all.into_iter().filter(|(at, _)| 100_000 <= *at).collect();
            assert_eq!(after[0], (first, true), "{version}, seed {seed}");
            let next = after[1].0 - first;
            assert!((15_005..=15_045).contains(&next), "{version}, seed {seed}");
            assert!(!after[1].1);
        }
    }
}

/// With a period of exactly 15 s, the recommendation from 20 syncs ago would still be in a window of 300 s. In a
/// cluster it is not: a sync takes time, and the next one comes one period after its end.
#[test]
fn scale_down_comes_with_the_first_sync_after_the_window() {
    // Six pods are needed until 60 s, and two afterwards. Metrics are at most 2 s old.
    let points = [(60_000, 0.72), (60_001, 0.1)].map(|(at, value)| LoadPoint { at, value });
    let mut scenario = with_load(scenario(), Load::Points(points.into()));
    scenario.pods.spread.sigma = 0.0;
    scenario.pipeline.housekeeping = (1_000, 1_000);
    scenario.pipeline.resolution = 1_000;
    for seed in 0..16 {
        let all = syncs(&scenario, seed, |sync| {
            let desired = sync.trace.outcome.as_ref().unwrap().status.desired_replicas;
            (sync.at, desired)
        });
        // The last sync that sees the load, and the first one that scales down.
        let last = all.iter().rfind(|(at, _)| *at < 60_000).unwrap().0;
        let down = all.iter().find(|(_, desired)| *desired < 6).unwrap().0;
        // A sync shortly after still sees part of it.
        if (48_000..60_000).contains(&last) {
            assert!(
                (300_000..302_000).contains(&(down - last)),
                "seed {seed}: {last}, {down}"
            );
        }
    }
}

#[test]
fn failing_metrics_are_read_as_failing() {
    let mut scenario = scenario();
    scenario.events = vec![TimedEvent {
        at: 100_000,
        event: Event::MetricFails(60_000),
    }];
    let failed = syncs(&scenario, 1, |sync| {
        let failed = matches!(sync.observation.pod_metrics, Reading::Failed(_));
        (sync.at, failed)
    });
    for (at, failed) in failed {
        assert_eq!(failed, (100_000..160_000).contains(&at), "{at}");
    }
}

/// Upstream's order for deletion is not a sort order: it compares pods that became ready in the same second by other
/// criteria than pods of neighboring seconds.
#[test]
fn many_pods_that_got_ready_at_about_the_same_time_can_be_deleted() {
    let mut scenario = with_load(
        scenario(),
        Load::parse("sine:1..9/6m", Amount::parse).unwrap(),
    );
    scenario.observation.hpa.spec.max_replicas = 90;
    scenario.observation.controller.downscale_stabilization = Input::given(SignedDuration::ZERO);
    for seed in 0..40 {
        let most = syncs(&scenario, seed, |sync| {
            sync.observation.pods.read().unwrap().len()
        });
        assert!(most.into_iter().max() > Some(60), "seed {seed}");
    }
}
