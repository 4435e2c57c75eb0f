//! Files that the program writes: who may read them, where they are, and that no name of the cluster determines the
//! path.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    os::unix::fs::{FileTypeExt as _, PermissionsExt as _, symlink},
    path::Path,
    process::Command,
    thread,
    time::{Duration, Instant},
};

use kubectl_hpa::cli::LintFormat;
use portable_pty::CommandBuilder;
use serde_json::{Value, json};

use crate::{
    plugin::{Plugin, Run, SpawnLimited as _, files},
    pty::Terminal,
    watch,
    world::{self, HPAS, POD_METRICS, list, usage},
};

const RECORD: [&str; 4] = ["watch", "-o=plain", "--timeout=1s", "--record"];

#[test]
fn recordings_are_for_their_owner_only_whatever_the_umask() {
    let server = watch::server();
    let plugin = Plugin::of(&server);
    for words in [
        &["capture", "-o", "a.jsonl"][..],
        &["capture", "-o", "a.jsonl.gz"],
        &["capture", "-o", "a.jsonl.zst"],
        &["capture", "--every=200ms", "--for=500ms", "-o", "b.jsonl"],
        &[&RECORD[..], &["c.jsonl"]].concat(),
        &[&RECORD[..], &["c.jsonl.zst"]].concat(),
    ] {
        let run = freely(&plugin, words);
        assert_eq!(run.code, Some(0), "{run:?}");
        let path = plugin.path(words.last().unwrap());
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{}", path.display());
    }
}

/// Runs it with a umask that allows everything, unless the program restricts it.
fn freely(plugin: &Plugin, words: &[&str]) -> Run {
    let expected = plugin.command(words);
    let mut command = Command::new("/bin/sh");
    command
        .args(["-c", "umask 000; exec \"$0\" \"$@\""])
        .arg(expected.get_program())
        .args(expected.get_args())
        .env_clear()
        .env("HOME", plugin.path(""))
        .current_dir(plugin.path(""));
    Run::from(command.output().unwrap())
}

#[test]
fn links_that_a_user_placed_there_are_not_followed() {
    let server = watch::server();
    let plugin = Plugin::of(&server);
    plugin.write("precious", "mine");
    for (link, target) in [("to-file", "precious"), ("to-nowhere", "elsewhere")] {
        symlink(plugin.path(target), plugin.path(link)).unwrap();
        let run = plugin.run(&[&RECORD[..], &[link]].concat());
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(run.stderr.contains("already exists"), "{run:?}");
        assert!(plugin.path(link).is_symlink());
        let run = plugin.run(&["capture", "-o", link]);
        assert_eq!(run.code, Some(0), "{run:?}");
        assert!(
            !plugin.path(link).is_symlink(),
            "the name is the recording's now"
        );
    }
    assert_eq!(fs::read_to_string(plugin.path("precious")).unwrap(), "mine");
    assert!(!plugin.path("elsewhere").exists());
}

/// Everything that writes a file and can replace one, besides the formats of `lint`; OUT is the file.
const OUTPUTS: [&str; 7] = [
    "capture -o OUT",
    "capture --every=100ms --for=200ms -o OUT",
    "lint -f hpa.yaml --output-file OUT",
    "lint -f hpa.yaml --output-file=OUT -o sarif",
    "lint -f hpa.yaml --write-baseline OUT",
    "lint --write-baseline=OUT",
    "simulate -f objects.yaml --load=500m --for=1m --seeds=1 --record OUT",
];

/// Whoever can place a link in the folder must choose no file elsewhere.
#[test]
fn no_output_follows_a_link() {
    let server = watch::server();
    let plugin = Plugin::of(&server);
    let outside = tempfile::tempdir().unwrap();
    let precious = outside.path().join("precious");
    fs::write(&precious, "mine").unwrap();
    plugin.write("hpa.yaml", CROSSED);
    let objects = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files/web.yaml");
    fs::copy(objects, plugin.path("objects.yaml")).unwrap();
    let formats = LintFormat::names().map(|format| format!("lint -f hpa.yaml -o {format}=OUT"));
    for output in OUTPUTS.map(str::to_owned).into_iter().chain(formats) {
        for (target, follows) in [
            ("precious", "../out"),
            ("nowhere", "nothing"),
            ("", "a folder"),
        ] {
            let out = plugin.path("out");
            symlink(outside.path().join(target), &out).unwrap();
            let words: Vec<String> = output
                .split(' ')
                .map(|word| word.replace("OUT", "out"))
                .collect();
            let run = plugin.run(&words.iter().map(String::as_str).collect::<Vec<_>>());
            let context = format!("{output} of a link to {follows}: {run:?}");
            assert!(run.code.is_some_and(|code| code < 2), "{context}");
            let about = fs::symlink_metadata(&out).unwrap();
            assert!(about.is_file() && about.len() != 0, "{context}");
            assert_eq!(files(outside.path()), ["precious"], "{context}");
            assert_eq!(fs::read_to_string(&precious).unwrap(), "mine", "{context}");
            fs::remove_file(&out).unwrap();
            let mut left = files(&plugin.path(""));
            left.retain(|name| name != ".kube");
            assert_eq!(left, ["hpa.yaml", "objects.yaml"], "{context}");
        }
    }
}

/// An HPA with a finding.
const CROSSED: &str = "apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  minReplicas: 5
  maxReplicas: 2
