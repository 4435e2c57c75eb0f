//! Real answers of two servers for twelve minutes of a real controller: 2 → 3 → 4 → 6 → 7 → 10 → 7 → 6 → 4 → 2
//! replicas. kube-state-metrics is scraped every 15 s, which is the controller's period; the kubelet every 10 s.

#![expect(clippy::unwrap_used, reason = "test code")]
#![expect(
    clippy::cast_possible_truncation,
    reason = "times of the answers are milliseconds"
)]

use std::{collections::BTreeMap, fs::File, io::Read as _, path::Path};

use flate2::read::GzDecoder;
use hpa_engine::model::Observation;
use hpa_history::{
    Depth, Doubt, NAMES, PastSync, Series, SeriesSet, Sources, Trust, TrustCounter, demand, follow,
};
use hpa_objects::recording::RecordingReader;
use jiff::Timestamp;
use serde::Deserialize;

#[derive(Deserialize)]
struct Answer {
    metric: BTreeMap<String, String>,
    values: Vec<(f64, String)>,
}

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/answers"))
}

fn answers(server: &str) -> Vec<Series> {
    let file = File::open(folder().join(format!("{server}.json.gz"))).unwrap();
    let mut text = String::new();
    GzDecoder::new(file).read_to_string(&mut text).unwrap();
    let answers: Vec<Answer> = serde_json::from_str(&text).unwrap();
    let sample =
        |(time, value): (f64, String)| ((time * 1000.0).round() as i64, value.parse().unwrap());
    let series = |one: Answer| Series {
        labels: one.metric,
        samples: one.values.into_iter().map(sample).collect(),
    };
    answers.into_iter().map(series).collect()
}

/// The current HPA, and when it was last edited.
fn today() -> (Observation, Option<Timestamp>) {
    let mut reader = RecordingReader::open(&folder().join("today.json.gz")).unwrap();
    let snapshot = reader.next().unwrap().unwrap().snapshot;
    let edited = snapshot.hpa_edited_by.as_ref().and_then(|edit| edit.time);
    (snapshot.observation().unwrap(), edited)
}

/// The past with only every `every`-th scrape of kube-state-metrics.
fn thinned(mut series: Vec<Series>, every: i64, offset: i64) -> Vec<Series> {
    for one in &mut series {
        if one.name().starts_with("kube_") {
            one.samples
                .retain(|(time, _)| (time / 15_000 + offset) % every == 0);
        }
    }
    series
}

fn trust(series: Vec<Series>) -> Trust {
    let (set, (today, edited)) = (SeriesSet::new(series), today());
    let mut trust = TrustCounter::new(today.sync_period().value);
    let sources = Sources {
        set: &set,
        today: &today,
        courses: &[],
        edited,
    };
    follow(&sources, &mut |sync: &PastSync<'_>| trust.take(sync));
    trust.trust()
}

#[test]
fn every_rescale_is_recomputed_exactly_where_every_sync_is_scraped() {
    let trust = trust(answers("prometheus"));
    assert_eq!(
        (trust.rescales, trust.exact, trust.early, trust.invented),
        (9, 9, 0, 0),
        "{trust:?}"
    );
    assert_eq!(trust.agreeing, trust.syncs, "{trust:?}");
    assert!(trust.syncs * 3 / 4 <= trust.certain, "{trust:?}");
    assert_eq!(trust.skill(), Some(1.0));
}

/// It was created before the first scrape and never edited.
#[test]
fn no_sync_is_less_certain_without_the_generation_of_the_hpa() {
    let mut series = answers("prometheus");
    let with = trust(series.clone());
    series.retain(|one| !one.name().ends_with("autoscaler_metadata_generation"));
    assert_eq!(trust(series).certain, with.certain);
}

/// The average and the utilization of each status have the mean request of the pods that the series show.
#[test]
fn values_of_the_controller_fit_the_pods_of_every_sync() {
    for every in 1..=4 {
        for server in ["prometheus", "victoria-metrics"] {
            let set = SeriesSet::new(thinned(answers(server), every, 0));
            let (today, edited) = today();
            let sources = Sources {
                set: &set,
                today: &today,
                courses: &[],
                edited,
            };
            follow(&sources, &mut |sync: &PastSync<'_>| {
                let doubts = sync.recomputed.map_or(&[][..], |one| &one.doubts);
                let has_other = doubts.contains(&Doubt::OtherPods);
                assert!(!has_other, "{server}, {every}: {:?}", sync.scrape);
            });
        }
    }
}

