//! Rules about the past, at every edge, compared with a history that is checked second by second.

use std::sync::Arc;

use hpa_engine::{engine::decide, model::Memory, trace::MetricOutcome};
use hpa_lint::{History, HistorySample, LintInput};
use jiff::{SignedDuration, Timestamp};
use proptest::{collection::vec, option, prelude::*};
use serde_json::{Value, json};

use hpa_testing::NOW;

use crate::linted::{Linted, deployment, hpa, linted, object, observed, resource, utilization};

const MIN: i32 = 2;
const MAX: i32 = 6;

/// A time that starts this many seconds after the first and lasts this long.
fn sample(at: i64, lasts: i64) -> HistorySample {
    HistorySample {
        at: NOW + SignedDuration::from_secs(at),
        lasts: SignedDuration::from_secs(lasts),
        replicas: Some(3),
        proposal: Some(3),
        min: MIN,
        max: MAX,
        ready: 3,
        is_changed_by_another: false,
        invalid: 0,
        request: None,
        young_cpu: None,
        steady_cpu: None,
        least_memory: None,
    }
}

/// Consecutive syncs, sometimes with a gap before one.
fn samples(most: usize) -> impl Strategy<Value = Vec<HistorySample>> {
    let one = (
        (1..40_i64, prop_oneof![9 => Just(0_i64), 1 => 1..90_i64]),
        (option::weighted(0.95, 2..5_i32), option::of(2..10_i32)),
        (any::<bool>(), 0..4_u64),
        (
            option::of(1..400_i64),
            option::weighted(0.7, 1..100_i64),
            option::weighted(0.9, 1..100_i64),
        ),
    );
    vec(one, 1..most).prop_map(|list| {
        let mut at = 0;
        let samples = list.into_iter().map(
            |(
                (lasts, gap),
                (replicas, proposal),
                (is_by_other, invalid),
                (request, young, steady),
            )| {
                at += gap;
                let sample = HistorySample {
                    replicas,
                    proposal,
                    is_changed_by_another: is_by_other,
                    invalid,
                    request: request
                        .map(|request| (request, if request % 9 == 0 { 70 } else { 60 })),
                    young_cpu: young,
                    steady_cpu: steady,
                    ..sample(at, lasts)
                };
                at += lasts;
                sample
            },
        );
        samples.collect()
    })
}

/// The HPA with this history.
fn looked_back(samples: &[HistorySample]) -> Linted {
    let mut input = LintInput::default();
    let metrics =
        json!({"metrics": [resource("cpu", utilization(60)), resource("memory", utilization(60))]});
    input.add_text("hpa.yaml", &hpa(MIN, MAX, metrics).to_string(), true);
    input.hpas[0].history = Some(Arc::new(History {
        samples: samples.to_vec(),
        metrics: vec!["cpu".to_owned(), "memory".to_owned()],
        sync_period: SignedDuration::from_secs(15),
        ..History::default()
    }));
    linted(input)
}

fn seconds(sample: &HistorySample) -> i64 {
    sample.lasts.as_secs()
}

fn total<'a>(samples: impl IntoIterator<Item = &'a HistorySample>) -> i64 {
    samples.into_iter().map(seconds).sum()
}

/// The syncs of which any second is in the last part of the history.
fn newest(samples: &[HistorySample], window: i64) -> Vec<&HistorySample> {
    let end = |sample: &HistorySample| sample.at.as_second() + seconds(sample);
    let last = samples.last().map(end).unwrap();
    let from = last - window;
    let is_within =
        |sample: &&HistorySample| (sample.at.as_second()..end(sample)).any(|second| from <= second);
    samples.iter().filter(is_within).collect()
}

/// The known replicas, where they differ from before.
fn changes(samples: &[HistorySample]) -> Vec<(&HistorySample, i32)> {
    let known = samples
        .iter()
        .filter_map(|sample| Some((sample, sample.replicas?)));
    let mut changes: Vec<(&HistorySample, i32)> = Vec::new();
    for (sample, replicas) in known {
        if changes.last().is_none_or(|(_, last)| *last != replicas) {
            changes.push((sample, replicas));
        }
    }
    changes
}

fn found(linted: &Linted, code: &str) -> Vec<String> {
    let report = linted.report(code);
    report
        .findings
        .iter()
        .map(|one| one.finding.message.to_string())
        .collect()
}

#[expect(clippy::cast_precision_loss, reason = "numbers of a few digits")]
fn number(number: i64) -> f64 {
    number as f64
}

