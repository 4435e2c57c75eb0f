//! The recordings that the tests of this folder read.

pub(crate) mod cluster;

use std::{
    env, fs,
    path::{Path, PathBuf},
};

/// Those of the two newest releases whose file `is_wanted` names, such as `edits`. `EDITED_RECORDINGS` names a folder
/// with others instead, of which all but those of `crowd` are read.
pub(crate) fn files(is_wanted: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let named = env::var_os("EDITED_RECORDINGS").map(PathBuf::from);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/conformance");
    let is_release = |path: &PathBuf| {
        let is_newest = path.ends_with("1.36") || path.ends_with("1.37");
        path.is_dir() && (named.is_some() || is_newest)
    };
    let is_read = |path: &PathBuf| {
        let file = path.file_name().unwrap().to_string_lossy();
        let family = file.split('.').next().unwrap();
        family != "crowd" && (named.is_some() || is_wanted(family))
    };
    let mut files: Vec<PathBuf> = fs::read_dir(named.as_ref().unwrap_or(&folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(is_release)
        .flat_map(|release| fs::read_dir(release).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(is_read)
        .collect();
    files.sort();
    files
}