#[test]
fn what_is_certain_is_right_however_rarely_it_is_scraped() {
    for every in 1..=4 {
        for offset in 0..every {
            let trust = trust(thinned(answers("prometheus"), every, offset));
            assert!(0 < trust.certain, "every {every}: {trust:?}");
            assert_eq!(
                trust.certain_and_right, trust.certain,
                "every {every}, {offset}: {trust:?}"
            );
            assert_eq!(
                trust.rescales,
                trust.exact + trust.direction + trust.missed,
                "{trust:?}"
            );
        }
    }
}

/// Deduplication and downsampling keep only some samples, including those of the counters.
#[test]
fn what_is_certain_is_right_where_all_samples_are_thinned_out() {
    for spacing in [30_000, 60_000, 120_000, 180_000] {
        let mut series = answers("prometheus");
        for one in &mut series {
            one.samples.dedup_by_key(|(time, _)| *time / spacing);
        }
        let trust = trust(series);
        assert!(0 < trust.syncs, "{spacing}: {trust:?}");
        assert_eq!(
            trust.certain_and_right, trust.certain,
            "{spacing}: {trust:?}"
        );
        assert_eq!(
            (trust.early, trust.invented),
            (0, 0),
            "{spacing}: {trust:?}"
        );
    }
}

/// As kube-prometheus scrapes: each sample of a container has the time of the scrape, and the kubelet's newest value.
fn without_timestamps(mut series: Vec<Series>, every: i64, offset: i64) -> Vec<Series> {
    for one in &mut series {
        if !one.name().starts_with("container_") {
            continue;
        }
        let Some((first, last)) = one.span() else {
            continue;
        };
        let scrapes = (first / every..=last / every).map(|number| number * every + offset);
        let newest = |at: i64| one.up_to(at).last().map(|(_, value)| (at, *value));
        one.samples = scrapes.filter_map(newest).collect();
    }
    series
}

#[test]
fn what_is_certain_is_right_without_the_times_of_the_kubelet() {
    for server in ["prometheus", "victoria-metrics"] {
        for every in [3_000, 10_000, 30_000] {
            for offset in [0, every / 3, 2 * every / 3] {
                let trust = trust(without_timestamps(answers(server), every, offset));
                assert!(0 < trust.certain, "{every}: {trust:?}");
                assert_eq!(
                    trust.certain_and_right, trust.certain,
                    "{server}, {every}, {offset}: {trust:?}"
                );
            }
        }
    }
}

/// It scrapes independently, at other times.
#[test]
fn another_server_that_saw_the_same_past_comes_to_the_same() {
    let (one, other) = (
        trust(answers("prometheus")),
        trust(answers("victoria-metrics")),
    );
    let counts = |trust: &Trust| (trust.rescales, trust.exact, trust.syncs - trust.agreeing);
    assert_eq!(counts(&one), counts(&other));
    // In one of them, one more scrape shows the same sync twice.
    assert!(one.syncs.abs_diff(other.syncs) <= 1, "{one:?} {other:?}");
    assert_eq!(other.certain_and_right, other.certain, "{other:?}");
}

/// The past with only every `every`-th sample of each counter and gauge of the kubelet.
fn with_fewer_usages(mut series: Vec<Series>, every: usize, offset: usize) -> Vec<Series> {
    for one in &mut series {
        if one.name().starts_with("container_") {
            let mut number = offset;
            one.samples.retain(|_| {
                number += 1;
                number.is_multiple_of(every)
            });
        }
    }
    series
}

