//! `kubectl hpa replay`, end to end: on recordings of the real controller and on broken ones.

use std::{
    fs,
    io::{self, Read as _, Write as _},
    path::{Path, PathBuf},
    process::{self, Output},
};

use assert_cmd::Command;
use flate2::{Compression, read::GzDecoder, write::GzEncoder};
use serde_json::Value;

#[test]
fn line_per_reconcile_says_what_the_metrics_ask_for_and_what_decides() {
    let run = replay(lines(0..6).as_bytes(), &[]);
    assert_eq!(run.status.code(), Some(0));
    insta::assert_snapshot!(stdout(&run), @r"
    1.36-cpu-0001  shop/web → Rollout/web · min 1 · max 3 · Kubernetes 1.36
      from 2026-03-01 20:41:14 UTC
      time      replicas  what      verdict                 metrics ask for
      20:41:14  2         held      window until 20:46:14   cpu 1
      20:41:29  2         held      window until 20:46:14   cpu 1
      20:41:44  2         held      window until 20:46:14   cpu 1
      20:41:59  2         held      rounds to 2             cpu 2
      20:42:14  2         held      within tolerance        cpu 2
      20:42:29  2         failed    cpu cannot be computed  cpu ✗
        FailedGetResourceMetric: failed to get cpu utilization: did not receive
          metrics for targeted pods (pods might be unready)

    1 recording, 6 syncs, 0 rescales
    all agree with the recording

    The last sync (for another: --at TIME):
    shop/web → Rollout/web                   NOT SCALING, stays at 2   min 1 · max 3
    No pod is ready: 2 are Pending (15 s) and 3 are terminating, so the HPA has no
    CPU usage to scale on. The HPA resumes by itself when a pod is ready and has
    metrics. Until then the service might be down. Give new pods a minute, then
    check web-004 and web-005.
      kubectl describe pod web-004 -n shop
    ");
}

#[test]
fn edit_is_named_before_the_first_sync_that_has_it() {
    let edited = lines(3..6).replace("\"maxReplicas\":3", "\"maxReplicas\":5");
    assert_ne!(edited, lines(3..6));
    let text = stdout(&replay((lines(0..3) + &edited).as_bytes(), &[]));
    let edit = "  (the HPA was edited: max 3 → 5)\n";
    assert_eq!(text.matches(edit).count(), 1, "{text}");
    let (_, after) = text.split_once(edit).unwrap();
    assert!(
        after.trim_start().starts_with("20:41:59") || after.starts_with("! 20:41:59"),
        "{text}"
    );
    let same = stdout(&replay(lines(0..6).as_bytes(), &[]));
    assert!(!same.contains("was edited"), "{same}");
}

#[test]
fn reconcile_is_printed_in_full_at_its_time() {
    let text = lines(0..6);
    for at in ["20:41:29", "2026-03-01T20:41:29Z", "20:41:40"] {
        let run = replay(text.as_bytes(), &["--at", at]);
        assert_eq!(run.status.code(), Some(0), "{at}");
        let page = stdout(&run);
        assert!(page.starts_with("shop/web → Rollout/web"), "{page}");
        assert!(
            page.contains("\nas of       2026-03-01 20:41:29 UTC"),
            "{page}"
        );
        assert!(
            page.contains("the recorded outcome in every field"),
            "{page}"
        );
    }
    let run = replay(text.as_bytes(), &["--at", "23:00:00"]);
    assert_eq!(run.status.code(), Some(2));
    assert_eq!(
        stderr(&run),
        "error: standard input: --at is outside the recording (2026-03-01 20:41:14 UTC \
         to 2026-03-01 20:42:29 UTC)\n"
    );
}

#[test]
fn explain_of_a_recording_takes_the_same_times() {
    let text = lines(0..6);
    for at in [
        "20:41:29",
        "20:41:40",
        "2026-03-01 20:41:29",
        "2026-03-01T20:41:29Z",
        "now",
        "2026-02-28 20:41:29",
        "03:12",
    ] {
        let explained = explain(text.as_bytes(), &["--at", at]);
        let replayed = replay(text.as_bytes(), &["--at", at]);
        assert_eq!(explained.status.code(), replayed.status.code(), "{at}");
        let entry = |run| {
            let page = stdout(run);
            page.lines()
                .find(|line| line.starts_with("at  "))
                .map(str::to_owned)
        };
        assert_eq!(entry(&explained), entry(&replayed), "{at}");
        assert_eq!(stderr(&explained), stderr(&replayed), "{at}");
    }
}

/// The policy that holds the replicas is used up by a rescale before the first line; only the status shows how many
/// pods it added.
#[test]
fn recording_that_joins_within_a_period_is_decided_as_it_was_by_explain_and_by_replay() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("examples/worked/percent-and-pods-policies.jsonl");
    let whole = fs::read_to_string(path).unwrap();
    let (_, joined) = whole.split_once('\n').unwrap();
    let replayed = replay(joined.as_bytes(), &["--check", "-o", "jsonl"]);
    let reconciles = objects(&stdout(&replayed));
    let desired = |one: &Value| one["predicted"]["status"]["desiredReplicas"].clone();
    let predicted: Vec<Value> = reconciles.iter().map(desired).collect();
    assert_eq!(predicted, [25, 25, 25, 33], "{reconciles:#?}");
    assert_eq!(replayed.status.code(), Some(0), "{reconciles:#?}");
    for (reconcile, expected) in reconciles.iter().zip(predicted) {
        let at = reconcile["time"].as_str().unwrap();
        let run = explain(joined.as_bytes(), &["--at", at, "-o", "json"]);
        let explained: Value = serde_json::from_slice(&run.stdout).unwrap();
        assert_eq!(explained["verdict"]["to"], expected, "{explained:#}");
    }
    // One line later the status shows only that the rescale reached the limit of a policy, which is as much.
    let (_, later) = joined.split_once('\n').unwrap();
    let replayed = replay(later.as_bytes(), &["--check"]);
    assert_eq!(replayed.status.code(), Some(0), "{}", stdout(&replayed));
    assert!(
        stdout(&replayed).contains("all agree with the recording"),
        "{}",
        stdout(&replayed)
    );
    let page = stdout(&explain(joined.as_bytes(), &[]));
    assert!(page.contains("SCALES 25 → 33"), "{page}");
    assert!(!page.contains("8 pods were added"), "{page}");
    assert!(!page.contains("mismatch"), "{page}");
}

