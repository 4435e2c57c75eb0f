//! Each alarm starts at its threshold and not below, and ends when it should: compared with a plain model at every
//! edge.

mod quotas;
mod repeats;
mod returns;
mod scalings;
mod unseen;
mod world;

use std::collections::BTreeSet;

use hpa_watch::{Agreement, AlarmKind, FieldDifference};
use proptest::{collection::vec, prelude::*};
use world::{OnePod, Step, World, played, text_after};

/// Seconds around each edge of a condition that holds from `from` until before `to`.
fn edges(from: i64, to: i64, waits: i64, lingers: i64, others: &[i64]) -> Vec<i64> {
    let mut seconds: BTreeSet<i64> = others.iter().copied().collect();
    for edge in [0, from, from + waits, to, to - 1 + lingers] {
        seconds.extend([edge - 1, edge, edge + 1]);
    }
    seconds.into_iter().filter(|second| 0 <= *second).collect()
}

/// The model: on once the condition was observed for `waits`; off once it was not observed for `lingers`, or before it
/// was ever on.
fn expected(waits: i64, lingers: i64, looks: &[(i64, bool)]) -> Vec<bool> {
    let (mut first, mut last, mut is_on) = (None, 0, false);
    looks
        .iter()
        .map(|(second, holds)| {
            if *holds {
                first.get_or_insert(*second);
                last = *second;
            } else if !is_on || lingers <= second - last {
                (first, is_on) = (None, false);
            }
            is_on |= first.is_some_and(|first| waits <= second - first);
            is_on
        })
        .collect()
}

/// Plays a world in which a condition is true from `from` until before `to`, and asserts that the alarm is on when the
/// model says so. `holds`: whether the condition should raise an alarm at all.
fn check(kind: AlarmKind, times: &Times, waits: i64, holds: bool, step: impl Fn(bool) -> Step) {
    let lingers = 2 * times.period;
    let (from, to) = (times.from, times.from + times.length);
    let seconds = edges(from, to, waits, lingers, &times.others);
    let is_so = |second: &i64| (from..to).contains(second);
    let steps: Vec<(i64, Step)> = seconds.iter().map(|it| (*it, step(is_so(it)))).collect();
    let looks: Vec<(i64, bool)> = seconds.iter().map(|it| (*it, holds && is_so(it))).collect();
    assert_eq!(
        played(kind, &steps),
        expected(waits, lingers, &looks),
        "{kind:?} at {seconds:?} from {from} to {to}"
    );
}

/// When the condition is true.
#[derive(Clone, Debug)]
struct Times {
    /// The sync period.
    period: i64,
    from: i64,
    length: i64,
    /// Other seconds to check.
    others: Vec<i64>,
}

fn times() -> impl Strategy<Value = Times> {
    (
        prop::sample::select(vec![1, 5, 15, 30]),
        0..40_i64,
        1..120_i64,
        vec(0..240_i64, 0..12),
    )
        .prop_map(|(period, from, length, others)| Times {
            period,
            from,
            length,
            others,
        })
}

/// A world with this period.
fn world(times: &Times) -> World {
    World {
        period: times.period,
        ..World::default()
    }
}

