//! `watch`, line by line.

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _},
    process::{Child, ChildStdout, Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{
    plugin::{Plugin, Run, SpawnLimited as _, files},
    server::{Answer, Server},
    world::{self, DEPLOYMENTS, HPAS, POD_METRICS, TARGET, list, usage},
};

const VERSION: &str = "/version";

/// A running `watch`, and its output.
struct Watch {
    child: Child,
    out: BufReader<ChildStdout>,
    text: String,
}

impl Watch {
    fn start(plugin: &Plugin, words: &[&str]) -> Self {
        let mut command = plugin.command(&["watch", "--assume-sync-period=1s"]);
        command.args(words);
        Self::of(command)
    }

    fn of(mut command: Command) -> Self {
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn_limited();
        let out = BufReader::new(child.stdout.take().unwrap());
        Self {
            child,
            out,
            text: String::new(),
        }
    }

    /// Reads until a line matches.
    #[track_caller]
    fn line(&mut self, what: &str, fits: impl Fn(&str) -> bool) -> String {
        let deadline = Instant::now() + Duration::from_mins(1);
        loop {
            let mut line = String::new();
            let read = self.out.read_line(&mut line).unwrap();
            self.text.push_str(&line);
            assert!(read > 0, "ended before {what}:\n{}", self.text);
            assert!(
                Instant::now() < deadline,
                "in vain for {what}:\n{}",
                self.text
            );
            if fits(line.trim_end()) {
                return line.trim_end().to_owned();
            }
        }
    }

    /// Reads until an object matches.
    #[track_caller]
    fn object(&mut self, what: &str, fits: impl Fn(&Value) -> bool) -> Value {
        let line = self.line(what, |line| fits(&serde_json::from_str(line).unwrap()));
        serde_json::from_str(&line).unwrap()
    }

    /// Ends it with a signal.
    #[cfg(unix)]
    fn stop(mut self, signal: &str) -> Run {
        let status = Command::new("kill")
            .args(["-s", signal, &self.child.id().to_string()])
            .status()
            .unwrap();
        assert!(status.success());
        self.out.read_to_string(&mut self.text).unwrap();
        let mut run = Run::from(self.child.wait_with_output().unwrap());
        run.stdout = self.text;
        run
    }
}

/// Watches until the recording has a sync, and ends it.
#[cfg(unix)]
#[track_caller]
pub(crate) fn record(plugin: &Plugin, words: &[&str], recording: &str) -> Run {
    let watch = Watch::start(plugin, words);
    let deadline = Instant::now() + Duration::from_mins(1);
    while !fs::read_to_string(plugin.path(recording)).is_ok_and(|text| text.contains('\n')) {
        assert!(Instant::now() < deadline, "nothing was recorded");
        std::thread::sleep(Duration::from_millis(20));
    }
    watch.stop("INT")
}

/// Watches until the first line, and ends it.
#[cfg(unix)]
#[track_caller]
pub(crate) fn first_line(plugin: &Plugin, words: &[&str]) -> Run {
    let mut watch = Watch::start(plugin, words);
    watch.line("anything", |_| true);
    watch.stop("INT")
}

/// A server that supports all watches.
pub(crate) fn server() -> Server {
    let server = Server::start();
    server
        .allow_watches()
        .set_json(HPAS, &list(vec![written(2, 2, 50)]))
        .set_json(DEPLOYMENTS, &list(vec![world::deployment()]));
    server
}

/// The HPA as the controller has written it.
pub(crate) fn written(current: i32, desired: i32, cpu: i32) -> Value {
    let condition = |kind: &str, status: &str, reason: &str| {
        json!({
            "type": kind, "status": status, "reason": reason, "message": reason,
            "lastTransitionTime": "2026-01-01T00:00:00Z",
        })
    };
    let able = if current == desired {
        "ReadyForNewScale"
    } else {
        "SucceededRescale"
    };
    let mut hpa = world::hpa("web");
    hpa["status"] = json!({
        "currentReplicas": current, "desiredReplicas": desired,
        "currentMetrics": [{"type": "Resource", "resource": {
            "name": "cpu", "current": {"averageUtilization": cpu, "averageValue": format!("{cpu}m")},
        }}],
        "conditions": [
            condition("AbleToScale", "True", able),
            condition("ScalingActive", "True", "ValidMetricFound"),
            condition("ScalingLimited", "False", "DesiredWithinRange"),
        ],
    });
    hpa
}

/// Sets the usage of both pods, and waits until `watch` has read it.
fn load(server: &Server, cpu: &str) {
    server.set_json(POD_METRICS, &usages(cpu));
    asked_twice(server, POD_METRICS);
}

fn usages(cpu: &str) -> Value {
    list(vec![usage("web-a", cpu), usage("web-b", cpu)])
}

/// Waits until a path is requested twice.
#[track_caller]
fn asked_twice(server: &Server, path: &str) {
    let before = server.count(path);
    let deadline = Instant::now() + Duration::from_mins(1);
    while server.count(path) < before + 2 {
        assert!(Instant::now() < deadline, "{path} is asked for no more");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The controller scales.
fn scale(server: &Server, from: i32, to: i32, cpu: i32) {
    let mut hpa = written(from, to, cpu);
    hpa["status"]["lastScaleTime"] = json!("2026-01-02T00:00:00Z");
    server
        .report(DEPLOYMENTS, "MODIFIED", &scaled_by_the_controller(to))
        .report(HPAS, "MODIFIED", &hpa);
}

fn scaled_by_the_controller(replicas: i32) -> Value {
    let mut deployment = world::deployment();
    deployment["spec"]["replicas"] = json!(replicas);
    deployment["metadata"]["managedFields"] = json!([{
        "manager": "kube-controller-manager", "operation": "Update", "subresource": "scale",
        "time": "2026-01-02T00:00:00Z", "fieldsV1": {"f:spec": {"f:replicas": {}}},
    }]);
    deployment
}

#[cfg(unix)]
#[test]
fn each_change_is_a_line_and_ctrl_c_sums_up() {
    let server = server();
    let plugin = Plugin::of(&server);
    let mut watch = Watch::start(&plugin, &["web", "-o", "plain"]);
    watch.line("the first look", |line| {
        line.ends_with(
            "shop/web 2 replicas (1 to 10), 2 ready: STAYS AT 2: within tolerance; cpu 50% (target 50%)",
        )
    });
    load(&server, "90m");
    scale(&server, 2, 4, 90);
    let scaled = watch.line("the scaling", |line| line.contains("shop/web 2 → 4: "));
    assert!(
        scaled.ends_with("shop/web 2 → 4: up by cpu at 90% (target 50%)"),
        "{scaled}"
    );
    server.set(POD_METRICS, Answer::text(503, "text/plain", "no endpoints"));
    let failure = watch.line("the trouble", |line| {
        line.contains("metrics.k8s.io of shop cannot be read")
    });
    assert!(failure.contains("unable to handle"), "{failure}");
    load(&server, "50m");
    watch.line("the recovery", |line| {
        line.contains("metrics.k8s.io of shop can be read again, after ")
    });
    let mut edited = written(2, 4, 90);
    edited["spec"]["maxReplicas"] = json!(20);
    server.report(HPAS, "MODIFIED", &edited);
    watch.line("the edit", |line| {
        line.ends_with("the HPA was edited: max 10 → 20")
    });
    server.report(HPAS, "DELETED", &edited);
    watch.line("the end of the HPA", |line| {
        line.ends_with("shop/web is gone")
    });
    let run = watch.stop("INT");
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(
        run.stderr.starts_with("watched 1 HPA: ") && run.stderr.contains("scaling"),
        "{run:?}"
    );
    assert!(!run.stdout.contains('\u{1b}'), "colors in a pipe: {run:?}");
}

#[cfg(unix)]
#[test]
fn each_reconcile_is_an_object_and_is_judged_by_what_the_controller_wrote() {
    let server = server();
    let plugin = Plugin::of(&server);
    let mut watch = Watch::start(&plugin, &["-o", "jsonl"]);
    let reconcile = watch.object("a reconcile", |object| object["type"] == "reconcile");
    assert_eq!(
        reconcile["hpa"],
        json!({"namespace": "shop", "name": "web"})
    );
    assert_eq!(reconcile["replicas"]["desired"], 2);
    load(&server, "90m");
    scale(&server, 2, 4, 90);
    let scaled = watch.object("the scaling", |object| {
        object["type"] == "reconcile" && object["replicas"]["desired"] == 4
    });
    assert_eq!(scaled["action"], "scaleUp");
    assert_eq!(scaled["metrics"][0]["value"], "90%");
    let compared = watch.object("what came of it", |object| {
        object["type"] == "compared" && object["time"] == scaled["time"]
    });
    assert_eq!(compared["agrees"], true, "{compared}");
    server.set(POD_METRICS, Answer::text(503, "text/plain", "no endpoints"));
    let failure = watch.object("the trouble", |object| object["type"] == "readFailure");
    assert_eq!(
        (&failure["source"], &failure["namespace"]),
        (&json!("metrics.k8s.io"), &json!("shop"))
    );
    load(&server, "50m");
    let end = watch.object("the end of it", |object| object["type"] == "readFailureEnd");
    assert_eq!(end["source"], "metrics.k8s.io");
    let run = watch.stop("TERM");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
}

#[cfg(unix)]
/// As the other commands spell it; the output is the same.
#[test]
fn json_is_a_line_for_each_object() {
    let server = server();
    let plugin = Plugin::of(&server);
    let mut types = Vec::new();
    for format in ["jsonl", "json"] {
        let mut watch = Watch::start(&plugin, &["-o", format]);
        let first = watch.object("the HPA", |object| object["hpa"] != Value::Null);
        types.push((first["type"].clone(), first["hpa"].clone()));
        watch.stop("INT");
    }
    assert_eq!(types[0], types[1]);
}

#[test]
fn hpa_that_is_made_again_is_reported_once_its_target_and_its_metrics_are_read() {
    let server = server();
    let plugin = Plugin::of(&server);
    // The next regular poll does not come.
    let words = [
        "watch",
        "--assume-sync-period=1h",
        "-o",
        "plain",
        "--record=web.jsonl",
    ];
    let mut watch = Watch::of(plugin.command(&words));
    watch.line("the first look", |line| line.contains("STAYS AT 2"));
    let late = Duration::from_millis(1_500);
    server
        .set(TARGET, Answer::json(&world::deployment()).after(late))
        .report(HPAS, "MODIFIED", &written(2, 2, 49))
        .report(HPAS, "DELETED", &written(2, 2, 49))
        .report(HPAS, "ADDED", &written(2, 2, 50));
    watch.line("the end of the HPA", |line| {
        line.ends_with("shop/web is gone")
    });
    let new = watch.line("the new one", |line| line.contains("shop/web"));
    assert!(
        new.contains("STAYS AT 2: within tolerance; cpu 50%"),
        "{new}"
    );
    let run = watch.stop("INT");
    assert_eq!(run.code, Some(0), "{run:?}");
    let recorded = fs::read_to_string(plugin.path("web.jsonl")).unwrap();
    let is_end = |line: &&str| line.contains(r#""hpaDeleted":""#);
    assert_eq!(recorded.lines().filter(is_end).count(), 1, "{recorded}");
}

#[cfg(unix)]
#[test]
fn failure_of_an_hpa_that_makes_no_sense_ends_with_the_hpa() {
    let server = server();
    let plugin = Plugin::of(&server);
    let mut watch = Watch::start(&plugin, &["-o", "plain"]);
    watch.line("the first look", |line| line.contains("2 replicas"));
    let mut nonsense = written(2, 2, 50);
    nonsense["spec"]["metrics"][0]["resource"]["target"] =
        json!({"type": "AverageValue", "averageValue": "much"});
    server.report(HPAS, "MODIFIED", &nonsense);
    watch.line("the trouble", |line| {
        line.contains("horizontalpodautoscaler shop/web cannot be read: ")
    });
    server.report(HPAS, "DELETED", &nonsense);
    watch.line("the end of the HPA", |line| {
        line.ends_with("shop/web is gone")
    });
    let run = watch.stop("INT");
    let reported = |what: &str| run.stdout.matches(what).count();
    assert_eq!(
        reported("horizontalpodautoscaler shop/web cannot be read: "),
        reported("horizontalpodautoscaler shop/web can be read again, after "),
        "{run:?}"
    );
}

#[cfg(unix)]
#[test]
fn late_answers_of_the_api_server_are_reported_and_their_end() {
    let server = server();
    let plugin = Plugin::of(&server);
    let mut watch = Watch::start(&plugin, &["-o", "plain"]);
    watch.line("the first look", |line| line.contains("2 replicas"));
    // A metrics API that is slow by itself delays nothing else.
    let delay = Duration::from_millis(1_500);
    server.set(POD_METRICS, Answer::json(&usages("50m")).after(delay));
    asked_twice(&server, VERSION);
    let version = json!({"gitVersion": "v1.36.3"});
    server.set(VERSION, Answer::json(&version).after(delay));
    let late = watch.line("that answers are late", |line| {
        line.contains("API server is slow (")
    });
    assert!(
        late.ends_with(" s per response): syncs are shown late"),
        "{late}"
    );
    assert!(!late.contains("(0"), "it was not late yet: {late}");
    server
        .set_json(POD_METRICS, &usages("50m"))
        .set_json(VERSION, &version);
    watch.line("that they are not", |line| {
        line.contains("the API server answers in time again, after ")
    });
    let run = watch.stop("INT");
    assert_eq!(run.code, Some(0), "{run:?}");
}

#[cfg(unix)]
#[test]
fn what_the_api_server_failed_the_controller_is_neither_disagreement_nor_another_writer() {
    let server = server();
    let plugin = Plugin::of(&server);
    let mut watch = Watch::start(&plugin, &["-o", "jsonl"]);
    watch.object("a reconcile", |object| object["type"] == "reconcile");
    // The scale existed for us, but not for the controller.
    let mut failed = written(2, 2, 50);
    failed["status"]["conditions"][0] = json!({
        "type": "AbleToScale", "status": "False", "reason": "FailedGetScale",
        "message": "the HPA controller was unable to get the target's current scale: connection refused",
        "lastTransitionTime": "2026-01-02T00:00:00Z",
    });
    server.report(HPAS, "MODIFIED", &failed);
    let compared = watch.object("what came of it", |object| {
        object["type"] == "compared" && object["differs"] != json!([])
    });
    assert_eq!(compared["agrees"], Value::Null, "{compared}");
    // It scaled, and the status that reports it was lost.
    server
        .report(DEPLOYMENTS, "MODIFIED", &scaled_by_the_controller(4))
        .report(HPAS, "MODIFIED", &written(4, 4, 50));
    let is_of_replicas =
        |change: &Value| change["what"] == "rescaled" || change["what"] == "replicasWritten";
    let changed = watch.object("other replicas", |object| {
        let mut changes = object["changes"].as_array().into_iter().flatten();
        changes.any(is_of_replicas)
    });
    let mut changes = changed["changes"].as_array().unwrap().iter();
    assert_eq!(
        changes.find(|change| is_of_replicas(change)).unwrap(),
        &json!({"what": "rescaled", "from": 2, "to": 4, "edit": null})
    );
    let run = watch.stop("TERM");
    for alarm in ["disagreement", "foreign-writer"] {
        assert!(!run.stdout.contains(alarm), "{run:?}");
    }
}

/// A full disk is not needed: for the writing program, a file size limit has the same effect.
#[cfg(target_os = "linux")]
#[test]
fn recording_that_finds_no_room_is_reported_and_ends_in_failure() {
    let server = server();
    let plugin = Plugin::of(&server);
    let mut watch = Watch::of(without_room(
        &plugin,
        &["-o", "jsonl", "--record=incident.jsonl"],
    ));
    for _ in 0..2 {
        watch.object("a reconcile", |object| object["type"] == "reconcile");
    }
    let run = watch.stop("INT");
    assert_eq!(run.code, Some(2), "{run:?}");
    for printed in [
        "RECORDING STOPPED",
        "File too large",
        "watch continues",
        "could not be written",
    ] {
        assert!(run.stderr.contains(printed), "{printed}: {run:?}");
    }
}

/// `watch` with a recording that cannot be written.
#[cfg(target_os = "linux")]
fn without_room(plugin: &Plugin, words: &[&str]) -> Command {
    let expected = plugin.command(&["watch", "--assume-sync-period=1s"]);
    let mut command = Command::new("/bin/sh");
    command
        .args(["-c", "ulimit -S -f 4; exec \"$0\" \"$@\""])
        .arg(expected.get_program())
        .args(expected.get_args())
        .args(words)
        .env_clear()
        .env("HOME", plugin.path(""))
        .current_dir(plugin.path(""));
    command
}

#[cfg(target_os = "linux")]
#[test]
fn recording_goes_on_in_the_same_file_once_there_is_room() {
    for name in ["incident.jsonl", "incident.jsonl.gz"] {
        let server = server();
        let plugin = Plugin::of(&server);
        let record = format!("--record={name}");
        let mut watch = Watch::of(without_room(&plugin, &["-o", "plain", &record]));
        let mut err = BufReader::new(watch.child.stderr.take().unwrap());
        let mut printed = |what: &str| {
            let mut line = String::new();
            while !line.contains(what) {
                line.clear();
                assert!(
                    err.read_line(&mut line).unwrap() > 0,
                    "{name}: ended before {what}"
                );
            }
        };
        printed("RECORDING STOPPED");
        let id = watch.child.id().to_string();
        let freed = Command::new("prlimit")
            .args(["--fsize=unlimited:", "--pid", &id])
            .status();
        assert!(freed.unwrap().success());
        printed("recording resumed; ");
        let run = watch.stop("INT");
        assert_eq!(run.code, Some(2), "{run:?}");
        assert_eq!(files(&plugin.path("")), [".kube", name]);
        let replay = plugin.run(&["replay", "-o=jsonl", name]);
        assert_eq!(
            (replay.code, replay.stderr.as_str()),
            (Some(0), ""),
            "{name}"
        );
        assert!(!replay.stdout.is_empty(), "{name}");
    }
}

#[test]
fn a_closed_pipe_ends_the_output() {
    let server = server();
    let plugin = Plugin::of(&server);
    let mut watch = Watch::start(&plugin, &["-o", "jsonl"]);
    watch.line("anything", |_| true);
    drop(watch.out);
    let run = Run::from(watch.child.wait_with_output().unwrap());
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
}

/// A full disk is not needed, as above.
#[cfg(target_os = "linux")]
#[test]
fn a_closed_pipe_ends_with_the_notice_that_the_recording_is_incomplete() {
    let server = server();
    let plugin = Plugin::of(&server);
    let mut watch = Watch::of(without_room(
        &plugin,
        &["-o", "plain", "--record=incident.jsonl"],
    ));
    watch.line("the first look", |line| line.contains("STAYS AT 2"));
    load(&server, "90m");
    drop(watch.out);
    // A sync that decides to scale, which is reported once it is known whether that was written.
    server.report(HPAS, "MODIFIED", &written(2, 4, 90));
    let mut err = BufReader::new(watch.child.stderr.take().unwrap());
    let mut text = String::new();
    err.read_line(&mut text).unwrap();
    assert!(text.contains("RECORDING STOPPED"), "{text}");
    let id = watch.child.id().to_string();
    let status = Command::new("kill").args(["-s", "TERM", &id]).status();
    assert!(status.unwrap().success());
    err.read_to_string(&mut text).unwrap();
    let code = watch.child.wait().unwrap().code();
    assert!(text.contains("could not be written"), "{text}");
    assert_eq!(code, Some(2), "{text}");
}

#[test]
fn timeout_ends_the_wait_for_a_server_that_does_not_answer() {
    let server = server();
    let late = Duration::from_mins(1);
    server.set(
        HPAS,
        Answer::json(&list(vec![written(2, 2, 50)])).after(late),
    );
    let plugin = Plugin::of(&server);
    for (words, code) in [(&["--until", "ready"][..], 1), (&[], 0)] {
        let words = [&["watch", "-o=plain", "--timeout=200ms"], words].concat();
        let run = plugin.run(&words);
        assert_eq!(run.code, Some(code), "{run:?}");
        assert_eq!(
            run.stderr,
            "note: timed out before the HPAs could be listed\n"
        );
    }
}

#[cfg(unix)]
#[test]
fn second_signal_ends_the_commands_of_alarms() {
    let server = server();
    let mut hpa = written(2, 2, 50);
    hpa["spec"]["maxReplicas"] = json!(2);
    server
        .set_json(HPAS, &list(vec![hpa]))
        .set_json(POD_METRICS, &usages("200m"));
    let plugin = Plugin::of(&server);
    let command = "echo $$ >started; mv started pid; sleep 600 & wait";
    let mut watch = Watch::start(&plugin, &["-o=jsonl", "--on-alarm", command]);
    watch.object("an alarm", |object| object["type"] == "alarm");
    let deadline = Instant::now() + Duration::from_mins(1);
    let waits = |what: &str| {
        assert!(Instant::now() < deadline, "in vain: {what}");
        std::thread::sleep(Duration::from_millis(50));
    };
    while !plugin.path("pid").exists() {
        waits("the command runs");
    }
    // Simultaneous signals are delivered as one.
    while watch.child.try_wait().unwrap().is_none() {
        let id = watch.child.id().to_string();
        let _ = Command::new("kill").args(["-s", "TERM", &id]).status();
        waits("it ends");
    }
    let run = Run::from(watch.child.wait_with_output().unwrap());
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(
        run.stderr.contains("was not done yet and was ended"),
        "{run:?}"
    );
    let command = fs::read_to_string(plugin.path("pid")).unwrap();
    let is_there = Command::new("kill")
        .args(["-s", "0", command.trim()])
        .output();
    assert!(!is_there.unwrap().status.success(), "the command goes on");
}

#[test]
fn what_is_wrong_with_the_request_is_reported_immediately() {
    let server = server();
    let plugin = Plugin::of(&server);
    let run = plugin.run(&["watch", "wbe", "-o", "plain"]);
    run.fails_with("HPA \"wbe\" not found in namespace shop. Did you mean web?");
    let run = plugin.run(&["watch", "--until", "never"]);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(
        run.stderr
            .contains("use scaled, stable, ready, or a number of replicas"),
        "{run:?}"
    );
}
