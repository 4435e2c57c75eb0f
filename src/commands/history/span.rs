//! The time range.

use anyhow::{Context as _, bail};
use jiff::{SignedDuration, Timestamp, civil::Time, tz::TimeZone};

use crate::{
    cli::{HistoryArgs, PointInTime},
    monitoring::{Place, Settings},
};

/// A time range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) from: Timestamp,
    pub(super) to: Timestamp,
}

impl Span {
    /// The range that the flags give. A time of day is the last one before `now`.
    pub(super) fn of(args: &HistoryArgs, now: Timestamp, zone: &TimeZone) -> anyhow::Result<Self> {
        let since = SignedDuration::from_millis(args.since);
        let at = args.at.map(|at| instant(at, now, zone)).transpose()?;
        let to = args.to.map(|to| instant(to, now, zone)).transpose()?;
        let from = args
            .from
            .map(|from| instant(from, to.unwrap_or(now), zone))
            .transpose()?;
        let span = match (at, from, to) {
            // The controller's history comes from before, and what follows shows what it did.
            (Some(at), None, None) => Self {
                from: at - SignedDuration::from_hours(1),
                to: (at + SignedDuration::from_mins(2)).min(now),
            },
            (_, from, to) => {
                let to = to.unwrap_or(now);
                Self {
                    from: from.unwrap_or(to - since),
                    to: to.min(now),
                }
            }
        };
        if now < span.from {
            bail!("the start of the range is in the future: use an earlier --from");
        }
        if span.to <= span.from {
            bail!("--to is not after --from: use a later --to");
        }
        if let Some(at) = at
            && !(span.from..=span.to).contains(&at)
        {
            bail!("--at is not between --from and --to");
        }
        Ok(span)
    }
}

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
    Ok(flags)
}

/// How much after a sync is needed to show what another spec would have done.
const AFTERWARDS: SignedDuration = SignedDuration::from_hours(1);

/// A point in time as typed by the user.
pub(super) fn instant(
    point: PointInTime,
    before: Timestamp,
    zone: &TimeZone,
) -> anyhow::Result<Timestamp> {
    match point {
        PointInTime::Now => Ok(before),
        PointInTime::At(at) => Ok(at),
        PointInTime::Local(local) => Ok(zone
            .to_timestamp(local)
            .context("this time zone skips that time: its clocks were set forward")?),
        PointInTime::TimeOfDay(time) => last(time, before, zone),
    }
}

/// The last time before `before` at which a clock showed this.
fn last(time: Time, before: Timestamp, zone: &TimeZone) -> anyhow::Result<Timestamp> {
    let today = before.to_zoned(zone.clone()).date();
    for date in [Some(today), today.yesterday().ok()].into_iter().flatten() {
        let at = zone
            .to_timestamp(date.to_datetime(time))
            .context("this time zone skips that time: its clocks were set forward")?;
        if at <= before {
            return Ok(at);
        }
    }
    bail!("that time of day did not come in the last two days")
}
