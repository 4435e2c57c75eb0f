//! Runs a program that renders, within limits.

use std::{
    ffi::OsStr,
    io,
    path::{Component, Path, PathBuf},
    process::{ExitStatus, Stdio},
    time::Duration,
};

use anyhow::{Context as _, anyhow, bail};
use hpa_cluster::{ChildProcess, ClusterError, ProcessGroup, all_of, last_of, without_secrets};
use hpa_lint::File;
use tokio::process::Command;

use crate::process::runtime::{runtime, unless_stopped};

/// The output of a program; `None` if it is not in the `PATH`. The program and its child processes end with this
/// process, or when they exceed a limit.
pub(super) fn output<'a>(
    program: &str,
    arguments: impl IntoIterator<Item = &'a OsStr>,
) -> anyhow::Result<Option<String>> {
    let mut command = Command::new(program);
    command.args(arguments);
    let printed = runtime()?.block_on(unless_stopped(run(program, command, PATIENCE)));
    let Some(printed) = printed.unwrap_or_else(|| Err(ClusterError::Interrupted.into()))? else {
        return Ok(None);
    };
    let text = String::from_utf8(printed);
    Ok(Some(text.with_context(|| {
        format!("what {program} printed is not UTF-8")
    })?))
}

/// A rendered file.
pub(super) fn rendered(name: String, text: String) -> File {
    File {
        name,
        bytes: text.into_bytes(),
        is_found: false,
        is_linted: true,
        is_rendered: true,
    }
}

/// The path as no program can read it otherwise: `github.com/a/b` would be an address for Kustomize, and `-x` a flag.
pub(super) fn local(path: &Path) -> PathBuf {
    match path.components().next() {
        Some(Component::Normal(_)) => Path::new(".").join(path),
        _ => path.to_owned(),
    }
}

async fn run(
    program: &str,
    mut command: Command,
    patience: Duration,
) -> anyhow::Result<Option<Vec<u8>>> {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut running = match ChildProcess::start(command, ProcessGroup::Own) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        running => running.with_context(|| format!("cannot run {program}"))?,
    };
    let (stdout, stderr) = running.outputs();
    let ended = async {
        let too_much = || {
            let mebibytes = MOST_PRINTED >> 20;
            anyhow!("{program} printed more than {mebibytes} MiB, and was ended")
        };
        let printed = async { all_of(stdout, MOST_PRINTED).await.ok_or_else(too_much) };
        let complaint = async { Ok(last_of(stderr, MOST_COMPLAINT).await) };
        let (printed, complaint) = tokio::try_join!(printed, complaint)?;
        let status = running.wait().await;
        let status = status.with_context(|| format!("cannot wait for {program}"))?;
        anyhow::Ok((status, printed, complaint))
    };
    let Ok(ended) = tokio::time::timeout(patience, ended).await else {
        bail!("{program} did not end within {patience:?}, and was ended");
    };
    let (status, printed, complaint) = ended?;
    if !status.success() {
        return Err(failure(program, status, &complaint));
    }
    Ok(Some(printed))
}

/// The error of a program as one line: its lines could be taken for ours.
fn failure(program: &str, status: ExitStatus, complaint: &str) -> anyhow::Error {
    let complaint = without_secrets(complaint);
    let colon = if complaint.is_empty() { "" } else { ": " };
    anyhow!("{program} failed ({status}){colon}{complaint}")
}

/// Longest output, in bytes. The objects of large charts take a few MiB.
const MOST_PRINTED: u64 = 64 << 20;
/// How much of its standard error is kept, in bytes. The last lines say what failed.
const MOST_COMPLAINT: usize = 4 << 10;
/// Longest run. Kustomize may fetch bases, which takes a while.
const PATIENCE: Duration = Duration::from_mins(2);

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    fn error(script: &str, patience: Duration) -> String {
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", script]);
        let run = runtime().unwrap().block_on(run("helm", shell, patience));
        format!("{:#}", run.unwrap_err())
    }

    #[test]
    fn program_is_ended_at_its_limits_and_its_complaint_is_one_short_line() {
        let long = Duration::from_mins(2);
        assert_eq!(
            error("sleep 600 & sleep 600", Duration::from_millis(50)),
            "helm did not end within 50ms, and was ended"
        );
        assert_eq!(
            error("yes", long),
            "helm printed more than 64 MiB, and was ended"
        );
        let printed = error(
            "yes noise | head -c 1000000 >&2; printf 'a\\nerror: b\\033[2J\\n' >&2; exit 3",
            long,
        );
        assert!(printed.len() < 2000, "{printed}");
        assert!(
            printed.starts_with("helm failed (exit status: 3): "),
            "{printed}"
        );
        assert!(!printed.contains(['\n', '\u{1b}']), "{printed}");
    }

    #[test]
    fn no_name_of_a_folder_is_an_address_or_a_flag() {
        for (path, expected) in [
            ("github.com/evil/repo", "./github.com/evil/repo"),
            ("-x", "./-x"),
            ("https:/a", "./https:/a"),
            (".hidden/a", "./.hidden/a"),
            ("./a", "./a"),
            ("../a", "../a"),
            (".", "."),
            ("/a/b", "/a/b"),
        ] {
            assert_eq!(local(Path::new(path)), Path::new(expected));
        }
    }
}
