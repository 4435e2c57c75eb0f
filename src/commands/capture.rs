//! `kubectl hpa capture`.

use std::io::Write as _;

use super::{controller_flags, runtime};
use crate::{
    cli::{CaptureArgs, ColorChoice},
    cluster::{self, Detail, Selection},
    exit_code::Status,
};

/// Runs `kubectl hpa capture`.
pub(super) fn run(args: CaptureArgs, _color: ColorChoice) -> anyhow::Result<Status> {
    let detail = if args.no_redact {
        Detail::Whole
    } else {
        Detail::Redacted
    };
    let selection = Selection {
        names: args.selection.names,
        all_namespaces: args.selection.all_namespaces,
        selector: args.selection.selector,
    };
    let mut snapshots = runtime()?.block_on(async {
        let client = cluster::connect(&args.connection)?;
        cluster::gather(&client, &selection, detail).await
    })?;
    let mut out = std::io::stdout().lock();
    for snapshot in &mut snapshots {
        controller_flags::apply(&args.controller, snapshot)?;
        serde_json::to_writer(&mut out, snapshot)?;
        writeln!(out)?;
    }
    Ok(Status::Success)
}
