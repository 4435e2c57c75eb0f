//! What the compiler cannot check: layering, layout, names, links, and lists that must agree.
#![expect(clippy::unwrap_used, reason = "test code")]

mod circles;
mod dependencies;
mod effects;
mod layers;
mod links;
mod questions;
mod sources;
mod upstream;
mod words;

use std::{
    fs,
    path::{Path, PathBuf},
};

/// A file of the project.
pub(crate) struct ProjectFile {
    /// Path from the root of the project, with `/`.
    pub(crate) path: String,
    /// Its text; `None` if it isn't text.
    pub(crate) text: Option<String>,
}

/// All files of the project in the order of their paths, without build output and downloads.
pub(crate) fn project_files() -> Vec<ProjectFile> {
    let root = root();
    let mut files = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let relative = path.strip_prefix(&root).unwrap().to_str().unwrap();
            let relative = relative.replace('\\', "/");
            if IGNORED.contains(&relative.as_str()) || relative.ends_with(".snap.new") {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else {
                let text = String::from_utf8(fs::read(&path).unwrap()).ok();
                files.push(ProjectFile {
                    path: relative,
                    text,
                });
            }
        }
    }
    files.sort_by(|left, right| left.path.cmp(&right.path));
    files
}

/// Path and text of the files whose path has this start and this ending.
pub(crate) fn texts(begin: &str, end: &str) -> Vec<(String, String)> {
    project_files()
        .into_iter()
        .filter(|file| file.path.starts_with(begin) && file.path.ends_with(end))
        .filter_map(|file| Some((file.path, file.text?)))
        .collect()
}

/// The text of one file of the project.
pub(crate) fn text_of(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Fails with the list of findings, if any.
#[track_caller]
pub(crate) fn assert_none(what: &str, found: &[String]) {
    assert!(found.is_empty(), "{what}:\n  {}", found.join("\n  "));
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

/// Version control, and the files that it ignores.
const IGNORED: [&str; 7] = [
    ".git",
    "fuzz/artifacts",
    "fuzz/corpus",
    "fuzz/target",
    "target",
    "tests/cluster/bin",
    "tests/monitoring/bin",
];
