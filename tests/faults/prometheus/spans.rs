//! Long ranges: in pieces, in shorter ones if a piece is too much, four in parallel.

use std::time::Duration;

use serde_json::json;

use super::fake::{Asked, Fake, NOON, Reply, pods, span, timestamp};

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;

/// A sample every 30 s; `is_closed`: the range includes its first instant, as before Prometheus 3.
fn answer(asked: &Asked, is_closed: bool) -> Reply {
    let (from, to) = span(asked);
    let first = (from + 29_999).div_euclid(30_000) * 30_000;
    let times = (0..)
        .map(|step| first + step * 30_000)
        .take_while(|at| *at <= to)
        .filter(|at| is_closed || from < *at);
    let values: Vec<_> = times
        .map(|at| json!([at / 1000, (at % 1_000_000).to_string()]))
        .collect();
    let metric = json!({"__name__": "kube_pod_info", "namespace": "shop"});
    Reply::series(&json!([{"metric": metric, "values": values}]))
}

/// Checks that all samples are present, without duplicates.
fn check(samples: &[(i64, f64)], from: i64, to: i64) {
    assert_eq!(samples.first().unwrap().0, from);
    assert_eq!(samples.last().unwrap().0, to);
    for pair in samples.windows(2) {
        assert_eq!(pair[0].0 + 30_000, pair[1].0);
    }
}

#[test]
fn pieces_are_joined_alike_whether_ranges_are_open_or_closed() {
    let from = NOON / 30_000 * 30_000;
    for is_closed in [false, true] {
        let fake = Fake::prometheus(move |asked| answer(asked, is_closed));
        for (way, read) in fake.both(from, from + 7 * DAY, "20s") {
            let read = read.unwrap();
            assert!(read.warnings.is_empty(), "{way}: {:?}", read.warnings);
            check(&read.series[0].samples, from, from + 7 * DAY);
        }
        // The newest hour shows that a day at a time is possible.
        assert_eq!(fake.queries().len(), 2 * 8);
        assert!(fake.most_at_once() <= 4);
    }
}

#[test]
fn pieces_are_halved_until_the_server_takes_them() {
    let from = NOON / 30_000 * 30_000;
    for (status, error_type, error) in [
        (
            422,
            "execution",
            "query processing would load too many samples into memory",
        ),
        (503, "timeout", "query timed out in expression evaluation"),
        (413, "", ""),
        (
            500,
            "internal",
            "the query exceeded the maximum number of chunks",
        ),
    ] {
        let fake = Fake::prometheus(move |asked| {
            let (from, to) = span(asked);
            if 3 * HOUR + 1000 < to - from {
                return Reply::error(status, error_type, error);
            }
            answer(asked, false)
        });
        for (way, read) in fake.both(from, from + 2 * DAY, "20s") {
            let read = read.unwrap_or_else(|error| panic!("{way}, {status}: {error}"));
            check(&read.series[0].samples, from, from + 2 * DAY);
        }
        // Which piece fails first is a matter of luck. Halves of more than 3 h, split in three at worst, are more than
        // 1 h: fewer than 48 pieces are answered, and fewer than that fail before, per way of reading.
        assert!(
            fake.queries().len() < 2 * (48 + 48),
            "{}",
            fake.queries().len()
        );
    }
}

#[test]
fn answers_that_are_too_long_are_requested_in_shorter_pieces() {
    let from = NOON / 30_000 * 30_000;
    let fake = Fake::prometheus(move |asked| {
        let (from, to) = span(asked);
        if 13 * HOUR < to - from {
            return Reply::new(200, "application/json", "{".repeat(17 << 20));
        }
        answer(asked, false)
    });
    for (_, read) in fake.both(from, from + DAY, "20s") {
        check(&read.unwrap().series[0].samples, from, from + DAY);
    }
}

#[test]
fn pieces_are_as_long_as_the_newest_hour_allows() {
    let from = NOON / 30_000 * 30_000;
    let fake = Fake::prometheus(move |asked| {
        let (from, to) = span(asked);
        if 4 * HOUR < to - from {
            return Reply::new(200, "application/json", "{".repeat(17 << 20));
        }
        let seconds = from / 1000 + 1..=to / 1000;
        let values: Vec<_> = seconds.map(|second| json!([second, "1"])).collect();
        let series = |pod: usize| json!({"metric": {"__name__": "kube_pod_info", "namespace": "shop", "pod": pod.to_string()}, "values": values});
        Reply::series(&json!((0..10).map(series).collect::<Vec<_>>()))
    });
    for (_, read) in fake.both(from, from + 12 * HOUR, "20s") {
        let read = read.unwrap();
        assert_eq!(read.series.len(), 10);
        assert_eq!(read.series[9].samples.len(), 12 * 3600 + 1);
    }
    // The hour, and the rest in pieces of 120,000 samples.
    assert_eq!(fake.queries().len(), 2 * (1 + 4));
}

#[test]
fn no_more_than_four_requests_are_under_way() {
    let from = NOON / 30_000 * 30_000;
    let fake = Fake::prometheus(|asked| answer(asked, false).after(Duration::from_millis(30)));
    let url = format!("--prometheus={}", fake.url());
    fake.with_server(&[&url], None, "20s", async |server| {
        server.set_longest_chunk(jiff::SignedDuration::from_hours(1));
        let read = |index: i64| {
            let from = from + index * DAY;
            async move {
                let selector = pods();
                server
                    .raw(&selector, timestamp(from), timestamp(from + DAY))
                    .await
            }
        };
        let (one, other, third) = tokio::join!(read(0), read(1), read(2));
        check(&one?[0].samples, from, from + DAY);
        assert_eq!(other?[0].samples.len(), third?[0].samples.len());
        assert_eq!(server.progress().total(), 72);
        Ok(())
    })
    .unwrap();
    assert_eq!(fake.most_at_once(), 4);
}

#[test]
fn probe_finds_what_is_there_and_how_often_it_is_scraped() {
    use hpa_prometheus::Selector;
    // The second server does not support a pattern of names.
    for takes_patterns in [true, false] {
        let fake = Fake::prometheus(move |asked| {
            let query = &asked.query["query"];
            if query.contains("=~") && !takes_patterns {
                return Reply::error(400, "bad_data", "no patterns of names");
            }
            if query.starts_with("kube_none") {
                return Reply::series(&json!([]));
            }
            answer(asked, false)
        });
        let selector = Selector::any_of(&["kube_pod_info", "kube_none"]).is("namespace", "shop");
        let url = format!("--prometheus={}", fake.url());
        let found = fake.with_server(&[&url], None, "20s", async |server| {
            server.probe(&selector, timestamp(NOON)).await
        });
        let found = found.unwrap();
        assert_eq!(found["kube_none"].series, 0);
        assert_eq!(found["kube_pod_info"].series, 1);
        assert_eq!(
            found["kube_pod_info"].interval,
            Some(jiff::SignedDuration::from_secs(30))
        );
    }
}
