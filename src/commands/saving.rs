//! Recordings that the user saves from a full screen, each in the background.

use std::{io, path::PathBuf, pin::pin, thread};

use anyhow::bail;
use hpa_objects::recording::{Note, RecordingWriter};
use hpa_playback::Packed;
use hpa_watch::Mark;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// Recordings that are being saved.
pub(crate) struct Saving {
    report: UnboundedSender<Saved>,
    results: UnboundedReceiver<Saved>,
}

/// A recording to save.
pub(crate) struct SaveRequest {
    /// The path, which must not exist.
    pub(crate) path: PathBuf,
    /// The snapshot of each sync.
    pub(crate) snapshots: Vec<Packed>,
    /// The user's marks.
    pub(crate) marks: Vec<Mark>,
    /// A message after saving about what is missing.
    pub(crate) missing: Option<String>,
}

/// The message for the user; an error if something is not saved.
pub(crate) type Saved = Result<String, String>;

impl Saving {
    /// No saves yet.
    pub(crate) fn new() -> Self {
        let (report, results) = unbounded_channel();
        Self { report, results }
    }

    /// Starts to save.
    pub(crate) fn begin(&self, request: SaveRequest) {
        let report = self.report.clone();
        thread::spawn(move || {
            let saved = match save(&request) {
                Ok(()) => Ok(format!(
                    "saved {}: {} snapshots{}",
                    request.path.display(),
                    request.snapshots.len(),
                    request.missing.as_deref().unwrap_or_default()
                )),
                Err(error) => Err(format!("saving failed: {error:#}")),
            };
            // The receiver may be gone after an interrupt.
            let _ = report.send(saved);
        });
    }

    /// Waits for the next message. Cancel-safe.
    pub(crate) async fn next(&mut self) -> String {
        match self.results.recv().await {
            Some(Ok(results) | Err(results)) => results,
            None => std::future::pending().await,
        }
    }

    /// Waits for all pending saves, or until `stop`. Returns the results that were not shown yet.
    pub(crate) async fn finish(self, stop: impl Future<Output = ()>) -> Vec<Saved> {
        let Self {
            report,
            mut results,
        } = self;
        // Only the pending saves hold senders now.
        drop(report);
        let mut stop = pin!(stop);
        let mut all = Vec::new();
        loop {
            tokio::select! {
                saved = results.recv() => match saved {
                    Some(saved) => all.push(saved),
                    None => return all,
                },
                () = &mut stop => {
                    all.push(Err("interrupted: the recording was not saved".to_owned()));
                    return all;
                }
            }
        }
    }
}

/// Writes the snapshots in the format of `capture`. Each mark goes with the next snapshot, or with the last one.
fn save(request: &SaveRequest) -> anyhow::Result<()> {
    let SaveRequest {
        path,
        snapshots,
        marks,
        ..
    } = request;
    if path.symlink_metadata().is_ok() {
        bail!("{} exists already", path.display());
    }
    let mut writer = RecordingWriter::create(path)?;
    let mut marks = marks.iter().peekable();
    for (index, packed) in snapshots.iter().enumerate() {
        let mut snapshot = packed.unpack().map_err(io::Error::other)?;
        let is_last = index + 1 == snapshots.len();
        snapshot.notes.clear();
        while let Some(mark) = marks.next_if(|mark| is_last || mark.at <= packed.at) {
            snapshot.notes.push(Note {
                time: mark.at,
                text: mark.note.clone(),
            });
        }
        writer.write(&snapshot)?;
    }
    writer.finish()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::{
        future::{pending, ready},
        path::Path,
    };

    use super::*;

    fn finish(paths: &[&Path], stop: impl Future<Output = ()>) -> Vec<Saved> {
        let saving = Saving::new();
        for path in paths {
            saving.begin(SaveRequest {
                path: path.to_path_buf(),
                snapshots: Vec::new(),
                marks: Vec::new(),
                missing: None,
            });
        }
        let runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = { runtime }.build().unwrap();
        runtime.block_on(saving.finish(stop))
    }

    #[test]
    fn a_user_who_quits_sees_what_was_saved() {
        let folder = tempfile::tempdir().unwrap();
        let good = folder.path().join("a.jsonl.zst");
        let bad = folder.path().join("no/such/folder.jsonl");
        let all = finish(&[&good, &bad], pending());
        let (saved, failed): (Vec<&Saved>, Vec<_>) = all.iter().partition(|saved| saved.is_ok());
        assert_eq!((saved.len(), failed.len()), (1, 1), "{all:?}");
        let failed = failed[0].as_ref().unwrap_err();
        assert!(
            failed.starts_with("saving failed: cannot write "),
            "{failed}"
        );
        assert!(good.exists());
    }

    #[test]
    fn a_user_who_does_not_wait_sees_that_it_is_not_saved() {
        let saving = Saving::new();
        // A save that never ends.
        let _end = saving.report.clone();
        let runtime = tokio::runtime::Builder::new_current_thread();
        let all = { runtime }
            .build()
            .unwrap()
            .block_on(saving.finish(ready(())));
        assert!(matches!(all.as_slice(), [Err(_)]), "{all:?}");
    }
}
