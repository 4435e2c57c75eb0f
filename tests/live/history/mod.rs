//! `history` of real HPAs, read from the real Prometheus, VictoriaMetrics and Thanos with the real kube-state-metrics,
//! compared with the controller's actions.
//!
//! All tests share one run. The API server's audit log has every sync, and so the truth.

mod captured;
mod compared;
mod imported;
mod long;
mod monitoring;
mod otherwise;
mod pace;
mod permissions;
mod run;
mod served;
mod slow;
mod twins;

use std::{env, fs, sync::OnceLock};

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::{left_out, terminal::Terminal};
use compared::{assert_as_sure_as_it_says, assert_reports};
use monitoring::{PROMETHEUS, THANOS, VICTORIA};
use run::{Run, json_of, text};

/// The HPAs whose replicas change.
const CHANGING: [&str; 2] = ["web", "worker"];

/// Whether to run it. Next to other tests the controller is late, and so are scrapes.
fn is_played() -> bool {
    left_out::is_played(
        env::var_os("HISTORY").is_some(),
        "HISTORY=short plays it, on a machine with nothing else to do",
    )
}

/// Whether to run what takes many minutes.
fn plays_long() -> bool {
    left_out::is_played(
        env::var_os("HISTORY").is_some_and(|form| form == "long"),
        "HISTORY=long plays it, on a machine with nothing else to do",
    )
}

/// The run, started by the first test; `None` if it is left out.
fn run() -> Option<&'static Run> {
    static RUN: OnceLock<Run> = OnceLock::new();
    is_played().then(|| RUN.get_or_init(|| Run::of(&pace::short())))
}

/// Each way to each server, as arguments.
fn ways(run: &Run) -> Vec<String> {
    let mut ways = vec![
        "auto".to_owned(),
        VICTORIA.to_owned(),
        run.monitoring.url("prometheus").to_owned(),
        run.monitoring.url("victoria-metrics").to_owned(),
    ];
    ways.extend(run.monitoring.has_thanos.then(|| THANOS.to_owned()));
    ways
}

#[test]
fn every_rescale_of_the_past_is_reported_from_each_server() {
    let Some(run) = run() else {
        return;
    };
    for way in ways(run) {
        for name in CHANGING {
            let report = run.report(name, &["--prometheus", &way]);
            assert_reports(run, &report, &run.truth(name));
            let calm = run.report("calm", &["--prometheus", &way]);
            assert_eq!(calm["rescales"], json!([]), "{way}");
        }
    }
}

#[test]
fn the_past_is_recomputed_and_nothing_is_invented() {
    let Some(run) = run() else {
        return;
    };
    for way in ways(run) {
        let reports = CHANGING.map(|name| run.report(name, &["--prometheus", &way]));
        assert_as_sure_as_it_says(run, &way, &reports, 1);
    }
}

#[test]
fn prometheus_is_found_by_itself_and_every_way_to_it_gives_the_same() {
    let Some(run) = run() else {
        return;
    };
    let found = run.report("web", &[]);
    assert_eq!(
        found["server"],
        "Prometheus monitoring/kube-prometheus-stack-prometheus:9090"
    );
    let ways = [PROMETHEUS, run.monitoring.url("prometheus")];
    for way in ways
        .into_iter()
        .chain(run.monitoring.has_thanos.then_some(THANOS))
    {
        let report = run.report("web", &["--prometheus", way]);
        for (key, value) in found.as_object().unwrap() {
            let is_of_way = key == "server";
            assert!(
                is_of_way || *value == report[key],
                "{way}: {key}: {value:#}\n{:#}",
                report[key]
            );
        }
    }
    // As people type it: until now, by a length.
    let minutes = 2 + Timestamp::now().duration_since(run.from).as_mins();
    let since = format!("{minutes}m");
    let page = run.prints(&["history", "web", "-n", "shop", "--since", &since]);
    assert!(page.starts_with("shop/web → Deployment/web"), "{page}");
    assert!(page.contains("\nTrust: "), "{page}");
    assert!(page.contains(" held at maxReplicas 8 for "), "{page}");
}

