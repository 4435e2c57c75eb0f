//! Rules that look back, at every edge, against a history that is looked at second by second.

use jiff::{SignedDuration, Timestamp};
use kubectl_hpa::{
    engine::decide,
    lint::{History, Input, Moment},
    model::Memory,
    trace::MetricOutcome,
};
use proptest::{collection::vec, option, prelude::*};
use serde_json::{Value, json};

use crate::{
    generate::NOW,
    linted::{Linted, deployment, hpa, linted, object, observed, resource, utilization},
};

const MIN: i32 = 2;
const MAX: i32 = 6;

/// A moment that begins so many seconds after the first and lasts so many.
fn moment(at: i64, lasts: i64) -> Moment {
    Moment {
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

/// Moments one after the other, now and then with a gap before one.
fn moments(most: usize) -> impl Strategy<Value = Vec<Moment>> {
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
        let moments = list.into_iter().map(
            |(
                (lasts, gap),
                (replicas, proposal),
                (is_by_other, invalid),
                (request, young, steady),
            )| {
                at += gap;
                let moment = Moment {
                    replicas,
                    proposal,
                    is_changed_by_another: is_by_other,
                    invalid,
                    request: request
                        .map(|request| (request, if request % 9 == 0 { 70 } else { 60 })),
                    young_cpu: young,
                    steady_cpu: steady,
                    ..moment(at, lasts)
                };
                at += lasts;
                moment
            },
        );
        moments.collect()
    })
}

/// The HPA with this history.
fn looked_back(moments: &[Moment]) -> Linted {
    let mut input = Input::default();
    let metrics =
        json!({"metrics": [resource("cpu", utilization(60)), resource("memory", utilization(60))]});
    input.add_text("hpa.yaml", &hpa(MIN, MAX, metrics).to_string(), true);
    input.hpas[0].history = Some(Box::new(History {
        moments: moments.to_vec(),
        metrics: vec!["cpu".to_owned(), "memory".to_owned()],
        sync_period: SignedDuration::from_secs(15),
    }));
    linted(input)
}

fn seconds(moment: &Moment) -> i64 {
    moment.lasts.as_secs()
}

fn total<'a>(moments: impl IntoIterator<Item = &'a Moment>) -> i64 {
    moments.into_iter().map(seconds).sum()
}

/// The moments of which any second is among the last of the history.
fn newest(moments: &[Moment], window: i64) -> Vec<&Moment> {
    let end = |moment: &Moment| moment.at.as_second() + seconds(moment);
    let last = moments.last().map(end).unwrap();
    let from = last - window;
    let is_within =
        |moment: &&Moment| (moment.at.as_second()..end(moment)).any(|second| from <= second);
    moments.iter().filter(is_within).collect()
}

/// What is known of the replicas where they differ from before.
fn changes(moments: &[Moment]) -> Vec<(&Moment, i32)> {
    let known = moments
        .iter()
        .filter_map(|moment| Some((moment, moment.replicas?)));
    let mut changes: Vec<(&Moment, i32)> = Vec::new();
    for (moment, replicas) in known {
        if changes.last().is_none_or(|(_, last)| *last != replicas) {
            changes.push((moment, replicas));
        }
    }
    changes
}

fn found(linted: &Linted, code: &str) -> Vec<String> {
    let report = linted.report(code);
    report
        .findings
        .iter()
        .map(|one| one.finding.message.clone())
        .collect()
}

#[expect(clippy::cast_precision_loss, reason = "numbers of a few digits")]
fn number(number: i64) -> f64 {
    number as f64
}