";

#[test]
fn what_is_no_file_is_written_as_it_is() {
    let server = watch::server();
    let plugin = Plugin::of(&server);
    let made = Command::new("mkfifo").arg(plugin.path("fifo")).status();
    assert!(made.unwrap().success());
    // Open for both, so that neither end blocks.
    let mut options = fs::OpenOptions::new();
    let fifo = options.read(true).write(true).open(plugin.path("fifo"));
    let run = plugin.run(&["capture", "-o", "fifo"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    let about = fs::symlink_metadata(plugin.path("fifo")).unwrap();
    assert!(about.file_type().is_fifo(), "{about:?}");
    let mut line = String::new();
    BufReader::new(fifo.unwrap()).read_line(&mut line).unwrap();
    assert_is_snapshot(&line);
    let run = plugin.run(&["capture", "-o", ".kube"]);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.stderr.contains("Is a directory"), "{run:?}");
    assert_eq!(files(&plugin.path("")), [".kube", "fifo"]);
}

#[test]
fn what_is_open_already_is_written_after_what_is_in_it() {
    let server = watch::server();
    let plugin = Plugin::of(&server);
    for (name, redirection) in [("/dev/fd/3", "3>>"), ("/dev/fd/1", ">>")] {
        plugin.write("kept", "before\n");
        let expected = plugin.command(&["capture", "-o", name]);
        let mut command = Command::new("/bin/sh");
        command
            .args(["-c", &format!("exec \"$0\" \"$@\" {redirection}kept")])
            .arg(expected.get_program())
            .args(expected.get_args())
            .env_clear()
            .env("HOME", plugin.path(""))
            .current_dir(plugin.path(""));
        let run = Run::from(command.output().unwrap());
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
        let text = fs::read_to_string(plugin.path("kept")).unwrap();
        assert_is_snapshot(text.strip_prefix("before\n").unwrap());
        assert_eq!(files(&plugin.path("")), [".kube", "kept"]);
    }
}

#[track_caller]
fn assert_is_snapshot(line: &str) {
    let snapshot: Value = serde_json::from_str(line).unwrap();
    assert_eq!(snapshot["hpa"]["metadata"]["name"], "web", "{line}");
}

#[test]
fn no_name_of_the_cluster_is_a_path() {
    let server = watch::server();
    let mut hpa = world::hpa("../../evil/$(touch evil)");
    hpa["metadata"]["namespace"] = json!("shop");
    server.set_json(HPAS, &list(vec![hpa]));
    let plugin = Plugin::of(&server);
    for words in [
        &["capture", "-o", "a.jsonl"][..],
        &["explain", "-o", "html"],
        &["lint"],
        &["list"],
    ] {
        let run = plugin.run(words);
        assert!(run.code.is_some_and(|code| code < 2), "{run:?}");
    }
    assert_eq!(files(&plugin.path("")), [".kube", "a.jsonl"]);
    // The default name for a file saved from the screen.
    let expected = plugin.command(&["watch", "--assume-sync-period=1s"]);
    let mut command = CommandBuilder::new(expected.get_program());
    command.args(expected.get_args());
    command.env_clear();
    command.env("HOME", plugin.path(""));
    command.cwd(plugin.path(""));
    let mut terminal = Terminal::start((120, 40), command);
    terminal.shows("evil");
    terminal.press("w");
    terminal.shows("save to: eviltouchevil-");
    terminal.press("\u{1b}");
    terminal.shows_no("save to:");
    terminal.press("q");
    terminal.ends_with(0);
    assert_eq!(files(&plugin.path("")), [".kube", "a.jsonl"]);
}

#[test]
fn alarms_reach_their_command_on_standard_input_and_nowhere_else() {
    let server = watch::server();
    let mut hpa = world::hpa("web");
    hpa["spec"]["maxReplicas"] = json!(2);
    server.set_json(HPAS, &list(vec![hpa])).set_json(
        POD_METRICS,
        &list(vec![usage("web-a", "200m"), usage("web-b", "200m")]),
    );
    let plugin = Plugin::of(&server);
    let command =
        "env >env.txt; echo \"$0 $*\" >words.txt; cat >alarm.txt; mv alarm.txt alarm.json";
    let mut watch = plugin
        .command(&[
            "watch",
            "-o=jsonl",
            "--assume-sync-period=1s",
            "--on-alarm",
            command,
        ])
        .stdout(std::process::Stdio::null())
        .spawn_limited();
    let deadline = Instant::now() + Duration::from_mins(1);
    while !plugin.path("alarm.json").exists() {
        assert!(Instant::now() < deadline, "no alarm came");
        thread::sleep(Duration::from_millis(50));
    }
    watch.kill().unwrap();
    watch.wait().unwrap();
    let text = |name: &str| fs::read_to_string(plugin.path(name)).unwrap();
    let alarm: Value = serde_json::from_str(text("alarm.json").lines().next().unwrap()).unwrap();
    assert_eq!(alarm["hpa"]["name"], "web");
    let reported = alarm["text"].as_str().unwrap();
    assert_eq!(text("words.txt").trim(), "sh");
    let environment = text("env.txt");
    for word in ["shop", "Deployment", reported, "secret-of-test"] {
        assert!(!environment.contains(word), "{word} in {environment}");
    }
}
