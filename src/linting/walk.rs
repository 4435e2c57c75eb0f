//! Which files the given paths select.

use std::{
    collections::BTreeSet,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, bail};
use hpa_lint::KUSTOMIZATIONS;
use hpa_words::{
    program::typed,
    sanitize::{file_name, one_line},
};

/// A file to read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FoundFile {
    /// As given, or relative to the given directory; `-` is unnamed standard input.
    pub(crate) path: PathBuf,
    /// Whether it is read from standard input.
    pub(crate) is_stdin: bool,
    /// Whether it was found in a directory, and not named itself.
    pub(crate) is_in_directory: bool,
}

/// Options for finding files.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct WalkOptions<'a> {
    /// Whether subfolders are included.
    pub(crate) is_recursive: bool,
    /// Whether unreadable subfolders are skipped.
    pub(crate) is_lenient: bool,
    /// The name of standard input.
    pub(crate) stdin: Option<&'a Path>,
}

/// The named files, and the YAML and JSON files of directories in the order of their names. Hidden files in a
/// directory, files that are not regular, and those in `known` are skipped; a file is returned only once. Standard
/// input replaces the file of its name.
pub(crate) fn files(
    paths: &[PathBuf],
    options: WalkOptions<'_>,
    known: &mut BTreeSet<PathBuf>,
) -> anyhow::Result<Vec<FoundFile>> {
    known.extend(options.stdin.map(real));
    let mut walk = Walk {
        options,
        known,
        files: Vec::new(),
    };
    for path in whole(paths) {
        walk.path(&path)?;
    }
    Ok(walk.files)
}

/// The kustomizations in the folders above files, within the given paths: Kustomize builds from files next to its
/// kustomization or below it. The user did not name them, so unreadable ones are skipped.
pub(crate) fn kustomizations_above(
    files: &[FoundFile],
    known: &mut BTreeSet<PathBuf>,
) -> Vec<FoundFile> {
    let folders: BTreeSet<&Path> = files
        .iter()
        .filter(|found| found.path.as_os_str() != "-")
        .flat_map(|found| found.path.ancestors().skip(1))
        .collect();
    let names = folders
        .iter()
        .flat_map(|folder| KUSTOMIZATIONS.iter().map(|name| folder.join(name)));
    names
        .filter(|path| !is_special(path) && fs::File::open(path).is_ok())
        .filter(|path| known.insert(real(path)))
        .map(|path| FoundFile {
            path,
            is_stdin: false,
            is_in_directory: true,
        })
        .collect()
}

/// Splits paths at commas, as kubectl does. If only a part together with the next ones is an existing file, the comma
/// belongs to its name.
pub(crate) fn whole(paths: &[PathBuf]) -> Vec<PathBuf> {
    let mut whole = Vec::new();
    let mut rest = paths;
    while let [first, behind @ ..] = rest {
        let mut name = first.clone().into_os_string();
        let is_part = first.as_os_str() != "-" && !first.exists();
        let more = behind.iter().take_while(|_| is_part).position(|part| {
            name.push(",");
            name.push(part);
            Path::new(&name).exists()
        });
        if let Some(last) = more {
            whole.push(PathBuf::from(name));
            rest = &behind[last + 1..];
        } else {
            whole.push(first.clone());
            rest = behind;
        }
    }
    whole
}

struct Walk<'a> {
    options: WalkOptions<'a>,
    /// Real paths that are already known.
    known: &'a mut BTreeSet<PathBuf>,
    files: Vec<FoundFile>,
}

impl Walk<'_> {
    fn path(&mut self, path: &Path) -> anyhow::Result<()> {
        if path.as_os_str() == "-" {
            self.files.push(FoundFile {
                path: self.options.stdin.unwrap_or(path).to_owned(),
                is_stdin: true,
                is_in_directory: false,
            });
            return Ok(());
        }
        if let Some(url) = path.to_str().filter(|path| is_url(path)) {
            let url = one_line(url);
            bail!(
                "{url} is an address, and lint reads files: curl -sSf {url} | {}",
                typed("lint -f -")
            );
        }
        let metadata = fs::metadata(path).with_context(|| file_name(path))?;
        if metadata.is_dir() {
            self.directory(path, &mut Vec::new())
        } else {
            self.file(path.to_owned(), real(path), false);
            Ok(())
        }
    }

    /// `resolved` is the path with links resolved. A file that is reached in several ways is read once, by its own name
    /// rather than by a link.
    fn file(&mut self, path: PathBuf, resolved: PathBuf, is_in_directory: bool) {
        let is_itself = std::path::absolute(&path).is_ok_and(|path| path == resolved);
        let found = if self.known.contains(&resolved) {
            let mut files = self.files.iter_mut().filter(|_| is_itself);
            files.find(|file| !file.is_stdin && real(&file.path) == resolved)
        } else {
            self.files.push(FoundFile {
                path: path.clone(),
                is_stdin: false,
                is_in_directory,
            });
            self.known.insert(resolved);
            None
        };
        if let Some(found) = found {
            (found.path, found.is_in_directory) = (path, is_in_directory);
        }
    }

    /// `above` are the directories that contain this one, to detect a link back to one of them.
    fn directory(&mut self, path: &Path, above: &mut Vec<PathBuf>) -> anyhow::Result<()> {
        let name = || file_name(path);
        let itself = real(path);
        if above.contains(&itself) {
            return Ok(());
        }
        let mut entries: Vec<fs::DirEntry> = fs::read_dir(path)
            .with_context(name)?
            .collect::<Result<_, _>>()
            .with_context(name)?;
        entries.retain(|entry| !is_hidden(&entry.file_name()));
        entries.sort_by_cached_key(fs::DirEntry::file_name);
        above.push(itself);
        for entry in entries {
            let path = entry.path();
            // Nearly all are regular files, for which the directory entry suffices.
            let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
            if !is_file && path.is_dir() {
                if self.options.is_recursive {
                    let read = self.directory(&path, above);
                    if !self.options.is_lenient {
                        read?;
                    }
                }
            } else if has_manifests(&path) && (is_file || !is_special(&path)) {
                let real = match above.last() {
                    Some(directory) if is_file => directory.join(entry.file_name()),
                    _ => real(&path),
                };
                self.file(path, real, true);
            }
        }
        above.pop();
        Ok(())
    }
}

/// The path with links resolved; itself if that is not possible, as for a pipe.
pub(crate) fn real(path: &Path) -> PathBuf {
    dunce::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

fn is_url(path: &str) -> bool {
    ["http://", "https://"]
        .iter()
        .any(|scheme| path.starts_with(scheme))
}

fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

/// Whether it is a pipe, a socket or a device: if the user did not name it, reading it might never end.
fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_file())
}

fn has_manifests(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| ["yaml", "yml", "json"].iter().any(|one| extension == *one))
        || path.file_name().is_some_and(|name| name == "Kustomization")
}