#[test]
fn explain_of_a_recording_takes_names_as_on_a_cluster() {
    let text = lines(0..1);
    for named in [
        &["web"][..],
        &["hpa/web"],
        &["hpa", "web"],
        &["shop/web"],
        &["w*"],
        &["rollout/web", "-n", "shop"],
    ] {
        let run = explain(text.as_bytes(), named);
        assert_eq!(run.status.code(), Some(0), "{named:?}: {}", stderr(&run));
    }
    for (named, error) in [
        (
            &["web", "api"][..],
            "HPA \"api\" not found in it. It has shop/web",
        ),
        (
            &["deploy/web"],
            "no HPA scales deploy \"web\" in it. It has shop/web",
        ),
        (&["x*"], "no HPA matches \"x*\" in it. It has shop/web"),
        (
            &["web", "-n", "prod"],
            "HPA \"web\" not found in namespace prod of it. It has shop/web",
        ),
        (
            &["-n", "prod"],
            "no HPAs in namespace prod of it. It has shop/web",
        ),
        (
            &["-l", "tier=x"],
            "no HPA in it has labels that match \"tier=x\"",
        ),
    ] {
        let run = explain(text.as_bytes(), named);
        assert_eq!(run.status.code(), Some(2), "{named:?}");
        let expected = format!("error: standard input: {error}\n");
        assert_eq!(stderr(&run), expected, "{named:?}");
    }
}

