//! Exit codes, and how errors are reported.

use std::{
    env,
    io::{
        self,
        ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull},
        Write as _,
    },
    process::ExitCode,
};

use hpa_words::sanitize::{brief, is_unsafe, lines, without_commands};

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitStatus {
    /// No problem.
    Success,
    /// The command did its work and found problems, such as a disagreement with `--check`.
    Findings,
    /// It could not do a part of its work; the errors are printed already.
    Failure,
}

/// Converts the result of a command to the exit code: 0 no problem, 1 findings, 2 could not do the job. A closed pipe
/// is success: the reader has seen enough.
pub fn of(result: anyhow::Result<ExitStatus>) -> ExitCode {
    match result {
        Ok(ExitStatus::Success) => ExitCode::SUCCESS,
        Ok(ExitStatus::Findings) => ExitCode::from(1),
        Ok(ExitStatus::Failure) => ExitCode::from(2),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) if is_full(&error) => {
            report(&format!("error: cannot write the output: {error}\n"));
            ExitCode::from(2)
        }
        Err(error) => {
            report(&format!("error: {error:#}\n"));
            ExitCode::from(2)
        }
    }
}

/// Reports invalid arguments, or prints the requested help. An error repeats the arguments, which may be file names
/// from a glob.
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

/// Prints to standard error; a failed write is ignored.
fn report(text: &str) {
    let text = brief(text);
    let text = lines(&text);
    let _ = write!(anstream::stderr(), "{}", without_commands(&text));
}

/// Whether there is no room for standard output. The error of a file has its name around it.
fn is_full(error: &anyhow::Error) -> bool {
    let kind = error.downcast_ref::<io::Error>().map(io::Error::kind);
    let is_named = error.chain().nth(1).is_some();
    !is_named && matches!(kind, Some(StorageFull | FileTooLarge | QuotaExceeded))
}

/// Whether it failed because the reader closed the pipe.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}