/// Pods of the target that each use so many bytes.
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
        moments in moments(24),
        window in prop_oneof![1..300_i64, Just(120_i64)],
        reversals in 1..7_i64,
    ) {
        let linted = looked_back(&moments)
            .threshold("HPA901", "reversals", number(reversals))
            .threshold("HPA901", "window", number(window));
        let changes = changes(&moments);
        let turns: Vec<i64> = changes
            .windows(3)
            .filter(|three| (three[0].1 < three[1].1) != (three[1].1 < three[2].1))
            // A write of somebody else is no direction of the HPA.
            .filter(|three| !three[1].0.is_changed_by_another && !three[2].0.is_changed_by_another)
            .map(|three| three[2].0.at.as_second())
            .collect();
        let within = |from: &i64| turns.iter().filter(|at| (*from..=from + window).contains(*at)).count();
        let most = i64::try_from(turns.iter().map(within).max().unwrap_or(0)).unwrap();
        let report = linted.report("HPA901");
        prop_assert_eq!(report.findings.len(), usize::from(reversals <= most));
        let is_too_short = most < reversals && total(&moments) + 15 < window;
        prop_assert_eq!(!report.notes.is_empty(), is_too_short);
        // The first number is no change.
        let by_others = changes.iter().skip(1).filter(|(moment, _)| moment.is_changed_by_another).count();
        let said = found(&linted, "HPA908");
        prop_assert_eq!(said.len(), by_others.min(1));
        if 1 < by_others {
            let words = format!("and {} more times", by_others - 1);
            prop_assert!(said[0].ends_with(&words), "{:?}", said);
        }
    }

    #[test]
    fn shares_of_time_are_those_of_the_seconds(
        moments in moments(24),
        window in prop_oneof![3 => 1..300_i64, 1 => 300..900_i64],
        percent in 1..100_i64,
        is_near in any::<bool>(),
        is_pinned in any::<bool>(),
    ) {
        let mut moments = moments;
        let mut percent = percent;
        let among = |moments: &[Moment]| {
            let newest = newest(moments, window);
            let over = newest.iter().copied().filter(|moment| moment.proposal.is_some_and(|asked| MAX < asked));
            (total(over), total(newest.iter().copied()))
        };
        if is_near {
            // Cut so that the share may come to whole percent.
            let all: i64 = 100;
            let mut left = all;
            moments.retain_mut(|moment| {
                let lasts = seconds(moment).min(left);
                moment.lasts = SignedDuration::from_secs(lasts);
                left -= lasts;
                0 < lasts
            });
            let (over, all) = among(&moments);
            percent = (over * 100 / all).max(1);
        }
        if is_pinned {
            for moment in moments.iter_mut().rev().take(6) {
                moment.replicas = Some(MIN);
            }
        }
        let linted = looked_back(&moments)
            .threshold("HPA902", "percent", number(percent))
            .threshold("HPA902", "window", number(window))
            .threshold("HPA903", "window", number(window))
            .threshold("HPA906", "percent", number(percent));
        let is_long = window <= total(&moments) + 15;
        let (over, all) = among(&moments);
        let report = linted.report("HPA902");
        prop_assert_eq!(report.notes.is_empty(), is_long);
        prop_assert_eq!(report.findings.len(), usize::from(is_long && percent * all <= over * 100));

        let is_at_min = newest(&moments, window).iter().all(|moment| moment.replicas == Some(MIN));
        let report = linted.report("HPA903");
        prop_assert_eq!(report.findings.len(), usize::from(is_at_min && is_long));
        prop_assert_eq!(report.notes.len(), usize::from(is_at_min && !is_long));

        let invalid = [1, 2].map(|bit| {
            let invalid = total(moments.iter().filter(|moment| moment.invalid & bit != 0));
            percent * total(&moments) < invalid * 100
        });
        let wanted = invalid.iter().filter(|is_much| **is_much).count();
        prop_assert_eq!(found(&linted, "HPA906").len(), wanted);
    }

    #[test]
    fn means_and_changes_are_compared_as_fractions(
        moments in moments(8),
        factor in prop_oneof![Just(200_i64), 100..400_i64],
        percent in 1..150_i64,
        before in 1..5_i64,
        (is_near, near, is_less) in (any::<bool>(), -1..2_i64, any::<bool>()),
    ) {
        let mut moments = moments;
        if is_near && let [first, .., last] = &mut moments[..] {
            let before = before * 100;
            let change = before * percent / 100 + near;
            first.request = Some((before, 60));
            last.request = Some((if is_less { before - change } else { before + change }, 60));
        }
        let linted = looked_back(&moments)
            .threshold("HPA905", "factor", number(factor) / 100.0)
            .threshold("HPA909", "percent", number(percent));
        let weighed = |of: fn(&Moment) -> Option<i64>| {
            let known = || moments.iter().filter_map(|moment| Some((of(moment)?, seconds(moment))));
            (known().map(|(usage, seconds)| usage * seconds).sum::<i64>(), known().map(|(_, seconds)| seconds).sum::<i64>())
        };
        let (young, young_time) = weighed(|moment| moment.young_cpu);
        let (steady, steady_time) = weighed(|moment| moment.steady_cpu);
        let is_known = 0 < young_time && 0 < steady_time;
        let is_more = is_known && factor * steady * young_time < young * steady_time * 100;
        // A mean is rounded.
        let is_at_edge = factor * steady * young_time == young * steady_time * 100;
        prop_assert!(is_at_edge || found(&linted, "HPA905").len() == usize::from(is_more));

        let requests: Vec<(i64, i32)> = moments.iter().filter_map(|moment| moment.request).collect();
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
        let mut moments = Vec::new();
        let mut push = |lasts: i64, ready: i32, is_asked: bool| {
            let proposal = Some(if is_asked { 5 } else { 2 });
            moments.push(Moment { replicas: Some(2), proposal, ready, ..moment(at, lasts) });
            at += lasts;
        };
        let mut reactions = Vec::new();
        for (lasts, pause, has_come) in demands {
            push(lasts, ready, true);
            if has_come {
                reactions.push(lasts);
                // The pod goes away again.
                push(pause, ready + 1, false);
                push(pause, ready, false);
            } else {
                push(pause, ready, false);
            }
            ready = 2;
        }
        let linted = looked_back(&moments).threshold("HPA907", "duration", number(longest));
        // So many of them may be longer.
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
        let moments = vec![Moment { least_memory, ..moment(0, 60) }];
        linted.input.hpas[0].history = Some(Box::new(History { moments, ..History::default() }));
        let world = cluster(target, &vec![idle; usages.len()]);
        let observation = &world.input.hpas[0].live.as_ref().unwrap().observation;
        let trace = decide(observation, &mut Memory::default(), Timestamp::UNIX_EPOCH);
        let asked = match trace.metrics().next().unwrap().outcome {
            MetricOutcome::Proposal { replicas, .. } => usize::try_from(replicas).unwrap(),
            ref other => panic!("{other:?}"),
        };
        let is_floor = 1 < usages.len() && usages.len() <= asked;
        prop_assert_eq!(linted.fires("HPA904"), is_floor);
    }
}
