//! Finds and reads the configuration file.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, anyhow, bail};
use hpa_lint::{Sources, config};
use hpa_words::sanitize::{file_name, one_line};
use kubectl_hpa_yaml::Span;

use super::files;
use crate::cli::{LintArgs, LintFileArgs};

/// The file name.
pub(crate) const NAME: &str = ".kubectl-hpa.yaml";

/// A configuration file and its content.
pub(crate) struct ConfigFile {
    /// Its path, for people.
    pub(crate) name: String,
    /// The folder that its paths are relative to.
    pub(crate) folder: PathBuf,
    /// The content.
    pub(crate) config: config::Config,
    /// Warnings about the content.
    pub(crate) remarks: Vec<String>,
}

/// Reads the named file, or the one found from the linted files, else from the current folder, upwards to the root of
/// the repository, else of the file system.
///
/// `remarks` gets a warning for each file that is not taken.
pub(crate) fn find(
    args: &LintArgs,
    remarks: &mut Vec<String>,
) -> anyhow::Result<Option<ConfigFile>> {
    if args.rules.no_config {
        return Ok(None);
    }
    if let Some(path) = &args.rules.config {
        return read(path, true).map(Some);
    }
    let (mut found, mut others) = (BTreeSet::new(), BTreeSet::new());
    for folder in folders(&args.files) {
        let folder = dunce::canonicalize(&folder)
            .with_context(|| format!("cannot look for {NAME} in {}", file_name(&folder)))?;
        let of_folder = search(&folder);
        found.extend(of_folder.nearest);
        others.extend(of_folder.of_others);
    }
    remarks.extend(others.iter().map(|path| {
        format!(
            "{} is not taken: it belongs to another user; name it with --config to take it",
            file_name(path)
        )
    }));
    let found: Vec<PathBuf> = found.into_iter().collect();
    match &found[..] {
        [] => Ok(None),
        [path] => read(path, false).map(Some),
        [one, other, ..] => bail!(
            "the files have different configurations, {} and {}: lint them one after the other, or name one with --config",
            file_name(one),
            file_name(other)
        ),
    }
}

/// The folders where the search starts.
fn folders(args: &LintFileArgs) -> BTreeSet<PathBuf> {
    let current = || PathBuf::from(".");
    let paths = &args.paths;
    if paths.is_empty() {
        return [current()].into();
    }
    paths
        .iter()
        .map(|path| {
            if path.as_os_str() == "-" {
                let folders = args.stdin_filename.iter().flat_map(|path| path.ancestors());
                let mut folders = folders.skip(1).filter(|folder| folder.exists());
                folders.next().map_or_else(current, Path::to_owned)
            } else if path.is_dir() {
                path.clone()
            } else {
                match path.parent() {
                    Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
                    _ => current(),
                }
            }
        })
        // A missing file is reported when it is read.
        .filter(|folder| folder.exists())
        .collect()
}

/// The configuration files of a folder.
#[derive(Debug, Default)]
pub(crate) struct FoundConfig {
    /// The nearest one that counts.
    pub(crate) nearest: Option<PathBuf>,
    /// Nearer ones that do not count, because they belong to other users.
    of_others: Vec<PathBuf>,
}

/// Searches for the configuration file of a folder, given as a real path: up to the root of its repository, else of the
/// file system. A folder above may be shared, so outside of a repository a file counts only if its owner is trusted.
pub(crate) fn search(folder: &Path) -> FoundConfig {
    let root = folder.ancestors().find(|above| {
        let git = above.join(".git");
        git.exists() && is_trusted(&git, folder)
    });
    let mut found = FoundConfig::default();
    for above in folder.ancestors() {
        let path = above.join(NAME);
        if path.is_file() {
            if root.is_some() || is_trusted(&path, folder) {
                found.nearest = Some(path);
                break;
            }
            found.of_others.push(path);
        }
        if root == Some(above) {
            break;
        }
    }
    found
}

/// Whether what is at a path, and what it leads to, belongs to this user, to root, or to the owner of the linted folder.
#[cfg(unix)]
fn is_trusted(path: &Path, linted: &Path) -> bool {
    use std::{fs, os::unix::fs::MetadataExt as _};
    let mut trusted = vec![0, rustix::process::geteuid().as_raw()];
    trusted.extend(fs::metadata(linted).map(|folder| folder.uid()));
    [fs::symlink_metadata(path), fs::metadata(path)]
        .into_iter()
        .all(|about| about.is_ok_and(|about| trusted.contains(&about.uid())))
}

#[cfg(not(unix))]
fn is_trusted(_: &Path, _: &Path) -> bool {
    true
}

fn read(path: &Path, is_named: bool) -> anyhow::Result<ConfigFile> {
    let text = files::text(path, is_named).with_context(|| display_path(path))?;
    of_text(path, text)
}

/// Parses the text of the file at a path.
pub(crate) fn of_text(path: &Path, text: String) -> anyhow::Result<ConfigFile> {
    let name = display_path(path);
    let mut sources = Sources::default();
    let file = sources.add(name.clone(), text);
    let text = &sources.get(file).text;
    let locate = |span: Span| {
        let (line, column) = sources.line_and_column(file, span.start);
        format!("{name}:{line}:{column}")
    };
    let config = config::decode(text).map_err(|error| {
        let place = locate(error.span);
        if error.path.is_empty() {
            anyhow!("{place}: {}", error.problem)
        } else {
            anyhow!("{place}: {}: {}", one_line(&error.path), error.problem)
        }
    })?;
    let remarks = config
        .unknown
        .iter()
        .map(|(span, message)| format!("{}: {message}", locate(*span)))
        .collect();
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let folder =
        dunce::canonicalize(folder.unwrap_or(Path::new("."))).with_context(|| name.clone())?;
    Ok(ConfigFile {
        name,
        folder,
        config,
        remarks,
    })
}

/// A path relative to the current folder, if it is below that.
fn display_path(path: &Path) -> String {
    let current = dunce::canonicalize(".").ok();
    let below = current.and_then(|current| path.strip_prefix(current).ok().map(Path::to_owned));
    file_name(below.as_deref().unwrap_or(path))
}
