//! The page of one sync of the past.

use anyhow::{Context as _, bail};
use jiff::tz::TimeZone;

use super::{
    past::{Past, PastPage},
    read::Read,
};
use crate::{
    cli::{ExplainFormat, HistoryArgs, HistoryFormat, TemplateArgs},
    commands::{
        explain::{ExplanationOutput, OutputFormat},
        pager,
    },
    exit_code::ExitStatus,
    render::{Style, history as render, terminal::PageDetail},
};

/// The requested sync.
pub(super) fn found<'a>(past: &'a Past, read: &Read) -> anyhow::Result<&'a PastPage> {
    past.page.as_ref().with_context(|| {
        format!(
            "no sync up to then can be recomputed from what {} has: use another --at, or see the whole with `kubectl hpa history`",
            read.server
        )
    })
}

/// Prints the page, and in text how certain it is.
pub(super) fn print(
    args: &HistoryArgs,
    past: &Past,
    read: &Read,
    style: Style,
    zone: &TimeZone,
) -> anyhow::Result<ExitStatus> {
    let page = found(past, read)?;
    let format = match args.output {
        HistoryFormat::Text | HistoryFormat::Wide => ExplainFormat::Text,
        HistoryFormat::Json => ExplainFormat::Json,
        HistoryFormat::Html => ExplainFormat::Html,
        HistoryFormat::Csv => bail!("--at explains one sync: -o csv has the course"),
    };
    let output = ExplanationOutput {
        format: OutputFormat::of(&format, &TemplateArgs::default())?,
        detail: PageDetail {
            is_wide: args.output == HistoryFormat::Wide,
            is_verbose: false,
            with_what_ifs: false,
        },
        style,
        is_one: true,
    };
    let mut text = output.write(std::slice::from_ref(&page.subject), zone)?;
    if format == ExplainFormat::Text {
        text.push_str(&render::how_sure(
            &page.recomputed,
            &page.scrape,
            &past.sources,
            style,
        ));
    }
    pager::print(&text, format != ExplainFormat::Text)?;
    Ok(ExitStatus::Success)
}
