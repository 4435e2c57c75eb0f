//! A growing recording: readable at any time, in files of limited size, never overwriting existing files.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use hpa_objects::recording::{RecordingReader, RotatingWriter, Snapshot};

use crate::recording::conformance;

fn snapshots(count: usize) -> Vec<Snapshot> {
    RecordingReader::open(&conformance("1.36/cpu.jsonl.gz"))
        .unwrap()
        .take(count)
        .map(|line| line.unwrap().snapshot)
        .collect()
}

/// The complete lines of a file, whether the file is complete or not.
fn lines_of(path: &Path) -> Vec<Snapshot> {
    RecordingReader::open(path)
        .unwrap()
        .map_while(Result::ok)
        .map(|line| line.snapshot)
        .collect()
}

fn file(folder: &tempfile::TempDir, name: &str) -> PathBuf {
    folder.path().join(name)
}

#[test]
fn every_line_can_be_read_as_soon_as_it_is_written() {
    let snapshots = snapshots(5);
    for (name, prints) in [
        ("a.jsonl", "cat"),
        ("a.jsonl.gz", "zcat"),
        ("a.jsonl.zst", "zstdcat"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = file(&folder, name);
        let mut writer = RotatingWriter::begin(&path, None).unwrap();
        for (index, snapshot) in snapshots.iter().enumerate() {
            writer.write(snapshot).unwrap();
            assert_eq!(lines_of(&path), snapshots[..=index], "{name}");
        }
        // As the usual tools read it, cut off within the last line.
        let whole = fs::read(&path).unwrap();
        for (cut, expected) in [(0, 5), (7, 4)] {
            let path = file(&folder, &format!("cut-{cut}-{name}"));
            fs::write(&path, &whole[..whole.len() - cut]).unwrap();
            assert_eq!(lines_of(&path), snapshots[..expected], "{name} {cut}");
            let printed = Command::new(prints).arg(&path).output().unwrap().stdout;
            let lines = String::from_utf8(printed).unwrap().matches('\n').count();
            assert_eq!(lines, expected, "{prints} {cut}");
        }
        writer.finish().unwrap();
        assert!(
            RecordingReader::open(&path)
                .unwrap()
                .all(|line| line.is_ok()),
            "{name}"
        );
    }
}

#[test]
fn recording_that_cannot_begin_is_reported_before_the_cluster_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(file(&folder, "kept.jsonl"), "kept").unwrap();
    let cluster = "cannot use kubeconfig none";
    for (name, error) in [
        ("none/x.jsonl", "cannot write none/x.jsonl: "),
        ("kept.jsonl", "kept.jsonl already exists"),
        ("-", "a recording over time needs a file"),
        ("new.jsonl", cluster),
        ("new.jsonl.zst", cluster),
    ] {
        let run = Command::new(assert_cmd::cargo::cargo_bin!("kubectl-hpa"))
            .current_dir(folder.path())
            .args(["watch", "--kubeconfig=none", "--record", name])
            .output()
            .unwrap();
        let printed = String::from_utf8(run.stderr).unwrap();
        assert_eq!(run.status.code(), Some(2), "{name}: {printed}");
        assert!(printed.starts_with(&format!("error: {error}")), "{printed}");
    }
    let names: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(names, ["kept.jsonl"]);
    let kept = fs::read_to_string(file(&folder, "kept.jsonl")).unwrap();
    assert_eq!(kept, "kept");
}

#[test]
fn file_that_is_large_enough_is_ended_and_numbered_and_is_complete_on_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "incident.jsonl.zst");
    let snapshots = snapshots(60);
    let mut writer = RotatingWriter::begin(&path, Some(4_000)).unwrap();
    for snapshot in &snapshots {
        writer.write(snapshot).unwrap();
    }
    writer.finish().unwrap();
    let oldest_first: Vec<PathBuf> = (1..100)
        .map(|number| file(&folder, &format!("incident.{number}.jsonl.zst")))
        .take_while(|path| path.exists())
        .collect();
    assert!(oldest_first.len() > 2, "{oldest_first:?}");
    let mut read = Vec::new();
    for path in oldest_first.iter().rev().chain([&path]) {
        let lines: Result<Vec<_>, _> = RecordingReader::open(path).unwrap().collect();
        read.extend(lines.unwrap().into_iter().map(|line| line.snapshot));
    }
    assert_eq!(read, snapshots);
    for path in &oldest_first {
        // One line exceeds the limit.
        assert!(fs::metadata(path).unwrap().len() >= 4_000);
        assert!(fs::metadata(path).unwrap().len() < 8_000);
    }
}

#[test]
fn nothing_that_is_there_is_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "incident.jsonl");
    fs::write(&path, "precious").unwrap();
    let error = RotatingWriter::begin(&path, None).err().unwrap();
    assert_eq!(
        error.to_string(),
        format!(
            "{} already exists: use another file name, or move the existing file",
            path.display()
        )
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
    // Numbered files of an earlier recording are renumbered.
    fs::remove_file(&path).unwrap();
    fs::write(file(&folder, "incident.1.jsonl"), "earlier").unwrap();
    let mut writer = RotatingWriter::begin(&path, Some(1)).unwrap();
    let snapshots = snapshots(2);
    writer.write(&snapshots[0]).unwrap();
    writer.write(&snapshots[1]).unwrap();
    writer.finish().unwrap();
    let earlier = fs::read_to_string(file(&folder, "incident.2.jsonl")).unwrap();
    assert_eq!(earlier, "earlier");
    assert_eq!(lines_of(&file(&folder, "incident.1.jsonl")), snapshots[..1]);
    assert_eq!(lines_of(&path), snapshots[1..]);
}

#[test]
fn recording_is_for_the_owner_only_and_a_folder_that_is_missing_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "incident.jsonl.gz");
    RotatingWriter::begin(&path, None).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    let missing = file(&folder, "no/such/incident.jsonl");
    let error = RotatingWriter::begin(&missing, None).err().unwrap();
    let expected = format!("cannot write {}", missing.display());
    assert_eq!(error.to_string(), expected);
    assert!(RotatingWriter::begin(Path::new("-"), None).is_err());
}
