//! Syncs between two scrapes: what they recommended, by the counters of containers and the values of metrics.

use std::slice;

use hpa_history::{CourseValues, MetricCourse, Recomputed, Samples, SeriesSet, Sources};
use serde_json::{Value, json};

use super::{
    START, Scrape, counted::counted, decided, each_sync, pods, queue, queue_of_pods, scrape,
    series, syncs, today,
};

/// When the kubelet reads each pod, about every 30 s, until these seconds after the start.
fn reads(seconds: i64) -> Vec<i64> {
    let late = |count: i64| [0, 700, 300, 1_100, 500][count.rem_euclid(5) as usize];
    (-4..=seconds / 30)
        .map(|count| count * 30_000 + late(count))
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
        &names.map(|name| (name, -6000)),
        0,
        &reads(75 * i64::try_from(desired.len()).unwrap()),
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
/// that only the sync at 75 s reads. Returns what each sync of an HPA on this metric decided, and its recomputed result.
fn every_second_sync(metric: &Value, courses: &[MetricCourse]) -> Vec<(i32, Recomputed)> {
    let scrapes = [
        scrape(1.0, 6, 6, 10.0),
        scrape(31.0, 6, 6, 10.0),
        scrape(61.0, 6, 6, 5.0),
        scrape(91.0, 6, 5, 5.0),
        scrape(121.0, 5, 5, 6.0),
    ];
    let mut series = series(&scrapes, ("queue", "average"));
    series.extend(pods(&scrapes, &PODS.map(|name| (name, -6000, 0))));
    let spec = json!({
        "metrics": [metric], "behavior": {"scaleDown": {"stabilizationWindowSeconds": 60}},
    });
    each_sync(series, &today(Some(spec)), courses, decided)
}

const PODS: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

/// The queue every 5 s.
fn course(queue: impl Fn(i64) -> f64) -> MetricCourse {
    MetricCourse {
        values: CourseValues::Whole(samples(queue)),
        interval: 5000,
        ..MetricCourse::default()
    }
}

/// The queue of each pod, an equal part.
fn course_of_pods(queue: impl Fn(i64) -> f64) -> MetricCourse {
    let part = samples(|at| queue(at) / 6.0);
    MetricCourse {
        values: CourseValues::ByPod(PODS.map(|pod| (pod.to_owned(), part.clone())).into()),
        interval: 5000,
        ..MetricCourse::default()
    }
}

fn samples(queue: impl Fn(i64) -> f64) -> Samples {
    (-12..30)
        .map(|step| (START + step * 5000, queue(step * 5)))
        .collect()
}

#[test]
fn values_between_the_scrapes_show_what_syncs_recommended_that_were_not_seen() {
    let with_peak = |at| match at {
        ..=31 => 60.0,
        62..88 => 50.0,
        _ => 30.0,
    };
    for (metric, course) in [
        (queue(), course(with_peak)),
        (queue_of_pods(), course_of_pods(with_peak)),
    ] {
        let recomputed = |courses: &[MetricCourse]| {
            let (desired, recomputed) = &every_second_sync(&metric, courses)[3];
            (*desired, recomputed.likely)
        };
        assert_eq!(recomputed(&[]), (5, 6), "{metric}");
        assert_eq!(recomputed(slice::from_ref(&course)), (5, 5), "{metric}");
    }
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
    let mut series = series(&scrapes, ("queue", "average"));
    series.extend(pods(&scrapes, &PODS.map(|name| (name, -6000, 0))));
    let set = SeriesSet::new(series);
    let falling = |from: f64| move |at| if at <= 31 { from } else { from / 2.0 };
    for (metric, right, wrong) in [
        (queue(), course(falling(60.0)), course(falling(120.0))),
        (
            queue_of_pods(),
            course_of_pods(falling(60.0)),
            course_of_pods(falling(120.0)),
        ),
    ] {
        let today = today(Some(json!({"metrics": [metric]})));
        let sources = Sources {
            set: &set,
            today: &today,
            courses: &[],
            edited: None,
        };
        let [right, wrong] = [right, wrong].map(|mut course| course.confirm(&sources));
        assert_eq!((right.matching, right.compared), (3, 3), "{metric}");
        assert_eq!((wrong.matching, wrong.compared), (0, 3), "{metric}");
        assert!(wrong.is_refuted() && !right.is_refuted());
    }
    // KEDA counts no result as 0, but not while nothing was scraped.
    let mut idle = MetricCourse {
        interval: 5000,
        ..MetricCourse::default()
    };
    idle.fill_with_zeros(&set);
    let zeros = (1..=12).map(|step| (START + step * 5000, 0.0)).collect();
    assert_eq!(idle.values, CourseValues::Whole(zeros));
}
