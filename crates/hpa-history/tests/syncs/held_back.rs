//! When limits hold the containers of the target back.

use hpa_history::{HeldBack, Series, SeriesSet, Sources};
use serde_json::json;

use super::{START, labeled, pods, queue, scrape, today};

/// The pod of the target, and one of another target.
const POD: &str = "web-5c9f8d7b6c-a";
const OTHER: &str = "db-0";

/// The times of the samples, every 30 s for 10 min.
fn times() -> impl Iterator<Item = i64> {
    (0..=20).map(|number| number * 30)
}

/// A series of a container: seconds after the start, and the value.
fn of_container(
    name: &str,
    pod: &str,
    labels: &[(&str, &str)],
    value: impl Fn(i64) -> f64,
) -> Series {
    let labels = [&[("pod", pod), ("container", "main")], labels].concat();
    labeled(name, &labels, times().map(|at| (at * 1000, value(at))))
}

/// The minutes in which they hold back, among the ten minutes with samples.
fn held_back(mut series: Vec<Series>) -> (HeldBack, Vec<i64>) {
    let scrapes: Vec<_> = times().map(|at| scrape(at as f64, 1, 1, 50.0)).collect();
    series.extend(pods(&scrapes, &[(POD, -600, 0)]));
    let set = SeriesSet::new(series);
    let sources = Sources {
        set: &set,
        today: &today(Some(json!({"metrics": [queue()]}))),
        courses: &[],
        edited: None,
    };
    let held = HeldBack::new(&sources, START, START + 600_000);
    let minutes = (0..10)
        .filter(|minute| held.at(START + minute * 60_000))
        .collect();
    (held, minutes)
}

/// A counter of seconds of CPU: all of the limit of half a core until second 120, then half of that.
fn cpu(at: i64) -> f64 {
    0.5 * at.min(120) as f64 + 0.25 * (at - 120).max(0) as f64
}

const PERIODS: &str = "container_cpu_cfs_periods_total";
const THROTTLED: &str = "container_cpu_cfs_throttled_periods_total";
const LIMITS: &str = "kube_pod_container_resource_limits";
const CPU: &str = "container_cpu_usage_seconds_total";
const MEMORY: &str = "container_memory_working_set_bytes";

#[test]
fn kernel_that_throttles_containers_hides_load_for_as_long_as_it_does() {
    let periods = |pod: &str, throttled: fn(i64) -> f64| {
        [
            of_container(PERIODS, pod, &[], |at| 10.0 * at as f64),
            of_container(THROTTLED, pod, &[], throttled),
        ]
    };
    // A quarter of the periods from minute 2 to 4: 300 of 5,700. The pod of another target is always throttled.
    let own = periods(POD, |at| 2.5 * (at.clamp(120, 240) - 120) as f64);
    let other = periods(OTHER, |at| 10.0 * at as f64);
    let (held, minutes) = held_back(own.into_iter().chain(other).collect());
    let share = held.throttled.unwrap();
    assert!((share - 300.0 / 5700.0).abs() < 1e-9, "{share}");
    assert_eq!(minutes, [2, 3, 4]);
    assert_eq!(held.at_limits, 0);
}

#[test]
fn containers_at_their_limits_hide_load_where_throttling_is_not_seen() {
    let limit = |resource: &str, value: f64| {
        of_container(LIMITS, POD, &[("resource", resource)], move |_| value)
    };
    let full = |at: i64| if at < 540 { 10.0 } else { 99.0 };
    let used = || {
        vec![
            of_container(CPU, POD, &[], cpu),
            of_container(MEMORY, POD, &[], full),
        ]
    };
    let mut limited = used();
    limited.extend([limit("cpu", 0.5), limit("memory", 100.0)]);
    let (held, minutes) = held_back(limited);
    assert_eq!((held.throttled, minutes), (None, vec![0, 1, 2, 9]));
    assert_eq!(held.at_limits, 4 * 60_000);

    let (held, minutes) = held_back(used());
    assert_eq!(
        (held.at_limits, minutes),
        (0, vec![]),
        "nothing without limits"
    );
}

#[test]
fn share_of_throttled_periods_is_unknown_without_either_counter() {
    for name in [PERIODS, THROTTLED] {
        let (held, _) = held_back(vec![of_container(name, POD, &[], |at| at as f64)]);
        assert_eq!(held.throttled, None, "{name}");
    }
}
