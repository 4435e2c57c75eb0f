//! Recorded incidents on the board.

use std::{path::Path, sync::Arc};

use hpa_engine::model::{HpaKey, KubeEvent, Source};
use hpa_objects::recording::RecordingReader;
use hpa_playback::Session;
use hpa_watch::{Change, Event, SeenHpa, State, Update, reduce, source_of};
use jiff::{SignedDuration, Timestamp};

use super::{Exposition, ProcessNumbers, SERIES, SharedBoard, TextFormat, locked, record::Record};

/// A board and the state that feeds it.
#[derive(Default)]
struct Played {
    board: SharedBoard,
    state: State,
    /// The latest read of the HPA.
    latest: Option<SeenHpa>,
    now: Timestamp,
}

impl Played {
    /// Plays a recording of `examples`.
    fn recording(name: &str) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../examples")
            .join(name);
        let mut played = Self::default();
        locked(&played.board).begin(Timestamp::UNIX_EPOCH);
        let mut session = Session::of_recordings();
        for line in RecordingReader::open(&path).unwrap() {
            let snapshot = line.unwrap().snapshot;
            let at = snapshot.time;
            let pushed = session.push(snapshot).unwrap();
            for compared in pushed.compared.into_iter().filter(|one| one.is_final) {
                let event = Event::Compared {
                    at: compared.time,
                    agreement: compared.agreement(),
                    hpa: compared.hpa,
                };
                played.take(event, at);
            }
            let seen = pushed.reconcile.seen();
            played.latest = Some(seen.clone());
            played.take(Event::Reconciled(Box::new(seen)), at);
        }
        played
    }

    fn take(&mut self, event: Event, at: Timestamp) -> Vec<Update> {
        self.now = at;
        locked(&self.board).before(&event, at);
        let updates = reduce(&mut self.state, event, at);
        locked(&self.board).after(&updates, &self.state, None);
        updates
    }

    fn later(&self, seconds: i64) -> Timestamp {
        self.now + SignedDuration::from_secs(seconds)
    }

    fn text(&self) -> String {
        let exposition = Exposition::new(Arc::clone(&self.board));
        exposition.write(TextFormat::Prometheus, None).unwrap()
    }

    /// The samples of HPAs whose value is not 0.
    fn samples(&self) -> String {
        let text = self.text();
        let is_of_hpa = |line: &&str| {
            line.contains("horizontalpodautoscaler=")
                && !line.ends_with(" 0")
                && !line.ends_with(" 0.0")
        };
        let lines: Vec<&str> = text.lines().filter(is_of_hpa).collect();
        lines.join("\n").replace("kubectl_hpa_", "")
    }
}