#[test]
fn reader_that_has_seen_enough_does_not_change_what_the_exit_code_says() {
    let text = lines(0..6).replace(r#""desiredReplicas":2"#, r#""desiredReplicas":3"#);
    let closed = || {
        let (reader, writer) = io::pipe().unwrap();
        drop(reader);
        writer
    };
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), text).unwrap();
    for (args, code) in [(&["--check"][..], 1), (&[], 0)] {
        let status = process::Command::new(assert_cmd::cargo::cargo_bin!("kubectl-hpa"))
            .arg("replay")
            .arg(file.path())
            .args(args)
            .stdout(closed())
            .status()
            .unwrap();
        assert_eq!(status.code(), Some(code), "{args:?}");
    }
}

#[test]
fn program_gets_an_object_per_reconcile_in_the_shape_of_the_outcome() {
    let text = lines(0..9);
    let run = replay(text.as_bytes(), &["-o", "jsonl", "--check"]);
    assert_eq!(run.status.code(), Some(0));
    let replayed = objects(&stdout(&run));
    assert_eq!(replayed.len(), 9);
    for (replayed, recorded) in replayed.iter().zip(objects(&text)) {
        assert_eq!(replayed["time"], recorded["time"]);
        assert_eq!(replayed["recording"], recorded["metadata"]["name"]);
        assert_eq!(replayed["predicted"], recorded["outcome"]);
        assert_eq!(replayed["agrees"], true);
        assert_eq!(replayed["differs"], Value::Array(Vec::new()));
    }
}

