//! Loads in files: CSV, and recordings.

use std::{fs::File, path::Path};

use anyhow::{Context as _, anyhow, bail};
use hpa_objects::{
    manifest::{self, Opened},
    recording::{name_of, read_at_most},
};
use hpa_simulation::{Load, LoadFile, LoadPoint, Millis, ParseAmount, parse_csv, total};
use jiff::Timestamp;

/// Reads the load of a metric.
pub(super) fn read(file: &LoadFile, metric: &str, amount: ParseAmount) -> anyhow::Result<Load> {
    match file {
        LoadFile::Recording(path) => of_recording(path, metric),
        LoadFile::Csv(path) => {
            let bytes = File::open(path)
                .and_then(|file| read_at_most(file, 64))
                .with_context(|| format!("cannot read {}", name_of(path)))?;
            let csv =
                String::from_utf8(bytes).map_err(|_| anyhow!("{} is not UTF-8", name_of(path)))?;
            parse_csv(&csv, metric, amount).map_err(|error| anyhow!("{}, {error}", name_of(path)))
        }
    }
}

/// The load in a recording: the total usage of all pods of the HPA at each sync.
fn of_recording(path: &Path, metric: &str) -> anyhow::Result<Load> {
    let reader = match manifest::open(path)? {
        Opened::Recording(reader) => reader,
        Opened::Objects(text) => {
            let file = name_of(path);
            manifest::read(&text, &file, Timestamp::now())?;
            bail!("{file} is not a recording: it has objects, which show one time only");
        }
    };
    let mut points: Vec<LoadPoint> = Vec::new();
    let mut first = None;
    let mut hpa = None;
    for line in reader {
        let line = line.with_context(|| name_of(path))?;
        let key = (
            line.snapshot.metadata.name.clone(),
            line.snapshot.hpa.metadata.name.clone(),
        );
        if hpa.get_or_insert_with(|| key.clone()) != &key {
            continue;
        }
        let observation = line
            .snapshot
            .observation()
            .with_context(|| format!("{}, line {}", name_of(path), line.number))?;
        let Some(value) = total(&observation, metric) else {
            continue;
        };
        let start = *first.get_or_insert(line.snapshot.time);
        let at = line.snapshot.time.duration_since(start).as_millis() as Millis;
        if points.last().is_none_or(|last| last.at < at) {
            points.push(LoadPoint { at, value });
        }
    }
    if points.is_empty() {
        bail!(
            "{} shows no {metric}: its answers are missing or errors",
            name_of(path)
        );
    }
    Ok(Load::Points(points))
}
