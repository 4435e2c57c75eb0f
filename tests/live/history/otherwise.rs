//! Monitoring that is set up otherwise: an older kube-state-metrics, two Prometheus, the kubelet without its timestamps.

use serde_json::Value;

use super::{
    CHANGING,
    compared::{assert_as_sure_as_it_says, assert_certain_is_right, assert_reports},
    monitoring::{Extra, PROMETHEUS},
    pace::{self, Pace},
    plays_long,
    run::Run,
};

/// The short run with something else.
fn run(name: &'static str, extra: Extra<'static>) -> Run {
    Run::of(&Pace {
        name,
        extra,
        ..pace::short()
    })
}

/// The reports of the HPAs whose replicas change.
#[expect(clippy::print_stderr, reason = "the figures of a long run")]
fn reports(run: &Run) -> [Value; 2] {
    let reports = CHANGING.map(|name| run.report(name, &["--prometheus", PROMETHEUS]));
    for report in &reports {
        eprintln!("{}: {}", report["name"], report["trust"]);
    }
    reports
}

/// Fails unless every rescale is reported, nearly all are recomputed, what is certain is right, and none is invented.
#[track_caller]
fn assert_past_is_known(run: &Run) {
    let reports = reports(run);
    for report in &reports {
        assert_reports(run, report, &run.truth(report["name"].as_str().unwrap()));
    }
    assert_as_sure_as_it_says(run, PROMETHEUS, &reports, 1);
}

#[test]
fn kube_state_metrics_of_2025_shows_the_same_past() {
    if !plays_long() {
        return;
    }
    assert_past_is_known(&run("history-older", Extra::OlderStateMetrics));
}

/// Their scrapes are seconds apart, and so are the samples of one answer and of the next.
#[test]
fn two_prometheus_that_answer_in_turns_invent_no_rescale() {
    if !plays_long() {
        return;
    }
    assert_past_is_known(&run("history-two", Extra::TwoPrometheus));
}

/// Then nothing says when the kubelet read a container, and a sample may be older than it looks.
#[test]
fn what_is_certain_is_right_without_the_timestamps_of_the_kubelet() {
    if !plays_long() {
        return;
    }
    let run = run("history-no-timestamps", Extra::NoTimestamps);
    let reports = reports(&run);
    for report in &reports {
        let name = report["name"].as_str().unwrap();
        assert_certain_is_right(&run.syncs(name, &["--prometheus", PROMETHEUS]), name, 1);
    }
    let web = &reports[0];
    let advice = web["advice"].as_array().unwrap();
    let is_about_timestamps = |one: &Value| one["key"] == "honorTimestamps";
    assert!(advice.iter().any(is_about_timestamps), "{advice:#?}");
}
