//! Samples that no exporter writes, answers of another type, and more series than can be read.

use serde_json::{Value, json};

use super::{
    fake::{Fake, NOON, Reply, pods, timestamp},
    history::World,
};

/// Values that no number of replicas has.
const NO_REPLICAS: [&str; 8] = [
    "1e308",
    "1e300",
    "-5",
    "3.7",
    "2147483648",
    "+Inf",
    "-Inf",
    "-1e308",
];

/// The series that mean a number of replicas.
const REPLICAS: [&str; 6] = [
    "kube_horizontalpodautoscaler_status_desired_replicas",
    "kube_horizontalpodautoscaler_status_current_replicas",
    "kube_horizontalpodautoscaler_spec_min_replicas",
    "kube_horizontalpodautoscaler_spec_max_replicas",
    "kube_deployment_spec_replicas",
    "kube_deployment_status_replicas",
];

/// What the report says in this format, without line breaks, if a series has this value in every `every`th sample.
fn report(name: Option<&'static str>, value: &'static str, every: u64, format: &str) -> String {
    let world = World::new(move |labels, time, real| {
        let is_it = match name {
            Some(name) => labels["__name__"] == name,
            None => REPLICAS.iter().any(|one| labels["__name__"] == *one),
        };
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a time of a test"
        )]
        let number = (time / 15.0).round() as u64;
        let is_now = number.is_multiple_of(every);
        let value = if is_it && is_now { value } else { real };
        Some(value.to_owned())
    });
    let calm = [
        "--from",
        "2026-11-26T01:02:00Z",
        "--to",
        "2026-11-26T01:05:00Z",
    ];
    let run = world.history(&[&calm[..], &["-o", format]].concat());
    assert_eq!(run.code, Some(0), "{run:?}");
    run.stdout.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn numbers_of_replicas_that_cannot_be_are_no_samples_and_nothing_is_well() {
    for (index, value) in NO_REPLICAS.into_iter().enumerate() {
        // Each value for one of the names at some times, and for all of them at all times.
        let one = REPLICAS[index % REPLICAS.len()];
        for (name, every) in [(Some(one), 3), (None, 1)] {
            let text = report(name, value, every, "text");
            let case = format!("{value} {name:?} {every}: {text}");
            assert!(!text.contains("All is well"), "{case}");
            let possible = "the value must be a whole number from 0 to 2147483647";
            assert!(text.contains(possible), "{case}");
            assert!(!text.contains("2147483647 replicas"), "{case}");
            assert!(!text.contains("maxReplicas -5"), "{case}");
        }
    }
    let json = report(Some(REPLICAS[3]), "1e300", 2, "json");
    assert!(json.contains("Whether all is well is unknown"), "{json}");
    let html = report(Some(REPLICAS[3]), "1e300", 2, "html");
    assert!(html.contains("IMPOSSIBLE SAMPLES") && !html.contains("ALL WELL"));
}

#[test]
fn samples_of_pods_that_cannot_be_are_named() {
    for (name, value, possible) in [
        (
            "container_cpu_usage_seconds_total",
            "-5",
            "a number from 0 to 9e15",
        ),
        (
            "kube_pod_container_resource_requests",
            "-0.2",
            "a number from 0 to 9e15",
        ),
        ("kube_pod_status_ready", "0.5", "0 or 1"),
        ("kube_pod_created", "1e300", "a time in seconds since 1970"),
        (
            "kube_horizontalpodautoscaler_status_condition",
            "2",
            "0 or 1",
        ),
        (
            "kube_horizontalpodautoscaler_metadata_generation",
            "1.5",
            "a whole number from 0 on",
        ),
        (
            "kube_horizontalpodautoscaler_status_target_metric",
            "1e300",
            "must be ",
        ),
    ] {
        let text = report(Some(name), value, 2, "text");
        assert!(
            text.contains(&format!("of {name} cannot be, such as ")),
            "{text}"
        );
        assert!(text.contains(possible), "{text}");
        assert!(!text.contains("All is well"), "{text}");
    }
}

#[test]
fn result_of_another_type_is_refused() {
    for result_type in [
        json!("vector"),
        json!("scalar"),
        json!("streams"),
        json!(7),
        Value::Null,
    ] {
        let fake = Fake::prometheus(move |_| {
            let labels = json!({"__name__": "kube_pod_info", "namespace": "shop"});
            let result = json!([{"metric": labels, "values": [[1_700_000_060, "1"]]}]);
            Reply::json(
                200,
                &json!({"status": "success", "data": {"resultType": result_type, "result": result}}),
            )
        });
        for (way, read) in fake.both(NOON, NOON + 120_000, "20s") {
            let error = read.unwrap_err().to_string();
            assert!(
                error.contains("cannot be read: resultType is "),
                "{way}: {error}"
            );
            assert!(error.ends_with(", not \"matrix\""), "{way}: {error}");
        }
    }
}

/// A shorter time has no fewer of them, so nothing is gained by halving it.
#[test]
fn too_many_series_end_the_reading_after_a_few_requests() {
    let fake = Fake::prometheus(|_| {
        let many = (0..20_000).map(|index| {
            let labels = json!({"__name__": "kube_pod_info", "namespace": "shop",
                "pod": format!("web-{index}"), "uid": "x".repeat(400)});
            json!({"metric": labels, "values": [[1_700_000_060, "1"]]})
        });
        Reply::series(&many.collect())
    });
    let url = format!("--prometheus={}", fake.url());
    let read = fake.with_server(&[&url], None, "20s", async |server| {
        let day = 24 * 3_600_000;
        server
            .raw(&pods(), timestamp(NOON - day), timestamp(NOON))
            .await
    });
    let error = read.unwrap_err().to_string();
    assert!(
        error.contains(
            "has too much to read: an answer is longer than 8 MiB. Use a shorter time range"
        ),
        "{error}"
    );
    assert!(fake.queries().len() <= 2, "{}", fake.queries().len());
}
