//! Exit codes, and how an error reaches the user.

use std::{env, io, io::Write as _, process::ExitCode};

use crate::render::sanitize::{is_unsafe, lines, without_commands};

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitStatus {
    /// Nothing wrong.
    Success,
    /// The command did its work and found what it was to look for, such as a disagreement with `--check`.
    Findings,
    /// It could not do its work for some of what it was asked; the errors are printed already.
    Failure,
}

/// Turns the result of a command into the exit code: 0 nothing wrong, 1 findings, 2 could not do the job. A closed
/// pipe is success: whoever reads has seen enough.
pub fn of(result: anyhow::Result<ExitStatus>) -> ExitCode {
    match result {
        Ok(ExitStatus::Success) => ExitCode::SUCCESS,
        Ok(ExitStatus::Findings) => ExitCode::from(1),
        Ok(ExitStatus::Failure) => ExitCode::from(2),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            report(&format!("error: {error:#}\n"));
            ExitCode::from(2)
        }
    }
}

/// Tells that the arguments are not understood, or prints the help that they ask for. An error repeats them, and they may be names of
/// files that a glob found.
pub fn of_arguments(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        let help = error.render();
        let mut out = anstream::stdout();
        let written = write!(out, "{}", help.ansi()).and_then(|()| out.flush());
        return of(written.map(|()| ExitStatus::Success).map_err(Into::into));
    }
    let is_harmless = |text: &str| !text.contains(is_unsafe) && !text.contains("##");
    if env::args_os().all(|word| is_harmless(&word.to_string_lossy())) {
        error.exit();
    }
    report(&error.render().to_string());
    ExitCode::from(2)
}

/// Nothing is left to do if standard error is closed, too.
fn report(text: &str) {
    let text = lines(text);
    let _ = write!(anstream::stderr(), "{}", without_commands(&text));
}

/// Whether it failed because whoever reads has seen enough.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}
