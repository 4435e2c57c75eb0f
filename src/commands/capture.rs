//! `kubectl hpa capture`.

mod recorder;

use std::{future::pending, io::IsTerminal as _, time::Duration};

use anyhow::Context as _;
use recorder::Recorder;

use super::{
    controller_flags,
    runtime::{connecting_for, runtime, telling, with_others},
    stop::StopSignal,
};
use crate::{
    cli::{CaptureArgs, ColorChoice},
    cluster::{self, Client, GatherScope, Selection, SnapshotDetail},
    exit_code::ExitStatus,
    recording::{RecordingWriter, is_stdout},
};

/// Runs `kubectl hpa capture`. The file gets its name when it is whole; a recording that is stopped is whole up to there.
pub(super) fn run(args: &CaptureArgs, _color: ColorChoice) -> anyhow::Result<ExitStatus> {
    let mut writer = RecordingWriter::create(&args.output)?;
    runtime()?.block_on(async {
        let mut stop = StopSignal::listen().context("cannot listen for signals")?;
        let (client, selection) = tokio::select! {
            connected = connecting_for(&args.selection, &args.connection) => connected?,
            () = stop.wait() => anyhow::bail!("interrupted: nothing is written"),
            () = length(args) => anyhow::bail!("no credentials within --for: nothing is written"),
        };
        if args.every.is_some() || args.length.is_some() {
            let recorded = record(args, &client, &selection, &mut writer, &mut stop);
            telling(&client, recorded).await
        } else {
            tokio::select! {
                captured = capture(args, &client, &selection, &mut writer) => captured,
                () = stop.wait() => anyhow::bail!("interrupted: nothing is written"),
            }
        }
    })?;
    writer.finish()?;
    Ok(ExitStatus::Success)
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
    let gathered = cluster::gather(client, selection, detail(args), GatherScope::Surroundings);
    for mut snapshot in with_others(client, gathered.await).await? {
        controller_flags::apply(&args.controller, &mut snapshot)?;
        writer.write(&snapshot)?;
    }
    Ok(())
}

async fn record(
    args: &CaptureArgs,
    client: &Client,
    selection: &Selection,
    writer: &mut RecordingWriter,
    stop: &mut StopSignal,
) -> anyhow::Result<()> {
    let has_stdout = is_stdout(&args.output) && std::io::stdout().is_terminal();
    let recorder = Recorder {
        client,
        selection,
        detail: detail(args),
        controller: &args.controller,
        every: args.every,
        length: args.length,
        shows_progress: !has_stdout && std::io::stderr().is_terminal(),
    };
    recorder.run(writer, stop).await
}

fn detail(args: &CaptureArgs) -> SnapshotDetail {
    if args.no_redact {
        SnapshotDetail::Whole
    } else {
        SnapshotDetail::Redacted
    }
}
