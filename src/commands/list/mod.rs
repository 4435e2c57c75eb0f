//! `kubectl hpa list`.

mod read;
mod sort;

use std::io::Write as _;

use anyhow::bail;

use super::{
    explain::Format,
    runtime::{noting_slowness, runtime},
    terminal,
};
use crate::{
    cli::{ColorChoice, ExplainFormat, ListArgs},
    cluster,
    exit_code::Status,
    render::{
        list::{Columns, ListOutput, Row, Table, View, not_read, summary},
        sanitize,
    },
};
use read::Read;
use sort::SortKey;

/// Runs `kubectl hpa list`.
pub(super) fn run(args: &ListArgs, color: ColorChoice) -> anyhow::Result<Status> {
    let format = Format::of(&args.output, &args.template)?;
    let key = args.sort_by.as_deref().map(SortKey::parse).transpose()?;
    let read = runtime()?.block_on(async {
        let client = cluster::connect(&args.connection)?;
        noting_slowness(Box::pin(read::read(args, &client))).await
    })?;
    let mut view = match read {
        Read::Hpas(view) => view,
        Read::None { namespace } if is_for_people(&format) => {
            say(&none_found(args, &namespace));
            return Ok(Status::Success);
        }
        Read::None { .. } => View::default(),
    };
    if let Some(key) = &key {
        key.sort(&mut view.rows)?;
    }
    let style = terminal::style(color);
    let is_wide = args.output == ExplainFormat::Wide;
    let text = match &format {
        Format::Text => {
            let columns = Columns {
                has_namespace: args.selection.all_namespaces,
                is_wide,
                has_labels: args.show_labels,
                has_header: !args.no_headers,
            };
            let rows: Vec<&Row> = view.rows.iter().collect();
            let mut text = Table::new(columns, style).lines(&rows);
            if !args.no_headers {
                text.push('\n');
                text.push_str(&summary(&view, is_wide, style));
            }
            text
        }
        Format::Json => serde_json::to_string_pretty(&ListOutput::new(&view))? + "\n",
        Format::Yaml => serde_saphyr::to_string(&ListOutput::new(&view))?,
        Format::Name => names(&view),
        Format::Template(template, options) => {
            let document = serde_json::to_value(ListOutput::new(&view))?;
            template.execute(document, *options)?
        }
        Format::Html | Format::Markdown => bail!("list has no pages: explain -o html has"),
    };
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    drop(out);
    for line in not_read(&view, is_wide, style) {
        say(&line);
    }
    Ok(Status::Success)
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

/// Says something on standard error. Nothing is left to do if that is closed.
fn say(text: &str) {
    let _ = writeln!(anstream::stderr(), "{text}");
}