/// What a look between two syncs shows must last for one sync; what a sync decides is reported immediately.
fn step(is_sync: bool, world: World) -> Step {
    if is_sync {
        Step::Reconciled(world)
    } else {
        Step::Seen(world)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn unmet_demand_is_one_pod_more_than_the_maximum(
        times in times(),
        beyond in -2..=2_i32,
        is_sync: bool,
        is_there: bool,
    ) {
        let max = 10;
        let calm = World { max, ..world(&times) };
        let busy = World {
            proposal: Some(max + beyond),
            // Already at the maximum, or one step below it.
            replicas: if is_there { max } else { max - 4 },
            written: if is_there { max } else { max - 4 },
            ..calm.clone()
        };
        let waits = if is_sync { 0 } else { times.period };
        check(AlarmKind::UnmetDemand, &times, waits, 0 < beyond, |is_busy| {
            step(is_sync, if is_busy { busy.clone() } else { calm.clone() })
        });
        let text = text_after(AlarmKind::UnmetDemand, &busy);
        let plural = if beyond == 1 { "" } else { "s" };
        let (asks, short) = (
            format!("asks for {} ", max + beyond),
            format!(": {beyond} pod{plural} short"),
        );
        let says_so = |text: String| text.contains(&asks) && text.ends_with(&short);
        prop_assert_eq!(text.is_some_and(says_so), 0 < beyond);
    }

    #[test]
    fn invalid_metric_is_one_that_cannot_be_read(times in times(), is_sync: bool, fails: bool) {
        let calm = world(&times);
        let failing = World {
            proposal: if fails { None } else { Some(4) },
            ..calm.clone()
        };
        let waits = if is_sync { 0 } else { times.period };
        check(AlarmKind::InvalidMetric, &times, waits, fails, |is_failing| {
            step(is_sync, if is_failing { failing.clone() } else { calm.clone() })
        });
    }

    #[test]
    fn pods_that_are_not_created_are_told_after_thirty_seconds(times in times(), missing in -1..=2_i32) {
        let calm = world(&times);
        let stuck = World {
            created: calm.replicas - missing,
            ..calm.clone()
        };
        check(AlarmKind::PodsNotRunning, &times, 30, 0 < missing, |is_stuck| {
            Step::Seen(if is_stuck { stuck.clone() } else { calm.clone() })
        });
    }

    /// The age of the pod counts, not how long it has been watched.
    #[test]
    fn pods_without_a_node_are_told_once_they_are_thirty_seconds_old(
        period in prop::sample::select(vec![1, 15, 30]),
        created in -60..40_i64,
        length in 1..120_i64,
        others in vec(0..240_i64, 0..12),
    ) {
        let calm = World { period, ..World::default() };
        let pod = OnePod { is_ready: false, has_node: false, created, ..OnePod::READY };
        let stuck = World { pods: vec![pod], ..calm.clone() };
        let from = created.max(0);
        let end = from + length;
        let seconds = edges(from, end, created + 30 - from, 2 * period, &others);
        let is_stuck = |second: i64| (from..end).contains(&second);
        let world = |second| if is_stuck(second) { stuck.clone() } else { calm.clone() };
        let steps: Vec<_> = seconds.iter().map(|it| (*it, Step::Seen(world(*it)))).collect();
        let looks: Vec<_> = seconds
            .iter()
            .map(|it| (*it, is_stuck(*it) && created + 30 <= *it))
            .collect();
        prop_assert_eq!(
            played(AlarmKind::PodsNotRunning, &steps),
            expected(0, 2 * period, &looks)
        );
    }

    #[test]
    fn unready_pods_are_a_quarter_of_them_for_a_minute(
        times in times(),
        pods in 1..24_usize,
        unready in 0..8_usize,
    ) {
        let unready = unready.min(pods);
        let calm = World { pods: vec![OnePod::READY; pods], ..world(&times) };
        let mut crashing = calm.clone();
        for pod in &mut crashing.pods[..unready] {
            pod.is_ready = false;
        }
        let holds = 0 < unready && pods <= 4 * unready;
        check(AlarmKind::UnreadyPods, &times, 60, holds, |is_crashing| {
            Step::Seen(if is_crashing { crashing.clone() } else { calm.clone() })
        });
    }

    #[test]
    fn outlier_is_one_of_five_with_five_times_the_median_that_moves_the_average(
        times in times(),
        pods in prop_oneof![3..8_i64, 36..44_i64],
        median in 1..200_i64,
        times_median in 4..7_i64,
        more in -1..=1_i64,
    ) {
        let usage = median * times_median + more;
        let with = |usage| World {
            pods: (0..pods)
                .map(|number| OnePod {
                    usage: Some(if number == 0 { usage } else { median }),
                    ..OnePod::READY
                })
                .collect(),
            ..world(&times)
        };
        let (calm, uneven) = (with(median), with(usage));
        let average = (usage + (pods - 1) * median) / pods;
        let holds = 5 <= pods && 5 <= usage / median && 110 * median < 100 * average;
        check(AlarmKind::OutlierSample, &times, times.period, holds, |is_uneven| {
            Step::Seen(if is_uneven { uneven.clone() } else { calm.clone() })
        });
    }

    /// From a sync that differs until one that agrees; an unclear sync changes nothing.
    #[test]
    fn disagreement_lasts_until_a_sync_agrees(
        period in prop::sample::select(vec![1, 5, 15, 30]),
        verdicts in vec((1..50_i64, 0..4_u8), 1..24),
    ) {
        let calm = World { period, ..World::default() };
        let mut steps = vec![(0, Step::Reconciled(calm))];
        let mut looks = vec![(0, false)];
        let (mut second, mut differs) = (0, false);
        for (later, verdict) in verdicts {
            second += later;
            let fields = vec![FieldDifference {
                path: "status.desiredReplicas".to_owned(),
                recomputed: Some("4".to_owned()),
                recorded: Some("5".to_owned()),
            }];
            let step = match verdict {
                0 => Step::Compared(Agreement::Agrees),
                1 => Step::Compared(Agreement::Differs(fields)),
                2 => Step::Compared(Agreement::Unclear(fields)),
                _ => Step::Tick,
            };
            differs = match verdict {
                0 => false,
                1 => true,
                _ => differs,
            };
            steps.push((second, step));
            looks.push((second, differs));
        }
        for edge in [2 * period - 1, 2 * period] {
            steps.push((second + edge, Step::Tick));
            looks.push((second + edge, differs));
        }
        prop_assert_eq!(
            played(AlarmKind::Disagreement, &steps),
            expected(0, 2 * period, &looks)
        );
    }

    /// Three periods without an expected status write, or a minute if the period is a guess.
    #[test]
    fn missing_sync_is_told_after_three_periods(
        period in prop::sample::select(vec![1, 15, 19, 20, 21, 40]),
        is_period_given: bool,
        from in 1..40_i64,
        length in 1..200_i64,
        others in vec(0..300_i64, 0..12),
        status_lags: bool,
    ) {
        let calm = World { period, is_period_given, ..World::default() };
        let overdue = World {
            written: if status_lags { 3 } else { 4 },
            ..calm.clone()
        };
        let patience = if is_period_given { 3 * period } else { (3 * period).max(60) };
        let end = from + length;
        let seconds = edges(from, end, patience, 0, &others);
        let is_overdue = |second: &i64| (from..end).contains(second);
        let world = |second| if is_overdue(second) { overdue.clone() } else { calm.clone() };
        let steps: Vec<_> = seconds.iter().map(|it| (*it, Step::Seen(world(it)))).collect();
        let first = seconds.iter().find(|it| is_overdue(it)).copied().unwrap();
        let model: Vec<bool> = seconds
            .iter()
            .map(|it| status_lags && is_overdue(it) && first + patience <= *it)
            .collect();
        prop_assert_eq!(played(AlarmKind::NotReconciled, &steps), model);
    }

    /// Three changes of direction within half an hour start it; two keep it on.
    #[test]
    fn flapping_is_three_changes_of_direction_within_half_an_hour(
        sizes in vec((1..900_i64, 1..9_i32), 1..14),
        ticks in vec(0..4_000_i64, 0..12),
    ) {
        let calm = World { max: 20, ..World::default() };
        let mut changes = vec![(0, calm.replicas)];
        for (later, replicas) in sizes {
            let (before, _) = changes[changes.len() - 1];
            changes.push((before + later, replicas));
        }
        let edges = changes.iter().map(|(second, _)| second + 30 * 60);
        let mut seconds: BTreeSet<i64> = edges.flat_map(|it| [it, it + 1]).chain(ticks).collect();
        seconds.extend(changes.iter().map(|(second, _)| *second));
        let steps: Vec<(i64, Step)> = seconds
            .iter()
            .map(|second| {
                let (at, replicas) = *changes.iter().rfind(|(at, _)| at <= second).unwrap();
                let scaled_at = if at == 0 { -3600 } else { at };
                let world = World { replicas, created: replicas, written: replicas, scaled_at, ..calm.clone() };
                (*second, if at == *second { Step::Seen(world) } else { Step::Tick })
            })
            .collect();
        let moves: Vec<(i64, bool)> = changes
            .windows(2)
            .filter(|pair| pair[0].1 != pair[1].1)
            .map(|pair| (pair[1].0, pair[0].1 < pair[1].1))
            .collect();
        let turns = moves.windows(2).filter(|pair| pair[0].1 != pair[1].1);
        let turns: Vec<i64> = turns.map(|pair| pair[1].0).collect();
        let mut is_on = false;
        let model: Vec<bool> = seconds
            .iter()
            .map(|second| {
                let flips = turns.iter().filter(|at| **at <= *second && second - **at <= 30 * 60).count();
                is_on = if is_on { 2 <= flips } else { 3 <= flips };
                is_on
            })
            .collect();
        prop_assert_eq!(played(AlarmKind::Flapping, &steps), model, "{:?}", changes);
    }

    /// For ten minutes after each change that the controller did not make.
    #[test]
    fn other_writer_is_told_for_ten_minutes(
        changes in vec((1..900_i64, 1..9_i32, any::<bool>()), 1..8),
        ticks in vec(0..4_000_i64, 0..12),
    ) {
        let calm = World { max: 20, ..World::default() };
        let mut second = 0;
        let (mut replicas, mut scaled_at) = (calm.replicas, calm.scaled_at);
        let mut looks = std::collections::BTreeMap::from([(0, calm.clone())]);
        let mut foreign = Vec::new();
        for (later, to, is_foreign) in changes {
            second += later;
            if to != replicas && is_foreign {
                foreign.push(second);
            } else if to != replicas {
                scaled_at = second;
            }
            replicas = to;
            let written_by = if is_foreign { "kubectl-edit" } else { calm.written_by };
            looks.insert(second, World {
                replicas, created: replicas, written: replicas, scaled_at, written_by, ..calm.clone()
            });
        }
        let mut seconds: BTreeSet<i64> = looks.keys().copied().chain(ticks).collect();
        seconds.extend(foreign.iter().flat_map(|at| [at + 599, at + 600]));
        let steps: Vec<(i64, Step)> = seconds
            .iter()
            .map(|second| {
                let world = looks.get(second).cloned();
                (*second, world.map_or(Step::Tick, Step::Seen))
            })
            .collect();
        let model: Vec<bool> = seconds
            .iter()
            .map(|second| foreign.iter().any(|at| at <= second && second - at < 600))
            .collect();
        prop_assert_eq!(played(AlarmKind::ForeignWriter, &steps), model);
    }
}
