//! The time range.

use anyhow::{Error, bail};
use hpa_playback::PointInTime;
use hpa_prometheus::{Place, Settings};
use jiff::{SignedDuration, Timestamp, tz::TimeZone};

use crate::cli::{HistoryArgs, MetricQuery};

/// A time range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) from: Timestamp,
    pub(super) to: Timestamp,
}

impl Span {
    /// The range that the flags give, and the time of `--at`. A time of day is the last one before the end of the range.
    pub(super) fn of(
        args: &HistoryArgs,
        now: Timestamp,
        zone: &TimeZone,
    ) -> anyhow::Result<(Self, Option<Timestamp>)> {
        let since = SignedDuration::from_millis(args.since);
        let instant = |time: PointInTime, end| time.before(end, zone).map_err(Error::msg);
        let to = args.to.map(|to| instant(to, now)).transpose()?;
        let end = to.unwrap_or(now);
        let before_end = |time| instant(time, end);
        let at = args.at.map(before_end).transpose()?;
        if at.is_some_and(|at| now < at) {
            bail!("--at is in the future: use an earlier time");
        }
        let from = args.from.map(before_end).transpose()?;
        let span = match (at, from, to) {
            // The controller's history comes from before, and what follows shows what it did.
            (Some(at), None, None) => Self {
                from: earlier(at, SignedDuration::from_hours(1)),
                to: (at + SignedDuration::from_mins(2)).min(now),
            },
            (_, from, _) => Self {
                from: from.unwrap_or(earlier(end, since)),
                to: end.min(now),
            },
        };
        if span.from < Timestamp::UNIX_EPOCH {
            bail!(
                "the range begins before 1970, and there was no monitoring yet: use a later time"
            );
        }
        if now < span.from {
            bail!("the start of the range is in the future: use an earlier --from");
        }
        if span.to <= span.from {
            bail!("--to is not after --from: use a later --to");
        }
        if LONGEST < span.to.duration_since(span.from) {
            bail!("the range is longer than 366 days: use a later --from");
        }
        if let Some(at) = at
            && !(span.from..=span.to).contains(&at)
        {
            bail!("--at is not between --from and --to");
        }
        Ok((span, at))
    }
}

/// A time so much earlier, as far as the calendar goes.
fn earlier(time: Timestamp, by: SignedDuration) -> Timestamp {
    time.checked_sub(by).unwrap_or(Timestamp::MIN)
}

/// The longest range, as with `--since`.
const LONGEST: SignedDuration = SignedDuration::from_hours(366 * 24);

/// The flags that read the past around a sync again, for a what-if.
pub(super) fn flags_around(
    args: &HistoryArgs,
    at: Option<Timestamp>,
    span: Span,
    now: Timestamp,
) -> anyhow::Result<Vec<String>> {
    let Some(at) = at else {
        return Ok(Vec::new());
    };
    let to = match (args.from, args.to) {
        (None, None) => (at + AFTERWARDS).min(now),
        _ => span.to,
    };
    let mut flags = Vec::new();
    for (flag, time) in [("--from", span.from), ("--to", to)] {
        let time = Timestamp::from_second(time.as_second())?;
        flags.extend([flag.to_owned(), time.to_string()]);
    }
    let place = Settings::of(&args.prometheus)?.place;
    if place != Place::Auto {
        flags.extend(["--prometheus".to_owned(), place.to_string()]);
    }
    for (label, value) in &args.prometheus.cluster_labels {
        flags.extend(["--cluster-label".to_owned(), format!("{label}={value}")]);
    }
    for MetricQuery { metric, query } in &args.metric_queries {
        flags.extend(["--metric-query".to_owned(), format!("{metric}={query}")]);
    }
    if let Some(zone) = &args.time_zone {
        flags.extend(["--time-zone".to_owned(), zone.clone()]);
    }
    for (flag, value) in args.controller.given() {
        flags.extend([flag.to_owned(), value]);
    }
    Ok(flags)
}

