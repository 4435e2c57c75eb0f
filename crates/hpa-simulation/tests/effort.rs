//! What a run takes is known before it takes it.

mod support;

use std::{cell::RefCell, ops::ControlFlow};

use hpa_engine::model::Reading;
use hpa_simulation::{Amount, Effort, Event, Load, Scenario, TimedEvent, Workload, simulate};
use support::{scenario, with_load};

/// The reports of a run that goes on while it has at most this many pods.
fn reports(scenario: &Scenario, most: usize) -> (Vec<Effort>, i64) {
    let reports = RefCell::new(Vec::new());
    let guard = |effort: Effort| {
        reports.borrow_mut().push(effort);
        if most < effort.pods {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let run = simulate(scenario, 1, 5_000, &[], None, &guard);
    (reports.into_inner(), run.end)
}

/// The same HPA with this many replicas from the second minute on, for a target of each kind.
fn grown(replicas: i32) -> Vec<Scenario> {
    let kinds = [
        Workload::Deployment {
            surge: 25,
            unavailable: 25,
        },
        Workload::StatefulSet { is_parallel: true },
    ];
    let of_kind = |workload| {
        let mut scenario = scenario();
        scenario.workload = workload;
        scenario.observation.hpa.spec.max_replicas = replicas;
        scenario.observation.hpa.spec.min_replicas = Some(1);
        scenario.events = vec![TimedEvent {
            at: 60_000,
            event: Event::Scale(replicas),
        }];
        scenario
    };
    kinds.map(of_kind).into()
}

/// With 2,147,483,647 of them, there would be no memory to create them first.
#[test]
fn pods_are_reported_before_they_are_created() {
    for scenario in grown(i32::MAX) {
        let (reports, end) = reports(&scenario, 1_000);
        let last = reports.last().unwrap();
        assert!(2_147_483_647 <= last.pods, "{last:?}");
        assert_eq!((last.at, end), (60_000, 60_000));
        assert!(
            reports[..reports.len() - 1]
                .iter()
                .all(|one| one.pods < 100)
        );
    }
}

#[test]
fn estimate_is_the_work_of_a_run_with_that_many_pods() {
    let mut scenario = with_load(scenario(), Load::Constant(Amount::Absolute(0.72)));
    scenario.observation.hpa.spec.min_replicas = Some(6);
    scenario.observation.hpa.spec.max_replicas = 6;
    let (reports, end) = reports(&scenario, 6);
    assert_eq!(end, scenario.length);
    let work: u64 = reports.iter().map(|one| one.work).sum();
    let estimate = scenario.work(6);
    assert!(
        (estimate * 9 / 10..=estimate * 11 / 10).contains(&work),
        "{work} {estimate}"
    );
    assert!(9 * scenario.work(60_000) < scenario.work(600_000));
    assert_eq!(scenario.work(usize::MAX), u64::MAX);
}

#[test]
fn pods_that_any_input_demands_are_certain() {
    let mut scenario = scenario();
    assert_eq!(scenario.certain_pods(), 6);
    scenario.observation.hpa.spec.max_replicas = 100;
    scenario.observation.hpa.spec.min_replicas = Some(30);
    assert_eq!(scenario.certain_pods(), 30);
    scenario.observation.hpa.spec.min_replicas = Some(i32::MAX);
    assert_eq!(scenario.certain_pods(), 100);
    for (replicas, pods) in [(500, 500), (i32::MAX, 2_147_483_647), (0, 6), (-5, 100)] {
        if let Reading::Read(scale) = &mut scenario.observation.scale {
            scale.spec_replicas = replicas;
        }
        assert_eq!(scenario.certain_pods(), pods, "{replicas}");
    }
    let grown = grown(700);
    assert_eq!(grown[0].certain_pods(), 700);
    // Those of other owners are read as well.
    scenario.own.truncate(2);
    assert_eq!(scenario.certain_pods(), 104);
}

#[test]
fn guard_ends_a_run_within_a_second() {
    let mut scenario = scenario();
    scenario.length = 366 * 86_400_000;
    let calls = RefCell::new(0);
    let guard = |_: Effort| {
        *calls.borrow_mut() += 1;
        if *calls.borrow() == 200 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let run = simulate(&scenario, 1, 5_000, &[], None, &guard);
    assert!(run.end < 200_000, "{}", run.end);
}
