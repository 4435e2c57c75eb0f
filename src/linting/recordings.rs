//! Recordings: the history of each HPA, and its last snapshot as the state of the cluster.

use std::{collections::BTreeMap, path::Path};

use anyhow::Context as _;
use hpa_engine::model::ControllerConfig;
use hpa_lint::{HistoryBuilder, LintInput};
use hpa_objects::recording::{ReadError, RecordingLine, RecordingReader, Snapshot, name_of};

use crate::{cli::ControllerArgs, process::workflow::note};

/// Whether the name of a path is that of a recording.
pub(crate) fn is_recording(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    // The file that a killed `capture` leaves: `.NAME.….partial`.
    let hidden = name.strip_suffix(".partial");
    let name = hidden.map_or(&*name, |name| {
        name.rsplit_once('.').map_or(name, |(name, _)| name)
    });
    [".jsonl", ".jsonl.zst", ".jsonl.gz"]
        .iter()
        .any(|end| name.ends_with(end))
}

/// Reads a recording line by line; only the history and the last snapshot of each HPA are kept. Returns version, flags
/// and gates of the controller at its end.
pub(crate) fn read(
    path: &Path,
    flags: &ControllerArgs,
    input: &mut LintInput,
) -> anyhow::Result<ControllerConfig> {
    let file = name_of(path);
    let mut hpas: BTreeMap<(String, String), (HistoryBuilder, Snapshot)> = BTreeMap::new();
    let mut config = None;
    for line in RecordingReader::open(path)? {
        let line = match line {
            Err(error @ ReadError::Interrupted { .. }) if !hpas.is_empty() => {
                note(&format!("{file}: {error}"));
                break;
            }
            line => line,
        };
        let RecordingLine {
            number,
            mut snapshot,
        } = line.with_context(|| file.clone())?;
        let place = || format!("{file}, line {number}");
        flags.apply(&mut snapshot).with_context(place)?;
        config = Some(snapshot.controller.to_model().with_context(place)?);
        let metadata = &snapshot.hpa.metadata;
        let namespace = metadata.namespace.clone().unwrap_or_default();
        let key = (namespace, metadata.name.clone());
        if snapshot.hpa_deleted.is_some() {
            // What does not exist any more needs no advice.
            hpas.remove(&key);
            continue;
        }
        let (builder, last) = hpas
            .entry(key)
            .or_insert_with(|| (HistoryBuilder::default(), snapshot.clone()));
        let created = |one: &Snapshot| one.hpa.metadata.creation_timestamp;
        if created(last).is_some_and(|own| Some(own) < created(&snapshot)) {
            // A later HPA of the same name.
            *builder = HistoryBuilder::default();
        }
        builder.push(&snapshot).with_context(place)?;
        *last = snapshot;
    }
    for (builder, last) in hpas.into_values() {
        input
            .add_history(builder.finish(), &last)
            .with_context(|| file.clone())?;
    }
    config.with_context(|| format!("{file} has no snapshot"))
}
