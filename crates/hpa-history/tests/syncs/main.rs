//! When a sync was, what it read, and which scrapes show no new sync. Found with real servers, each reduced to the
//! fewest series.

#![expect(clippy::unwrap_used, reason = "test code")]
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "numbers of a test are small"
)]

mod counted;
mod edited;
mod edited_past;
mod edited_series;
mod held_back;
mod other_pods;
mod owners;
mod read_times;
mod same_values;
mod sidecars;
mod startups;
mod trust;
mod unseen;

use std::path::Path;

use hpa_engine::model::Observation;
use hpa_history::{
    Certainty, Doubt, MetricCourse, PastSync, Recomputed, Series, SeriesSet, Sources, follow,
};
use hpa_objects::recording::RecordingReader;
use jiff::Timestamp;
use serde_json::json;

/// Milliseconds since 1970, at the full minute.
const START: i64 = 1_800_000_000_000;

/// A scrape: seconds after the start, the status, and the replicas of the Deployment.
#[derive(Clone, Copy)]
struct Scrape {
    at: f64,
    current: i32,
    desired: i32,
    value: f64,
    deployment: (i32, i32),
}

impl Scrape {
    /// Milliseconds after the start.
    fn millis(&self) -> i64 {
        (self.at * 1000.0) as i64
    }
}

/// A scrape whose Deployment has what the sync decided.
fn scrape(at: f64, current: i32, desired: i32, value: f64) -> Scrape {
    Scrape {
        at,
        current,
        desired,
        value,
        deployment: (desired, desired),
    }
}

/// A series of the namespace: milliseconds after the start, and the value.
fn labeled(
    name: &str,
    labels: &[(&str, &str)],
    samples: impl IntoIterator<Item = (i64, f64)>,
) -> Series {
    let own = [("__name__", name), ("namespace", "shop")];
    let label = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    let samples = samples.into_iter().map(|(at, value)| (START + at, value));
    Series {
        labels: own.iter().chain(labels).map(label).collect(),
        samples: samples.collect(),
    }
}

/// The series of an HPA on CPU, or on the External metric `queue`.
fn series(scrapes: &[Scrape], value: (&str, &str)) -> Vec<Series> {
    let of = |name: &str, labels: &[(&str, &str)], value: &dyn Fn(&Scrape) -> f64| {
        let samples = scrapes.iter();
        labeled(name, labels, samples.map(|one| (one.millis(), value(one))))
    };
    let of_hpa = |name: &str, value: &dyn Fn(&Scrape) -> f64| {
        let name = format!("kube_horizontalpodautoscaler_{name}");
        of(&name, &[("horizontalpodautoscaler", "web")], value)
    };
    let of_deployment = |name: &str, value: &dyn Fn(&Scrape) -> f64| {
        let name = format!("kube_deployment_{name}");
        of(&name, &[("deployment", "web")], value)
    };
    let mut values = of_hpa("status_target_metric", &|one| one.value);
    values
        .labels
        .insert("metric_name".to_owned(), value.0.to_owned());
    values
        .labels
        .insert("metric_target_type".to_owned(), value.1.to_owned());
    vec![
        of_hpa("status_current_replicas", &|one| one.current.into()),
        of_hpa("status_desired_replicas", &|one| one.desired.into()),
        of_hpa("spec_min_replicas", &|_| 2.0),
        of_hpa("spec_max_replicas", &|_| 20.0),
        values,
        of_deployment("spec_replicas", &|one| one.deployment.0.into()),
        of_deployment("status_replicas", &|one| one.deployment.1.into()),
    ]
}

fn today(spec: Option<serde_json::Value>) -> Observation {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/answers/today.json.gz");
    let mut reader = RecordingReader::open(&path).unwrap();
    let mut snapshot = reader.next().unwrap().unwrap().snapshot;
    if let Some(mut spec) = spec {
        spec["scaleTargetRef"] =
            json!({"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"});
        spec["maxReplicas"] = json!(20);
        snapshot.hpa.spec = serde_json::from_value(spec).unwrap();
    }
    snapshot.observation().unwrap()
}

