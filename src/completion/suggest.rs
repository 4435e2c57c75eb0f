//! The candidates at the cursor, for any caller.

use std::{
    env,
    ffi::OsString,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use clap::{Arg, Command, ValueHint};
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate, complete};
use hpa_words::sanitize::is_unsafe;
use tokio::sync::watch;

use super::{
    line::CommandLine,
    values::{self, Tab},
};
use crate::cli::Cli;

/// The candidates at the cursor.
#[derive(Debug, Default)]
pub(super) struct Suggested {
    /// The candidates, filtered by what is already typed.
    pub(super) candidates: Vec<CompletionCandidate>,
    /// Whether a path is valid there, which the caller completes.
    pub(super) wants_path: bool,
}

/// Who completes paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Paths {
    /// Paths are among the candidates.
    Completed,
    /// Only that a path is valid there is reported.
    LeftToTheShell,
}

/// The candidates for `words[index]`; `words[0]` is the name of the program. After [`CAP`], questions to the cluster end
/// without an answer.
pub(super) fn suggest(words: Vec<OsString>, index: usize, paths: Paths) -> Suggested {
    let (sender, receiver) = mpsc::channel();
    let (patience, waiting) = watch::channel(());
    let worker = thread::Builder::new().spawn(move || {
        // The receiver may be gone.
        let _ = sender.send(work_out(words, index, paths, waiting));
    });
    if worker.is_err() {
        return Suggested::default();
    }
    receiver
        .recv_timeout(CAP)
        .or_else(|_| {
            drop(patience);
            // The process must not end before the thread has killed its credential plugin. A thread that does not even
            // get to that, because a file system hangs, is abandoned.
            receiver.recv_timeout(LONGEST_KILL)
        })
        .unwrap_or_default()
}

/// Longest wait for an answer after pressing Tab.
const CAP: Duration = Duration::from_secs(1);
/// Longest wait for the thread after that. It takes a moment, unless a file system hangs.
const LONGEST_KILL: Duration = Duration::from_secs(1);

fn work_out(
    words: Vec<OsString>,
    index: usize,
    paths: Paths,
    waiting: watch::Receiver<()>,
) -> Suggested {
    let is_flag = words
        .get(index)
        .is_some_and(|word| word.as_encoded_bytes().starts_with(b"-"));
    let line = CommandLine::read(&words, index);
    let tab = Arc::new(Tab { line, waiting });
    let wants_path = Arc::new(AtomicBool::new(false));
    let mut command = with_values(Cli::as_installed(), &tab);
    if paths == Paths::LeftToTheShell {
        command = without_paths(command, &wants_path);
    }
    let folder = env::current_dir().ok();
    let mut candidates =
        complete(&mut command, words, index, folder.as_deref()).unwrap_or_default();
    // A list of flags would hide the requested values, and prevent the insertion of a single name.
    candidates
        .retain(|candidate| is_flag || !candidate.get_value().to_string_lossy().starts_with('-'));
    candidates.retain(|candidate| {
        let value = candidate.get_value().to_string_lossy();
        !value.is_empty() && !value.contains(is_unsafe)
    });
    Suggested {
        candidates,
        wants_path: wants_path.load(Ordering::Relaxed),
    }
}

/// The command with values for arguments that clap does not know.
fn with_values(command: Command, tab: &Arc<Tab>) -> Command {
    command
        .mut_subcommands(|subcommand| with_values(subcommand, tab))
        .mut_args(|arg| values::attach(arg, tab))
}

/// The command without completion of paths; that a path is valid is recorded instead.
fn without_paths(command: Command, wants_path: &Arc<AtomicBool>) -> Command {
    command
        .mut_subcommands(|subcommand| without_paths(subcommand, wants_path))
        .mut_args(|arg| {
            if !is_path(&arg) {
                return arg;
            }
            let wants_path = Arc::clone(wants_path);
            arg.add(ArgValueCompleter::new(move |_: &std::ffi::OsStr| {
                wants_path.store(true, Ordering::Relaxed);
                Vec::new()
            }))
        })
}

fn is_path(arg: &Arg) -> bool {
    matches!(
        arg.get_value_hint(),
        ValueHint::AnyPath | ValueHint::FilePath | ValueHint::DirPath
    )
}