/// Pods of the target that each use this many bytes.
fn cluster(target: i64, usages: &[i64]) -> Linted {
    let metric = resource(
        "memory",
        json!({"type": "AverageValue", "averageValue": target}),
    );
    let replicas = i32::try_from(usages.len()).unwrap();
    let mut objects = vec![
        hpa(1, 30, json!({"metrics": [metric]})),
        deployment(
            replicas,
            json!({}),
            json!({"containers": [{"name": "main"}]}),
        ),
    ];
    for (index, usage) in usages.iter().enumerate() {
        let status =
            json!({"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]});
        let containers = json!([{"name": "main", "usage": {"memory": usage}}]);
        let named = |mut object: Value| {
            object["metadata"] = json!({"name": format!("web-{index}"), "namespace": "shop", "labels": {"app": "web"}});
            object
        };
        objects.push(named(object(
            "v1",
            "Pod",
            json!({"spec": {"containers": [{"name": "main"}]}, "status": status}),
        )));
        let sample =
            json!({"timestamp": NOW.to_string(), "window": "15s", "containers": containers});
        objects.push(named(object(
            "metrics.k8s.io/v1beta1",
            "PodMetrics",
            sample,
        )));
    }
    observed(&objects)
}

proptest! {
    #[test]
    fn directions_change_as_often_as_the_replicas_have_peaks_and_valleys(
        samples in samples(24),
        window in prop_oneof![1..300_i64, Just(120_i64)],
        reversals in 1..7_i64,
    ) {
        let linted = looked_back(&samples)
            .threshold("HPA901", "reversals", number(reversals))
            .threshold("HPA901", "window", number(window));
        let changes = changes(&samples);
        // A change by another writer does not count as a direction of the HPA.
        let own: Vec<(i64, i32, i32)> = changes
            .windows(2)
            .filter(|pair| !pair[1].0.is_changed_by_another)
            .map(|pair| (pair[1].0.at.as_second(), pair[0].1, pair[1].1))
            .collect();
        let turns: Vec<i64> = own
            .windows(2)
            .filter(|pair| pair[0].2 == pair[1].1 && (pair[0].1 < pair[0].2) != (pair[1].1 < pair[1].2))
            .map(|pair| pair[1].0)
            .collect();
        let within = |from: &i64| turns.iter().filter(|at| (*from..=from + window).contains(*at)).count();
        let most = i64::try_from(turns.iter().map(within).max().unwrap_or(0)).unwrap();
        let report = linted.report("HPA901");
        prop_assert_eq!(report.findings.len(), usize::from(reversals <= most));
        let is_too_short = most < reversals && total(&samples) + 15 < window;
        prop_assert_eq!(!report.notes.is_empty(), is_too_short);
        // The first number is no change.
        let by_others = changes.iter().skip(1).filter(|(sample, _)| sample.is_changed_by_another).count();
        let printed = found(&linted, "HPA908");
        prop_assert_eq!(printed.len(), by_others.min(1));
        if 1 < by_others {
            let times = if by_others == 2 { "time" } else { "times" };
            let words = format!(" UTC and {} more {times}, so it works against the HPA", by_others - 1);
            prop_assert!(printed[0].ends_with(&words), "{:?}", printed);
        }
    }

    #[test]
    fn shares_of_time_are_those_of_the_seconds(
        samples in samples(24),
        window in prop_oneof![3 => 1..300_i64, 1 => 300..900_i64],
        percent in 1..100_i64,
        is_near in any::<bool>(),
        is_pinned in any::<bool>(),
    ) {
        let mut samples = samples;
        let mut percent = percent;
        let among = |samples: &[HistorySample]| {
            let newest = newest(samples, window);
            let over = newest.iter().copied().filter(|sample| sample.proposal.is_some_and(|proposal| MAX < proposal));
            (total(over), total(newest.iter().copied()))
        };
        if is_near {
            // Cut so that the share may be a whole percentage.
            let all: i64 = 100;
            let mut left = all;
            samples.retain_mut(|sample| {
                let lasts = seconds(sample).min(left);
                sample.lasts = SignedDuration::from_secs(lasts);
                left -= lasts;
                0 < lasts
            });
            let (over, all) = among(&samples);
            percent = (over * 100 / all).max(1);
        }
        if is_pinned {
            for sample in samples.iter_mut().rev().take(6) {
                sample.replicas = Some(MIN);
            }
        }
        let linted = looked_back(&samples)
            .threshold("HPA902", "percent", number(percent))
            .threshold("HPA902", "window", number(window))
            .threshold("HPA903", "window", number(window))
            .threshold("HPA906", "percent", number(percent));
        let is_long = window <= total(&samples) + 15;
        let (over, all) = among(&samples);
        let report = linted.report("HPA902");
        prop_assert_eq!(report.notes.is_empty(), is_long);
        prop_assert_eq!(report.findings.len(), usize::from(is_long && percent * all <= over * 100));

        let is_at_min = newest(&samples, window).iter().all(|sample| sample.replicas == Some(MIN));
        let report = linted.report("HPA903");
        prop_assert_eq!(report.findings.len(), usize::from(is_at_min && is_long));
        prop_assert_eq!(report.notes.len(), usize::from(is_at_min && !is_long));

        let invalid = [1, 2].map(|bit| {
            let invalid = total(samples.iter().filter(|sample| sample.invalid & bit != 0));
            percent * total(&samples) < invalid * 100
        });
        let expected = invalid.iter().filter(|is_much| **is_much).count();
        prop_assert_eq!(found(&linted, "HPA906").len(), expected);
    }

    #[test]
    fn means_and_changes_are_compared_as_fractions(
        samples in samples(8),
        factor in prop_oneof![Just(200_i64), 100..400_i64],
        percent in 1..150_i64,
        before in 1..5_i64,
        (is_near, near, is_less) in (any::<bool>(), -1..2_i64, any::<bool>()),
    ) {
        let mut samples = samples;
        if is_near && let [first, .., last] = &mut samples[..] {
            let before = before * 100;
            let change = before * percent / 100 + near;
            first.request = Some((before, 60));
            last.request = Some((if is_less { before - change } else { before + change }, 60));
        }
        let linted = looked_back(&samples)
            .threshold("HPA905", "factor", number(factor) / 100.0)
            .threshold("HPA909", "percent", number(percent));
        let weighed = |of: fn(&HistorySample) -> Option<i64>| {
            let known = || samples.iter().filter_map(|sample| Some((of(sample)?, seconds(sample))));
            (known().map(|(usage, seconds)| usage * seconds).sum::<i64>(), known().map(|(_, seconds)| seconds).sum::<i64>())
        };
        let (young, young_time) = weighed(|sample| sample.young_cpu);
        let (steady, steady_time) = weighed(|sample| sample.steady_cpu);
        let is_known = 0 < young_time && 0 < steady_time;
        let is_more = is_known && factor * steady * young_time < young * steady_time * 100;
        // A mean is rounded.
        let is_at_edge = factor * steady * young_time == young * steady_time * 100;
        prop_assert!(is_at_edge || found(&linted, "HPA905").len() == usize::from(is_more));

        let requests: Vec<(i64, i32)> = samples.iter().filter_map(|sample| sample.request).collect();
        let has_drifted = requests.len() > 1 && {
            let ((before, target), (after, still)) = (requests[0], requests[requests.len() - 1]);
            target == still && percent * before <= (after - before).abs() * 100
        };
        prop_assert_eq!(found(&linted, "HPA909").len(), usize::from(has_drifted));
    }

    #[test]
    fn nine_of_ten_reactions_are_at_most_as_long_as_what_is_told(
        demands in vec((1..300_i64, 1..60_i64, prop::bool::weighted(0.8)), 0..14),
        longest in prop_oneof![Just(180_i64), 1..300_i64],
    ) {
        let mut at = 0;
        let mut ready = 2;
        let mut samples = Vec::new();
        let mut push = |lasts: i64, ready: i32, is_requested: bool| {
            let proposal = Some(if is_requested { 5 } else { 2 });
            samples.push(HistorySample { replicas: Some(2), proposal, ready, ..sample(at, lasts) });
            at += lasts;
        };
        let mut reactions = Vec::new();
        for (lasts, pause, has_come) in demands {
            push(lasts, ready, true);
            if has_come {
                reactions.push(lasts);
                // The pod is deleted again.
                push(pause, ready + 1, false);
                push(pause, ready, false);
            } else {
                push(pause, ready, false);
            }
            ready = 2;
        }
        let linted = looked_back(&samples).threshold("HPA907", "duration", number(longest));
        // This many of them may be longer.
        let longer = reactions.iter().filter(|reaction| longest < **reaction).count();
        let is_slow = 3 <= reactions.len() && reactions.len() < longer * 10;
        prop_assert_eq!(found(&linted, "HPA907").len(), usize::from(is_slow));
    }

    #[test]
    fn memory_is_a_floor_if_the_engine_keeps_the_replicas_with_idle_pods(
        usages in vec(100..300_i64, 1..9),
        idle in 20..260_i64,
        target in 100..300_i64,
    ) {
        let mut linted = cluster(target, &usages);
        let least_memory = Some(idle * 1000);
        let samples = vec![HistorySample { least_memory, ..sample(0, 60) }];
        linted.input.hpas[0].history = Some(Arc::new(History { samples, ..History::default() }));
        let world = cluster(target, &vec![idle; usages.len()]);
        let observation = &world.input.hpas[0].live.as_ref().unwrap().observation;
        let trace = decide(observation, &mut Memory::default(), Timestamp::UNIX_EPOCH);
        let proposal = match trace.metrics().next().unwrap().outcome {
            MetricOutcome::Proposal { replicas, .. } => usize::try_from(replicas).unwrap(),
            ref other => panic!("{other:?}"),
        };
        let is_floor = 1 < usages.len() && usages.len() <= proposal;
        prop_assert_eq!(linted.fires("HPA904"), is_floor);
    }
}
