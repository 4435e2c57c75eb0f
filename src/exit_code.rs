//! Exit codes, and how an error reaches the user.

use std::{io, io::Write as _, process::ExitCode};

use crate::render::sanitize::lines;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Nothing wrong.
    Success,
    /// The command did its work and found what it was to look for, such as a disagreement with `--check`.
    Findings,
    /// It could not do its work for some of what it was asked; the errors are printed already.
    Failure,
}

/// Turns the result of a command into the exit code: 0 nothing wrong, 1 findings, 2 could not do the job. A closed
/// pipe is success: whoever reads has seen enough.
pub fn of(result: anyhow::Result<Status>) -> ExitCode {
    match result {
        Ok(Status::Success) => ExitCode::SUCCESS,
        Ok(Status::Findings) => ExitCode::from(1),
        Ok(Status::Failure) => ExitCode::from(2),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to do if standard error is closed, too.
            let _ = writeln!(
                anstream::stderr(),
                "error: {}",
                lines(&format!("{error:#}"))
            );
            ExitCode::from(2)
        }
    }
}

/// Whether it failed because whoever reads has seen enough.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}
