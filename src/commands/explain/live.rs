//! HPAs of a cluster.

use std::{
    io::{self, IsTerminal as _, Write as _},
    pin::pin,
    time::Duration,
};

use crate::{
    cli::ExplainArgs,
    cluster::{self, Detail, Scope, Selection},
    commands::{controller_flags, explain::Subject, runtime},
};

/// Reads the HPAs of the cluster and everything that decides.
pub(super) fn subjects(args: &ExplainArgs) -> anyhow::Result<Vec<Subject>> {
    let selection = Selection {
        names: args.selection.names.clone(),
        all_namespaces: args.selection.all_namespaces,
        selector: args.selection.selector.clone(),
    };
    let mut snapshots = runtime()?.block_on(async {
        let mut reading = pin!(async {
            let client = cluster::connect(&args.connection)?;
            cluster::gather(&client, &selection, Detail::Redacted, Scope::Surroundings).await
        });
        if let Ok(read) = tokio::time::timeout(PATIENCE, &mut reading).await {
            return read;
        }
        note_slowness();
        reading.await
    })?;
    for snapshot in &mut snapshots {
        controller_flags::apply(&args.controller, snapshot)?;
    }
    snapshots
        .iter()
        .map(|snapshot| Ok(Subject::of_snapshot(snapshot)?))
        .collect()
}

/// A person who waits should know for what. Nothing is lost if that can't be written.
fn note_slowness() {
    let mut stderr = io::stderr();
    if stderr.is_terminal() {
        let _ = writeln!(stderr, "waiting for the cluster …");
    }
}

/// How long nothing is said.
const PATIENCE: Duration = Duration::from_secs(1);
