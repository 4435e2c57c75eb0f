//! An HPA that was deleted while it was recorded is not there afterwards.

use std::{fs, path::Path, process::Command};

use hpa_objects::recording::{RecordingReader, Snapshot};

/// A recording of an HPA that is deleted in the middle, and created again later.
struct Recorded {
    folder: tempfile::TempDir,
    /// Times of the last sync of the first `web`, of its deletion, and of the first sync of the second one.
    times: [jiff::Timestamp; 3],
}

impl Recorded {
    fn new(has_end: bool) -> Self {
        let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/more-than-max.jsonl");
        let lines = RecordingReader::open(&example).unwrap();
        let mut read: Vec<Snapshot> = lines.map(|line| line.unwrap().snapshot).collect();
        let middle = read.len() / 2;
        let mut end = read[middle - 1].clone();
        end.time += jiff::SignedDuration::from_secs(5);
        end.hpa_deleted = Some(end.time);
        let minute = jiff::SignedDuration::from_mins(4);
        for snapshot in &mut read[middle..] {
            snapshot.time += minute;
        }
        let created = read[middle].time - jiff::SignedDuration::from_secs(9);
        for snapshot in &mut read[..middle] {
            snapshot.hpa.metadata.creation_timestamp = Some(read_start(snapshot));
        }
        for snapshot in &mut read[middle..] {
            snapshot.hpa.metadata.creation_timestamp = Some(created);
        }
        end.hpa.metadata.creation_timestamp = read[0].hpa.metadata.creation_timestamp;
        let times = [read[middle - 1].time, end.time, read[middle].time];
        let mut all: Vec<Snapshot> = read[..middle].to_vec();
        all.extend(has_end.then_some(end));
        all.extend_from_slice(&read[middle..]);
        let folder = tempfile::tempdir().unwrap();
        let text = |snapshots: &[Snapshot]| {
            let lines = snapshots
                .iter()
                .map(|one| String::from_utf8(one.to_json().unwrap()).unwrap());
            lines.map(|line| line + "\n").collect::<String>()
        };
        fs::write(folder.path().join("all.jsonl"), text(&all)).unwrap();
        let first = all.iter().position(|one| one.time == times[2]).unwrap();
        fs::write(folder.path().join("first.jsonl"), text(&all[..first])).unwrap();
        Self { folder, times }
    }

    /// The exit code and the output.
    fn run(&self, words: &[&str]) -> (Option<i32>, String) {
        let output = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"))
            .current_dir(self.folder.path())
            .env("TZ", "UTC")
            .args(words)
            .output()
            .unwrap();
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(text).unwrap())
    }
}

/// The day before.
fn read_start(snapshot: &Snapshot) -> jiff::Timestamp {
    jiff::Timestamp::from_second(snapshot.time.as_second() - 86_400 - 3_600).unwrap()
}

#[test]
fn hpa_that_was_deleted_is_not_shown_as_if_it_were_there() {
    let recorded = Recorded::new(true);
    let text = |at: jiff::Timestamp| at.strftime("%H:%M:%S").to_string();
    let [last, deleted, again] = recorded.times.map(text);
    let afterwards = text(recorded.times[1] + jiff::SignedDuration::from_secs(1));
    for words in [
        &["explain", "-f", "first.jsonl"][..],
        &["list", "-f", "first.jsonl"],
    ] {
        let (code, text) = recorded.run(words);
        assert_eq!(code, Some(2), "{text}");
        assert!(text.contains("the HPA was deleted at "), "{text}");
        assert!(text.contains(&deleted), "{text}");
    }
    for (at, is_there) in [(&last, true), (&afterwards, false), (&again, true)] {
        let at = at.as_str();
        let (code, text) = recorded.run(&["explain", "-f", "all.jsonl", "--at", at]);
        assert_eq!(code == Some(0), is_there, "{at}: {text}");
        let (code, text) = recorded.run(&["replay", "all.jsonl", "--at", at]);
        assert_eq!(code == Some(0), is_there, "{at}: {text}");
    }
    let (_, replayed) = recorded.run(&["replay", "all.jsonl"]);
    let line = format!("{deleted}  the HPA was deleted");
    assert!(replayed.contains(&line), "{replayed}");
    let (code, text) = recorded.run(&["lint", "-f", "first.jsonl"]);
    assert!(!text.contains("maxReplicas"), "{code:?} {text}");
}

/// A recording of an older version does not say when the HPA was deleted, only that it is another one later.
#[test]
fn hpa_that_another_one_replaced_is_not_explained_in_between() {
    let recorded = Recorded::new(false);
    let [last, _, again] = recorded.times;
    let between = last + again.duration_since(last) / 2;
    let at = between.strftime("%H:%M:%S").to_string();
    let (code, text) = recorded.run(&["explain", "-f", "all.jsonl", "--at", &at]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("the HPA was deleted"), "{text}");
}
