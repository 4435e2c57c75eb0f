//! `kubectl hpa capture`.

mod recorder;

use std::{
    future::pending,
    io::{self, IsTerminal as _},
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context as _, bail};
use hpa_cluster::{Client, GatherScope, Selection, SnapshotDetail, is_pattern};
use hpa_objects::{output_file::is_stdout, recording::RecordingWriter};
use hpa_words::{program::typed, shell_path};
use jiff::Zoned;
use recorder::Recorder;

use super::named_file;
use crate::{
    cli::{CaptureArgs, ColorChoice},
    exit_code::ExitStatus,
    process::{
        runtime::{connecting_for, runtime, telling, with_others},
        stop::StopSignal,
        workflow::say,
    },
};

/// Runs `kubectl hpa capture`. The file gets its name when it is complete; a stopped recording is complete up to that
/// point.
pub(super) fn run(args: &CaptureArgs, _color: ColorChoice) -> anyhow::Result<ExitStatus> {
    named_file::refuse(&args.selection.names, false)?;
    let path = path(args)?;
    let mut writer = RecordingWriter::create(&path)?;
    runtime()?.block_on(async {
        let mut stop = StopSignal::listen().context("cannot listen for signals")?;
        let (client, selection) = tokio::select! {
            connected = connecting_for(&args.selection, &args.connection) => connected?,
            () = stop.wait() => anyhow::bail!("interrupted: nothing is written"),
            () = length(args) => anyhow::bail!("no credentials within --for: nothing is written"),
        };
        if is_recording(args) {
            let recorder = Recorder {
                client: &client,
                selection: &selection,
                detail: detail(args),
                controller: &args.controller,
                every: args.every,
                length: args.length,
                shows_progress: shows_progress(&path),
            };
            let recorded = recorder.run(&mut writer, &mut stop);
            telling(&client, recorded).await
        } else {
            tokio::select! {
                captured = capture(args, &client, &selection, &mut writer) => captured,
                () = stop.wait() => anyhow::bail!("interrupted: nothing is written"),
            }
        }
    })?;
    writer.finish()?;
    if args.output.is_none() && !is_stdout(&path) {
        let name = path.display().to_string();
        say(&format!(
            "saved {name}\nTo read it:\n  {} {}",
            typed(if is_recording(args) {
                "replay"
            } else {
                "explain -f"
            }),
            shell_path(&name)
        ));
    }
    Ok(ExitStatus::Success)
}

/// Whether the capture runs over time.
fn is_recording(args: &CaptureArgs) -> bool {
    args.every.is_some() || args.length.is_some()
}

/// Waits for the end of `--for`, if there is one.
async fn length(args: &CaptureArgs) {
    match args.length.map(Duration::try_from) {
        Some(length) => tokio::time::sleep(length.unwrap_or(Duration::MAX)).await,
        None => pending().await,
    }
}

async fn capture(
    args: &CaptureArgs,
    client: &Client,
    selection: &Selection,
    writer: &mut RecordingWriter,
) -> anyhow::Result<()> {
    let gathered = hpa_cluster::gather(client, selection, detail(args), GatherScope::Surroundings);
    for mut snapshot in with_others(client, selection, gathered.await).await? {
        args.controller.apply(&mut snapshot)?;
        writer.write(&snapshot)?;
    }
    Ok(())
}

/// Whether to show progress: not if standard output is the recording.
fn shows_progress(path: &Path) -> bool {
    let is_in_the_way = is_stdout(path) && io::stdout().is_terminal();
    !is_in_the_way && io::stderr().is_terminal()
}

/// The output path. On a terminal, where JSON is of no use, it is a new file, named after the HPA and the time.
fn path(args: &CaptureArgs) -> anyhow::Result<PathBuf> {
    if let Some(path) = &args.output {
        return Ok(path.clone());
    }
    if !io::stdout().is_terminal() {
        return Ok(PathBuf::from("-"));
    }
    let names = args.selection.named();
    let name = match &names[..] {
        [name] if !is_pattern(name) => name.replace('/', "-"),
        _ => "hpas".to_owned(),
    };
    let time = Zoned::now().strftime("%Y%m%d-%H%M%S");
    let path = PathBuf::from(format!("{name}-{time}.jsonl"));
    if path.try_exists()? {
        bail!("{} exists already: use -o FILE", path.display());
    }
    Ok(path)
}

fn detail(args: &CaptureArgs) -> SnapshotDetail {
    if args.no_redact {
        SnapshotDetail::Whole
    } else {
        SnapshotDetail::Redacted
    }
}
