//! docs/dev/controller.md 12.1: the proposal of one metric. Upstream: `replica_calculator_test.go`.
//!
//! Each row holds in all versions that it lists, on both architectures. Numbers are in thousandths, as in the table.

use std::ops::RangeInclusive;

use hpa_engine::model::{
    Architecture, PodPhase, Quantity,
    quantity::{Format, Overflow},
};

use crate::support::{all_versions, proposal, since, status_of_metric, until};
use hpa_testing::{PodFixture, World, average, container, down, gone, hpa, pod, up, value};

/// What a row of the table expects: the proposal or the error, and the status (percent and average).
struct Expected {
    proposal: Result<i32, &'static str>,
    utilization: Option<i32>,
    shows: Option<i64>,
}

#[track_caller]
fn check(versions: RangeInclusive<u32>, situation: &World, expected: &Expected) {
    for minor in versions {
        for architecture in [Architecture::Amd64, Architecture::Arm64] {
            let situation = situation.clone().kube(minor).architecture(architecture);
            let trace = situation.decide();
            let context = format!("1.{minor} on {architecture:?}");
            assert_eq!(proposal(&trace), expected.proposal, "{context}");
            if expected.proposal.is_ok() {
                let status = status_of_metric(&trace);
                let displayed = status.average_value.as_ref().or(status.value.as_ref());
                let displayed = displayed.map(|displayed| displayed.milli_value(Overflow::Wrap));
                assert_eq!(
                    status.average_utilization, expected.utilization,
                    "{context}"
                );
                assert!(
                    expected.shows.is_none() || displayed == expected.shows,
                    "{context}: shows {displayed:?}"
                );
            }
        }
    }
}

fn utilization(replicas: i32, utilization: i32, average: i64) -> Expected {
    Expected {
        utilization: Some(utilization),
        ..average_of(replicas, average)
    }
}

fn average_of(replicas: i32, average: i64) -> Expected {
    Expected {
        proposal: Ok(replicas),
        utilization: None,
        shows: Some(average),
    }
}

/// `replicas` pods, each with two containers that share the request and the usage; `-` for no sample.
fn pods(requests: &str, usage: &str) -> Vec<PodFixture> {
    let halves = |text: &str| -> (String, String) {
        let total: i64 = text.parse().unwrap();
        (format!("{}m", total / 2), format!("{}m", total - total / 2))
    };
    let requests: Vec<&str> = requests.split(' ').collect();
    let usage: Vec<&str> = usage.split(' ').collect();
    requests
        .iter()
        .zip(&usage)
        .enumerate()
        .map(|(index, (request, usage))| {
            let (first, second) = halves(request);
            let pod = pod(&format!("web-{index}")).containers([
                container("app").requesting("cpu", &first),
                container("proxy").requesting("cpu", &second),
            ]);
            if *usage == "-" {
                return pod;
            }
            let (first, second) = halves(usage);
            pod.container_usage("app", "cpu", &first)
                .container_usage("proxy", "cpu", &second)
        })
        .collect()
}

/// Changes the pods at these places.
fn where_at<const N: usize>(
    mut pods: Vec<PodFixture>,
    places: [usize; N],
    change: impl Fn(PodFixture) -> PodFixture,
) -> Vec<PodFixture> {
    for place in places {
        pods[place] = change(pods[place].clone());
    }
    pods
}

/// Pods with a value of a Pods metric, `-` for none.
fn valued(values: &str) -> Vec<PodFixture> {
    values
        .split(' ')
        .enumerate()
        .map(|(index, value)| {
            let pod = pod(&format!("web-{index}"));
            if value == "-" {
                pod
            } else {
                pod.value(&format!("{value}m"))
            }
        })
        .collect()
}

/// Pods without samples; the first `ready` of them are ready.
fn ready(ready: usize, all: usize) -> Vec<PodFixture> {
    (0..all)
        .map(|index| {
            let pod = pod(&format!("web-{index}"));
            if index < ready { pod } else { pod.unready() }
        })
        .collect()
}

fn cpu(percent: i32) -> World {
    hpa("web").cpu(percent)
}

