//! Runs a program that renders.

use std::{ffi::OsStr, io, process::Command};

use anyhow::{Context as _, bail};

use crate::render::sanitize::lines;

/// The output of a program; `None` if it is not in the `PATH`.
pub(super) fn output<'a>(
    program: &str,
    arguments: impl IntoIterator<Item = &'a OsStr>,
) -> anyhow::Result<Option<String>> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(std::process::Stdio::null());
    let output = match command.output() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        output => output.with_context(|| format!("cannot run {program}"))?,
    };
    if !output.status.success() {
        let problem = String::from_utf8_lossy(&output.stderr);
        bail!(
            "{program} failed ({}): {}",
            output.status,
            lines(problem.trim())
        );
    }
    let text = String::from_utf8(output.stdout);
    Ok(Some(text.with_context(|| {
        format!("what {program} printed is not UTF-8")
    })?))
}