/// The past up to a depth.
fn up_to(depth: Depth, mut series: Vec<Series>) -> Vec<Series> {
    series.retain(|one| {
        let mut names = NAMES.iter();
        names.any(|known| known.name == one.name() && known.depth <= depth)
    });
    series
}

/// The sum of several pasts as a row of the table.
fn row(name: &str, pasts: impl Iterator<Item = Vec<Series>>) -> String {
    let mut sum = Trust::default();
    for one in pasts.map(trust) {
        sum.rescales += one.rescales;
        sum.exact += one.exact;
        sum.direction += one.direction;
        sum.missed += one.missed;
        sum.early += one.early;
        sum.invented += one.invented;
        sum.syncs += one.syncs;
        sum.certain += one.certain;
        sum.certain_and_right += one.certain_and_right;
    }
    let percent =
        |part: u32, whole: u32| format!("{:.0}%", 100.0 * f64::from(part) / f64::from(whole));
    let (certain, right) = match sum.certain {
        0 => ("none".to_owned(), String::new()),
        certain => (
            percent(certain, sum.syncs),
            format!("{} ", percent(sum.certain_and_right, certain)),
        ),
    };
    format!(
        "| {name} | {} of {} | {} | {} | {} | {certain} | {right}|",
        sum.exact,
        sum.rescales,
        sum.direction,
        sum.missed,
        sum.early + sum.invented
    )
}

#[test]
fn table_of_the_docs_is_what_the_recorded_pasts_give() {
    let servers = ["prometheus", "victoria-metrics"];
    let of_states = |depth: Depth, every: i64| {
        let offsets = (0..every).flat_map(move |offset| servers.map(|server| (server, offset)));
        offsets.map(move |(server, offset)| up_to(depth, thinned(answers(server), every, offset)))
    };
    let of_usages = |every: usize| {
        let offsets = (0..every).flat_map(move |offset| servers.map(|server| (server, offset)));
        offsets.map(move |(server, offset)| with_fewer_usages(answers(server), every, offset))
    };
    let mut rows = Vec::new();
    for (depth, name) in [
        (Depth::Usage, "usage"),
        (Depth::Pods, "pods"),
        (Depth::Hpa, "hpa"),
    ] {
        for every in [1, 2, 4] {
            let name = format!("{name}, {} s", 15 * every);
            rows.push(row(&name, of_states(depth, every)));
        }
    }
    for every in [2, 3, 6] {
        let name = format!("usage, 15 s, cAdvisor {} s", 10 * every);
        rows.push(row(&name, of_usages(every)));
    }
    let page = Path::new(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../docs/history.md"
    ));
    let page = std::fs::read_to_string(page).unwrap();
    let missing: Vec<_> = rows
        .iter()
        .filter(|row| !page.contains(row.as_str()))
        .collect();
    assert!(
        missing.is_empty(),
        "docs/history.md needs these rows:\n{}",
        rows.join("\n")
    );
}

#[test]
fn without_pods_and_values_nothing_is_certain() {
    let of_hpa = |one: &Series| one.name().starts_with("kube_horizontalpodautoscaler");
    let mut series = answers("prometheus");
    series.retain(of_hpa);
    let without_pods = trust(series.clone());
    assert_eq!(without_pods.certain, 0, "{without_pods:?}");
    assert!(
        without_pods.rescales / 2 < without_pods.exact,
        "{without_pods:?}"
    );
    series.retain(|one| one.name() != "kube_horizontalpodautoscaler_status_target_metric");
    let without_values = trust(series);
    assert_eq!(
        (without_values.syncs, without_values.exact),
        (0, 0),
        "{without_values:?}"
    );
}

#[test]
fn the_load_of_the_pods_is_what_the_counters_grew_by() {
    let (set, (today, edited)) = (SeriesSet::new(answers("prometheus")), today());
    let cpu = demand(
        &Sources {
            set: &set,
            today: &today,
            courses: &[],
            edited,
        },
        "cpu",
        15_000,
    );
    let most = cpu.iter().map(|(_, cores)| *cores).fold(0.0, f64::max);
    // At its peak the scenario's load is 0.92 cores.
    assert!((0.85..0.95).contains(&most), "{most}");
}
