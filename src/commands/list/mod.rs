//! `kubectl hpa list`.

#[cfg(feature = "mcp")]
mod answer;
mod liveness;
mod read;
mod several;
mod watch;

use std::{
    collections::BTreeSet,
    convert::Infallible,
    io::{self, BufWriter, Write as _},
    time::Duration,
};

use anyhow::bail;
use hpa_cluster::ClusterError;
use hpa_objects::recording::visible;
use hpa_playback::PointInTime;
use hpa_render::{
    Style,
    list::{
        ListOutput, ListRow, ListTable, ListView, ListedHpa, SortKey, TableColumns, drift,
        not_read, summary,
    },
};
use hpa_words::{program::typed, sanitize};
use jiff::tz::TimeZone;

use super::{
    clusters::{ClusterAccess, Clusters, Reads, Unread},
    explain::OutputFormat,
    named_file,
};
use crate::{
    cli::{ColorChoice, ExplainFormat, ListArgs},
    commands::template_document::{ITEMS, table as columns_of, with_items},
    exit_code::ExitStatus,
    process::{
        runtime::{connect_for, noting_slowness, runtime, telling, with_others},
        terminal,
        workflow::{self, say},
    },
};
#[cfg(feature = "mcp")]
pub(crate) use answer::answer;
use read::{ListRead, read_file};
use watch::{LineFormat, watch};

/// Runs `kubectl hpa list`.
pub(crate) fn run(args: &ListArgs, color: ColorChoice) -> anyhow::Result<ExitStatus> {
    let format = OutputFormat::of(&args.output, &args.template)?;
    let is_table = matches!(args.output, ExplainFormat::Text | ExplainFormat::Wide);
    if !is_table && (args.show_labels || !args.label_columns.is_empty()) {
        bail!(
            "--show-labels and -L are for tables: use -o text or wide; -o json and templates have the labels as .items[*].labels"
        );
    }
    let key = args.sort_by.as_deref().map(SortKey::parse).transpose()?;
    let style = terminal::style(color);
    let is_wide = args.output == ExplainFormat::Wide;
    let of_file = args.file.as_deref().map(|path| read_file(args, path));
    let of_file = of_file.transpose()?;
    let mut table = ListTable::new(
        TableColumns {
            has_context: args.contexts.is_given(),
            // The namespace of each context is its own.
            has_namespace: args.selection.all_namespaces
                || args.contexts.is_given() && args.connection.namespace.is_none()
                || of_file.as_ref().is_some_and(has_namespaces),
            is_wide,
            has_labels: args.show_labels,
            has_header: !args.no_headers,
            has_findings: true,
            width: terminal::columns().filter(|_| !is_wide),
        },
        style,
    )
    .with_labels(args.label_columns.clone());
    if args.watch {
        table = table.with_times(TimeZone::system());
        // Reported before anything is read.
        LineFormat::of(&format, table.clone())?;
    }
    if let Some(mut view) = of_file {
        if let Some(key) = &key {
            key.sort(&mut view.rows)?;
        }
        return show(args, &format, &mut table, &view, style);
    }
    if !matches!(args.at, None | Some(PointInTime::Now)) {
        bail!(
            "--at needs a recording (-f FILE): a cluster shows only how it is now. Prometheus may have kept it: `{}`",
            typed("history -A")
        );
    }
    named_file::refuse(&args.selection.names, !args.watch)?;
    if args.watch {
        return watched(args, &format, table, key.as_ref(), style);
    }
    if args.contexts.is_given() && matches!(format, OutputFormat::Name) {
        bail!(
            "-o name has no place for the context: use -o jsonpath='{{range .items[*]}}{{.context}} {{.name}}{{\"\\n\"}}{{end}}'"
        );
    }
    let clusters = Clusters::of(&args.contexts, &args.connection)?;
    let mut unread = Unread::default();
    let mut view = match clusters.read(async |access| one(args, &format, access).await)? {
        Reads::One(ListRead::Hpas { view, .. }) => view,
        Reads::One(ListRead::None(nothing)) => {
            if is_for_people(&format) && !args.ignore_not_found {
                say(&as_sentence(&nothing));
            }
            ListView::default()
        }
        Reads::Several(reads) => {
            unread = Unread::of(&reads);
            several::together(reads)
        }
    };
    match &key {
        Some(key) => key.sort(&mut view.rows)?,
        None if args.contexts.is_given() => SortKey::Urgency.sort(&mut view.rows)?,
        None => {}
    }
    show(args, &format, &mut table, &view, style)?;
    Ok(unread.report())
}

/// Reads one cluster. Among several, a cluster with none of the HPAs is an error of that kind.
async fn one(
    args: &ListArgs,
    format: &OutputFormat,
    access: &ClusterAccess,
) -> anyhow::Result<ListRead> {
    let (client, mut selection) = access.connect(&args.selection).await?;
    selection.ignores_missing = args.ignore_not_found;
    let read = Box::pin(read::read(args, &selection, &client));
    let mut nothing = match access.noting_slowness(read).await? {
        ListRead::None(nothing) => nothing,
        read @ ListRead::Hpas { .. } => return Ok(read),
    };
    if is_for_people(format) {
        Err(nothing) = with_others(&client, &selection, Err::<Infallible, _>(nothing)).await;
    }
    if access.is_alone() {
        Ok(ListRead::None(nothing))
    } else {
        Err(nothing.into())
    }
}

