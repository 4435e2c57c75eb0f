//! `--record`: recordings in a folder with a limited size.

use std::{fs, io, path::Path};

use anyhow::bail;
use hpa_objects::recording::WriteError;
use jiff::Timestamp;

use crate::commands::watch::WatchRecorder;

/// Checks that recordings can be written to `folder`.
pub(super) fn check(folder: &Path) -> anyhow::Result<()> {
    if !folder.is_dir() {
        bail!("--record {}: not a folder; make it first", folder.display());
    }
    Ok(())
}

/// Starts a recording in `folder`. Earlier recordings are deleted, the oldest first, if they leave no room; other
/// files stay.
pub(super) fn begin(folder: &Path, max_size: u64) -> anyhow::Result<WatchRecorder> {
    let name = format!(
        "{PREFIX}{}{ENDING}",
        Timestamp::now().strftime("%Y%m%dT%H%M%SZ")
    );
    let path = folder.join(name);
    let part = (max_size / PARTS).max(1);
    let keep = {
        let folder = folder.to_owned();
        move || {
            prune(&folder, max_size - part).map_err(|source| WriteError {
                path: folder.clone(),
                kept: None,
                source,
            })
        }
    };
    keep()?;
    Ok(WatchRecorder::begin_keeping(&path, Some(part), keep)?)
}

/// Deletes the oldest recordings until their total size is at most `most`.
fn prune(folder: &Path, most: u64) -> io::Result<()> {
    let mut recordings = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        if is_recording(&name.to_string_lossy()) && entry.file_type()?.is_file() {
            let metadata = entry.metadata()?;
            recordings.push((metadata.modified()?, metadata.len(), entry.path()));
        }
    }
    recordings.sort();
    let mut total: u64 = recordings.iter().map(|(_, size, _)| size).sum();
    // The last one is being written.
    recordings.pop();
    for (_, size, path) in recordings {
        if total <= most {
            break;
        }
        fs::remove_file(path)?;
        total -= size;
    }
    Ok(())
}

fn is_recording(name: &str) -> bool {
    let stamp = name
        .strip_prefix(PREFIX)
        .and_then(|rest| rest.strip_suffix(ENDING));
    stamp.is_some_and(|stamp| {
        let is_of_stamp = |letter: char| letter.is_ascii_digit() || "TZ.".contains(letter);
        !stamp.is_empty() && stamp.chars().all(is_of_stamp)
    })
}

/// The prefix of recording names.
const PREFIX: &str = "hpas-";

/// The suffix of recording names.
const ENDING: &str = ".jsonl.zst";

/// The size limit is split among this many files.
const PARTS: u64 = 8;

#[cfg(test)]
mod tests {
    use std::{
        fs::File,
        time::{Duration, SystemTime},
    };

    use super::*;

    #[test]
    fn oldest_recordings_go_first_and_other_files_and_the_last_one_stay() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str, size: u64, age: u64| {
            let file = File::create(folder.path().join(name)).unwrap();
            file.set_len(size).unwrap();
            let modified = SystemTime::now() - Duration::from_secs(age);
            file.set_modified(modified).unwrap();
        };
        put("hpas-20260101T000000Z.2.jsonl.zst", 40, 500);
        put("hpas-20260101T000000Z.1.jsonl.zst", 40, 400);
        put("hpas-20260101T000000Z.jsonl.zst", 40, 300);
        put("incident.jsonl.zst", 40, 900);
        put("hpas-notes.jsonl.zst", 40, 900);
        let names = || {
            let entries = fs::read_dir(folder.path()).unwrap();
            let mut names: Vec<String> = entries
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .collect();
            names.sort();
            names
        };
        prune(folder.path(), 120).unwrap();
        assert_eq!(names().len(), 5);
        prune(folder.path(), 100).unwrap();
        assert!(!names().contains(&"hpas-20260101T000000Z.2.jsonl.zst".to_owned()));
        prune(folder.path(), 1).unwrap();
        assert_eq!(
            names(),
            [
                "hpas-20260101T000000Z.jsonl.zst",
                "hpas-notes.jsonl.zst",
                "incident.jsonl.zst"
            ]
        );
    }
}
