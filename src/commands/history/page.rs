//! The page of one sync of the past.

use anyhow::bail;
use hpa_engine::model::SyncInput;
use hpa_explain::Afterwards;
use hpa_playback::{ExplainSubject, SubjectOrigin};
use hpa_render::Style;
use jiff::tz::TimeZone;

use crate::{
    cli::{ExplainFormat, HistoryArgs, HistoryFormat},
    commands::explain::print_page,
    exit_code::ExitStatus,
};

/// The subject of the page of a sync, which `flags` read again.
pub(super) fn subject(
    (input, afterwards): &(SyncInput, Afterwards),
    flags: Vec<String>,
) -> ExplainSubject {
    ExplainSubject {
        input: input.clone(),
        outcome: None,
        changed_from: None,
        origin: SubjectOrigin::Past(flags),
        afterwards: Some(afterwards.clone()),
    }
}

/// Prints the page and how certain it is.
pub(super) fn print(
    args: &HistoryArgs,
    subject: ExplainSubject,
    style: Style,
    zone: &TimeZone,
) -> anyhow::Result<ExitStatus> {
    let format = match args.output {
        HistoryFormat::Text => ExplainFormat::Text,
        HistoryFormat::Wide => ExplainFormat::Wide,
        HistoryFormat::Json => ExplainFormat::Json,
        HistoryFormat::Html => ExplainFormat::Html,
        HistoryFormat::Csv => bail!("--at explains one sync: -o csv has the course"),
    };
    print_page(subject, &format, args.pager, style, zone)
}
