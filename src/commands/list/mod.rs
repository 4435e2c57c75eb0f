//! `kubectl hpa list`.

mod hearing;
mod read;
mod sort;
mod watch;

use std::{io::Write as _, time::Duration};

use anyhow::bail;
use jiff::tz::TimeZone;

use super::{
    explain::Format,
    runtime::{connect, noting_slowness, runtime, telling},
    terminal,
    workflow::{self, say},
};
use crate::{
    cli::{ColorChoice, ExplainFormat, ListArgs},
    exit_code::Status,
    recording::visible,
    render::{
        Style,
        list::{Columns, ListOutput, Row, Table, View, not_read, summary},
        sanitize,
    },
};
use read::Read;
use sort::SortKey;
use watch::{Lines, watch};

/// Runs `kubectl hpa list`.
pub(super) fn run(args: &ListArgs, color: ColorChoice) -> anyhow::Result<Status> {
    let format = Format::of(&args.output, &args.template)?;
    let key = args.sort_by.as_deref().map(SortKey::parse).transpose()?;
    let style = terminal::style(color);
    let is_wide = args.output == ExplainFormat::Wide;
    let mut table = Table::new(
        Columns {
            has_namespace: args.selection.all_namespaces,
            is_wide,
            has_labels: args.show_labels,
            has_header: !args.no_headers,
        },
        style,
    );
    if args.watch {
        table = table.with_times(TimeZone::system());
        // Said before anything is read.
        Lines::of(&format, table.clone())?;
    }
    runtime()?.block_on(async {
        let client = connect(&args.connection).await?;
        let (mut view, sync_period) =
            match noting_slowness(Box::pin(read::read(args, &client))).await? {
                Read::Hpas { view, sync_period } => (view, sync_period),
                Read::None { namespace } => {
                    if is_for_people(&format) {
                        say(&none_found(args, &namespace));
                    }
                    (View::default(), DEFAULT_PERIOD)
                }
            };
        if let Some(key) = &key {
            key.sort(&mut view.rows)?;
        }
        if args.watch {
            let rows: Vec<&Row> = view.rows.iter().collect();
            let mut lines = Lines::of(&format, table)?;
            if !rows.is_empty() {
                print(&lines.write(&rows)?)?;
            }
            let watching = Box::pin(watch(args, &client, view, sync_period, lines, style));
            return telling(&client, watching).await;
        }
        print(&write(args, &format, &mut table, &view, style)?)?;
        for line in not_read(&view, is_wide, style) {
            say(&line);
        }
        Ok(Status::Success)
    })
}

fn write(
    args: &ListArgs,
    format: &Format,
    table: &mut Table,
    view: &View,
    style: Style,
) -> anyhow::Result<String> {
    Ok(match format {
        Format::Text if view.rows.is_empty() => String::new(),
        Format::Text => {
            let rows: Vec<&Row> = view.rows.iter().collect();
            let mut text = table.lines(&rows);
            if !args.no_headers {
                text.push('\n');
                text.push_str(&summary(view, args.output == ExplainFormat::Wide, style));
            }
            text
        }
        Format::Json => visible::json_pretty(&ListOutput::new(view))?,
        Format::Yaml => visible::yaml(&ListOutput::new(view))?,
        Format::Name => names(view),
        Format::Template(template, options) => {
            let mut document = serde_json::to_value(ListOutput::new(view))?;
            sanitize::document(&mut document);
            template.execute(&document, *options)?
        }
        Format::Html | Format::Markdown => bail!("list has no pages: explain -o html has"),
    })
}

/// Whether a person reads this, and not a program.
fn is_for_people(format: &Format) -> bool {
    matches!(format, Format::Text | Format::Name)
}

/// As kubectl says it.
fn none_found(args: &ListArgs, namespace: &str) -> String {
    let place = if args.selection.all_namespaces {
        String::new()
    } else {
        format!(" in {namespace} namespace")
    };
    let labels = match &args.selection.selector {
        Some(selector) => format!(" with labels that match {selector:?}"),
        None => String::new(),
    };
    format!("No HPAs found{place}{labels}.")
}

fn names(view: &View) -> String {
    let name = |row: &Row| {
        let name = sanitize::one_line(&row.overview.name);
        format!("horizontalpodautoscaler.autoscaling/{name}\n")
    };
    view.rows.iter().map(name).collect()
}

fn print(text: &str) -> anyhow::Result<()> {
    let mut out = workflow::stdout();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Default of --horizontal-pod-autoscaler-sync-period, as long as no HPA tells more.
const DEFAULT_PERIOD: Duration = Duration::from_secs(15);
