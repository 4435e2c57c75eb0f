//! `kubectl hpa export`: the loop of `watch` writes a board, and a server exposes it to Prometheus.

mod recordings;

use std::{io::Write as _, net::TcpListener, time::Duration};

use anyhow::Context as _;
use hpa_cluster::ClusterError;
use hpa_render::export::{SharedBoard, dashboard, locked, operator_rules, rules};
use tokio::time::sleep;

use crate::{
    cli::{ColorChoice, ExportArgs, ExportCommand, RuleFileFormat},
    commands::watch,
    exit_code::ExitStatus,
    process::{
        runtime::{connecting_for, runtime},
        stop::{self, StopSignal},
        workflow::{note, say},
    },
};

/// Runs `kubectl hpa export`.
pub(super) fn run(args: &ExportArgs, color: ColorChoice) -> anyhow::Result<ExitStatus> {
    match &args.command {
        None => runtime()?.block_on(serve(args, color)),
        Some(ExportCommand::Rules(rules_args)) => match rules_args.output {
            RuleFileFormat::Prometheus => print(&rules()),
            RuleFileFormat::Operator => print(&operator_rules()),
        },
        Some(ExportCommand::Dashboard) => print(&dashboard()),
    }
}

fn print(text: &str) -> anyhow::Result<ExitStatus> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(ExitStatus::Success)
}

async fn serve(args: &ExportArgs, color: ColorChoice) -> anyhow::Result<ExitStatus> {
    if let Some(folder) = &args.record {
        recordings::check(folder)?;
    }
    let mut stop = StopSignal::listen().context("cannot listen for signals")?;
    let address = args.listen;
    let listener = TcpListener::bind(address).with_context(|| {
        format!("cannot listen at {address}: use --listen with another address or port")
    })?;
    let address = listener.local_addr()?;
    let board = SharedBoard::default();
    crate::server::start(listener, board.clone()).context("cannot start the server")?;
    stop::end_if_busy().context("cannot start the server")?;
    say(&format!("serving http://{address}/metrics"));
    // The server starts first, so that it can report what is missing.
    let selection = args.selection();
    let (client, selection) = tokio::select! {
        connected = connecting_for(&selection, &args.connection) => connected?,
        () = stop.wait() => return Ok(ExitStatus::Success),
    };
    let mut logged = String::new();
    let mut feed = loop {
        let started = tokio::select! {
            started = crate::live::feed::Feed::start(&client, &selection, &args.controller) => started,
            () = stop.wait() => return Ok(ExitStatus::Success),
        };
        let why = match started {
            Ok(feed) => break feed,
            // Having no HPAs is a valid state.
            Err(ClusterError::NoHpa(why)) => {
                locked(&board).begin(client.heard_at());
                why
            }
            Err(error @ (ClusterError::Unreachable(_) | ClusterError::Refused { .. })) => {
                let why = error.to_string();
                locked(&board).wait_for(why.clone());
                why
            }
            Err(error) => return Err(error.into()),
        };
        if logged != why {
            say(&format!(
                "note: trying again every {} s: {why}",
                AGAIN.as_secs()
            ));
            logged = why;
        }
        tokio::select! {
            () = sleep(AGAIN) => {}
            () = stop.wait() => return Ok(ExitStatus::Success),
        }
    };
    if let Some(why) = feed.unknown_version() {
        note(&why);
    }
    locked(&board).begin(client.heard_at());
    let recorder = match &args.record {
        Some(folder) => Some(recordings::begin(folder, args.record_max_size)?),
        None => None,
    };
    watch::export(&client, feed, board, recorder, color, &mut stop).await
}

/// Interval between attempts to start.
const AGAIN: Duration = Duration::from_secs(5);