#[test]
fn utilization_times_ready_pods() {
    let rows = [
        (
            3,
            30,
            pods("2000 2000 2000", "600 1000 1400"),
            utilization(5, 50, 1000),
        ),
        (
            5,
            50,
            pods("2000 2000 2000 2000 2000", "200 600 1000 500 500"),
            utilization(3, 28, 560),
        ),
        (
            3,
            100,
            pods("1800 2000 2200", "2020 2060 2040"),
            utilization(3, 102, 2040),
        ),
        (
            2,
            50,
            pods("2000 2000 2000", "200 200 -"),
            utilization(2, 10, 200),
        ),
    ];
    for (replicas, percent, pods, expected) in rows {
        let situation = cpu(percent).with_replicas(replicas).pods(pods);
        check(all_versions(), &situation, &expected);
    }
}

#[test]
fn unready_and_failed_pods_are_left_out_of_the_utilization() {
    let three = || pods("2000 2000 2000", "600 1000 1400");
    let five = || pods("2000 2000 2000 2000 2000", "200 600 1000 500 500");
    let rows = [
        (
            3,
            30,
            where_at(three(), [0], PodFixture::unready),
            utilization(4, 60, 1200),
        ),
        (
            3,
            30,
            where_at(
                pods("2000 2000 2000", "800 1000 1400"),
                [1, 2],
                PodFixture::unready,
            ),
            utilization(3, 40, 800),
        ),
        (
            2,
            30,
            where_at(
                pods("2000 2000 2000 2000", "1000 1400 - -"),
                [2, 3],
                |pod| pod.phase(PodPhase::Failed),
            ),
            utilization(4, 60, 1200),
        ),
        (
            2,
            30,
            where_at(
                pods("2000 2000 2000 2000", "1000 1400 - -"),
                [2, 3],
                PodFixture::terminating,
            ),
            utilization(4, 60, 1200),
        ),
        (
            5,
            50,
            where_at(five(), [3, 4], PodFixture::unready),
            utilization(2, 30, 600),
        ),
        (
            5,
            50,
            where_at(
                pods("2000 2000 2000 2000 2000", "200 - - - -"),
                [1, 2, 3, 4],
                PodFixture::pending,
            ),
            utilization(1, 10, 200),
        ),
    ];
    for (replicas, percent, pods, expected) in rows {
        let situation = cpu(percent).with_replicas(replicas).pods(pods);
        check(all_versions(), &situation, &expected);
    }
}

#[test]
fn tolerance_decides_whether_a_small_change_counts() {
    let slightly_above = || pods("1800 2000 2200", "1818 2020 2222");
    let well_below = || pods("1800 2000 2200", "1320 1280 1300");
    let zero = cpu(100)
        .with_replicas(3)
        .pods(slightly_above())
        .tolerance(0.0);
    check(all_versions(), &zero, &utilization(4, 101, 2020));
    let rows = [
        (
            up().tolerance("0"),
            slightly_above(),
            utilization(4, 101, 2020),
        ),
        (
            down().tolerance("360m"),
            well_below(),
            utilization(3, 65, 1300),
        ),
        (
            down().tolerance("340m"),
            well_below(),
            utilization(2, 65, 1300),
        ),
    ];
    for (rules, pods, expected) in rows {
        let situation = cpu(100).behavior(rules).with_replicas(3).pods(pods);
        check(since(35), &situation, &expected);
    }
}

#[test]
fn ratio_of_exactly_1_1_scales_up_to_1_32_and_holds_from_1_33_on() {
    let requests = ["1000"; 10].join(" ");
    let situation = cpu(50)
        .with_replicas(10)
        .pods(pods(&requests, &["550"; 10].join(" ")));
    check(until(32), &situation, &utilization(11, 55, 550));
    check(since(33), &situation, &utilization(10, 55, 550));
}

