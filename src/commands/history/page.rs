//! The page of one sync of the past.

use anyhow::bail;
use hpa_history::{Interval, IntervalKind, Millis};
use hpa_render::Style;
use hpa_words::clock::Clock;
use jiff::{Timestamp, tz::TimeZone};

use super::{past::Past, read::Read};
use crate::{
    cli::{ExplainFormat, HistoryArgs, HistoryFormat},
    commands::explain::{ExplainSubject, print_page},
    exit_code::ExitStatus,
};

/// The sync of the requested time. An error says why it has no page: another sync would be the answer to another
/// question.
pub(super) fn found<'a>(
    past: &'a Past,
    read: &Read,
    at: Timestamp,
    zone: &TimeZone,
) -> anyhow::Result<&'a ExplainSubject> {
    let clock = Clock::new(zone.clone(), at);
    let Some(requested) = &past.requested else {
        bail!(
            "{} shows no sync up to {}: use a later --at, or an earlier --from",
            read.server,
            clock.full(at)
        );
    };
    // A rescale of the requested minute may come after its begin.
    let time = at.as_millisecond().max(requested.scraped);
    let last = requested.scraped;
    let decided = requested.page.as_ref().map(|_| last);
    let why = match (past.course.undecided(decided, time), &requested.page) {
        (Some(interval), _) => undecided(interval, &clock, &read.server),
        (None, _) if past.ends(last) && last + past.course.longest() < time => format!(
            "{} shows no sync after {}",
            read.server,
            clock.full(requested.now)
        ),
        (None, None) => format!(
            "the sync of {} cannot be recomputed from what {} has",
            clock.full(requested.now),
            read.server
        ),
        (None, Some(page)) => return Ok(page),
    };
    bail!("{why}: use another --at, or see the whole time range with `kubectl hpa history`")
}

/// Why the HPA did nothing then, or why that is not known.
fn undecided(interval: &Interval, clock: &Clock, server: &str) -> String {
    let instant = |millis: Millis| Timestamp::from_millisecond(millis).unwrap_or_default();
    let from = clock.full(instant(interval.from));
    let to = clock.time(instant(interval.to));
    match interval.kind {
        IntervalKind::MetricsFailed => format!(
            "from {from} to {to} the HPA could not compute its metrics (ScalingActive was False), and the reason is \
             not recorded"
        ),
        IntervalKind::NotAbleToScale => format!(
            "from {from} to {to} the HPA could not read or change the scale of its target (AbleToScale was False), \
             and the reason is not recorded"
        ),
        IntervalKind::Disabled => {
            format!("from {from} to {to} the target had 0 replicas, so the HPA did nothing")
        }
        IntervalKind::NoData => format!("{server} has no samples of the HPA from {from} to {to}"),
        IntervalKind::AtMax | IntervalKind::Flapping => {
            format!("from {from} to {to} nothing was decided")
        }
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
    print_page(subject, &format, args.pager.no_pager, style, zone)
}
