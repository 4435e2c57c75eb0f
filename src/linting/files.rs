//! Reads the files to lint, and those that they refer to.

use std::{
    collections::BTreeSet,
    fs,
    io::{self, IsTerminal as _, Read as _, Write as _},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use anyhow::{Context as _, bail};
use hpa_lint::{File, LintInput, is_kustomization};
use hpa_objects::recording::is_text;
use hpa_words::sanitize::one_line;
use jiff::Timestamp;

use super::walk::{self, FoundFile, WalkOptions};
use crate::cli::{LintArgs, LintFileArgs};

/// The purpose of reading files.
#[derive(Clone, Copy)]
pub(crate) enum Use {
    /// To be linted.
    Linted,
    /// As the answers of a cluster, at this time unless they contain one.
    Observed(Timestamp),
    /// Because others refer to them.
    Related,
}

impl Use {
    /// The purpose of the files given with -f.
    pub(crate) fn of(args: &LintArgs) -> Self {
        if args.files.observed {
            Self::Observed(Timestamp::now())
        } else {
            Self::Linted
        }
    }
}

/// Fails if standard input is named but not read exactly once.
pub(crate) fn ensure_stdin(args: &LintFileArgs) -> anyhow::Result<()> {
    let paths = args.paths.iter().chain(&args.with);
    match paths.filter(|path| path.as_os_str() == "-").count() {
        0 if args.stdin_filename.is_some() => {
            bail!("--stdin-filename names standard input, and nothing reads that: add -f -")
        }
        0 | 1 => Ok(()),
        _ => bail!("standard input (-) can be read only once"),
    }
}

/// Reads files, and the YAML and JSON files of directories, in the order of their names. Files that were already read
/// are skipped.
pub(crate) fn read(
    paths: &[PathBuf],
    args: &LintFileArgs,
    what_for: Use,
    input: &mut LintInput,
) -> anyhow::Result<()> {
    if paths.is_empty() {
        return Ok(());
    }
    let mut known: BTreeSet<PathBuf> = input
        .sources
        .iter()
        .filter_map(|(_, source)| dunce::canonicalize(&*source.name).ok())
        .collect();
    let options = WalkOptions {
        is_recursive: args.recursive,
        is_lenient: false,
        stdin: args.stdin_filename.as_deref(),
    };
    let mut files = walk::files(paths, options, &mut known)?;
    // They say which of the others are patches. Answers of a cluster contain none.
    if matches!(what_for, Use::Linted) {
        files.extend(walk::kustomizations_above(&files, &mut known));
    }
    // The names of very many small files take more than what they contain.
    drop(known);
    files.sort_by_key(|found| !is_kustomization(&found.path.to_string_lossy()));
    let mut progress = ReadProgress::new(files.len());
    let files = files.into_iter().map(|found| {
        progress.step();
        file(&found, matches!(what_for, Use::Linted))
    });
    match what_for {
        Use::Linted | Use::Related => add(files, input),
        Use::Observed(now) => {
            for file in files {
                let file = file?;
                let text = kubectl_hpa_yaml::decode(file.bytes).text;
                input.add_observed(&file.name, &text, now)?;
            }
            Ok(())
        }
    }
}

/// Adds the objects of files. Kustomizations come first: they say which of the others are patches.
pub(crate) fn add(
    files: impl Iterator<Item = anyhow::Result<File>>,
    input: &mut LintInput,
) -> anyhow::Result<()> {
    let mut files = files.peekable();
    let is_first =
        |file: &anyhow::Result<File>| file.as_ref().is_ok_and(|file| is_kustomization(&file.name));
    input.add_files(std::iter::from_fn(|| files.next_if(is_first)))?;
    input.add_files(files)
}

/// The file on disk, or standard input.
pub(crate) fn file(found: &FoundFile, is_linted: bool) -> anyhow::Result<File> {
    let name = if found.path.as_os_str() == "-" {
        "<stdin>".to_owned()
    } else {
        found.path.display().to_string()
    };
    let bytes = if found.is_stdin {
        bounded(io::stdin(), None)
    } else {
        fs::File::open(&found.path).and_then(|file| {
            let metadata = file.metadata()?;
            bounded(file, metadata.is_file().then_some(metadata.len()))
        })
    };
    let bytes = bytes.with_context(|| one_line(&name).into_owned())?;
    Ok(File {
        name,
        bytes,
        is_found: found.is_in_directory,
        is_linted,
        is_rendered: false,
    })
}

/// Larger files are not manifests; offsets in a text are 32-bit numbers.
const MAX_BYTES: u64 = 1 << 30;

/// The same for pipes and devices, which may be endless.
const MAX_STREAM: u64 = 256 << 20;

/// Reads a whole file that the run needs besides the manifests. A file that the user did not name must be a regular
/// file, because reading others might never end.
pub(crate) fn text(path: &Path, is_named: bool) -> io::Result<String> {
    if !is_named && !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not an ordinary file"));
    }
    let mut bytes = Vec::new();
    let file = fs::File::open(path)?;
    file.take(MOST_TEXT + 1).read_to_end(&mut bytes)?;
    if MOST_TEXT < bytes.len() as u64 {
        return Err(io::Error::other("it has more than 64 MiB"));
    }
    String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// Larger files are not a configuration or a baseline.
const MOST_TEXT: u64 = 64 << 20;

/// Reads all bytes of a file with this length; `None`: a pipe or a device, which may be endless. Fails if there are too
/// many, or if a long input is no text.
fn bounded(mut from: impl io::Read, length: Option<u64>) -> io::Result<Vec<u8>> {
    let (most, advice) = match length {
        Some(_) => (MAX_BYTES, "give it in parts"),
        None => (MAX_STREAM, "write it to a file, and give that"),
    };
    let expected = length.unwrap_or_default().min(most).min(PIECE as u64 * 64);
    let mut bytes = Vec::with_capacity(expected.try_into().unwrap_or_default());
    loop {
        let before = bytes.len();
        from.by_ref().take(PIECE as u64).read_to_end(&mut bytes)?;
        let piece = &bytes[before..];
        if piece.is_empty() {
            return Ok(bytes);
        }
        let is_utf_16 = matches!(&bytes[..2.min(bytes.len())], [0xff, 0xfe] | [0xfe, 0xff]);
        if before != 0 && !is_utf_16 {
            is_text(piece)?;
        }
        if most < bytes.len() as u64 {
            let problem = format!("it has more than {} MiB: {advice}", most >> 20);
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, problem));
        }
    }
}

/// Bytes that are read before they are looked at.
const PIECE: usize = 1 << 20;

/// Shows the progress to a waiting user.
struct ReadProgress {
    total: usize,
    done: usize,
    /// When the next update is due; none: standard error is not a terminal.
    due: Option<Instant>,
    has_spoken: bool,
}

impl ReadProgress {
    fn new(total: usize) -> Self {
        Self {
            total,
            done: 0,
            due: io::stderr()
                .is_terminal()
                .then(|| Instant::now() + PATIENCE),
            has_spoken: false,
        }
    }

    fn step(&mut self) {
        self.done += 1;
        let now = Instant::now();
        if self.due.is_some_and(|due| due <= now) {
            self.due = Some(now + PATIENCE / 5);
            self.has_spoken = true;
            // A failed write is ignored.
            let _ = write!(
                io::stderr(),
                "\rreading file {} of {} …\u{1b}[K",
                self.done,
                self.total
            );
        }
    }
}

impl Drop for ReadProgress {
    fn drop(&mut self) {
        if self.has_spoken {
            let _ = write!(io::stderr(), "\r\u{1b}[K");
        }
    }
}

/// Updates start after this time.
const PATIENCE: Duration = Duration::from_secs(1);