#[test]
fn samples_of_pods_that_are_gone_count_in_the_number_of_pods_only() {
    let mut superfluous = pods("2000 2000 2000 2000", "8000 19000 6000 14000");
    superfluous.push(gone("old-0").cpu("6400m"));
    superfluous.push(gone("old-1").cpu("4000m"));
    let situation = cpu(100).with_replicas(4).pods(superfluous);
    check(all_versions(), &situation, &utilization(24, 587, 11750));
}

#[test]
fn metrics_of_no_listed_pod_are_an_error() {
    let only = pods("2000", "-").into_iter().chain([gone("old").cpu("1")]);
    let situation = cpu(100).with_replicas(1).pods(only);
    let expected = Expected {
        proposal: Err("failed to get cpu utilization: no metrics returned matched known pods"),
        utilization: None,
        shows: None,
    };
    check(all_versions(), &situation, &expected);
}

#[test]
fn missing_pods_count_as_idle_on_the_way_up_and_as_busy_on_the_way_down() {
    let rows = [
        (
            4,
            pods("2000 2000 2000 2000", "800 190 - -"),
            utilization(3, 24, 495),
        ),
        (2, pods("2000 2000", "2000 -"), utilization(2, 100, 2000)),
        (2, pods("2000 2000", "3800 -"), utilization(2, 190, 3800)),
        (2, pods("2000 2000", "1200 -"), utilization(2, 60, 1200)),
    ];
    for (replicas, pods, expected) in rows {
        let situation = cpu(100).with_replicas(replicas).pods(pods);
        check(all_versions(), &situation, &expected);
    }
}

#[test]
fn missing_and_unready_pods_are_added_back_together() {
    let rows = [
        (3, "2000 2000 2000", "200 900 -", utilization(3, 45, 900)),
        (3, "2000 2000 2000", "200 4000 -", utilization(4, 200, 4000)),
        (
            4,
            "2000 2000 2000 2000",
            "200 200 200 -",
            utilization(3, 10, 200),
        ),
    ];
    for (replicas, requests, usage, expected) in rows {
        let pods = where_at(pods(requests, usage), [0], PodFixture::unready);
        let situation = cpu(50).with_replicas(replicas).pods(pods);
        check(all_versions(), &situation, &expected);
    }
}

#[test]
fn target_above_100_percent_fills_missing_pods_from_1_26_on() {
    let pods = where_at(
        pods("2000 2000 4000 4000", "400 200 200 -"),
        [0],
        PodFixture::unready,
    );
    let situation = cpu(300).with_replicas(4).pods(pods);
    check(until(25), &situation, &utilization(1, 6, 200));
    check(since(26), &situation, &utilization(2, 6, 200));
}

#[test]
fn average_of_a_pods_metric() {
    let unready = PodFixture::unready;
    let rows = [
        (3, "15", valued("20000 10000 30000"), average_of(4, 20000)),
        (
            3,
            "15",
            where_at(valued("50000 10000 30000"), [2], unready),
            average_of(6, 30000),
        ),
        (
            3,
            "15",
            where_at(valued("50000 15000 30000"), [0, 2], unready),
            average_of(7, 31666),
        ),
        (3, "20", valued("20000 21000 21000"), average_of(3, 20666)),
        (
            5,
            "20",
            valued("12000 12000 12000 12000 12000"),
            average_of(3, 12000),
        ),
        (2, "17", valued("10000 10000 -"), average_of(2, 10000)),
    ];
    for (replicas, target, pods, expected) in rows {
        let situation = hpa("web")
            .requests(target)
            .with_replicas(replicas)
            .pods(pods);
        check(all_versions(), &situation, &expected);
    }
    let close = hpa("web")
        .requests("20")
        .behavior(up().tolerance("10m"))
        .with_replicas(3)
        .pods(valued("20000 21000 21000"));
    check(since(35), &close, &average_of(4, 20666));
}

#[test]
fn missing_pods_of_a_pods_metric_on_target_are_left_alone_from_1_28_on() {
    let situation = hpa("web")
        .requests("20")
        .with_replicas(5)
        .pods(valued("20000 19000 21000 - -"));
    check(until(27), &situation, &average_of(3, 20000));
    check(since(28), &situation, &average_of(5, 20000));
}

