//! Thresholds of targets and of behavior: what the rules call many, long or late is so for the engine, at every edge.

use hpa_analysis::without_metrics;
use hpa_engine::{
    engine::{AfterMetrics, decide},
    model::{HpaSpec, Memory, Observation, Reading, Scale},
    trace::{MetricOutcome, MetricStep, RatioFormula},
};
use jiff::{SignedDuration, Timestamp};
use proptest::{collection::vec, option, prelude::*};
use serde_json::{Value, json};

use hpa_testing::NOW;

use crate::{
    lint_behavior::{config, proposing, replicas_after, stepped},
    lint_metrics::{observation, use_of_each},
    linted::{Linted, deployment, files, hpa, merge, resource, utilization},
};

/// `behavior` in one direction.
fn behavior(is_up: bool, rules: &Value) -> Value {
    let direction = if is_up { "scaleUp" } else { "scaleDown" };
    json!({"behavior": {direction: rules}})
}

fn spec(linted: &Linted) -> HpaSpec {
    linted.input.hpas[0].spec(&linted.input.sources).unwrap().1
}

/// Whether a recommendation still decides `age` seconds later, when everything else asks to scale.
fn is_held(spec: &HpaSpec, is_up: bool, age: i64) -> bool {
    let (current, proposal) = if is_up { (3, 5) } else { (5, 3) };
    let mut memory = Memory::default();
    let begin = Timestamp::UNIX_EPOCH;
    replicas_after(&proposing(spec, current, current), &mut memory, begin);
    let later = begin + SignedDuration::from_secs(age);
    replicas_after(&proposing(spec, current, proposal), &mut memory, later) == current
}

/// The lowest usage, in pods, at which all `replicas` stay.
fn fewest_that_hold(spec: &HpaSpec, replicas: i32) -> i32 {
    let is_kept = |needed: &i32| {
        let mut observation = proposing(spec, replicas, *needed);
        observation.scale = Reading::Read(Scale {
            spec_replicas: replicas,
            status_replicas: replicas,
            selector: "app=web".to_owned(),
        });
        let trace = decide(&observation, &mut Memory::default(), NOW);
        let metric = trace.metrics().next().unwrap();
        matches!(metric.outcome, MetricOutcome::Proposal { replicas: proposal, .. } if proposal == replicas)
    };
    (0..=replicas).find(is_kept).unwrap()
}

/// Percent of the requests that a reconcile computes for two pods with this usage each.
fn percent(observation: &mut Observation, usage: i64) -> i32 {
    use_of_each(observation, usage).unwrap();
    let trace = decide(observation, &mut Memory::default(), NOW);
    let steps = &trace.metrics().next().unwrap().steps;
    let percent = steps.iter().find_map(|step| match step {
        MetricStep::UsageRatio(ratio) => match ratio.formula {
            RatioFormula::Utilization { utilization, .. } => Some(utilization.0),
            _ => None,
        },
        _ => None,
    });
    percent.unwrap()
}

/// Containers with requests and limits of cpu in thousandths of a core.
type Containers = Vec<(Option<i64>, Option<i64>)>;

/// An HPA with this cpu target, and the Deployment with these containers.
fn of_cpu(target: Value, containers: &Containers) -> Linted {
    let amount =
        |milli: &Option<i64>| milli.map_or(json!({}), |milli| json!({"cpu": format!("{milli}m")}));
    let containers = containers.iter().zip(0..).map(|((request, limit), index)| {
        json!({
            "name": format!("c{index}"),
            "resources": {"requests": amount(request), "limits": amount(limit)},
        })
    });
    files(&[
        hpa(1, 9, json!({"metrics": [resource("cpu", target)]})),
        deployment(
            1,
            json!({}),
            json!({"containers": containers.collect::<Vec<_>>()}),
        ),
    ])
}

/// A number near an edge, or any other.
fn near(edge: i64, off: Option<i64>, any: i64) -> i64 {
    off.map_or(any, |off| edge + off).max(0)
}

fn off() -> impl Strategy<Value = Option<i64>> {
    option::weighted(0.7, -1..2_i64)
}

#[expect(clippy::cast_precision_loss, reason = "small numbers")]
fn float(number: i64) -> f64 {
    number as f64
}

