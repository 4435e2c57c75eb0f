//! Ctrl-C while `history` waits for the monitoring server.

use std::{
    fs,
    process::Stdio,
    sync::{Arc, atomic::AtomicBool},
};

use super::history::{World, of_the_past};
use crate::{
    plugin::{Run, SpawnLimited as _},
    recording::kill,
};

/// The series of which the last read is.
const USAGE: &str = "container_cpu_usage_seconds_total";

#[test]
fn history_ends_by_the_signal_and_leaves_the_recording_that_was_there() {
    for signal in ["INT", "TERM"] {
        let world = World::stalling(USAGE, &Arc::new(AtomicBool::new(true)));
        let url = world.url();
        fs::write(world.plugin.path("past.jsonl"), "kept").unwrap();
        let before = files(&world);
        for record in [
            &[][..],
            &["--record", "past.jsonl"],
            &["--record", "new.jsonl.zst"],
        ] {
            let words = of_the_past(&url);
            let mut command = world.plugin.command(&[&words[..], record].concat());
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
            let reads = world.reads(USAGE);
            let child = command.spawn_limited();
            while world.reads(USAGE) == reads {
                std::thread::yield_now();
            }
            kill(signal, child.id());
            let run = Run::from(child.wait_with_output().unwrap());
            // A shell calls it 130 or 143.
            assert_eq!(run.code, None, "{signal}: {run:?}");
            assert_eq!(
                (run.stdout.as_str(), run.stderr.as_str()),
                ("", ""),
                "{signal}"
            );
            assert_eq!(files(&world), before, "{signal} {record:?}");
        }
        let kept = fs::read_to_string(world.plugin.path("past.jsonl")).unwrap();
        assert_eq!(kept, "kept");
    }
}

#[test]
fn history_that_is_stopped_while_it_records_leaves_no_half_file() {
    for signal in ["INT", "TERM"] {
        let world = World::new(|_, _, value| Some(value.to_owned()));
        let url = world.url();
        let words = of_the_past(&url);
        let before = files(&world);
        let has_hidden = || {
            files(&world)
                .iter()
                .any(|name| name.starts_with('.') && !before.contains(name))
        };
        loop {
            let mut command = world
                .plugin
                .command(&[&words[..], &["--record", "new.jsonl"]].concat());
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
            let mut child = command.spawn_limited();
            while !has_hidden() && child.try_wait().unwrap().is_none() {
                std::hint::spin_loop();
            }
            if child.try_wait().unwrap().is_some() {
                continue;
            }
            // While it stands still, it can be seen whether it is in the middle.
            kill("STOP", child.id());
            let is_recording = has_hidden();
            kill(signal, child.id());
            kill("CONT", child.id());
            let run = Run::from(child.wait_with_output().unwrap());
            assert!(!has_hidden(), "{signal}: {:?}", files(&world));
            if is_recording {
                assert_eq!(run.code, None, "{signal}: {run:?}");
                assert_eq!(run.stderr, "", "{signal}");
                break;
            }
        }
        // It is complete if it was so at that moment.
        let recording = world.plugin.path("new.jsonl");
        if recording.exists() {
            let read = world.plugin.run(&["replay", "new.jsonl"]);
            assert_eq!((read.code, read.stderr.as_str()), (Some(0), ""));
        }
    }
}

/// The names of all files of the user, sorted.
fn files(world: &World) -> Vec<String> {
    let entries = fs::read_dir(world.plugin.path("")).unwrap();
    let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name();
    let mut names: Vec<String> = entries
        .map(|entry| name(entry).into_string().unwrap())
        .collect();
    names.sort();
    names
}
