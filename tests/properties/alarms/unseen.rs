//! Alarms neither start nor end because of what cannot be seen.

use hpa_engine::model::Source;
use hpa_watch::AlarmKind;
use proptest::{collection::vec, prelude::*};

use super::world::{OnePod, Step, World, played, since_after};

fn pods() -> Source {
    Source::Watch {
        resource: "pods".to_owned(),
    }
}

/// Facts that make every alarm but one wait for a look.
fn overdue() -> World {
    World {
        written: 2,
        ..World::default()
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

/// Many replicas missing, or none; pods ready or not.
fn world(is_bad: bool) -> World {
    World {
        proposal: Some(if is_bad { 20 } else { 10 }),
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
enum InformerInput {
    Analysis(bool),
    Contact(usize, bool),
    Tick,
}

fn heard() -> impl Strategy<Value = InformerInput> {
    prop_oneof![
        any::<bool>().prop_map(InformerInput::Analysis),
        (0..4_usize, any::<bool>())
            .prop_map(|(source, is_back)| InformerInput::Contact(source, is_back)),
        Just(InformerInput::Tick),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_alarm_begins_or_ends_while_what_it_rests_on_is_not_seen(
        all in vec((1..60_i64, heard()), 1..40),
    ) {
        let first = [(1, InformerInput::Analysis(true))];
        let all: Vec<(i64, InformerInput)> = first.into_iter().chain(all).collect();
        let sources = [hpas(), pods(), metrics(), Source::Server];
        let rests = [
            (AlarmKind::UnmetDemand, [true; 4]),
            (AlarmKind::UnreadyPods, [true, true, false, true]),
        ];
        let mut second = 0;
        let steps: Vec<(i64, Step)> = all
            .iter()
            .map(|(pause, heard)| {
                second += pause;
                let step = match heard {
                    InformerInput::Analysis(is_bad) => Step::Reconciled(world(*is_bad)),
                    InformerInput::Contact(source, is_back) => Step::Contact(sources[*source].clone(), *is_back),
                    InformerInput::Tick => Step::Tick,
                };
                (second, step)
            })
            .collect();
        for (kind, rests) in rests {
            let on = played(kind, &steps);
            let (mut lost, mut is_old, mut was_on) = ([false; 4], [false; 4], false);
            for ((_, heard), is_on) in all.iter().zip(on) {
                match heard {
                    InformerInput::Contact(source, is_back) => {
                        is_old[*source] |= lost[*source] || !is_back;
                        lost[*source] = !is_back;
                    }
                    InformerInput::Analysis(_) => is_old = lost,
                    InformerInput::Tick => {}
                }
                let is_stale = (0..4).any(|source| rests[source] && is_old[source]);
                prop_assert!(!is_stale || is_on == was_on, "{kind:?} in {all:?}");
                was_on = is_on;
            }
        }
    }
}

#[test]
fn time_in_which_nothing_is_heard_begins_no_alarm_and_ends_none() {
    let analysis = |world: &World| Step::Reconciled(world.clone());
    let silence = |from: i64| (1..20).map(move |sync| (from + sync * 15, Step::Tick));
    let begins: Vec<(i64, Step)> = [(0, Step::InformerInput), (0, analysis(&overdue()))]
        .into_iter()
        .chain(silence(0))
        .collect();
    let heard = [(300, Step::InformerInput), (300, Step::Tick)];
    let begins: Vec<(i64, Step)> = begins.into_iter().chain(heard.clone()).collect();
    let on = played(AlarmKind::NotReconciled, &begins);
    assert_eq!(
        on.iter().position(|on| *on),
        Some(begins.len() - 1),
        "{on:?}"
    );
    let looks = [
        (0, Step::InformerInput),
        (0, analysis(&world(true))),
        (15, Step::InformerInput),
        (15, analysis(&world(false))),
    ];
    let ends: Vec<(i64, Step)> = looks.into_iter().chain(silence(15)).chain(heard).collect();
    let on = played(AlarmKind::UnmetDemand, &ends);
    assert_eq!(
        on.iter().rposition(|on| *on),
        Some(ends.len() - 2),
        "{on:?}"
    );
}

#[test]
fn what_comes_just_after_the_connection_is_back_may_still_be_old() {
    let steps = [
        (0, Step::Reconciled(world(true))),
        (1, Step::Contact(Source::Server, false)),
        (80, Step::Contact(Source::Server, true)),
        (81, Step::Seen(world(false))),
        (200, Step::Tick),
        (201, Step::Seen(world(false))),
        (240, Step::Tick),
    ];
    let on = [true, true, true, true, true, true, false];
    assert_eq!(played(AlarmKind::UnmetDemand, &steps), on);
}

#[test]
fn a_metrics_outage_neither_ends_nor_begins_unmet_demand() {
    let unread = World {
        proposal: None,
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
                proposal: None,
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
                proposal: None,
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
        proposal: None,
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