#[test]
fn value_of_an_object_times_ready_pods() {
    let rows = [
        (3, 15000, 20000, ready(3, 3), average_of(4, 20000)),
        (3, 10000, 50000, ready(1, 3), average_of(5, 50000)),
    ];
    for (replicas, target, hits, pods, expected) in rows {
        let situation = hpa("web")
            .object(value(&format!("{target}m")))
            .with_replicas(replicas)
            .hits(&format!("{hits}m"))
            .pods(pods);
        check(all_versions(), &situation, &expected);
    }
}

#[test]
fn average_of_an_object_over_status_replicas() {
    let rows = [
        (3, 5000, 20000, average_of(4, 6667)),
        (4, 5000, 20166, average_of(4, 5042)),
        (5, 2000, 6000, average_of(3, 1200)),
    ];
    for (replicas, target, hits, expected) in rows {
        let situation = hpa("web")
            .object(average(&format!("{target}m")))
            .with_replicas(replicas)
            .hits(&format!("{hits}m"));
        check(all_versions(), &situation, &expected);
    }
    let close = hpa("web")
        .object(average("5"))
        .behavior(up().tolerance("10m"))
        .with_replicas(4)
        .hits("20208m");
    check(since(35), &close, &average_of(5, 5052));
}

#[test]
fn value_of_an_external_metric_times_ready_pods() {
    let rows = [
        (3, 4400, ready(1, 3), average_of(2, 8600)),
        (5, 14334, ready(5, 5), average_of(3, 8600)),
        (3, 8888, ready(3, 3), average_of(3, 8600)),
    ];
    for (replicas, target, pods, expected) in rows {
        let situation = hpa("web")
            .external(value(&format!("{target}m")))
            .with_replicas(replicas)
            .series(&["8600m"])
            .pods(pods);
        check(all_versions(), &situation, &expected);
    }
}

#[test]
fn average_of_an_external_metric_over_status_replicas() {
    let rows = [
        (3, 2150, average_of(4, 2867)),
        (3, 2900, average_of(3, 2867)),
        (5, 2867, average_of(3, 1720)),
    ];
    for (replicas, target, expected) in rows {
        let situation = hpa("web")
            .external(average(&format!("{target}m")))
            .with_replicas(replicas)
            .series(&["8600m"]);
        check(all_versions(), &situation, &expected);
    }
    let close = hpa("web")
        .external(average("2800m"))
        .behavior(up().tolerance("10m"))
        .with_replicas(3)
        .series(&["8600m"]);
    check(since(35), &close, &average_of(4, 2867));
}

#[test]
fn largest_value_asks_for_the_largest_number_where_it_is_capped() {
    let largest = "9223372036854775807m";
    let value = hpa("web")
        .object(value("1m"))
        .with_replicas(3)
        .hits(largest)
        .pods(ready(3, 3));
    check(since(35), &value, &average_of(i32::MAX, i64::MAX));
    let average = hpa("web")
        .external(average("1m"))
        .with_replicas(1)
        .series(&[largest]);
    check(since(34), &average, &average_of(i32::MAX, i64::MAX));
}

#[test]
fn memory_is_shown_in_binary_units_from_1_34_on() {
    for (usage, decimal, binary) in [
        ("1", "1", "1"),
        // Below 1024 bytes there is no binary unit.
        ("1000", "1k", "1k"),
        ("50Mi", "52428800", "50Mi"),
        ("81344000", "81344k", "81344k"),
    ] {
        let situation = hpa("web")
            .average("memory", "100Mi")
            .with_replicas(1)
            .pods([pod("web-0").memory(usage)]);
        for (minor, displayed) in [(33, decimal), (34, binary)] {
            let trace = situation.clone().kube(minor).decide();
            let average = status_of_metric(&trace).average_value.as_ref().unwrap();
            assert_eq!(average.to_string(), displayed, "1.{minor}");
        }
    }
    let written = |raw| Quantity::from_milli(raw, Format::BinarySI).to_string();
    assert_eq!([written(1_000), written(1_000_000)], ["1", "1k"]);
}