#[test]
fn pods_that_are_not_ready_are_what_holds() {
    insta::assert_snapshot!(Played::recording("not-ready-pods.jsonl").samples(), @r#"
    visible{namespace="shop",horizontalpodautoscaler="web"} 1
    last_sync_timestamp_seconds{namespace="shop",horizontalpodautoscaler="web"} 1795260689.6628752
    verdict{namespace="shop",horizontalpodautoscaler="web",verdict="pods_not_ready"} 1
    desired_replicas{namespace="shop",horizontalpodautoscaler="web"} 8
    agrees{namespace="shop",horizontalpodautoscaler="web"} 1
    condition_reason{namespace="shop",horizontalpodautoscaler="web",condition="AbleToScale",reason="ReadyForNewScale"} 1
    condition_reason{namespace="shop",horizontalpodautoscaler="web",condition="ScalingActive",reason="ValidMetricFound"} 1
    condition_reason{namespace="shop",horizontalpodautoscaler="web",condition="ScalingLimited",reason="DesiredWithinRange"} 1
    held_seconds_total{namespace="shop",horizontalpodautoscaler="web",by="not_ready"} 70.085769219
    proposed_replicas{namespace="shop",horizontalpodautoscaler="web",metric="cpu",source="Resource",index="0"} 8
    usage_ratio{namespace="shop",horizontalpodautoscaler="web",metric="cpu",index="0"} 1.4166666666666668
    metric_valid{namespace="shop",horizontalpodautoscaler="web",metric="cpu",index="0"} 1
    counted_pods{namespace="shop",horizontalpodautoscaler="web",metric="cpu",index="0",class="ready"} 6
    counted_pods{namespace="shop",horizontalpodautoscaler="web",metric="cpu",index="0",class="not_ready"} 2
    "#);
}

#[test]
fn replicas_beyond_the_maximum_are_counted() {
    insta::assert_snapshot!(Played::recording("more-than-max.jsonl").samples(), @r#"
    visible{namespace="api",horizontalpodautoscaler="api"} 1
    last_sync_timestamp_seconds{namespace="api",horizontalpodautoscaler="api"} 1795260750.076532
    verdict{namespace="api",horizontalpodautoscaler="api",verdict="at_max"} 1
    unmet_replicas{namespace="api",horizontalpodautoscaler="api"} 12
    desired_replicas{namespace="api",horizontalpodautoscaler="api"} 20
    agrees{namespace="api",horizontalpodautoscaler="api"} 1
    condition_reason{namespace="api",horizontalpodautoscaler="api",condition="AbleToScale",reason="ReadyForNewScale"} 1
    condition_reason{namespace="api",horizontalpodautoscaler="api",condition="ScalingActive",reason="ValidMetricFound"} 1
    condition_reason{namespace="api",horizontalpodautoscaler="api",condition="ScalingLimited",reason="TooManyReplicas"} 1
    held_seconds_total{namespace="api",horizontalpodautoscaler="api",by="max"} 115.063119241
    held_seconds_total{namespace="api",horizontalpodautoscaler="api",by="policy"} 15.018995915
    rescales_total{namespace="api",horizontalpodautoscaler="api",direction="up"} 2
    proposed_replicas{namespace="api",horizontalpodautoscaler="api",metric="cpu",source="Resource",index="0"} 32
    usage_ratio{namespace="api",horizontalpodautoscaler="api",metric="cpu",index="0"} 1.7666666666666667
    metric_valid{namespace="api",horizontalpodautoscaler="api",metric="cpu",index="0"} 1
    counted_pods{namespace="api",horizontalpodautoscaler="api",metric="cpu",index="0",class="ready"} 18
    counted_pods{namespace="api",horizontalpodautoscaler="api",metric="cpu",index="0",class="not_ready"} 2
    "#);
}

#[test]
fn demand_that_is_not_known_is_absent() {
    for name in ["broken-metric.jsonl", "two-hpas.jsonl"] {
        let text = Played::recording(name).text();
        assert!(!text.contains("unmet_replicas{"), "{text}");
    }
}

#[test]
fn window_and_failing_metric_hold_for_as_long_as_they_do() {
    let samples = |name| {
        let samples = Played::recording(name).samples();
        let is_of_decision = |line: &&str| {
            ["verdict{", "held_seconds", "metric_valid", "unmet"]
                .iter()
                .any(|name| line.starts_with(name))
        };
        let lines: Vec<String> = samples
            .lines()
            .filter(is_of_decision)
            .map(str::to_owned)
            .collect();
        lines.join("\n")
    };
    insta::assert_snapshot!(samples("held-by-window.jsonl"), @r#"
    verdict{namespace="news",horizontalpodautoscaler="web",verdict="held_by_window"} 1
    held_seconds_total{namespace="news",horizontalpodautoscaler="web",by="window"} 160.15574787199999
    metric_valid{namespace="news",horizontalpodautoscaler="web",metric="cpu",index="0"} 1
    "#);
    insta::assert_snapshot!(samples("broken-metric.jsonl"), @r#"
    verdict{namespace="mail",horizontalpodautoscaler="worker",verdict="metric_fails"} 1
    held_seconds_total{namespace="mail",horizontalpodautoscaler="worker",by="metric"} 100.04190831
    metric_valid{namespace="mail",horizontalpodautoscaler="worker",metric="queue_depth",index="1"} 1
    "#);
    insta::assert_snapshot!(samples("two-hpas.jsonl"), @r#"
    verdict{namespace="beta",horizontalpodautoscaler="web",verdict="shares_pods"} 1
    "#);
}

#[test]
fn while_the_server_is_silent_nothing_judges_and_the_next_look_does_again() {
    let mut played = Played::recording("more-than-max.jsonl");
    let before = played.samples();
    assert!(locked(&played.board).readiness().is_ready);
    let lost = Event::Failing {
        source: Source::Server,
        why: "connection refused".to_owned(),
        fresh_until: Some(played.now),
    };
    played.take(lost, played.later(5));
    let silent = |played: &Played| {
        let text = played.text();
        let judging = |line: &&str| {
            line.contains("horizontalpodautoscaler=")
                && !line.starts_with("kubectl_hpa_visible")
                && !line.starts_with("kubectl_hpa_last_sync")
        };
        assert_eq!(text.lines().filter(judging).count(), 0, "{text}");
        assert!(text.contains("\"} 0\n"), "{text}");
    };
    silent(&played);
    let readiness = locked(&played.board).readiness();
    assert!(!readiness.is_ready);
    assert!(
        readiness
            .text
            .contains("cannot read the API server: connection refused")
    );
    let recovered = Event::Recovered {
        source: Source::Server,
    };
    played.take(recovered, played.later(30));
    // The known values stay.
    silent(&played);
    let mut seen = played.latest.clone().unwrap();
    let at = played.later(10);
    seen.assessment.analysis.trace.at = at;
    played.take(Event::Seen(Box::new(seen)), at);
    let verdict = |samples: &str| {
        let found = samples.lines().find(|line| line.starts_with("verdict{"));
        found.map(str::to_owned)
    };
    assert!(verdict(&before).is_some());
    assert_eq!(verdict(&played.samples()), verdict(&before));
}

#[test]
fn hpa_that_makes_no_sense_is_not_visible_and_a_deleted_one_is_gone() {
    let mut played = Played::recording("more-than-max.jsonl");
    let hpa: HpaKey = played.latest.as_ref().unwrap().hpa.clone();
    let broken = Event::Failing {
        source: source_of(&hpa),
        why: "spec.maxReplicas is missing".to_owned(),
        fresh_until: None,
    };
    played.take(broken, played.later(1));
    assert!(!played.text().contains("kubectl_hpa_verdict{"));
    assert!(
        locked(&played.board)
            .readiness()
            .text
            .contains("spec.maxReplicas is missing")
    );
    played.take(
        Event::Recovered {
            source: source_of(&hpa),
        },
        played.later(1),
    );
    assert!(played.text().contains("kubectl_hpa_verdict{"));
    played.take(Event::Deleted { hpa }, played.later(1));
    assert!(!played.text().contains("horizontalpodautoscaler=\""));
}

#[test]
fn board_without_hpas_is_ready_once_the_server_was_heard() {
    let board = SharedBoard::default();
    let waiting = locked(&board).readiness();
    assert!(!waiting.is_ready);
    assert_eq!(waiting.text, "not ready\nconnecting to the API server\n");
    locked(&board).begin(Timestamp::UNIX_EPOCH);
    let ready = locked(&board).readiness();
    assert_eq!(
        (ready.is_ready, ready.text.as_str()),
        (true, "ready: HPAs: 0\n")
    );
}

#[test]
fn both_formats_describe_every_series_under_its_name() {
    let played = Played::recording("more-than-max.jsonl");
    let exposition = Exposition::new(Arc::clone(&played.board));
    let process = Some(ProcessNumbers {
        cpu_seconds: 1.5,
        resident_bytes: 1 << 24,
        open_files: 12,
        most_files: Some(1024),
        started: 1.8e9,
    });
    let [prometheus, open] = [TextFormat::Prometheus, TextFormat::OpenMetrics]
        .map(|format| exposition.write(format, process).unwrap());
    assert!(open.ends_with("\n# EOF\n"));
    for series in SERIES {
        let (name, help) = (series.name, series.help);
        assert!(
            prometheus.contains(&format!("# HELP {name} {help}\n")),
            "{name}"
        );
        assert!(open.contains(&format!(" {help}\n")), "{name}");
    }
    let has_sample = |text: &str, name: &str| {
        text.lines()
            .any(|line| line.starts_with(&format!("{name}{{")))
    };
    for name in [
        "kubectl_hpa_held_seconds_total",
        "kubectl_hpa_build_info",
        "kubectl_hpa_last_sync_timestamp_seconds",
    ] {
        assert!(
            has_sample(&prometheus, name) && has_sample(&open, name),
            "{name}"
        );
    }
    assert!(prometheus.contains("\nkubectl_hpa_scrapes_total 1\n"));
    assert!(open.contains("\nkubectl_hpa_scrapes_total 2\n"));
    assert!(open.contains("\nprocess_resident_memory_bytes 16777216\n"));
    assert_eq!(TextFormat::accepted("text/plain"), TextFormat::Prometheus);
    let accepted = "application/openmetrics-text;version=1.0.0,text/plain;q=0.5";
    assert_eq!(TextFormat::accepted(accepted), TextFormat::OpenMetrics);
}

/// The API server increments repeated Events, drops them after an hour, and keeps any number of reasons.
#[test]
fn warnings_are_counted_once_each_in_a_bounded_number_of_series() {
    let event = |reason: &str, count| KubeEvent {
        event_type: "Warning".to_owned(),
        reason: reason.to_owned(),
        message: String::new(),
        count,
        first: Some(Timestamp::UNIX_EPOCH),
        last: None,
    };
    let mut record = Record::default();
    record.count_events(&[event("FailedGetScale", 2)]);
    record.count_events(&[event("FailedGetScale", 5)]);
    record.count_events(&[event("FailedGetScale", 5)]);
    assert_eq!(record.events["FailedGetScale"], 5);
    record.count_events(&[]);
    assert_eq!(record.events["FailedGetScale"], 5);
    record.count_events(&[event("FailedComputeMetricsReplicas", 1)]);
    let reasons = ["B", "C", "D", "E"].map(|reason| event(reason, 1));
    record.count_events(&reasons);
    record.count_events(&reasons);
    let counted: Vec<(&str, u64)> = record
        .events
        .iter()
        .map(|(reason, number)| (reason.as_str(), *number))
        .collect();
    assert_eq!(counted, [("FailedGetScale", 5), ("other", 4)]);
    let normal = KubeEvent {
        event_type: "Normal".to_owned(),
        ..event("SuccessfulRescale", 1)
    };
    record.count_events(&[normal]);
    assert_eq!(record.events.len(), 2);
}

/// A deployment that scales up in steps and down in steps has reversed once. Writes by others are not reversals.
#[test]
fn steps_in_one_direction_are_no_turns() {
    let step = |from, to| Change::Rescaled {
        from,
        to,
        edit: None,
    };
    let mut record = Record::default();
    record.rescale(&[step(2, 4), step(4, 8), step(8, 4), step(4, 2)]);
    assert_eq!((record.turns, record.written), (1, 0));
    let by_another = Change::ReplicasWritten {
        from: 2,
        to: 8,
        by: None,
    };
    record.rescale(&[by_another, step(8, 4), step(4, 8)]);
    assert_eq!((record.turns, record.written), (2, 1));
}
