//! `kubectl hpa explain`.

#[cfg(feature = "mcp")]
mod answer;
mod changed;
mod format;
mod found;
mod live;
mod offline;
mod output;

use anyhow::bail;
use hpa_cluster::is_pattern;
use hpa_playback::PointInTime;
use hpa_render::terminal::PageDetail;
use hpa_words::{program::typed, shell_word};
use jiff::tz::TimeZone;

use super::{learn, named_file};
use crate::{
    cli::{ColorChoice, ExplainArgs, ExplainFormat, NoFileArgs, WatchArgs, WatchFormat},
    commands::watch as watching,
    exit_code::ExitStatus,
    process::{pager, terminal},
};

#[cfg(feature = "mcp")]
pub(crate) use answer::{answer, answer_of};
pub(super) use format::OutputFormat;
pub(super) use found::ObjectsOfFile;
pub(super) use offline::{FileSelection, HpaOfFile, HpasOfFile, of_file};
pub(super) use output::{ExplanationOutput, print_page};

/// Runs `kubectl hpa explain`.
pub(crate) fn run(args: &ExplainArgs, color: ColorChoice) -> anyhow::Result<ExitStatus> {
    if let Some(id) = &args.learn {
        return learn::run(args, id, color);
    }
    if args.watch {
        return watch(args, color);
    }
    let zone = TimeZone::system();
    let format = OutputFormat::of(&args.output, &args.template)?;
    if args.file.is_none() {
        named_file::refuse(&args.selection.names, true)?;
    }
    let subjects = match &args.file {
        Some(path) => offline::subjects(path, args, &zone)?,
        None if matches!(args.at, None | Some(PointInTime::Now)) => live::subjects(args)?.into(),
        None => bail!(
            "--at needs a recording (-f FILE): a cluster shows only how it is now. Prometheus may have kept it: `{}`",
            history_instead(args)
        ),
    };
    if args.ignore_not_found && subjects.count() == 0 {
        return Ok(ExitStatus::Success);
    }
    let output = ExplanationOutput {
        format,
        detail: PageDetail {
            is_wide: args.output == ExplainFormat::Wide,
            is_verbose: args.verbose,
            with_what_ifs: args.what_if,
        },
        style: terminal::style(color),
        is_one: is_one(args, subjects.count()),
        has_header: !args.no_headers,
    };
    let is_text = matches!(output.format, OutputFormat::Text);
    pager::print_parts(args.pager, is_text, |out| {
        output.write_to(out, &subjects, &zone)
    })?;
    Ok(ExitStatus::Success)
}

/// Whether exactly one HPA was named and found.
fn is_one(args: &ExplainArgs, count: usize) -> bool {
    let names = args.selection.named();
    count == 1
        && !args.selection.all_namespaces
        && args.selection.selector.is_none()
        && names.len() <= 1
        && !names.iter().any(|name| is_pattern(name))
}

/// Runs `watch` for `explain -w`. Each flag of both commands is named here, so that none is dropped silently.
fn watch(args: &ExplainArgs, color: ColorChoice) -> anyhow::Result<ExitStatus> {
    let ExplainArgs {
        selection,
        output,
        controller,
        connection,
        // Refused by the parser.
        file: _,
        at: _,
        change: _,
        verbose: _,
        what_if: _,
        no_headers: _,
        ignore_not_found: _,
        learn: _,
        template: _,
        watch: _,
        // A pager shows what ends.
        pager: _,
    } = args;
    if *output != ExplainFormat::Text {
        bail!(
            "-w cannot be combined with -o: use `{}`",
            typed("watch -o jsonl")
        );
    }
    watching::run(
        &WatchArgs {
            selection: selection.clone(),
            controller: controller.clone(),
            connection: connection.clone(),
            output: WatchFormat::Auto,
            until: None,
            timeout: None,
            record: None,
            record_max_size: None,
            on_alarm: None,
            no_file: NoFileArgs::default(),
        },
        color,
    )
}

/// The command that reads that time from Prometheus, ready to copy: for one HPA its page, for several the overview.
fn history_instead(args: &ExplainArgs) -> String {
    let namespace = match &args.connection.namespace {
        Some(namespace) if !args.selection.all_namespaces => {
            format!(" -n {}", shell_word(namespace))
        }
        _ => String::new(),
    };
    match (&args.selection.named()[..], args.at) {
        ([name], Some(at)) if !is_pattern(name) => {
            let name = shell_word(name);
            typed(&format!("history {name}{namespace} --at {at}"))
        }
        _ if namespace.is_empty() => typed("history -A"),
        _ => typed(&format!("history{namespace}")),
    }
}
