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
use hpa_history::{PastSync, Series, SeriesSet, Sources, Trust, demand, follow};
use hpa_objects::recording::RecordingReader;
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

fn today() -> Observation {
    let mut reader = RecordingReader::open(&folder().join("today.json.gz")).unwrap();
    reader
        .next()
        .unwrap()
        .unwrap()
        .snapshot
        .observation()
        .unwrap()
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
    let (set, today) = (SeriesSet::new(series), today());
    let mut trust = Trust::default();
    let sources = Sources {
        set: &set,
        today: &today,
        courses: &[],
    };
    follow(&sources, &mut |sync: &PastSync<'_>| trust.take(sync));
    trust
}

#[test]
fn every_rescale_is_recomputed_exactly_where_every_sync_is_scraped() {
    let trust = trust(answers("prometheus"));
    assert_eq!(
        (trust.rescales, trust.exact, trust.invented),
        (9, 9, 0),
        "{trust:?}"
    );
    assert_eq!(trust.agreeing, trust.syncs, "{trust:?}");
    assert!(trust.syncs * 3 / 4 <= trust.certain, "{trust:?}");
    assert_eq!(trust.skill(), Some(1.0));
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
        assert_eq!(trust.invented, 0, "{spacing}: {trust:?}");
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
    let (set, today) = (SeriesSet::new(answers("prometheus")), today());
    let cpu = demand(
        &Sources {
            set: &set,
            today: &today,
            courses: &[],
        },
        "cpu",
        15_000,
    );
    let most = cpu.iter().map(|(_, cores)| *cores).fold(0.0, f64::max);
    // At its peak the scenario's load is 0.92 cores.
    assert!((0.85..0.95).contains(&most), "{most}");
}
