//! HPAs of a cluster.

use hpa_change::SpecChange;
use hpa_cluster::{
    Client, ClusterError, GatherScope, Selection, SnapshotDetail, is_pattern, is_selected,
};
use hpa_objects::recording::{Converted, Snapshot};
use hpa_playback::ExplainSubject;
use hpa_words::{amount::names, sanitize::one_line};

use super::changed;
use crate::{
    cli::ExplainArgs,
    process::{
        runtime::{connect_for, finish, noting_slowness, with_others},
        workflow::say,
    },
};

/// Reads the HPAs of the cluster and everything that decides.
pub(super) fn subjects(args: &ExplainArgs) -> anyhow::Result<Vec<ExplainSubject>> {
    let change = changed::requested(args)?;
    finish(async {
        let (client, mut selection) = connect_for(&args.selection, &args.connection).await?;
        selection.ignores_missing = args.ignore_not_found;
        let read = noting_slowness(Box::pin(read(args, &client, &selection, change.as_ref())));
        match read.await {
            Err(error) if args.ignore_not_found && is_not_found(&error) => Ok(Vec::new()),
            read => read,
        }
    })
}

/// Whether none of the named HPAs exists.
fn is_not_found(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(ClusterError::NotFound(_)))
}

async fn read(
    args: &ExplainArgs,
    client: &Client,
    selection: &Selection,
    change: Option<&SpecChange>,
) -> anyhow::Result<Vec<ExplainSubject>> {
    let detail = SnapshotDetail::Redacted;
    let gathered = hpa_cluster::gather(client, selection, detail, GatherScope::Surroundings).await;
    let snapshots = with_others(client, selection, gathered).await?;
    note_several(selection, &snapshots);
    let mut subjects = Vec::new();
    let mut converted = Converted::default();
    for mut snapshot in snapshots {
        args.controller.apply(&mut snapshot)?;
        let today = ExplainSubject::of_snapshot(&snapshot, &mut converted)?;
        let Some(change) = change else {
            subjects.push(today);
            continue;
        };
        let changed = changed::changed(change, &snapshot)?;
        let (mut snapshot, missing) = snapshot.with_spec(changed.spec);
        hpa_cluster::read_missing(client, &mut snapshot, &missing).await;
        subjects.push(today.with_change(&snapshot, changed.edit)?);
    }
    ExplainSubject::infer_settings(&mut subjects);
    Ok(subjects)
}

/// Says which HPAs scale a workload, if there are several: the user probably expected one.
fn note_several(selection: &Selection, snapshots: &[Snapshot]) {
    for name in selection.names.iter().filter(|name| !is_pattern(name)) {
        let hpas: Vec<&str> = snapshots
            .iter()
            .filter(|snapshot| is_selected(&snapshot.hpa, name))
            .map(|snapshot| snapshot.metadata.name.as_str())
            .collect();
        if 1 < hpas.len() {
            let which = names(&hpas, MOST_NAMED);
            let text = format!("note: {name} has {} HPAs: {which}", hpas.len());
            say(&one_line(&text));
        }
    }
}

/// At most this many HPAs are named.
const MOST_NAMED: usize = 5;