/// Prints the HPAs, then each that changes, until Ctrl-C.
fn watched(
    args: &ListArgs,
    format: &OutputFormat,
    table: ListTable,
    key: Option<&SortKey>,
    style: Style,
) -> anyhow::Result<ExitStatus> {
    runtime()?.block_on(async {
        let (client, mut selection) = connect_for(&args.selection, &args.connection).await?;
        selection.ignores_missing = args.ignore_not_found;
        let read = Box::pin(read::read(args, &selection, &client));
        let (mut view, sync_period) = match noting_slowness(read).await? {
            ListRead::Hpas {
                view, sync_period, ..
            } => (view, sync_period),
            ListRead::None(nothing) => {
                if is_for_people(format) {
                    let nothing = Err::<Infallible, _>(nothing);
                    let Err(nothing) = with_others(&client, &selection, nothing).await;
                    say(&as_sentence(&nothing));
                }
                (ListView::default(), DEFAULT_PERIOD)
            }
        };
        if let Some(key) = key {
            key.sort(&mut view.rows)?;
        }
        let rows: Vec<&ListRow> = view.rows.iter().collect();
        let mut lines = LineFormat::of(format, table)?;
        if !rows.is_empty() {
            print(&lines.write(&rows)?)?;
        }
        let watching = Box::pin(watch(
            args,
            (&client, &selection),
            view,
            sync_period,
            lines,
            style,
        ));
        telling(&client, watching).await
    })
}

/// Prints the HPAs, and on standard error what could not be read.
fn show(
    args: &ListArgs,
    format: &OutputFormat,
    table: &mut ListTable,
    view: &ListView,
    style: Style,
) -> anyhow::Result<ExitStatus> {
    let with_fields = |fields: Option<&BTreeSet<&str>>| {
        let items = view.rows.iter().map(|row| Ok(ListedHpa::from(row)));
        with_items(fields, &ListOutput::without_items(view), items)
    };
    print_with(|out| {
        match format {
            OutputFormat::Text => out.write_all(text(args, table, view, style).as_bytes())?,
            OutputFormat::Json => {
                let document = ListOutput::new(view);
                visible::write_json_pretty(out, &document).map_err(io::Error::from)?;
            }
            OutputFormat::Yaml => visible::write_yaml(out, &ListOutput::new(view))?,
            OutputFormat::Name => out.write_all(names(view).as_bytes())?,
            OutputFormat::Template(template, options) => {
                let document = with_fields(template.fields(ITEMS).as_ref())?;
                out.write_all(template.execute(&document, *options)?.as_bytes())?;
            }
            OutputFormat::Columns(columns) => {
                let document = with_fields(columns.fields(ITEMS).as_ref())?;
                let table = columns_of(columns, &document, !args.no_headers, style)?;
                out.write_all(table.as_bytes())?;
            }
            OutputFormat::Html | OutputFormat::Markdown => {
                bail!(
                    "list cannot write reports: use `{}`",
                    typed("explain -o html")
                )
            }
        }
        Ok(())
    })?;
    for line in not_read(view, args.output == ExplainFormat::Wide, style) {
        say(&line);
    }
    Ok(ExitStatus::Success)
}

fn text(args: &ListArgs, table: &mut ListTable, view: &ListView, style: Style) -> String {
    if view.rows.is_empty() {
        return String::new();
    }
    let rows: Vec<&ListRow> = view.rows.iter().collect();
    let mut text = table.lines(&rows);
    if !args.no_headers {
        text.push('\n');
        text.push_str(&summary(view, args.output == ExplainFormat::Wide, style));
        text.push_str(&drift(view, style));
    }
    text
}

/// Whether the HPAs are in several namespaces.
fn has_namespaces(view: &ListView) -> bool {
    let mut namespaces = view.rows.iter().map(|row| &row.overview.namespace);
    let first = namespaces.next();
    namespaces.any(|namespace| Some(namespace) != first)
}

/// Whether the format is for people.
fn is_for_people(format: &OutputFormat) -> bool {
    matches!(
        format,
        OutputFormat::Text | OutputFormat::Name | OutputFormat::Columns(_)
    )
}

/// A message that is not an error here.
fn as_sentence(message: &ClusterError) -> String {
    let text = message.to_string();
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

fn names(view: &ListView) -> String {
    let name = |row: &ListRow| {
        let name = sanitize::one_line(&row.overview.name);
        format!("horizontalpodautoscaler.autoscaling/{name}\n")
    };
    view.rows.iter().map(name).collect()
}

fn print(text: &str) -> anyhow::Result<()> {
    print_with(|out| Ok(out.write_all(text.as_bytes())?))
}

fn print_with(write: impl FnOnce(&mut dyn io::Write) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let mut out = BufWriter::new(workflow::stdout());
    write(&mut out)?;
    out.flush()?;
    Ok(())
}

/// Default of --horizontal-pod-autoscaler-sync-period, until an HPA provides a better value.
const DEFAULT_PERIOD: Duration = Duration::from_secs(15);
