//! Answers that are late, long, wrong, or not from Prometheus.

use std::time::Duration;

use axum::body::{Body, Bytes};
use futures::stream;
use serde_json::{Value, json};

use super::fake::{Fake, NOON, Reply};

/// Two minutes: the shortest range that is split.
const END: i64 = NOON + 120_000;

fn labels() -> Value {
    json!({"__name__": "kube_pod_info", "namespace": "shop", "pod": "web-1"})
}

/// One series with these values.
fn values(values: Value) -> Reply {
    Reply::series(&json!([{"metric": labels(), "values": values}]))
}

/// A piece repeated forever, with a pause in between.
fn endless(piece: String, pause: Duration) -> Body {
    let piece = Bytes::from(piece);
    Body::from_stream(stream::unfold((), move |()| {
        let piece = piece.clone();
        async move {
            tokio::time::sleep(pause).await;
            Some((Ok::<_, std::io::Error>(piece), ()))
        }
    }))
}

/// Time limit of a request.
const PATIENCE: &str = "20s";

/// Each fault with its answer, and the messages for direct access and through the API server; one if both are the
/// same.
type Fault = (&'static str, fn() -> Reply, &'static [&'static str]);

/// The message of a server with tenants.
const NO_TENANT: &str = "refuses to answer (401 \"no org id\"): it can have several tenants, and the request names none. Name one with --prometheus-header 'X-Scope-OrgID: TENANT'";

const FAULTS: &[Fault] = &[
    (
        "a body that is too long",
        || {
            let body = endless(" ".repeat(1 << 20), Duration::ZERO);
            Reply::new(200, "application/json", body)
        },
        &["has too much to read: an answer is longer than 8 MiB"],
    ),
    (
        "a login page",
        || Reply::new(200, "text/html", "<!doctype html><title>Log in</title>"),
        &[
            "is not a Prometheus API: it answers with an HTML page. If it is a login page, use --prometheus-token-command or --prometheus-header",
            "is not a Prometheus API: it answers with an HTML page",
        ],
    ),
    (
        "a redirect",
        || {
            Reply::new(302, "text/plain", "")
                .with("location", "https://sso.example.com/login?state=hunter2")
        },
        &["redirects to \"https://sso.example.com/login\" instead of answering"],
    ),
    (
        "401",
        || Reply::new(401, "text/plain", "Unauthorized"),
        &[
            "refuses to answer (401): use --prometheus-token-command or --prometheus-header 'Authorization: …'",
            "refuses to answer (401): the API server passes no credentials on to a Service. Use --prometheus https://HOST",
        ],
    ),
    (
        "401 for want of a tenant",
        || Reply::new(401, "text/plain; charset=utf-8", "no org id\n"),
        &[NO_TENANT],
    ),
    (
        "401 for want of a tenant, as an error of the API",
        || Reply::error(401, "bad_data", "no org id"),
        &[NO_TENANT],
    ),
    (
        "403",
        || Reply::new(403, "text/plain", "no org id"),
        &["refuses to answer (403): "],
    ),
    (
        "404",
        || Reply::new(404, "text/plain", "404 page not found\n"),
        &[
            "it answers 404 \"404 page not found\". If its API is below a path, add it, such as /prometheus",
        ],
    ),
    (
        "TLS without TLS",
        || {
            Reply::new(
                400,
                "text/plain",
                "Client sent an HTTP request to an HTTPS server.\n",
            )
        },
        &[
            "Use https:// instead of http://",
            "Write https: before the name: service:NAMESPACE/https:NAME:PORT",
        ],
    ),
    (
        "a wrong query",
        || Reply::error(400, "bad_data", "parse error\n\u{1b}[31mred"),
        &["refuses the query (400 bad_data): parse error"],
    ),
    (
        "422 whatever is asked",
        || {
            Reply::error(
                422,
                "execution",
                "query processing would load too many samples",
            )
        },
        &["refuses the query (422 execution): query processing would load too many samples"],
    ),
    (
        "too many requests",
        || Reply::error(429, "too_many_requests", "slow down"),
        &["refuses the query (429 too_many_requests): slow down"],
    ),
    (
        "503",
        || Reply::new(503, "text/plain", "Service Unavailable"),
        &["refuses the query (503 Service Unavailable): Service Unavailable"],
    ),
    (
        "503 with a page",
        || Reply::new(503, "text/html", "<html>nginx</html>"),
        &["refuses the query (503 Service Unavailable): an HTML page"],
    ),
    (
        "an error with status 200",
        || Reply::error(200, "internal", "disk is broken"),
        &["refuses the query (200 internal): disk is broken"],
    ),
    (
        "an answer that ends early",
        || {
            Reply::new(
                200,
                "application/json",
                r#"{"status":"success","data":{"result":["#,
            )
        },
        &["cannot be read: it ends early, after 38 bytes"],
    ),
    (
        "an error after the answer has begun",
        || {
            let body = r#"{"status":"success","data":{"result":[{"metric":{},"values":[[1,"2"]]}cannot read"#;
            Reply::new(200, "application/json", body)
        },
        &["cannot be read: expected `,` or `]`"],
    ),
    (
        "JSON of something else",
        || Reply::json(200, &json!({"kind": "PodList", "items": []})),
        &["is not a Prometheus API: it answers JSON without a status"],
    ),
    (
        "a list",
        || Reply::json(200, &json!([1])),
        &["is not a Prometheus API: it answers \"[1]\""],
    ),
    (
        "nothing",
        || Reply::new(204, "text/plain", ""),
        &["is not a Prometheus API: it answers 204 with nothing"],
    ),
    (
        "no data",
        || Reply::json(200, &json!({"status": "success"})),
        &["cannot be read: missing field `data`"],
    ),
    (
        "a number in the place of series",
        || Reply::series(&json!([1, "2"])),
        &["cannot be read: it has a number instead of series"],
    ),
    (
        "an instant in the place of a range",
        || Reply::series(&json!([{"metric": labels(), "value": [1, "2"]}])),
        &["cannot be read: it has histograms or single values instead of samples"],
    ),
    (
        "a histogram",
        || Reply::series(&json!([{"metric": labels(), "histograms": [[1, {"count": "1"}]]}])),
        &["cannot be read: it has histograms or single values instead of samples"],
    ),
    (
        "garbage as a number",
        || values(json!([[1_700_000_001, "many"]])),
        &["cannot be read: the value \"many\" is not a number"],
    ),
    (
        "an empty number",
        || values(json!([[1_700_000_001, ""]])),
        &["cannot be read: the value \"\" is not a number"],
    ),
    (
        "null as a number",
        || values(json!([[1_700_000_001, null]])),
        &["cannot be read: invalid type: null, expected a number in a string"],
    ),
    (
        "a sample without a number",
        || values(json!([[1_700_000_001]])),
        &["cannot be read: invalid length 0, expected a sample"],
    ),
    (
        "text as a time",
        || values(json!([["noon", "1"]])),
        &["cannot be read: invalid type: string \"noon\", expected f64"],
    ),
    (
        "a time beyond all calendars",
        || values(json!([[1e300, "1"]])),
        &["cannot be read: the time 1e300 s is not valid"],
    ),
    (
        "labels that are no texts",
        || Reply::series(&json!([{"metric": {"namespace": 7}, "values": []}])),
        &["cannot be read: invalid type: integer `7`, expected a string"],
    ),
    (
        "a series of another namespace",
        || {
            let metric = json!({"__name__": "kube_pod_info", "namespace": "other"});
            Reply::series(&json!([{"metric": metric, "values": [[1_700_000_001, "1"]]}]))
        },
        &[
            "answers with the series {__name__=\"kube_pod_info\", namespace=\"other\"}, which the query kube_pod_info{namespace=\"shop\"} does not select",
        ],
    ),
    (
        "a series without a name",
        || Reply::series(&json!([{"metric": {}, "values": [[1_700_000_001, "1"]]}])),
        &["answers with the series {}, which the query"],
    ),
];

#[test]
fn answers_that_do_not_come_in_time_are_not_waited_for() {
    let replies: [fn() -> Reply; 2] = [
        || values(json!([])).after(Duration::from_mins(1)),
        || {
            let body = endless(" ".to_owned(), Duration::from_millis(100));
            Reply::new(200, "application/json", body)
        },
    ];
    for reply in replies {
        let fake = Fake::prometheus(move |_| reply());
        for (way, read) in fake.both(NOON, END, "1s") {
            let error = read.unwrap_err().to_string();
            let expected =
                "gives no answer within 1s: use a longer --request-timeout or a shorter time range";
            assert!(error.ends_with(expected), "{way}: {error}");
        }
    }
}

#[test]
fn every_fault_is_an_error_that_says_so_in_both_ways() {
    let failed = std::thread::scope(|scope| {
        let tries: Vec<_> = FAULTS
            .iter()
            .map(|fault| scope.spawn(|| failures_of(fault)))
            .collect();
        let failed = tries.into_iter().flat_map(|tried| tried.join().unwrap());
        failed.collect::<Vec<_>>()
    });
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

fn failures_of((name, reply, expected): &Fault) -> Vec<String> {
    let reply = *reply;
    let fake = Fake::prometheus(move |_| reply());
    let ways = fake.both(NOON, END, PATIENCE);
    let mut failed = Vec::new();
    for (index, (way, read)) in ways.into_iter().enumerate() {
        let expected = expected.get(index).unwrap_or(&expected[0]);
        let text = match read {
            Ok(read) => format!("no error: {read:?}"),
            Err(error) => error.to_string(),
        };
        let is_clean = !text.contains(char::is_control) && !text.contains("hunter2");
        if !text.contains(expected) || !is_clean {
            failed.push(format!("{name}, {way}: {text}"));
        }
    }
    failed
}

#[test]
fn warnings_are_kept_and_partial_answers_are_reported() {
    let fake = Fake::prometheus(|_| {
        Reply::json(
            200,
            &json!({
                "status": "success",
                "isPartial": true,
                "data": {"resultType": "matrix", "result": []},
                "warnings": ["a store\nis down"],
                "infos": ["metric might not be a counter"],
            }),
        )
    });
    for (way, read) in fake.both(NOON, END, PATIENCE) {
        assert_eq!(
            read.unwrap().warnings,
            [
                "a store is down",
                "metric might not be a counter",
                "the answer is partial: some of its storage is unavailable"
            ],
            "{way}"
        );
    }
}

#[test]
fn samples_out_of_order_twice_and_from_elsewhere_are_put_in_order() {
    let fake = Fake::prometheus(|_| {
        let first = json!([
            [1_700_000_060, "3"],
            [1_700_000_030.5, "2"],
            [1_700_000_060, "3"]
        ]);
        // VictoriaMetrics answers in blocks.
        let second = json!([
            [1_700_000_000, "1"],
            [1_700_000_090, "NaN"],
            [1_600_000_000, "9"]
        ]);
        Reply::series(&json!([
            {"metric": labels(), "values": first},
            {"metric": labels(), "values": second},
        ]))
    });
    for (way, read) in fake.both(NOON, END, PATIENCE) {
        let read = read.unwrap();
        assert_eq!(read.series.len(), 1, "{way}");
        let expected = [(NOON, 1.0), (NOON + 30_500, 2.0), (NOON + 60_000, 3.0)];
        assert_eq!(read.series[0].samples, expected);
        assert_eq!(read.series[0].absent, [NOON + 90_000]);
        assert_eq!(
            read.warnings,
            [
                "it answers with samples of kube_pod_info outside of the time range; they are left out"
            ]
        );
    }
}

#[test]
fn two_values_at_the_same_time_are_reported() {
    let fake = Fake::prometheus(|_| values(json!([[1_700_000_060, "3"], [1_700_000_060, "4"]])));
    for (way, read) in fake.both(NOON, END, PATIENCE) {
        let read = read.unwrap();
        assert_eq!(read.series[0].samples, [(NOON + 60_000, 4.0)], "{way}");
        assert_eq!(
            read.warnings,
            [
                "it has different values at the same time in 1 series of kube_pod_info; the greatest one counts"
            ]
        );
    }
}

#[test]
fn replicas_of_prometheus_are_one_series() {
    let fake = Fake::prometheus(|_| {
        let replica = |name: &str, times: &[u32]| {
            let mut metric = labels();
            metric["prometheus_replica"] = json!(name);
            let values: Vec<_> = times
                .iter()
                .map(|second| json!([1_700_000_000 + second, name]))
                .collect();
            json!({"metric": metric, "values": values})
        };
        Reply::series(&json!([
            replica("1", &[0, 10, 20, 60, 70, 80]),
            replica("2", &[4, 14, 24, 34, 44]),
        ]))
    });
    for (way, read) in fake.both(NOON, END, PATIENCE) {
        let read = read.unwrap();
        assert_eq!(read.series.len(), 1, "{way}");
        assert_eq!(read.series[0].label("prometheus_replica"), "");
        let seconds: Vec<_> = read.series[0]
            .samples
            .iter()
            .map(|(at, _)| (at - NOON) / 1000)
            .collect();
        assert_eq!(seconds, [0, 10, 20, 34, 44, 60, 70, 80]);
    }
}

#[test]
fn missing_series_is_missing() {
    let fake = Fake::prometheus(|_| Reply::series(&json!([])));
    for (way, read) in fake.both(NOON, END, PATIENCE) {
        assert!(read.unwrap().series.is_empty(), "{way}");
    }
}
