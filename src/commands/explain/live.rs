//! HPAs of a cluster.

use std::{
    io::{self, IsTerminal as _, Write as _},
    pin::pin,
    time::Duration,
};

use super::changed;
use crate::{
    change::Change,
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
    let change = changed::wanted(args)?;
    runtime()?.block_on(async {
        let mut reading = pin!(read(args, &selection, change.as_ref()));
        if let Ok(read) = tokio::time::timeout(PATIENCE, &mut reading).await {
            return read;
        }
        note_slowness();
        reading.await
    })
}

async fn read(
    args: &ExplainArgs,
    selection: &Selection,
    change: Option<&Change>,
) -> anyhow::Result<Vec<Subject>> {
    let client = cluster::connect(&args.connection)?;
    let detail = Detail::Redacted;
    let snapshots = cluster::gather(&client, selection, detail, Scope::Surroundings).await?;
    let mut subjects = Vec::new();
    for mut snapshot in snapshots {
        controller_flags::apply(&args.controller, &mut snapshot)?;
        let today = Subject::of_snapshot(&snapshot)?;
        let Some(change) = change else {
            subjects.push(today);
            continue;
        };
        let changed = changed::changed(change, &snapshot)?;
        let (mut snapshot, missing) = snapshot.with_spec(changed.spec);
        cluster::read_missing(&client, &mut snapshot, &missing).await;
        subjects.push(today.with_change(&snapshot, changed.edit)?);
    }
    Subject::infer_settings(&mut subjects);
    Ok(subjects)
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