#[test]
fn difference_from_the_outcome_is_shown_and_fails_the_check() {
    let text = lines(0..6).replacen(r#""desiredReplicas":2"#, r#""desiredReplicas":3"#, 1);
    let run = replay(text.as_bytes(), &["--check"]);
    assert_eq!(run.status.code(), Some(1));
    let page = stdout(&run);
    assert!(
        page.contains("! 20:41:14  2         held      window until 20:46:14   cpu 1\n    status.desiredReplicas: recomputed 2, recorded 3\n"),
        "{page}"
    );
    assert!(
        page.ends_with("1 of 6 differ from the recording\n"),
        "{page}"
    );
    assert_eq!(replay(text.as_bytes(), &[]).status.code(), Some(0));
    let run = replay(text.as_bytes(), &["-o", "jsonl", "--check"]);
    assert_eq!(run.status.code(), Some(1));
    let first = &objects(&stdout(&run))[0];
    assert_eq!(first["agrees"], false);
    assert_eq!(
        first["differs"],
        serde_json::json!([{"path": "status.desiredReplicas", "predicted": 2, "recorded": 3}])
    );
}

#[test]
fn without_an_outcome_the_next_status_shows_what_came_of_it() {
    let without = change(&lines(0..4), |line| {
        line.as_object_mut().unwrap().remove("outcome");
    });
    let run = replay(without.as_bytes(), &["-o", "jsonl", "--check"]);
    assert_eq!(run.status.code(), Some(0));
    let agrees: Vec<Value> = objects(&stdout(&run))
        .iter()
        .map(|line| line["agrees"].clone())
        .collect();
    assert_eq!(
        agrees,
        [Value::from(true), true.into(), true.into(), Value::Null]
    );

    let mut number = 0;
    let wrong = change(&without, |line| {
        number += 1;
        if number == 3 {
            line["hpa"]["status"]["desiredReplicas"] = 7.into();
        }
    });
    let run = replay(wrong.as_bytes(), &["--check"]);
    assert_eq!(run.status.code(), Some(1));
    assert!(
        stdout(&run).contains("! 20:41:29"),
        "the second reconcile led to the status in the third line: {}",
        stdout(&run)
    );
}

#[test]
fn capture_is_held_to_its_decisions_only() {
    // Captured outside of the controller: its clock was another, and its history is inferred.
    let captured = change(&lines(0..4), |line| {
        let fields = line.as_object_mut().unwrap();
        fields.remove("outcome");
        fields.remove("controllerStarted");
        for condition in line["hpa"]["status"]["conditions"]
            .as_array_mut()
            .into_iter()
            .flatten()
        {
            condition["lastTransitionTime"] = "2026-03-01T20:41:01Z".into();
        }
    });
    let run = replay(captured.as_bytes(), &["--check"]);
    assert_eq!(run.status.code(), Some(0));
    let page = stdout(&run);
    assert!(
        page.contains("what the controller remembers here is inferred"),
        "{page}"
    );
    assert!(
        page.contains("3 agree with the recording, none differs"),
        "{page}"
    );

    // A window from before the recording may explain any number up to the maximum of 3, but none above.
    for (desired, code) in [("3", 0), ("4", 1)] {
        let other = format!(r#""desiredReplicas":{desired}"#);
        let other = captured.replace(r#""desiredReplicas":2"#, &other);
        let run = replay(other.as_bytes(), &["--check"]);
        assert_eq!(run.status.code(), Some(code), "{}", stdout(&run));
    }
}

#[test]
fn capture_of_a_real_cluster_agrees_and_one_of_another_spec_does_not() {
    // Two minutes of changing load on the control plane of tests/cluster, one capture a second.
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files/replay/captured.jsonl.zst");
    let captured = zstd::decode_all(fs::File::open(file).unwrap()).unwrap();
    let run = replay(&captured, &["-o", "jsonl", "--check"]);
    assert_eq!(run.status.code(), Some(0));
    let lines = objects(&stdout(&run));
    let agreeing = lines.iter().filter(|line| line["agrees"] == true).count();
    // For the rest the load changed between capture and sync.
    assert_eq!((agreeing, lines.len()), (113, 121));

    let captured = String::from_utf8(captured).unwrap();
    let other = captured.replace(r#""type":"Pods","value":2,"#, r#""type":"Pods","value":1,"#);
    let run = replay(other.as_bytes(), &["--check"]);
    assert_eq!(run.status.code(), Some(1));
    assert!(
        stdout(&run).contains("status.desiredReplicas: recomputed "),
        "{}",
        stdout(&run)
    );
}

#[test]
fn window_that_held_a_sync_longer_than_recomputed_leaves_no_scale_event() {
    // The window seemed over at 12:09:28, the controller scaled a sync later, limited by a policy that counts its own
    // events.
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/files/replay/window-held-longer.jsonl.zst");
    let captured = zstd::decode_all(fs::File::open(file).unwrap()).unwrap();
    let run = replay(&captured, &["--check"]);
    assert_eq!(run.status.code(), Some(0));
    let page = stdout(&run);
    assert!(
        page.contains("23 agree with the recording, none differs"),
        "{page}"
    );
}

#[test]
fn prediction_is_the_one_that_agrees_where_the_controller_may_remember_or_see_the_clock_otherwise()
{
    for (name, index) in [("captured", 118), ("window-held-longer", 11)] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join(format!("tests/files/replay/{name}.jsonl.zst"));
        let captured = zstd::decode_all(fs::File::open(file).unwrap()).unwrap();
        let replayed = objects(&stdout(&replay(&captured, &["-o", "jsonl"])));
        let others = (0..replayed.len()).filter(|at| replayed[*at]["otherHistory"] == true);
        assert_eq!(others.collect::<Vec<_>>(), [index], "{name}");
        assert_eq!(replayed[index]["agrees"], true, "{name}");
        let next = &objects(&String::from_utf8(captured).unwrap())[index + 1];
        let decision = |status: &Value| {
            let conditions = status["conditions"].as_array().unwrap().iter();
            let conditions = conditions
                .map(|one| [&one["type"], &one["status"], &one["reason"]].map(Value::clone));
            let replicas =
                [&status["currentReplicas"], &status["desiredReplicas"]].map(Value::clone);
            (replicas, conditions.collect::<Vec<_>>())
        };
        assert_eq!(
            decision(&replayed[index]["predicted"]["status"]),
            decision(&next["hpa"]["status"]),
            "{name}"
        );
    }
}

#[test]
fn scale_event_from_before_the_capture_is_no_disagreement() {
    // Joined right after a rescale whose Event did not exist yet: it uses up the policy all the same.
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files/replay/joined-late.jsonl.zst");
    let captured = zstd::decode_all(fs::File::open(file).unwrap()).unwrap();
    let run = replay(&captured, &["--check"]);
    assert_eq!(run.status.code(), Some(0));
    let page = stdout(&run);
    assert!(
        page.contains("22 agree with the recording, none differs; 1 unclear"),
        "{page}"
    );
}

#[test]
fn captures_of_several_hpas_may_take_turns() {
    let first = change(&lines(0..4), |line| {
        line["metadata"]["name"] = "shop/a".into();
    });
    let second = change(&lines(0..4), |line| {
        line["metadata"]["name"] = "shop/b".into();
    });
    let turns: String = first
        .lines()
        .zip(second.lines())
        .flat_map(|(first, second)| [first, "\n", second, "\n"])
        .collect();
    let run = replay(turns.as_bytes(), &["--check"]);
    assert_eq!(run.status.code(), Some(0));
    let page = stdout(&run);
    assert!(
        page.ends_with("2 recordings, 8 syncs, 0 rescales\nall agree with the recording\n"),
        "{page}"
    );
    assert_eq!(page.matches("from 2026-03-01").count(), 2, "{page}");
}

#[test]
fn what_was_not_recorded_is_named_and_not_guessed() {
    let text = change(&lines(0..1), |line| {
        line.as_object_mut().unwrap().remove("podMetrics");
        line["notRead"] = serde_json::json!([{"what": "podMetrics", "why": "forbidden"}]);
    });
    let run = replay(text.as_bytes(), &["--check"]);
    assert_eq!(run.status.code(), Some(0));
    assert!(
        stdout(&run).contains("unknown   unknown "),
        "{}",
        stdout(&run)
    );
    assert!(
        stdout(&run).contains("    not recorded: podMetrics\n"),
        "{}",
        stdout(&run)
    );
    let line = &objects(&stdout(&replay(text.as_bytes(), &["-o", "jsonl"])))[0];
    assert_eq!(
        (&line["predicted"], &line["agrees"]),
        (&Value::Null, &Value::Null)
    );
}

#[test]
fn files_are_read_plain_and_compressed() {
    let text = lines(0..3);
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(text.as_bytes()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in [
        ("plain", text.clone().into_bytes()),
        ("gzip", gzip.finish().unwrap()),
        ("zstd", zstd::encode_all(text.as_bytes(), 1).unwrap()),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        let run = hpa().arg("replay").arg(&path).output().unwrap();
        assert_eq!(run.status.code(), Some(0), "{name}");
        assert!(stdout(&run).contains("3 syncs"), "{name}");
    }
    let path = folder.path().join("absent");
    let run = hpa().arg("replay").arg(&path).output().unwrap();
    assert_eq!(run.status.code(), Some(2));
    assert!(
        stderr(&run).starts_with("error: cannot open "),
        "{}",
        stderr(&run)
    );
    assert!(stderr(&run).ends_with("absent: No such file or directory (os error 2)\n"));
}

#[test]
fn interrupted_recording_is_replayed_up_to_its_last_whole_line() {
    let text = lines(0..3);
    let run = replay(&text.as_bytes()[..text.len() - 100], &["--check"]);
    assert_eq!(run.status.code(), Some(0));
    assert!(stdout(&run).contains("2 syncs"), "{}", stdout(&run));
    assert_eq!(
        stderr(&run),
        "note: standard input: the file ends in the middle of line 3: the recording was interrupted there, the lines before it are complete\n"
    );
}

#[test]
fn every_command_reads_an_interrupted_recording_with_the_same_note() {
    let text = lines(0..3);
    let cut = &text.as_bytes()[..text.len() - 100];
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(cut).unwrap();
    gzip.flush().unwrap();
    let mut zstd = zstd::Encoder::new(Vec::new(), 1).unwrap();
    zstd.write_all(cut).unwrap();
    zstd.flush().unwrap();
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in [
        ("a.jsonl", cut),
        ("a.jsonl.gz", gzip.get_ref()),
        ("a.jsonl.zst", zstd.get_ref()),
        (".a.jsonl.zst.abc123.partial", zstd.get_ref()),
    ] {
        fs::write(folder.path().join(name), bytes).unwrap();
        for words in [
            &["replay", name][..],
            &["explain", "-f", name],
            &["lint", "-f", name],
        ] {
            let run = hpa().args(words).current_dir(&folder).output().unwrap();
            assert!(
                run.status.code().is_some_and(|code| code < 2),
                "{words:?}: {run:?}"
            );
            let note = format!(
                "note: {name}: the file ends in the middle of line 3: the recording was interrupted there, the lines before it are complete\n"
            );
            assert!(stderr(&run).starts_with(&note), "{words:?}: {run:?}");
        }
    }
}

/// As PowerShell writes redirected output.
#[test]
fn recording_with_a_byte_order_mark_or_in_utf_16_is_read_as_any_other() {
    let text = lines(0..3)
        .replace("cpu", "cpu\u{1f4a9}")
        .replace('\n', "\r\n");
    let plain = replay(text.as_bytes(), &[]);
    assert_eq!(plain.status.code(), Some(0), "{plain:?}");
    let marked: Vec<u16> = "\u{feff}"
        .encode_utf16()
        .chain(text.encode_utf16())
        .collect();
    for bytes in [
        [b"\xef\xbb\xbf", text.as_bytes()].concat(),
        marked.iter().copied().flat_map(u16::to_le_bytes).collect(),
        marked.iter().copied().flat_map(u16::to_be_bytes).collect(),
    ] {
        assert_eq!(stdout(&replay(&bytes, &[])), stdout(&plain));
        let explained = explain(&bytes, &[]);
        assert_eq!(
            stdout(&explained),
            stdout(&explain(text.as_bytes(), &[])),
            "{explained:?}"
        );
    }
}

#[test]
fn errors_stay_short_and_have_no_empty_place() {
    let long = "9".repeat(5_000_000);
    for text in [
        lines(0..1).replacen(r#""maxReplicas":3"#, &format!(r#""maxReplicas":{long}"#), 1),
        lines(0..1).replacen(
            r#""maxReplicas":3"#,
            &format!(r#""maxReplicas":"{long}""#),
            1,
        ),
        lines(0..1).replacen(
            r#""usage":{"cpu":"65m""#,
            &format!(r#""usage":{{"cpu":"{long}q""#),
            1,
        ),
        format!("kind: {long}"),
        format!("{{\"kind\": {long}}}"),
        format!("- {long}"),
        r#"{"apiVersion": "metrics.k8s.io/v1beta1", "kind": "PodMetricsList", "items": [5]}"#
            .to_owned(),
    ] {
        for run in [explain(text.as_bytes(), &[]), replay(text.as_bytes(), &[])] {
            let error = stderr(&run);
            assert_eq!(run.status.code(), Some(2), "{error}");
            assert!(error.len() < 1_500, "{} bytes", error.len());
            assert!(!error.contains(": :"), "{error}");
        }
    }
}

#[test]
fn broken_line_ends_the_replay_with_its_number() {
    let good = lines(0..2);
    let field = lines(2..3).replacen(r#""maxReplicas":3"#, r#""maxReplicas":true"#, 1);
    let quantity = lines(2..3).replacen(r#""usage":{"cpu":""#, r#""usage":{"cpu":"?"#, 1);
    for (line, error) in [
        (
            "replicas: 3",
            "line 3, column 1: expected value; each line of a recording is a snapshot, as `kubectl hpa capture` writes it",
        ),
        (
            r#"{"apiVersion":"v1","kind":"Pod"}"#,
            "line 3 is not a snapshot: apiVersion \"v1\", kind \"Pod\"",
        ),
        (
            &field,
            "line 3: hpa.spec.maxReplicas: invalid type: boolean `true`, expected an integer",
        ),
        (
            &quantity,
            "line 3: podMetrics.items[0].containers[0].usage.cpu: invalid quantity \"?",
        ),
    ] {
        let text = format!("{good}{line}\n{}", lines(3..4));
        let run = replay(text.as_bytes(), &[]);
        assert_eq!(run.status.code(), Some(2), "{error}");
        assert!(
            stdout(&run).contains("20:41:29"),
            "the lines before are replayed"
        );
        assert!(
            !stdout(&run).contains("20:41:59"),
            "the memory has a hole behind it"
        );
        assert!(
            stderr(&run).starts_with(&format!("error: standard input: {error}")),
            "{}",
            stderr(&run)
        );
    }
    let run = replay(b"\n", &[]);
    assert_eq!(run.status.code(), Some(2));
    assert_eq!(stderr(&run), "error: standard input has no snapshots\n");
}

#[test]
fn every_recording_of_the_newest_controller_passes_the_check() {
    for entry in fs::read_dir(conformance("1.36")).unwrap() {
        let path = entry.unwrap().path();
        let run = hpa()
            .arg("replay")
            .arg(&path)
            .arg("--check")
            .output()
            .unwrap();
        assert_eq!(run.status.code(), Some(0), "{}", path.display());
        assert!(stdout(&run).ends_with("\nall agree with the recording\n"));
    }
}

fn hpa() -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("kubectl-hpa"));
    command.env("TZ", "UTC").env("LC_ALL", "C.UTF-8");
    command
}

/// Replays `recording` from standard input.
fn replay(recording: &[u8], args: &[&str]) -> Output {
    hpa()
        .args(["replay", "-"])
        .args(args)
        .write_stdin(recording)
        .output()
        .unwrap()
}

fn explain(recording: &[u8], args: &[&str]) -> Output {
    hpa()
        .args(["explain", "-f", "-"])
        .args(args)
        .write_stdin(recording)
        .output()
        .unwrap()
}

fn stdout(run: &Output) -> String {
    String::from_utf8(run.stdout.clone()).unwrap()
}

fn stderr(run: &Output) -> String {
    String::from_utf8(run.stderr.clone()).unwrap()
}

fn conformance(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/conformance")
        .join(file)
}

/// Lines of a recording of the real controller, each with its line ending.
fn lines(range: std::ops::Range<usize>) -> String {
    let mut text = String::new();
    GzDecoder::new(fs::File::open(conformance("1.36/cpu.jsonl.gz")).unwrap())
        .read_to_string(&mut text)
        .unwrap();
    text.split_inclusive('\n')
        .skip(range.start)
        .take(range.len())
        .collect()
}

fn objects(lines: &str) -> Vec<Value> {
    lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The lines after a change to each.
fn change(lines: &str, mut change: impl FnMut(&mut Value)) -> String {
    let mut changed = String::new();
    for mut line in objects(lines) {
        change(&mut line);
        changed.push_str(&format!("{line}\n"));
    }
    changed
}

#[test]
fn alarms_of_the_recording_are_those_of_watch_with_their_times() {
    let example = |name: &str| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
        fs::read(folder.join(format!("{name}.jsonl"))).unwrap()
    };
    let page = stdout(&replay(&example("more-than-max"), &[]));
    for line in [
        "Alarms, as watch raises them:",
        "  since 11:30:35  unmet-demand: at max 20, cpu asks for 32 (95 / 60 × 20 pods =",
        "pods-not-running: 2 of 20 pods not scheduled",
    ] {
        assert!(page.contains(line), "{page}");
    }
    for flags in [&["--check"][..], &["-o", "jsonl"]] {
        let checked = stdout(&replay(&example("more-than-max"), flags));
        assert!(!checked.contains("Alarms"), "{checked}");
    }
    let calm = stdout(&replay(&example("held-by-window"), &[]));
    assert!(!calm.contains("Alarms"), "{calm}");
}
