//! `kubectl hpa explain`.

mod changed;
mod format;
mod live;
mod offline;
mod output;
mod subject;

use std::io::Write as _;

use anyhow::bail;
use jiff::tz::TimeZone;

use super::{learn, named_file, terminal, workflow};
use crate::{
    cli::{ColorChoice, ExplainArgs, ExplainFormat, PointInTime},
    exit_code::ExitStatus,
    render::terminal::PageDetail,
};

pub(super) use format::OutputFormat;
pub(super) use output::ExplanationOutput;
pub(super) use subject::ExplainSubject;

/// Runs `kubectl hpa explain`.
pub(super) fn run(args: &ExplainArgs, color: ColorChoice) -> anyhow::Result<ExitStatus> {
    if let Some(id) = &args.learn {
        return learn::run(args, id, color);
    }
    let zone = TimeZone::system();
    let format = OutputFormat::of(&args.output, &args.template)?;
    if args.file.is_none() {
        named_file::refuse(&args.selection.names)?;
    }
    let subjects = match &args.file {
        Some(path) => offline::subjects(path, args, &zone)?,
        None if matches!(args.at, None | Some(PointInTime::Now)) => live::subjects(args)?,
        None => bail!(
            "--at TIME needs a recording (-f FILE): a cluster can only be asked how it is now"
        ),
    };
    let is_one = subjects.len() == 1
        && !args.selection.all_namespaces
        && args.selection.selector.is_none()
        && args.selection.names.len() <= 1;
    let output = ExplanationOutput {
        format,
        detail: PageDetail {
            is_wide: args.output == ExplainFormat::Wide,
            is_verbose: args.verbose,
            with_what_ifs: args.what_if,
        },
        style: terminal::style(color),
        is_one,
    };
    let text = output.write(&subjects, &zone)?;
    let mut out = workflow::stdout();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(ExitStatus::Success)
}
