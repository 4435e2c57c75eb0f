//! What a release publishes: krew accepts the manifests, and the archives have what the manifests promise.
#![expect(clippy::unwrap_used, reason = "test code")]

mod installing;
mod krew;
#[cfg(target_os = "linux")]
mod packing;
#[cfg(unix)]
mod stable;

use std::{fs, path::PathBuf};

/// The root of the project.
pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The text of one file of the project.
#[track_caller]
pub(crate) fn text_of(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// System, architecture and target of every archive of a release, as `release/targets.tsv` lists them.
pub(crate) fn targets() -> Vec<(String, String, String)> {
    text_of("release/targets.tsv")
        .lines()
        .map(|line| {
            let mut parts = line.split('\t').map(str::to_owned);
            let target = parts.next().unwrap();
            (parts.next().unwrap(), parts.next().unwrap(), target)
        })
        .collect()
}
