//! The recordings that the repository has.

use std::{fs, path::PathBuf};

/// The examples and the situations of `tests/situations`, from the root of the repository, where its tests run.
pub fn recordings() -> Vec<PathBuf> {
    let folders = [
        "examples",
        "examples/questions",
        "examples/worked",
        "tests/situations",
    ];
    let files = folders
        .iter()
        .flat_map(|folder| fs::read_dir(folder).expect("the folder is there"));
    let is_recording = |path: &PathBuf| {
        let name = path.to_string_lossy();
        name.ends_with(".jsonl") || name.ends_with(".jsonl.zst")
    };
    files
        .map(|file| file.expect("the folder can be read").path())
        .filter(is_recording)
        .collect()
}
