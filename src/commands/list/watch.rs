//! `--watch`: after the table, a line whenever that of an HPA changes.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use anyhow::bail;

use super::{Read, print, read::read, say};
use crate::{
    cli::ListArgs,
    cluster::{Client, Selection, Watch},
    commands::explain::Format,
    exit_code::Status,
    render::{
        Style,
        list::{ListedHpa, Row, Table, View, not_read},
    },
};

/// How changed lines are written.
pub(super) enum Lines {
    /// As in the table.
    Table(Table),
    /// An item of the JSON on a line of its own.
    Json,
}

impl Lines {
    /// How those of a format are written.
    pub(super) fn of(format: &Format, table: Table) -> anyhow::Result<Self> {
        match format {
            Format::Json => Ok(Self::Json),
            Format::Text => Ok(Self::Table(table)),
            _ => bail!("--watch goes with -o text, wide and json"),
        }
    }

    /// The lines of these HPAs.
    pub(super) fn write(&mut self, rows: &[&Row]) -> anyhow::Result<String> {
        match self {
            Self::Table(table) => Ok(table.lines(rows)),
            Self::Json => {
                let mut text = String::new();
                for row in rows {
                    text.push_str(&serde_json::to_string(&ListedHpa::from(*row))?);
                    text.push('\n');
                }
                Ok(text)
            }
        }
    }
}

/// Reads again and again, and writes what has changed. Ends only if nothing can be written any more.
pub(super) async fn watch(
    args: &ListArgs,
    client: &Client,
    first: View,
    mut period: Duration,
    mut lines: Lines,
    style: Style,
) -> anyhow::Result<Status> {
    let mut said = Vec::new();
    tell(not_read(&first, false, style), &mut said);
    let mut known = by_name(first.rows);
    let selection = Selection::from(&args.selection);
    let mut hpas = client.watch_hpas(&selection);
    loop {
        wait(&mut hpas, period).await;
        let (rows, remarks) = match Box::pin(read(args, client)).await {
            Ok(Read::Hpas { view, sync_period }) => {
                period = sync_period;
                let remarks = not_read(&view, false, style);
                (view.rows, remarks)
            }
            Ok(Read::None { .. }) => (Vec::new(), Vec::new()),
            Err(error) => {
                // What is known stays known until there is an answer again.
                let remark = format!("not read, trying again: {error:#}");
                tell(vec![remark], &mut said);
                continue;
            }
        };
        tell(remarks, &mut said);
        let rows = by_name(rows);
        for (namespace, name) in known.keys().filter(|name| !rows.contains_key(name)) {
            say(&style.clean(&format!("{namespace}/{name} is gone")));
        }
        let is_news = |(name, row): &(&(String, String), &Row)| {
            known
                .get(*name)
                .is_none_or(|before| !before.looks_like(row))
        };
        let changed: Vec<&Row> = rows.iter().filter(is_news).map(|(_, row)| row).collect();
        if !changed.is_empty() {
            print(&lines.write(&changed)?)?;
        }
        known = rows;
    }
}

/// Waits until the controller has written something and has come to rest, but no longer than its sync period: pods and
/// metrics change without it.
async fn wait(hpas: &mut Watch<'_>, period: Duration) {
    let begun = Instant::now();
    let mut patience = period;
    while let Some(left) = period.checked_sub(begun.elapsed()) {
        match tokio::time::timeout(left.min(patience), hpas.next()).await {
            Ok(Some(_)) => patience = REST,
            // Without a watch the period is all there is.
            Ok(None) => return tokio::time::sleep(left).await,
            Err(_) => return,
        }
    }
}

fn by_name(rows: Vec<Row>) -> BTreeMap<(String, String), Row> {
    let name = |row: &Row| (row.overview.namespace.clone(), row.overview.name.clone());
    rows.into_iter().map(|row| (name(&row), row)).collect()
}

/// Says what has not just been said.
fn tell(remarks: Vec<String>, said: &mut Vec<String>) {
    for remark in remarks.iter().filter(|remark| !said.contains(remark)) {
        say(remark);
    }
    *said = remarks;
}

/// HPAs that nobody writes for so long have come to rest.
const REST: Duration = Duration::from_secs(1);