/// How much after a sync is needed to show what another spec would have done.
const AFTERWARDS: SignedDuration = SignedDuration::from_hours(1);

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::cli::{Cli, Command};

    /// The arguments of `kubectl hpa history web` with these flags.
    fn arguments(flags: &str) -> HistoryArgs {
        let words = ["kubectl-hpa", "history", "web"];
        let words = words.into_iter().chain(flags.split_whitespace());
        let Command::History(args) = Cli::try_parse_from(words).unwrap().command else {
            panic!("{flags}");
        };
        *args
    }

    /// The range of `kubectl hpa history web` with these flags.
    fn range(flags: &str, now: &str, zone: &str) -> Result<[String; 2], String> {
        let args = arguments(flags);
        let zone = TimeZone::get(zone).unwrap();
        match Span::of(&args, now.parse().unwrap(), &zone) {
            Ok((span, _)) => Ok([span.from, span.to].map(|one| one.to_string())),
            Err(error) => Err(error.to_string()),
        }
    }

    #[test]
    fn time_of_day_is_the_last_one_before_now_in_the_time_zone() {
        // 09:00 in Berlin, 17:00 in Tokyo, 03:00 in New York.
        let now = "2026-11-21T08:00:00Z";
        let (berlin, tokyo, new_york) = ("Europe/Berlin", "Asia/Tokyo", "America/New_York");
        for (flags, zone, from, to) in [
            ("--at 03:12", berlin, "21T01:12", "21T02:14"),
            ("--at 09:00", berlin, "21T07:00", "21T08:00"),
            ("--at 09:01", berlin, "20T07:01", "20T08:03"),
            ("--at 03:12", tokyo, "20T17:12", "20T18:14"),
            ("--at 03:12", new_york, "20T07:12", "20T08:14"),
            ("--from 22:00 --to 06:00", berlin, "20T21:00", "21T05:00"),
            ("--from 22:00", new_york, "21T03:00", "21T08:00"),
            ("--to 10:00", berlin, "19T09:00", "20T09:00"),
            (
                "--from 2026-11-19T22:00 --to 06:00",
                berlin,
                "19T21:00",
                "21T05:00",
            ),
        ] {
            let expected = [from, to].map(|time| format!("2026-11-{time}:00Z"));
            assert_eq!(range(flags, now, zone), Ok(expected), "{flags}, {zone}");
        }
    }

    #[test]
    fn time_of_day_of_a_sync_is_in_the_range_that_the_other_flags_give() {
        let now = "2026-11-21T08:00:00Z".parse().unwrap();
        for (flags, expected) in [
            ("--at 03:12", "2026-11-21T03:12:00Z"),
            ("--at 03:12 --to 02:00", "2026-11-20T03:12:00Z"),
            (
                "--at 03:12 --from 2026-11-18T00:00 --to 2026-11-18T06:00",
                "2026-11-18T03:12:00Z",
            ),
        ] {
            let (_, at) = Span::of(&arguments(flags), now, &TimeZone::UTC).unwrap();
            assert_eq!(at.unwrap().to_string(), expected, "{flags}");
        }
    }

    #[test]
    fn time_that_clocks_skip_is_never_moved_to_another() {
        // On March 29 no clock of Berlin shows 02:00 to 03:00, so the last 02:30 is that of March 28.
        for now in ["2026-03-29T10:00:00Z", "2026-03-30T00:00:00Z"] {
            let [_, to] = range("--at 02:30", now, "Europe/Berlin").unwrap();
            assert_eq!(to, "2026-03-28T01:32:00Z", "{now}");
        }
        let flags = "--from 2026-03-29T02:30";
        let error = range(flags, "2026-03-29T10:00:00Z", "Europe/Berlin").unwrap_err();
        assert!(
            error.starts_with("\"2026-03-29T02:30:00\" does not exist"),
            "{error}"
        );
    }

    #[test]
    fn time_of_day_that_clocks_show_twice_is_the_later_one_and_with_a_date_it_is_ambiguous() {
        // On October 25 the clocks of Berlin go from 03:00 back to 02:00, at 01:00 UTC.
        for (now, to) in [
            ("2026-10-25T01:15:00Z", "2026-10-25T00:32:00Z"),
            ("2026-10-25T10:00:00Z", "2026-10-25T01:32:00Z"),
        ] {
            assert_eq!(range("--at 02:30", now, "Europe/Berlin").unwrap()[1], to);
        }
        let flags = "--from 2026-10-25T02:30";
        let error = range(flags, "2026-10-25T10:00:00Z", "Europe/Berlin").unwrap_err();
        assert!(
            error.ends_with("use 2026-10-25T00:30:00Z or 2026-10-25T01:30:00Z"),
            "{error}"
        );
    }

    #[test]
    fn range_that_no_past_can_have_is_an_error() {
        for (flags, expected) in [
            ("--at 2026-11-21T08:00:01Z", "--at is in the future"),
            (
                "--from 2026-11-21T08:00:01Z",
                "the start of the range is in the future",
            ),
            (
                "--from 07:00 --to 2026-11-20T07:00",
                "--to is not after --from",
            ),
            (
                "--at 2026-11-21T03:12 --to 02:00",
                "--at is not between --from and --to",
            ),
            (
                "--from 2025-11-20T07:00",
                "the range is longer than 366 days",
            ),
            ("--from 0001-01-01T00:00", "the range begins before 1970"),
            (
                "--at=-009999-01-02T01:59:59Z",
                "the range begins before 1970",
            ),
        ] {
            let error = range(flags, "2026-11-21T08:00:00Z", "UTC").unwrap_err();
            assert!(error.starts_with(expected), "{flags}: {error}");
        }
    }
}
