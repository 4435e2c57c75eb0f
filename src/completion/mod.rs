//! Completion: the candidates at the cursor of a line that is being typed.
//!
//! There are two callers. kubectl runs `kubectl_complete-hpa` with the words after the plugin's name and reads cobra's
//! protocol from standard output (`kubectl.rs`). A shell that completes `kubectl-hpa` itself runs it with
//! `COMPLETE=SHELL` (`shells.rs`). Both get the same candidates (`suggest.rs`): from clap's definition of the
//! commands, with values from the kubeconfig and the cluster that the line names (`values.rs`, `line.rs`).
//!
//! Pressing Tab must not disturb the user: an answer comes within a second or is empty, and nothing is ever written to
//! the terminal.

mod kubectl;
mod line;
pub(crate) mod pieces;
mod shells;
mod suggest;
mod values;

use std::{env, ffi::OsString, path::Path, process::ExitCode};

use hpa_words::program;

pub use shells::{script, zsh_function};

/// Answers, if this process was started to complete a line; `None` otherwise.
pub fn answer() -> Option<ExitCode> {
    let arguments: Vec<OsString> = env::args_os().collect();
    if let Some(words) = words_of_kubectl(&arguments) {
        be_silent();
        kubectl::answer(words);
        return Some(ExitCode::SUCCESS);
    }
    let shell = env::var_os("COMPLETE").and_then(|name| shells::find(&name))?;
    // A `COMPLETE` variable left over from something else changes no command.
    if arguments.get(1).is_some_and(|first| first != "--") {
        return None;
    }
    be_silent();
    shells::answer(shell, arguments);
    Some(ExitCode::SUCCESS)
}

/// The words after `kubectl hpa`, if kubectl calls: through the link `kubectl_complete-hpa`, or through a script of
/// that name.
fn words_of_kubectl(arguments: &[OsString]) -> Option<&[OsString]> {
    let (program, words) = arguments.split_first()?;
    let name = Path::new(program).file_stem()?.to_string_lossy();
    if name.starts_with(program::SHIM) {
        return Some(words);
    }
    match words.split_first() {
        Some((first, words)) if first == COMPLETE => Some(words),
        _ => None,
    }
}

/// Detaches from the terminal: while a line is typed there, nothing may prompt on it or write to it, credential
/// plugins included. If that fails, completion continues without it.
#[cfg(unix)]
fn be_silent() {
    if let Ok(nowhere) = hpa_objects::output_file::null_device() {
        let _ = rustix::stdio::dup2_stdin(&nowhere);
        let _ = rustix::stdio::dup2_stderr(&nowhere);
    }
}

#[cfg(not(unix))]
fn be_silent() {}

/// The argument that such a script passes before the words.
pub const COMPLETE: &str = "__complete";
