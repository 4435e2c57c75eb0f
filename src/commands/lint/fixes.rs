//! `--fix` and `--diff`.

use std::{
    collections::BTreeSet,
    io::{IsTerminal as _, Write as _},
    path::{MAIN_SEPARATOR, Path, PathBuf},
};

use hpa_lint::{FileId, LintInput, LintSettings, SourceText, Sources, fix};

use super::output;
use crate::{cli::LintFileArgs, linting::walk};

/// The fixed files, and the result of fixing.
pub(crate) struct Fixes {
    /// The fixed files.
    pub(crate) input: LintInput,
    /// Number of fixed findings.
    pub(crate) fixed: usize,
    /// Files that changed: name, text before, text after.
    changed: Vec<(String, String, String)>,
    /// Problems.
    pub(crate) remarks: Vec<String>,
    /// The name of standard input.
    stdin: String,
}

/// Applies fixes until none is left. Only the first `linted` files, of the given paths, are changed.
pub(crate) fn fix(
    input: LintInput,
    linted: usize,
    args: &LintFileArgs,
    settings: &LintSettings,
) -> Fixes {
    let before = input.sources.clone();
    let links = links(&before, &args.paths);
    let all = fix::rounds(input, linted, settings, &links);
    let links = all.left.iter().map(|file| {
        let name = &before.get(*file).name;
        format!("{name} is reached by a link and not fixed; name the file itself")
    });
    let changed = before
        .iter()
        .zip(all.input.sources.iter())
        .filter(|((_, before), (_, after))| before.text != after.text)
        .map(|((_, before), (_, after))| {
            (
                before.name.to_string(),
                before.text.to_string(),
                after.text.to_string(),
            )
        })
        .collect();
    Fixes {
        remarks: links.chain(all.remarks).collect(),
        input: all.input,
        fixed: all.fixed,
        changed,
        stdin: args.stdin_name(),
    }
}

/// Files that are links, and files found in a directory that are elsewhere: a link is never followed to change a file,
/// and only files inside a named directory may be changed.
fn links(sources: &Sources, given: &[PathBuf]) -> BTreeSet<FileId> {
    let given: Vec<PathBuf> = walk::whole(given)
        .iter()
        .filter_map(|path| dunce::canonicalize(path).ok())
        .collect();
    let is_outside = |name: &str| {
        dunce::canonicalize(name)
            .is_ok_and(|real| !given.iter().any(|given| real.starts_with(given)))
    };
    let is_link = |source: &SourceText| {
        Path::new(&*source.name).is_symlink() || source.is_found && is_outside(&source.name)
    };
    let sources = sources.iter();
    sources
        .filter(|(_, source)| is_link(source))
        .map(|(file, _)| file)
        .collect()
}

impl Fixes {
    /// Whether anything changed.
    pub(crate) fn has_changes(&self) -> bool {
        !self.changed.is_empty()
    }

    /// Writes the changed files; standard input goes to standard output, changed or not.
    pub(crate) fn write(&self) -> anyhow::Result<()> {
        for (name, _, after) in &self.changed {
            if *name != self.stdin {
                output::to_file(Path::new(name), |file| file.write_all(after.as_bytes()))?;
            }
        }
        if let Some(stdin) = self.stdin() {
            let mut out = std::io::stdout().lock();
            out.write_all(stdin.text.as_bytes())?;
            out.flush()?;
        }
        Ok(())
    }

    /// Whether standard input is among the files.
    pub(crate) fn has_stdin(&self) -> bool {
        self.stdin().is_some()
    }

    fn stdin(&self) -> Option<&SourceText> {
        let sources = self.input.sources.iter();
        let mut texts = sources.map(|(_, source)| source);
        texts.find(|source| *source.name == *self.stdin)
    }

    /// The changes as a unified diff: exact for `patch`, and without control characters on a terminal.
    pub(crate) fn into_diff(self) -> String {
        // The objects of the files take most of the memory, and are not needed for it.
        drop(self.input);
        let diff: String = self
            .changed
            .into_iter()
            .map(|(name, before, after)| {
                // Tools that apply patches require slashes, also on Windows.
                let name = name.replace(MAIN_SEPARATOR, "/");
                fix::TextDifference::of_objects(&before, &after).unified(&name)
            })
            .collect();
        if std::io::stdout().is_terminal() {
            hpa_render::lint::visible(&diff)
        } else {
            diff
        }
    }
}
