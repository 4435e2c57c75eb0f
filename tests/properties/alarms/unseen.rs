//! What cannot be seen begins and ends no alarm.

use kubectl_hpa::watch::{AlarmKind, Source};
use proptest::{collection::vec, prelude::*};

use super::world::{OnePod, Step, World, played, since_after};

fn pods() -> Source {
    Source::Watch {
        resource: "pods".to_owned(),
    }
}

fn hpas() -> Source {
    Source::Watch {
        resource: "horizontalpodautoscalers".to_owned(),
    }
}

fn metrics() -> Source {
    Source::Metrics {
        api: "external.metrics.k8s.io".to_owned(),
        namespace: "shop".to_owned(),
    }
}

/// Many replicas short, or none; pods that are ready, or not.
fn world(is_bad: bool) -> World {
    World {
        asks: Some(if is_bad { 20 } else { 10 }),
        replicas: 10,
        created: 10,
        written: 10,
        pods: vec![
            OnePod {
                is_ready: !is_bad,
                ..OnePod::READY
            };
            10
        ],
        ..World::default()
    }
}

#[derive(Clone, Debug)]
enum Heard {
    Look(bool),
    Contact(usize, bool),
    Tick,
}

fn heard() -> impl Strategy<Value = Heard> {
    prop_oneof![
        any::<bool>().prop_map(Heard::Look),
        (0..3_usize, any::<bool>()).prop_map(|(source, is_back)| Heard::Contact(source, is_back)),
        Just(Heard::Tick),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_alarm_begins_or_ends_while_what_it_rests_on_is_not_seen(
        all in vec((1..60_i64, heard()), 1..40),
    ) {
        let first = [(1, Heard::Look(true))];
        let all: Vec<(i64, Heard)> = first.into_iter().chain(all).collect();
        let sources = [hpas(), pods(), metrics()];
        let rests = [
            (AlarmKind::UnmetDemand, [true, true, true]),
            (AlarmKind::UnreadyPods, [true, true, false]),
        ];
        let mut second = 0;
        let steps: Vec<(i64, Step)> = all
            .iter()
            .map(|(pause, heard)| {
                second += pause;
                let step = match heard {
                    Heard::Look(is_bad) => Step::Reconciled(world(*is_bad)),
                    Heard::Contact(source, is_back) => Step::Contact(sources[*source].clone(), *is_back),
                    Heard::Tick => Step::Tick,
                };
                (second, step)
            })
            .collect();
        for (kind, rests) in rests {
            let on = played(kind, &steps);
            let (mut lost, mut is_old, mut was_on) = ([false; 3], [false; 3], false);
            for ((_, heard), is_on) in all.iter().zip(on) {
                match heard {
                    Heard::Contact(source, is_back) => {
                        is_old[*source] |= lost[*source] || !is_back;
                        lost[*source] = !is_back;
                    }
                    Heard::Look(_) => is_old = lost,
                    Heard::Tick => {}
                }
                let is_stale = (0..3).any(|source| rests[source] && is_old[source]);
                prop_assert!(!is_stale || is_on == was_on, "{kind:?} in {all:?}");
                was_on = is_on;
            }
        }
    }
}

#[test]
fn a_metrics_outage_neither_ends_nor_begins_unmet_demand() {
    let unread = World {
        asks: None,
        ..world(true)
    };
    let steps: Vec<(i64, Step)> = (0..20)
        .map(|sync| {
            let is_out = (2..15).contains(&sync);
            let world = if is_out { unread.clone() } else { world(true) };
            (sync * 15, Step::Reconciled(world))
        })
        .collect();
    assert_eq!(played(AlarmKind::UnmetDemand, &steps), [true; 20]);
}

#[test]
fn a_source_that_fails_alone_stops_only_what_rests_on_it() {
    let hpas_down = [
        (0, Step::Reconciled(world(false))),
        (1, Step::Contact(hpas(), false)),
        (
            15,
            Step::Reconciled(World {
                asks: None,
                ..world(false)
            }),
        ),
    ];
    let metrics_down = [
        (0, Step::Reconciled(world(false))),
        (1, Step::Contact(metrics(), false)),
        (
            15,
            Step::Reconciled(World {
                asks: None,
                ..world(false)
            }),
        ),
    ];
    assert_eq!(played(AlarmKind::InvalidMetric, &hpas_down), [false; 3]);
    assert_eq!(
        played(AlarmKind::InvalidMetric, &metrics_down),
        [false, false, true]
    );
}

#[test]
fn an_hpa_woken_from_zero_has_its_alarm_since_then() {
    let failing = World {
        asks: None,
        inactive: Some("FailedGetExternalMetric"),
        ..world(false)
    };
    let off = World {
        replicas: 0,
        created: 0,
        inactive: Some("ScalingDisabled"),
        ..failing.clone()
    };
    let woken = [(0, off), (15, failing.clone())];
    let since = since_after(AlarmKind::InvalidMetric, &woken);
    assert!(
        since.is_some_and(|since| (0..=15).contains(&since)),
        "{since:?}"
    );
    let since = since_after(AlarmKind::InvalidMetric, &[(15, failing)]);
    assert_eq!(since, Some(-1000));
}