proptest! {
    #[test]
    fn a_window_is_long_or_short_by_what_it_still_holds(
        threshold in prop_oneof![Just(60_i64), Just(120), Just(1800), 1..3600_i64],
        (off, any) in (off(), 0..3600_i64),
        is_up in any::<bool>(),
        is_disabled in prop::bool::weighted(0.1),
    ) {
        let window = near(threshold, off, any).min(3600);
        let mut rules = json!({"stabilizationWindowSeconds": window});
        if is_disabled {
            merge(&mut rules, json!({"selectPolicy": "Disabled"}));
        }
        let (long, short) = if is_up { ("HPA304", None) } else { ("HPA303", Some("HPA302")) };
        let linted = files(&[hpa(1, 9, behavior(is_up, &rules))])
            .threshold("HPA302", "window", float(threshold))
            .threshold("HPA303", "window", float(threshold))
            .threshold("HPA304", "window", float(threshold));
        let spec = spec(&linted);
        // Disabled scaling holds whatever the window.
        let is_held = |age| is_disabled || is_held(&spec, is_up, age);
        prop_assert_eq!(linted.fires(long), !is_disabled && is_held(threshold));
        if let Some(short) = short {
            prop_assert_eq!(linted.fires(short), is_held(0) && !is_held(threshold - 1));
        }
    }

    #[test]
    fn a_way_is_slow_by_the_syncs_that_it_takes(
        (min, more) in (1..20_i32, 1..40_i32),
        (pods, period) in (1..6_i32, prop::sample::select(&[15, 20, 60, 100, 180][..])),
        is_up in any::<bool>(),
        (off, any) in (off(), 0..4000_i64),
    ) {
        let rules = json!({
            "stabilizationWindowSeconds": 0,
            "policies": [{"type": "Pods", "value": pods, "periodSeconds": period}],
        });
        let code = if is_up { "HPA314" } else { "HPA315" };
        let max = min + more;
        let linted = files(&[hpa(min, max, behavior(is_up, &rules))]);
        let spec = spec(&linted);
        let takes = if is_up {
            stepped(&spec, min, max, i32::MAX)
        } else {
            stepped(&spec, max, min, 0)
        };
        let takes = takes.unwrap().as_secs();
        let threshold = near(takes, off, any);
        let linted = linted.threshold(code, "time", float(threshold));
        prop_assert_eq!(linted.fires(code), threshold < takes);
    }

    #[test]
    fn a_tolerance_is_next_to_nothing_by_the_number_that_the_engine_has(
        thousandths in prop_oneof![0..30_i32, 0..2000_i32],
        threshold in prop_oneof![Just(10_i32), 0..30_i32],
        is_up in any::<bool>(),
    ) {
        let tolerance = format!("{thousandths}m");
        let linted = files(&[hpa(1, 9, behavior(is_up, &json!({"tolerance": tolerance})))])
            .threshold("HPA322", "tolerance", f64::from(threshold) / 1000.0);
        let observation = without_metrics(&spec(&linted), &config());
        let (up, down) = AfterMetrics::of(&observation).tolerances();
        let used = if is_up { up } else { down };
        prop_assert_eq!(linted.fires("HPA322"), used.value < f64::from(threshold) / 1000.0);
        prop_assert_eq!(linted.fires("HPA322"), thousandths < threshold);
    }

    #[test]
    fn idle_pods_are_many_by_how_many_the_engine_keeps(
        max in 2..400_i32,
        tolerance in option::of(0..900_i32),
        is_disabled in prop::bool::weighted(0.1),
        (off, any) in (off(), 0..200_i64),
    ) {
        let mut rules = json!({});
        if let Some(thousandths) = tolerance {
            merge(&mut rules, json!({"tolerance": format!("{thousandths}m")}));
        }
        if is_disabled {
            merge(&mut rules, json!({"selectPolicy": "Disabled"}));
        }
        let linted = files(&[hpa(1, max, behavior(false, &rules))]);
        let idle = i64::from(max - fewest_that_hold(&spec(&linted), max));
        let threshold = near(idle, off, any);
        let linted = linted.threshold("HPA324", "pods", float(threshold));
        prop_assert_eq!(linted.fires("HPA324"), !is_disabled && threshold <= idle);
    }

    #[test]
    fn scaling_up_is_late_if_use_of_that_share_of_the_limit_does_not_scale_up(
        request in 1..3000_i64,
        limit in prop_oneof![1..3000_i64, 1..300_i64],
        target in 1..200_i32,
        share in prop_oneof![Just(90_i64), 1..110_i64],
        is_memory in any::<bool>(),
    ) {
        let limit = limit.max(request);
        let of_limit = i64::from(percent(&mut observation(target, false, (36, 0.1), request), limit));
        // The engine only has whole percentages, and the share may be between two of them.
        let (below, above) = (share * of_limit / 100, (share * of_limit + 99) / 100);
        // With a request of a hundred, the usage is the percentage.
        let mut hundred = observation(target, false, (36, 0.1), 100);
        let is_reached = use_of_each(&mut hundred, of_limit) == Ok(true);
        let mut is_late = |used| use_of_each(&mut hundred, used) == Ok(false);
        let (surely, perhaps) = (is_late(above), is_late(below));
        // Another rule reports a cpu target that is never reached.
        let (code, is_judged) = if is_memory {
            ("HPA211", true)
        } else {
            ("HPA210", is_reached)
        };
        let resources = |milli: i64| if is_memory {
            json!({"memory": milli})
        } else {
            json!({"cpu": format!("{milli}m")})
        };
        let name = if is_memory { "memory" } else { "cpu" };
        let linted = files(&[
            hpa(1, 9, json!({"metrics": [resource(name, utilization(target))]})),
            deployment(1, json!({}), json!({"containers": [{
                "name": "main",
                "resources": {"requests": resources(request), "limits": resources(limit)},
            }]})),
        ]);
        let linted = linted.threshold(code, "share-of-limit", float(share) / 100.0);
        let fires = linted.fires(code);
        prop_assert!(!fires || is_judged && perhaps, "{}% of {}%", below, of_limit);
        prop_assert!(fires || !is_judged || !surely, "{}% of {}%", above, of_limit);
    }

    #[test]
    fn a_target_is_high_or_low_by_its_number(
        target in 1..130_i32,
        threshold in prop_oneof![Just(30_i32), Just(90), 1..130_i32],
        (off, has_limit) in (option::of(-1..2_i32), any::<bool>()),
    ) {
        let target = off.map_or(target, |off| threshold + off).max(1);
        let linted = of_cpu(utilization(target), &vec![(Some(100), has_limit.then_some(900))])
            .threshold("HPA212", "percent", f64::from(threshold))
            .threshold("HPA213", "percent", f64::from(threshold));
        // Usage at the threshold is on one side of the target: without a tolerance the HPA either scales up or does
        // not.
        let mut exact = observation(target, false, (36, 0.0), 100);
        let is_low = use_of_each(&mut exact, i64::from(threshold)) == Ok(true);
        let is_high = use_of_each(&mut exact, i64::from(threshold) + 1) == Ok(false);
        prop_assert_eq!(linted.fires("HPA213"), is_low);
        prop_assert_eq!(linted.fires("HPA212"), is_high && target <= 100 && !has_limit);
    }

    #[test]
    fn a_target_is_doubted_from_so_many_cores_on_unless_the_pods_have_as_many(
        (off, any) in (off(), 1..40_000_i64),
        threshold in prop_oneof![Just(16_i64), 1..40_i64],
        containers in vec((option::of(1..30_000_i64), option::of(1..30_000_i64)), 1..3),
    ) {
        let target = near(threshold * 1000, off, any).max(1);
        let average = json!({"type": "AverageValue", "averageValue": format!("{target}m")});
        let linted = of_cpu(average, &containers).threshold("HPA223", "cores", float(threshold));
        // An absent request is the limit; a pod is bounded only if all its containers have limits.
        let request: i64 = containers.iter().filter_map(|(request, limit)| request.or(*limit)).sum();
        let limits: Option<Vec<i64>> = containers.iter().map(|(_, limit)| *limit).collect();
        let limit: i64 = limits.map_or(0, |limits| limits.iter().sum());
        let is_large = threshold * 1000 <= target && request.max(limit) < target;
        prop_assert_eq!(linted.fires("HPA223"), is_large);
    }

    #[test]
    fn requests_are_tiny_or_blended_by_what_the_engine_divides_by(
        requests in vec(0..60_i64, 1..4),
        tiny in prop_oneof![Just(20_i64), 1..120_i64],
        is_at_edge in any::<bool>(),
        (off, any) in (off(), 0..100_i64),
    ) {
        let containers: Containers = requests.iter().map(|request| (Some(*request), None)).collect();
        let sum: i64 = requests.iter().sum();
        let tiny = if is_at_edge { sum } else { tiny };
        let mut sorted = requests.clone();
        sorted.sort_unstable();
        let second = sorted.iter().rev().nth(1);
        let share = second.filter(|_| 0 < sum).map(|second| {
            i64::from(percent(&mut observation(60, false, (36, 0.1), sum), *second))
        });
        let many = near(share.unwrap_or(20), off, any);
        let linted = of_cpu(utilization(60), &containers)
            .threshold("HPA226", "requests", float(tiny))
            .threshold("HPA206", "second-share", float(many));
        prop_assert_eq!(linted.fires("HPA226"), 0 < sum && sum <= tiny);
        prop_assert_eq!(linted.fires("HPA206"), share.is_some_and(|share| many <= share));
    }
}