#[test]
fn page_of_a_past_sync_says_what_the_controller_decided_and_how_sure_it_is() {
    let Some(run) = run() else {
        return;
    };
    let report = run.report("worker", &[]);
    let first = recomputed(&report);
    let page = run.prints(&[
        "history",
        "worker",
        "-n",
        "shop",
        "--at",
        first["time"].as_str().unwrap(),
    ]);
    let change = format!("SCALES {} → {}", first["from"], first["to"]);
    assert!(page.lines().next().unwrap().contains(&change), "{page}");
    let sure = first["certainty"].as_str().unwrap();
    assert!(page.contains(&format!("\nhow sure    {sure}: ")), "{page}");
    let decided = format!("The controller decided the same: {}.", first["to"]);
    assert!(unwrapped(&page).contains(&decided), "{page}");
}

/// People know the minute: the page is that of the rescale in it.
#[test]
fn page_of_a_minute_is_that_of_the_first_rescale_in_it() {
    let Some(run) = run() else {
        return;
    };
    let report = run.report("worker", &[]);
    let time =
        |rescale: &Value| -> Timestamp { rescale["time"].as_str().unwrap().parse().unwrap() };
    let minute_of = |rescale: &Value| time(rescale).as_second().div_euclid(60) * 60;
    let mut rescales: Vec<&Value> = report["rescales"].as_array().unwrap().iter().collect();
    rescales.dedup_by_key(|one| minute_of(one));
    rescales.retain(|one| !one["recomputed"].is_null());
    assert!(!rescales.is_empty(), "{report:#}");
    for first in rescales {
        let at = Timestamp::from_second(minute_of(first))
            .unwrap()
            .to_string();
        let page = run.prints(&["history", "worker", "-n", "shop", "--at", &at, "-o", "json"]);
        let page: Value = serde_json::from_str(&page).unwrap();
        assert_eq!(page["verdict"]["from"], first["from"], "{page:#}");
        assert_eq!(page["history"]["decided"], first["to"], "{page:#}");
    }
}

/// `explain` leads users who look for the past to a command that works as printed.
#[test]
fn explain_at_a_past_time_leads_to_that_sync() {
    let Some(run) = run() else {
        return;
    };
    // The controller holds it at maxReplicas.
    let syncs = run.syncs("web", &[]);
    let held = syncs.iter().filter(|sync| sync.replicas == 8).nth(3);
    let at = held.unwrap().at.to_string();
    let refused = run.ask(&["explain", "web", "-n", "shop", "--at", &at]);
    assert_eq!(refused.status.code(), Some(2), "{}", text(&refused));
    assert_eq!(refused.stdout, b"");
    let error = String::from_utf8(refused.stderr).unwrap();
    let command = error.split('`').nth(1).unwrap();
    let page = run.prints(&words_of(command));
    let first = page.lines().next().unwrap();
    assert!(first.starts_with("shop/web → Deployment/web"), "{page}");
    assert!(first.contains("min 2 · max 8"), "{page}");
    assert!(page.contains("\nhow sure    "), "{page}");
}

#[test]
fn page_of_a_past_sync_offers_a_what_if_that_runs_as_printed() {
    let Some(run) = run() else {
        return;
    };
    let syncs = run.syncs("web", &[]);
    let at_max = syncs.iter().filter(|sync| sync.replicas == 8);
    let offered = |at: &str| {
        let page = run.prints(&["history", "web", "-n", "shop", "--at", at]);
        let mut lines = page.lines().map(str::trim);
        let command = lines.find(|line| line.starts_with("kubectl hpa history"))?;
        Some(command.to_owned())
    };
    // While pods start, the page leads to them.
    let command = at_max
        .into_iter()
        .find_map(|sync| offered(&sync.at.to_string()));
    let command = command.expect("no sync at maxReplicas offers a higher one");
    assert!(command.contains(" --set maxReplicas="), "{command}");
    let answer = run.prints(&words_of(&command));
    assert!(answer.contains("\nwhat if "), "{answer}");
}

/// What comes after `kubectl hpa` in a command that is printed.
#[track_caller]
fn words_of(command: &str) -> Vec<&str> {
    let words = command.strip_prefix("kubectl hpa ");
    let words = words.unwrap_or_else(|| panic!("not ours: {command}"));
    words.split(' ').collect()
}

