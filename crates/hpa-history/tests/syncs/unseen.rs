//! Syncs between two scrapes: what they recommended, by the counters of containers and the values of metrics.

use hpa_history::{MetricCourse, Recomputed, Series, SeriesSet};
use serde_json::json;

use super::{START, Scrape, decided, each_sync, pods, queue, series, syncs, today};

/// For each pod: ready for a long time, requests 100m, read every 30 s, with this usage in cores since the previous
/// sample.
fn counted(names: &[&str], seconds: i64, cores: f64) -> Vec<Series> {
    let of = |name: &str, pod: &str, labels: &[(&str, &str)], value: &dyn Fn(i64) -> f64| {
        let own = [("__name__", name), ("namespace", "shop"), ("pod", pod)];
        let label = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        Series {
            labels: own.iter().chain(labels).map(label).collect(),
            samples: (-4..=seconds / 30)
                .map(|count| (START + count * 30_000, value(count * 30)))
                .collect(),
        }
    };
    let main = ("container", "main");
    let created = START / 1000 - 6000;
    names
        .iter()
        .flat_map(|pod| {
            let request = [main, ("resource", "cpu"), ("unit", "core")];
            [
                of("kube_pod_start_time", pod, &[], &|_| created as f64),
                of(
                    "kube_pod_status_ready",
                    pod,
                    &[("condition", "true")],
                    &|_| 1.0,
                ),
                of("kube_pod_status_ready_time", pod, &[], &|_| created as f64),
                of("kube_pod_container_info", pod, &[main], &|_| 1.0),
                of(
                    "kube_pod_container_resource_requests",
                    pod,
                    &request,
                    &|_| 0.1,
                ),
                of("container_cpu_usage_seconds_total", pod, &[main], &|at| {
                    1000.0 + cores * at as f64
                }),
            ]
        })
        .collect()
}

/// The controller syncs every 15 s, and every fifth sync is scraped. The counters show 3 of 5 replicas needed and allow
/// for more. `window` is the scale-down window. Returns the recomputed and the seen replicas for each scrape.
fn every_fifth_sync(window: i64, desired: &[i32]) -> Vec<(i32, i32)> {
    let mut current = 5;
    let scrapes: Vec<Scrape> = desired
        .iter()
        .enumerate()
        .map(|(index, desired)| {
            let found = current;
            current = *desired;
            Scrape {
                at: 75.0 * index as f64 + 1.0,
                current: found,
                desired: *desired,
                value: 36.0,
                deployment: (*desired, *desired),
            }
        })
        .collect();
    let names = ["a", "b", "c", "d", "e"];
    let mut series = series(&scrapes, ("cpu", "utilization"));
    series.extend(pods(&scrapes, &names.map(|name| (name, -6000, 0))));
    series.extend(counted(
        &names,
        75 * i64::try_from(desired.len()).unwrap(),
        0.036,
    ));
    let spec = json!({
        "metrics": [{"type": "Resource", "resource": {
            "name": "cpu", "target": {"type": "Utilization", "averageUtilization": 60},
        }}],
        "behavior": {"scaleDown": {"stabilizationWindowSeconds": window}},
    });
    syncs(series, &today(Some(spec)))
        .iter()
        .map(|(_, _, desired, likely)| (*desired, likely.unwrap()))
        .collect()
}

/// The replicas would have fallen in an unseen sync, unless another one had recommended as many.
#[test]
fn replicas_that_outlast_the_window_were_recommended_in_a_sync_that_was_not_seen() {
    assert_eq!(every_fifth_sync(60, &[5; 6]), [(5, 5); 6]);
}

/// The window alone holds the replicas until it ends, so the syncs within it may have recommended anything.
#[test]
fn replicas_that_the_window_holds_were_not_recommended_again() {
    let desired = [5, 5, 5, 5, 3];
    let expected = desired.map(|one| (one, one));
    assert_eq!(every_fifth_sync(295, &desired), expected);
}

/// The controller syncs every 15 s, and every second sync is scraped. The queue falls from 60 to 30, with a peak of 50
/// that only the sync at 75 s reads. Returns what each sync decided, and its recomputed result.
fn every_second_sync_on_a_queue(courses: &[MetricCourse]) -> Vec<(i32, Recomputed)> {
    let scrape = |at, current, desired, value| Scrape {
        at,
        current,
        desired,
        value,
        deployment: (desired, desired),
    };
    let scrapes = [
        scrape(1.0, 6, 6, 10.0),
        scrape(31.0, 6, 6, 10.0),
        scrape(61.0, 6, 6, 5.0),
        scrape(91.0, 6, 5, 5.0),
        scrape(121.0, 5, 5, 6.0),
    ];
    let names = ["a", "b", "c", "d", "e", "f"];
    let mut series = series(&scrapes, ("queue", "average"));
    series.extend(pods(&scrapes, &names.map(|name| (name, -6000, 0))));
    let spec = json!({
        "metrics": [queue()], "behavior": {"scaleDown": {"stabilizationWindowSeconds": 60}},
    });
    each_sync(series, &today(Some(spec)), courses, decided)
}

/// The queue every 5 s.
fn course(queue: impl Fn(i64) -> f64) -> MetricCourse {
    MetricCourse {
        samples: (-12..30)
            .map(|step| (START + step * 5000, queue(step * 5)))
            .collect(),
        interval: 5000,
        ..MetricCourse::default()
    }
}

#[test]
fn values_between_the_scrapes_show_what_syncs_recommended_that_were_not_seen() {
    let queue = |at| match at {
        ..=31 => 60.0,
        62..88 => 50.0,
        _ => 30.0,
    };
    let recomputed = |courses: &[MetricCourse]| {
        let (desired, recomputed) = &every_second_sync_on_a_queue(courses)[3];
        (*desired, recomputed.likely)
    };
    assert_eq!(recomputed(&[]), (5, 6));
    assert_eq!(recomputed(&[course(queue)]), (5, 5));
}

#[test]
fn values_that_the_controller_did_not_have_are_noticed() {
    let scrape = |at, value| Scrape {
        at,
        current: 6,
        desired: 6,
        value,
        deployment: (6, 6),
    };
    let scrapes = [scrape(1.0, 10.0), scrape(31.0, 10.0), scrape(61.0, 5.0)];
    let set = SeriesSet::new(series(&scrapes, ("queue", "average")));
    let today = today(Some(json!({"metrics": [queue()]})));
    let confirmation = |course: &MetricCourse| course.confirmation(&set, &today.hpa, 15_000);
    let right = confirmation(&course(|at| if at <= 31 { 60.0 } else { 30.0 }));
    assert_eq!((right.matching, right.compared), (3, 3));
    let wrong = confirmation(&course(|at| if at <= 31 { 120.0 } else { 60.0 }));
    assert_eq!((wrong.matching, wrong.compared), (0, 3));
    assert!(wrong.is_refuted() && !right.is_refuted());
    // KEDA counts no result as 0, but not while nothing was scraped.
    let mut idle = course(|_| 0.0);
    idle.samples.clear();
    idle.fill_with_zeros(&set);
    let times: Vec<i64> = idle.samples.iter().map(|(at, _)| at - START).collect();
    assert_eq!(times, (1..=12).map(|step| step * 5000).collect::<Vec<_>>());
}
