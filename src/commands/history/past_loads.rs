//! The past loads of an HPA, which a simulation repeats.

use std::collections::BTreeMap;

use hpa_cluster::Client;
use hpa_history::{Depth, loads};
use hpa_objects::recording::Snapshot;
use hpa_prometheus::{PrometheusArgs, Settings};
use hpa_simulation::{Load, Millis};
use jiff::{SignedDuration, Timestamp, tz::TimeZone};

use super::{played::Played, read, span::Span};

/// What the pods of an HPA used in the last `since` milliseconds, by metric, for a simulation.
pub(in crate::commands) async fn past_loads(
    client: &Client,
    args: &PrometheusArgs,
    snapshot: &Snapshot,
    since: Millis,
) -> anyhow::Result<BTreeMap<String, Load>> {
    let settings = Settings::of(args)?;
    let to = Timestamp::now();
    let span = Span {
        from: to - SignedDuration::from_millis(since),
        to,
    };
    let depth = Depth::default();
    let reading = read::past_of(client, &settings, snapshot.clone(), depth, span, &[]);
    let read = Box::pin(reading).await?;
    let played = Played::of(&read, None, (None, None), &TimeZone::UTC)?;
    let start = span.from.as_millisecond();
    Ok(loads(&read.past, &played.past, start))
}