#[test]
fn recording_of_the_past_is_read_by_the_other_commands() {
    let Some(run) = run() else {
        return;
    };
    for name in CHANGING {
        let file = run.cluster.file(&format!("{name}.jsonl.gz"));
        let file = file.to_str().unwrap();
        let report = run.report(name, &["--record", file]);
        let replayed = run.ask(&["replay", file, "--check"]);
        let trust = &report["trust"];
        let is_right = trust["certain"] == trust["certainAndRight"];
        let code = i32::from(!is_right);
        assert_eq!(replayed.status.code(), Some(code), "{}", text(&replayed));
        let rescale = recomputed(&report);
        let page = run.prints(&[
            "explain",
            "-f",
            file,
            "--at",
            rescale["time"].as_str().unwrap(),
        ]);
        let change = format!("SCALES {} → {}", rescale["from"], rescale["to"]);
        assert!(page.contains(&change), "{page}");
        let linted = run.ask(&["lint", "-f", file, "-o", "json"]);
        let findings: Value = serde_json::from_slice(&linted.stdout).unwrap();
        // Only the HPA wrote the replicas.
        assert!(!findings.to_string().contains("HPA908"), "{findings:#}");
        let mut terminal = Terminal::plugin((120, 40), ["replay", "--tui", file]);
        terminal.shows(&format!("shop/{name} →"));
        terminal.press("0");
        terminal.shows("replicas  ━ desired");
        terminal.press("q");
        terminal.ends_with(0);
        let load = format!("recording:{file}");
        run.prints(&[
            "simulate", "-f", file, "--load", &load, "--for", "3m", "--seeds", "4",
        ]);
    }
}

#[test]
fn overview_begins_with_the_hpa_that_was_held_at_its_maximum() {
    let Some(run) = run() else {
        return;
    };
    let (from, to) = (run.from.to_string(), run.to.to_string());
    let overview = ["history", "-A", "--from", &from, "--to", &to];
    let report = run.prints(&[&overview[..], &["-o", "json"]].concat());
    let report: Value = serde_json::from_str(&report).unwrap();
    let hpas = report["hpas"].as_array().unwrap();
    let of = |name| hpas.iter().find(|hpa| hpa["name"] == name).unwrap();
    let seconds = |name, what: &str| of(name)["seconds"][what].as_f64().unwrap();
    // A scrape of the first seconds may show that metrics fail, of any of them: that comes before a maximum.
    let mut expected = ["web", "worker", "calm"];
    expected.sort_by(|one, other| {
        let failed = |name| seconds(name, "metricsFailed") + seconds(name, "notAbleToScale");
        failed(*other).total_cmp(&failed(*one))
    });
    let names: Vec<&Value> = hpas.iter().map(|hpa| &hpa["name"]).collect();
    assert_eq!(names, expected, "{report:#}");
    assert!(0.0 < seconds("web", "atMax"), "{report:#}");
    for (name, bounds) in [("web", (2, 8)), ("worker", (2, 10)), ("calm", (2, 2))] {
        let hpa = of(name);
        assert_eq!(seconds(name, "atMax") > 0.0, name == "web", "{report:#}");
        assert_eq!(
            (&hpa["least"], &hpa["most"]),
            (&json!(bounds.0), &json!(bounds.1)),
            "{hpa:#}"
        );
        let truth = run.truth(name);
        // Two between the same scrapes are one.
        let changes = usize::try_from(hpa["changes"].as_u64().unwrap()).unwrap();
        assert!(
            truth.len() / 2 <= changes && changes <= truth.len(),
            "{hpa:#}"
        );
    }
    let page = run.prints(&overview);
    let words: Vec<&str> = page.split_whitespace().collect();
    assert!(
        words
            .join(" ")
            .contains("shop/web was held at maxReplicas for "),
        "{page}"
    );
    let csv = run.prints(&[&overview[..], &["-o", "csv"]].concat());
    assert_eq!(csv.lines().count(), 4, "{csv}");
}

#[test]
fn other_spec_is_judged_only_by_a_model_that_reproduces_the_past() {
    let Some(run) = run() else {
        return;
    };
    let arguments = ["--compare", "maxReplicas=14", "--price", "0.032/cpu-h"];
    for name in CHANGING {
        let report = run.report(name, &arguments);
        let control_run = &report["controlRun"];
        let control = control_run["reproduced"].as_f64().unwrap();
        let is_trusted = control_run["trusted"] == true;
        assert_eq!(is_trusted, 0.95 <= control, "{report:#}");
        let names: Vec<&str> = report["whatIf"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row["name"].as_str().unwrap())
            .collect();
        let page = run.history(name, &arguments);
        let share = format!(
            "gives {:.1}% of the replicas that there were",
            control * 100.0
        );
        assert!(unwrapped(&page).contains(&share), "{page}");
        if is_trusted {
            let all = ["as it was", "today's spec, in the model", "maxReplicas=14"];
            assert_eq!(names, all);
        } else {
            assert_eq!(names, ["as it was"]);
            let refusal = "other specs cannot be compared";
            assert!(unwrapped(&page).contains(refusal), "{page}");
        }
    }
}

