//! `kubectl hpa history`: what happened, and why.

#[cfg(feature = "mcp")]
mod answer;
mod many;
mod metric_values;
mod page;
mod past_loads;
mod played;
mod read;
mod span;
mod what_if;

use anyhow::{Context as _, Error, bail};
use hpa_cluster::is_pattern;
use hpa_history::{Depth, report};
use hpa_objects::{
    output_file::is_stdout,
    recording::{RecordingWriter, visible},
};
use hpa_render::history as render;
use hpa_words::{program::typed, shell_path};
use jiff::{Timestamp, tz::TimeZone};

use super::named_file;
use crate::{
    cli::{ColorChoice, HistoryArgs, HistoryFormat},
    exit_code::ExitStatus,
    process::{pager, stop::Deferral, terminal, workflow::say},
};
#[cfg(feature = "mcp")]
pub(crate) use answer::answer;
pub(super) use past_loads::past_loads;
use played::Played;
use span::{Span, flags_around};

/// Runs `kubectl hpa history`.
pub(crate) fn run(args: &HistoryArgs, color: ColorChoice) -> anyhow::Result<ExitStatus> {
    named_file::refuse(&args.selection.names, false)?;
    let zone = zone(args)?;
    let now = Timestamp::now();
    let (span, at) = Span::of(args, now, &zone)?;
    if at.is_some() && is_many(args) {
        bail!(
            "--at explains one sync of one HPA: name it, such as `{}`",
            typed("history web --at 03:12")
        );
    }
    if args.contexts.is_given() || is_many(args) {
        return many::run(args, span, &zone, color);
    }
    if args.no_headers {
        bail!("--no-headers is for the table of several HPAs, such as with -A");
    }
    check_what_if(args)?;
    let depth = args.depth.map_or(Depth::default(), Depth::from);
    if depth < Depth::Usage && !args.metric_queries.is_empty() {
        bail!("--metric-query has no effect with this --depth: use --depth usage");
    }
    // If the file cannot be written, that should be known before the read; a signal during the read leaves no file.
    let record = args.record.as_deref();
    record.map(RecordingWriter::check).transpose()?;
    let read = read::one(args, depth, span)?;
    let mut stop = record.map(|_| Deferral::of_all()).transpose()?;
    let mut writer = record.map(RecordingWriter::create).transpose()?;
    let flags = flags_around(args, at, span, now)?;
    let played = Played::of(&read, at, (writer.as_mut(), stop.as_ref()), &zone);
    if let Some(stop) = stop.take_if(|stop| stop.has_come()) {
        drop(writer.take());
        stop.end();
    }
    let played = played?;
    if let (Some(path), Some(writer)) = (&args.record, writer) {
        writer.finish()?;
        if let Some(stop) = stop {
            stop.end();
        }
        if !is_stdout(path) {
            let name = path.display().to_string();
            let word = shell_path(&name);
            say(&format!(
                "saved {name}\nTo read it:\n  {} {word} --tui",
                typed("replay")
            ));
        }
    }
    if let Some(at) = at {
        let found = played.past.found(&read.past.server, at, &zone);
        let subject = page::subject(found.map_err(Error::msg)?, flags);
        return page::print(args, subject, terminal::style(color), &zone);
    }
    let what_if = what_if::what_if(args, &read, &played)?;
    let range = (span.from, span.to, depth);
    let report = report(&read.past, played.past, what_if, range, &zone);
    let style = terminal::style(color);
    let text = match args.output {
        HistoryFormat::Text | HistoryFormat::Wide => {
            render::text(&report, style, args.output == HistoryFormat::Wide)
        }
        HistoryFormat::Json => visible::json_pretty(&render::json(&report))?,
        HistoryFormat::Csv => render::csv(&report),
        HistoryFormat::Html => render::document(&report),
    };
    let is_page = matches!(args.output, HistoryFormat::Text | HistoryFormat::Wide);
    pager::print(&text, args.pager, is_page)?;
    Ok(ExitStatus::Success)
}

/// Rejects flags of a what-if where none is evaluated.
fn check_what_if(args: &HistoryArgs) -> anyhow::Result<()> {
    let has_variant = !args.assignments.is_empty() || !args.variants.is_empty();
    if args.at.is_some() && has_variant {
        bail!(
            "--at explains one sync as it was, without --set and --compare: use --from and --to instead of --at"
        );
    }
    if args.output == HistoryFormat::Csv && (has_variant || args.price.is_some()) {
        bail!(
            "-o csv has the syncs as they were, without --set, --compare and --price: use -o json, which has the what-if"
        );
    }
    if args.price.is_some() && !has_variant {
        bail!("--price is the price of another spec: add one, such as --compare maxReplicas=30");
    }
    Ok(())
}

/// The zone in which times are read and shown.
fn zone(args: &HistoryArgs) -> anyhow::Result<TimeZone> {
    match &args.time_zone {
        Some(name) => TimeZone::get(name).with_context(|| {
            format!("--time-zone {name}: use a name such as UTC or Europe/Berlin")
        }),
        None => Ok(TimeZone::system()),
    }
}

/// Whether the command is about several HPAs, however many exist.
fn is_many(args: &HistoryArgs) -> bool {
    let selection = &args.selection;
    let names = selection.named();
    selection.all_namespaces
        || selection.selector.is_some()
        || names.len() != 1
        || names.iter().any(|name| is_pattern(name))
}