/// The series of pods. Each is created some seconds after the start and present from one of the scrapes on.
fn pods(scrapes: &[Scrape], pods: &[(&str, i64, usize)]) -> Vec<Series> {
    let mut series = Vec::new();
    for (pod, created, first) in pods {
        let mut add = |name: &str, labels: &[(&str, &str)], value: i64| {
            let labels = [&[("pod", *pod)], labels].concat();
            let samples = scrapes[*first..].iter();
            let samples = samples.map(|one| (one.millis(), value as f64));
            series.push(labeled(name, &labels, samples));
        };
        let owner = [
            ("owner_kind", "ReplicaSet"),
            ("owner_name", "web-5c9f8d7b6c"),
            ("owner_is_controller", "true"),
        ];
        add("kube_pod_owner", &owner, 1);
        add("kube_pod_created", &[], START / 1000 + created);
        add("kube_pod_status_phase", &[("phase", "Running")], 1);
    }
    series
}

fn queue() -> serde_json::Value {
    json!({"type": "External", "external": {
        "metric": {"name": "queue"}, "target": {"type": "AverageValue", "averageValue": "10"},
    }})
}

/// What `see` returns for each sync.
fn each_sync<T>(
    series: Vec<Series>,
    today: &Observation,
    courses: &[MetricCourse],
    mut see: impl FnMut(&PastSync<'_>) -> T,
) -> Vec<T> {
    let set = SeriesSet::new(series);
    let sources = Sources {
        set: &set,
        today,
        courses,
        edited: None,
    };
    let mut seen = Vec::new();
    follow(&sources, &mut |sync: &PastSync<'_>| seen.push(see(sync)));
    seen
}

/// For each sync: its time, what it read and decided, and the recomputed replicas.
fn syncs(series: Vec<Series>, today: &Observation) -> Vec<(Timestamp, i32, i32, Option<i32>)> {
    each_sync(series, today, &[], |sync| {
        let likely = sync.recomputed.map(|one| one.likely);
        (sync.now, sync.scrape.current, sync.scrape.desired, likely)
    })
}

/// What a sync decided, and its recomputed result.
fn decided(sync: &PastSync<'_>) -> (i32, Recomputed) {
    (sync.scrape.desired, sync.recomputed.unwrap().clone())
}

fn queue_of_pods() -> serde_json::Value {
    json!({"type": "Pods", "pods": {
        "metric": {"name": "queue"}, "target": {"type": "AverageValue", "averageValue": "10"},
    }})
}

/// The scrape after a rescale shows the new replicas; the average is over those that the sync read. For an HPA on the
/// queue that may scale in one step, with these pods: what each sync decided, and its recomputed result.
fn queue_syncs(scrapes: &[Scrape], names: &[&str]) -> Vec<(i32, Recomputed)> {
    let policies = json!([{"type": "Pods", "value": 10, "periodSeconds": 15}]);
    let spec = json!({"metrics": [queue()], "behavior": {
        "scaleUp": {"policies": policies}, "scaleDown": {"stabilizationWindowSeconds": 0},
    }});
    let today = today(Some(spec));
    let mut series = series(scrapes, ("queue", "average"));
    let created: Vec<_> = names.iter().map(|name| (*name, -600, 0)).collect();
    series.extend(pods(scrapes, &created));
    each_sync(series, &today, &[], decided)
}

#[test]
fn average_of_an_external_metric_is_over_the_replicas_before_the_rescale() {
    let scrape = |at, current, desired, value, replicas| Scrape {
        at,
        current,
        desired,
        value,
        deployment: (replicas, replicas),
    };
    let scrapes = [
        scrape(0.0, 2, 2, 10.0, 2),
        scrape(15.0, 2, 2, 10.0, 2),
        scrape(30.0, 2, 5, 22.5, 5),
        scrape(45.0, 5, 5, 9.0, 5),
    ];
    let policies = json!([{"type": "Pods", "value": 10, "periodSeconds": 15}]);
    let spec = json!({"metrics": [queue()], "behavior": {"scaleUp": {"policies": policies}}});
    let syncs = syncs(series(&scrapes, ("queue", "average")), &today(Some(spec)));
    let recomputed: Vec<Option<i32>> = syncs.iter().map(|(.., likely)| *likely).collect();
    assert_eq!(recomputed, [Some(2), Some(2), Some(5), Some(5)]);
}

/// Nothing before the first scrape shows the pods and replicas that its sync read.
#[test]
fn first_sync_did_not_read_the_pods_that_it_created() {
    let scrapes = [scrape(1.0, 2, 4, 20.0), scrape(16.0, 4, 4, 10.0)];
    let mut series = series(&scrapes, ("queue", "average"));
    let new = ["c", "d"].map(|name| (name, 0, 0));
    series.extend(pods(
        &scrapes,
        &[[("a", -600, 0), ("b", -600, 0)].as_slice(), &new].concat(),
    ));
    let today = today(Some(json!({"metrics": [queue()]})));
    let seen = each_sync(series, &today, &[], |sync| {
        let observation = sync.details.unwrap().observation;
        let recomputed = sync.recomputed.unwrap();
        (
            observation.pods.read().unwrap().len(),
            recomputed.likely,
            recomputed.certainty,
        )
    });
    assert_eq!(
        seen,
        [(2, 4, Certainty::Likely), (4, 4, Certainty::Certain)]
    );
}

/// A sync that read a `status.replicas` which no scrape shows: a target that removes its pods slowly has it only for
/// seconds. Within tolerance, the controller recommends exactly that many.
#[test]
fn average_over_replicas_that_no_scrape_shows_is_not_certain() {
    let scrape = |at, current, desired, value, deployment| Scrape {
        at,
        current,
        desired,
        value,
        deployment,
    };
    // The queue is 70 long with 7 replicas left at the sync, and 70 again with 5.
    for (value, found, left) in [(10.0, 7, 6), (10.0, 6, 5), (14.0, 7, 6)] {
        let scrapes = [
            scrape(0.0, 8, 8, 10.0, (8, 8)),
            scrape(15.0, 8, 5, 6.25, (5, 8)),
            scrape(30.0, 5, found, value, (found, left)),
            scrape(45.0, found, found, value, (found, found)),
        ];
        let seen = queue_syncs(&scrapes, &["a", "b", "c", "d", "e"]);
        let (_, sync) = &seen[2];
        let is_certain = sync.certainty == Certainty::Certain;
        assert!(
            !is_certain && sync.range.0 < sync.range.1,
            "{found}: {seen:?}"
        );
        let is_unsound = |(desired, sync): &&(i32, Recomputed)| {
            sync.certainty == Certainty::Certain && sync.likely != *desired
        };
        let unsound = seen.iter().filter(is_unsound);
        assert_eq!(unsound.count(), 0, "{found}: {seen:?}");
    }
}

/// The status rounds the average of an External metric up: 50 over 6 replicas shows 8.334, and so does 50.004, which
/// needs one more replica.
#[test]
fn average_that_is_rounded_up_is_not_certain_where_the_rest_decides() {
    for (value, desired, is_known) in [(8.334, 5, false), (8.4, 6, true), (11.667, 7, false)] {
        let scrapes = [(0.0, 6, 10.0), (15.0, 6, 10.0), (30.0, desired, value)].map(
            |(at, desired, value)| Scrape {
                at,
                current: 6,
                desired,
                value,
                deployment: (desired, desired),
            },
        );
        let seen = queue_syncs(&scrapes, &["a", "b", "c", "d", "e", "f"]);
        let (_, sync) = &seen[2];
        let is_certain = sync.certainty == Certainty::Certain;
        assert_eq!(
            (sync.likely, is_certain),
            (desired, is_known),
            "{value}: {seen:?}"
        );
    }
}

/// Syncs are a little further apart than a period, so after the matching number of syncs a policy's period is over,
/// wherever the scrapes are.
#[test]
fn policy_whose_period_is_four_syncs_allows_the_next_step_after_four_syncs() {
    let scrape = |sync: i32, current, desired, value, replicas| Scrape {
        at: f64::from(sync) * 15.0,
        current,
        desired,
        value,
        deployment: (replicas, replicas),
    };
    let held = (3..6).map(|sync| scrape(sync, 4, 4, 25.0, 4));
    let scrapes: Vec<Scrape> = [scrape(0, 2, 2, 10.0, 2), scrape(1, 2, 2, 10.0, 2)]
        .into_iter()
        .chain([scrape(2, 2, 4, 50.0, 4)])
        .chain(held)
        .chain([scrape(6, 4, 6, 25.0, 6), scrape(7, 6, 6, 16.7, 6)])
        .map(|one| Scrape {
            at: if one.desired == 6 {
                one.at - 0.005
            } else {
                one.at
            },
            ..one
        })
        .collect();
    let policies = json!([{"type": "Pods", "value": 2, "periodSeconds": 60}]);
    let spec = json!({"metrics": [queue()], "behavior": {"scaleUp": {"policies": policies}}});
    let syncs = syncs(series(&scrapes, ("queue", "average")), &today(Some(spec)));
    let recomputed: Vec<i32> = syncs.iter().map(|(.., likely)| likely.unwrap()).collect();
    assert_eq!(recomputed, [2, 2, 4, 4, 4, 4, 6, 6]);
}

/// The controller hangs after a rescale, or kube-state-metrics after it has seen one: the status shows it again and
/// again.
#[test]
fn rescale_that_the_status_shows_for_long_is_one() {
    let scrape = |at, current, desired, replicas| Scrape {
        at,
        current,
        desired,
        value: 60.0,
        deployment: (replicas, replicas),
    };
    let scrapes = [
        scrape(0.0, 7, 7, 7),
        scrape(15.0, 7, 8, 8),
        scrape(30.0, 7, 8, 8),
        scrape(75.0, 7, 8, 8),
        scrape(90.0, 8, 8, 8),
    ];
    let syncs = syncs(series(&scrapes, ("cpu", "utilization")), &today(None));
    let sizes: Vec<(i32, i32)> = syncs.iter().map(|(_, from, to, _)| (*from, *to)).collect();
    assert_eq!(sizes, [(7, 7), (7, 8), (8, 8)]);
}

/// It created its pods in the second of the previous scrape. One period later is before the next scrape, but that is
/// another sync.
#[test]
fn rescale_right_after_a_scrape_is_not_taken_for_the_sync_that_follows() {
    let scrape = |at, current, desired, replicas| Scrape {
        at,
        current,
        desired,
        value: 68.0,
        deployment: (replicas, replicas),
    };
    let scrapes = [
        scrape(0.5, 2, 2, 2),
        scrape(15.5, 2, 2, 2),
        scrape(30.5, 2, 3, 3),
        scrape(45.5, 3, 3, 3),
    ];
    let mut series = series(&scrapes, ("cpu", "utilization"));
    series.extend(pods(
        &scrapes,
        &[("web-a", -600, 0), ("web-b", -600, 0), ("web-c", 15, 2)],
    ));
    let syncs = syncs(series, &today(None));
    let (at, from, to, _) = syncs[2];
    assert_eq!((from, to), (2, 3));
    let after_start = at.as_millisecond() - START;
    assert!((15_500..16_000).contains(&after_start), "{after_start}");
}

/// The controller is a little slower than the scrapes: occasionally a scrape comes before the sync that it should show.
#[test]
fn scrape_right_before_a_sync_shows_the_last_one_again() {
    let held = [45.0, 60.0, 75.0, 89.98].map(|at| scrape(at, 4, 4, 25.0));
    let scrapes: Vec<Scrape> = [(0.0, 2, 10.0), (15.0, 2, 10.0), (30.0, 4, 50.0)]
        .map(|(at, desired, value)| scrape(at, 2, desired, value))
        .into_iter()
        .chain(held)
        .chain([scrape(105.0, 4, 6, 25.0), scrape(120.0, 6, 6, 16.7)])
        .collect();
    let policies = json!([{"type": "Pods", "value": 2, "periodSeconds": 60}]);
    let spec = json!({"metrics": [queue()], "behavior": {"scaleUp": {"policies": policies}}});
    let mut series = series(&scrapes, ("queue", "average"));
    // The last two came with the rescale.
    let created = [("a", -600, 0), ("b", -600, 0), ("c", 29, 2), ("d", 29, 2)];
    series.extend(pods(&scrapes, &created));
    let syncs = syncs(series, &today(Some(spec)));
    let recomputed: Vec<(i32, i32)> = syncs
        .iter()
        .map(|(_, _, desired, likely)| (*desired, likely.unwrap()))
        .collect();
    assert_eq!(recomputed, [2, 2, 4, 4, 4, 4, 6, 6].map(|one| (one, one)));
}

/// Each sync takes 0.2 s here, so syncs drift relative to the scrapes, and some scrapes show a sync twice.
#[test]
fn syncs_that_take_long_are_counted_right() {
    let sync_at = |sync: i32| 2.0 + 15.2 * f64::from(sync);
    let replicas_after = |sync: i32| 2 + i32::from(1 < sync) + i32::from(12 < sync);
    let shown = |scrape: i32| ((f64::from(scrape) * 15.0 - 2.0) / 15.2).floor() as i32;
    let scrapes: Vec<Scrape> = (1..200)
        .map(|scrape| Scrape {
            at: f64::from(scrape) * 15.0,
            current: replicas_after(shown(scrape) - 1),
            desired: replicas_after(shown(scrape)),
            // Within tolerance, and different each time.
            value: 9.5 + f64::from(shown(scrape) % 10) / 10.0,
            deployment: (replicas_after(shown(scrape)), replicas_after(shown(scrape))),
        })
        .collect();
    let mut series = series(&scrapes, ("queue", "average"));
    let [first, second] = [2, 13].map(|sync| sync_at(sync) as i64);
    let place = |sync: i32| (1..200).position(|scrape| shown(scrape) == sync).unwrap();
    let created = [
        ("a", -600, 0),
        ("b", -600, 0),
        ("c", first, place(2)),
        ("d", second, place(13)),
    ];
    series.extend(pods(&scrapes, &created));
    let syncs = syncs(series, &today(Some(json!({"metrics": [queue()]}))));
    let all = shown(1)..=shown(199);
    assert_eq!(syncs.len(), all.clone().count());
    for (sync, (at, ..)) in all.zip(&syncs) {
        let at = (at.as_millisecond() - START) as f64 / 1000.0;
        assert!((at - sync_at(sync)).abs() < 6.0, "{sync}: {at}");
    }
}

/// No exporter has `lastScaleTime`. Without it, another writer would seem to have changed the replicas.
#[test]
fn status_says_when_the_hpa_scaled_last() {
    let scrapes = [
        scrape(0.0, 2, 2, 10.0),
        scrape(15.0, 2, 4, 20.0),
        scrape(30.0, 4, 4, 10.0),
        scrape(45.0, 4, 4, 10.0),
    ];
    let spec = json!({"metrics": [queue()]});
    let today = today(Some(spec));
    let scaled = each_sync(
        series(&scrapes, ("queue", "average")),
        &today,
        &[],
        |sync| {
            let status = &sync.details.unwrap().observation.hpa.status;
            status.last_scale_time.map(|at| at.as_millisecond() - START)
        },
    );
    // In the middle of the possible times, in whole seconds.
    assert_eq!(scaled, [None, None, Some(7_000), Some(7_000)]);
}

/// After a gap, the first scrape may show a stale status, and the controller acted in between.
#[test]
fn first_sync_after_a_gap_is_not_certain_and_what_the_gap_hides_was_the_hpa() {
    let scrape = |at, current, value| Scrape {
        at,
        current,
        desired: current,
        value,
        deployment: (current, current),
    };
    let mut scrapes: Vec<Scrape> = (0..30)
        .map(|sync| scrape(f64::from(sync) * 15.0, 4, 10.0))
        .collect();
    scrapes.extend((60..64).map(|sync| scrape(f64::from(sync) * 15.0, 6, 10.0)));
    let mut series = series(&scrapes, ("queue", "average"));
    let created = ["a", "b", "c", "d"].map(|name| (name, -600, 0));
    let later = ["e", "f"].map(|name| (name, 700, 30));
    series.extend(pods(&scrapes, &[&created[..], &later].concat()));
    let today = today(Some(json!({"metrics": [queue()]})));
    let seen = each_sync(series, &today, &[], |sync| {
        let status = &sync.details.unwrap().observation.hpa.status;
        let certainty = sync.recomputed.unwrap().certainty;
        (
            sync.scrape.current,
            sync.scrape.desired,
            certainty,
            status.desired_replicas,
        )
    });
    let (likely, certain) = (Certainty::Likely, Certainty::Certain);
    assert_eq!(seen[29], (4, 4, certain, 4));
    assert_eq!(
        seen[30..33],
        [(4, 6, likely, 4), (6, 6, likely, 6), (6, 6, certain, 6)]
    );
}

/// The pods were created in second 35, but not before the scrape at 35.27: the syncs run a third of a second after each
/// scrape.
#[test]
fn syncs_right_after_each_scrape_are_not_taken_for_those_that_follow() {
    let scrape = |sync: i32, current, desired| Scrape {
        at: f64::from(sync) * 15.0 + 5.27,
        current,
        desired,
        value: 68.0,
        deployment: (desired, desired),
    };
    let mut scrapes = vec![scrape(1, 2, 2), scrape(2, 2, 2), scrape(3, 2, 3)];
    scrapes.extend((4..8).map(|sync| scrape(sync, 3, 3)));
    let mut series = series(&scrapes, ("cpu", "utilization"));
    series.extend(pods(
        &scrapes,
        &[("a", -600, 0), ("b", -600, 0), ("c", 35, 2)],
    ));
    for (scrape, (at, ..)) in scrapes.iter().zip(syncs(series, &today(None))).skip(2) {
        let before = scrape.at - (at.as_millisecond() - START) as f64 / 1000.0;
        assert!((14.0..15.0).contains(&before), "{} {before}", scrape.at);
    }
}

/// An adapter may have no value of a new pod yet, and the controller takes it as idle before it scales up.
#[test]
fn sync_that_depends_on_the_values_of_new_pods_is_not_certain() {
    let scrapes = [
        scrape(1.0, 3, 3, 10.0),
        scrape(16.0, 3, 3, 10.0),
        Scrape {
            deployment: (3, 3),
            ..scrape(31.0, 3, 4, 13.0)
        },
    ];
    let today = today(Some(json!({"metrics": [queue_of_pods()]})));
    let with = |created| {
        let mut series = series(&scrapes, ("queue", "average"));
        series.extend(pods(
            &scrapes,
            &[("a", -600, 0), ("b", -600, 0), ("c", created, 0)],
        ));
        let seen = each_sync(series, &today, &[], decided);
        let (desired, recomputed) = &seen[2];
        (
            *desired,
            recomputed.range,
            recomputed.doubts.contains(&Doubt::Pods),
        )
    };
    assert_eq!(with(-600), (4, (4, 4), false));
    assert_eq!(with(-15), (4, (3, 4), true));
}

/// Between two scrapes one sync created two pods, and the next one three.
#[test]
fn sync_after_one_that_was_not_seen_did_not_read_the_pods_that_it_created() {
    let scrapes = [
        scrape(5.0, 3, 3, 10.0),
        scrape(65.0, 5, 8, 14.2),
        scrape(125.0, 8, 8, 10.0),
    ];
    let today = today(Some(json!({"metrics": [queue_of_pods()]})));
    let mut series = series(&scrapes, ("queue", "average"));
    let old = ["a", "b", "c"].map(|name| (name, -600, 0));
    let unseen = ["d", "e"].map(|name| (name, 37, 1));
    let seen = ["f", "g", "h"].map(|name| (name, 52, 1));
    series.extend(pods(&scrapes, &[&old[..], &unseen, &seen].concat()));
    let syncs = each_sync(series, &today, &[], |sync| {
        let pods = sync.details.unwrap().observation.pods.read().unwrap().len();
        (sync.scrape.current, sync.scrape.desired, pods)
    });
    assert!(syncs.contains(&(5, 8, 5)), "{syncs:?}");
}