#[test]
fn time_without_data_is_called_one_and_nothing_is_claimed_of_it() {
    let Some(run) = run() else {
        return;
    };
    let (begin, end) = run.silence.unwrap();
    // A scrape that had begun may still be answered, and one that waits is answered by the end.
    let begin = begin + SignedDuration::from_secs(1);
    let end = end - SignedDuration::from_secs(4);
    for way in ways(run) {
        for name in ["web", "worker", "calm"] {
            let report = run.report(name, &["--prometheus", &way]);
            let intervals = report["intervals"].as_array().unwrap();
            let time = |value: &Value| value.as_str().unwrap().parse::<Timestamp>().unwrap();
            let span = |one: &Value| (time(&one["from"]), time(&one["to"]));
            let (missing, others): (Vec<&Value>, Vec<&Value>) =
                intervals.iter().partition(|one| one["kind"] == "noData");
            let covers = |one: &&Value| span(one).0 <= begin && end <= span(one).1;
            assert!(missing.iter().any(covers), "{way}, {name}: {intervals:#?}");
            let touches = |one: &&Value| {
                one["kind"] != "flapping" && begin < span(one).1 && span(one).0 < end
            };
            assert!(!others.iter().any(touches), "{way}, {name}: {intervals:#?}");
            let syncs = run.syncs(name, &["--prometheus", &way]);
            let is_silent = |at: Timestamp| begin < at && at < end;
            assert!(
                !syncs.iter().any(|sync| is_silent(sync.at)),
                "{way}, {name}"
            );
            // The first scrape afterwards may show that there was one.
            let mut rescales = report["rescales"].as_array().unwrap().iter();
            let is_claimed =
                |one: &Value| is_silent(time(&one["time"])) && one["certainty"] == "certain";
            assert!(!rescales.any(is_claimed), "{way}, {name}: {report:#}");
        }
    }
    let page = run.history("web", &["-o", "wide"]);
    assert!(page.contains("  no data  "), "{page}");
}

#[test]
fn server_that_hangs_is_an_error_and_never_a_past_without_replicas() {
    let Some(run) = run() else {
        return;
    };
    let (from, to) = (run.from.to_string(), run.to.to_string());
    let history = |way: &str| {
        let arguments = [
            "history", "web", "-n", "shop", "--from", &from, "--to", &to, "-o", "json",
        ];
        let patience = ["--prometheus", way, "--request-timeout", "2s"];
        run.ask_without("prometheus", &[&arguments[..], &patience].concat())
    };
    for way in [PROMETHEUS, run.monitoring.url("prometheus")] {
        let output = history(way);
        assert_eq!(output.status.code(), Some(2), "{}", text(&output));
        assert_eq!(output.stdout, b"");
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains("gives no answer within 2s"), "{error}");
        assert!(error.contains("use a longer --request-timeout"), "{error}");
    }
    // Another one that answers is found.
    let output = history("auto");
    assert_reports(run, &json_of(&output), &run.truth("web"));
}

#[test]
fn history_only_reads() {
    let Some(run) = run() else {
        return;
    };
    for way in ["auto", VICTORIA] {
        run.report("web", &["--prometheus", way]);
    }
    run.cluster.assert_only_read();
    let log = run.cluster.file("audit.jsonl");
    let log = fs::read_to_string(log).unwrap();
    assert!(log.contains("/proxy/api/v1/query"), "nothing was asked");
}

/// A rescale that was seen and recomputed.
fn recomputed(report: &Value) -> &Value {
    let mut rescales = report["rescales"].as_array().unwrap().iter();
    let is_exact = |one: &&Value| one["recomputed"] == one["to"] && one["certainty"] == "certain";
    rescales.find(is_exact).expect("one is certain")
}

/// The text without the breaks of lines.
fn unwrapped(page: &str) -> String {
    page.split_whitespace().collect::<Vec<_>>().join(" ")
}
