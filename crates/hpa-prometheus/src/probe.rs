//! Which series a server has, and how often they are scraped.

use std::collections::{BTreeMap, BTreeSet};

use jiff::{SignedDuration, Timestamp};

use super::{
    MonitoringError, RequiredSeries, Selector, Series, Server, chunks::Chunk, join::Joined,
    query::QueryError, replicas::median, response::brief, selector::NAME,
};

/// A server's data for one series name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Presence {
    /// The number of series; 0: the name is missing.
    pub series: usize,
    /// The median time between samples; none: no series has two samples.
    pub interval: Option<SignedDuration>,
    /// The time of the last sample.
    pub newest: Option<Timestamp>,
}

impl Server<'_> {
    /// The server's data for each name of a selector in the ten minutes before `at`. It is one request, or one for
    /// each name if a server does not support a pattern of names.
    pub async fn probe(
        &self,
        selector: &Selector,
        at: Timestamp,
    ) -> Result<BTreeMap<String, Presence>, MonitoringError> {
        let selector = self.with_cluster_labels(selector);
        let series = self.newest(&selector, at).await?;
        let names = selector.names().iter();
        Ok(names
            .map(|name| (name.clone(), presence(&series, name)))
            .collect())
    }

    /// For series of `of` that were not found: an error if the server has them with other cluster labels only.
    pub async fn check_cluster_labels(
        &self,
        of: &str,
        required: &RequiredSeries,
    ) -> Result<(), MonitoringError> {
        if self.cluster_labels.is_empty() {
            return Ok(());
        }
        let series = self.newest(&required.selector, required.at).await?;
        let found: BTreeSet<String> = series
            .iter()
            .map(|one| {
                let values = self
                    .cluster_labels
                    .iter()
                    .map(|(label, _)| match one.label(label) {
                        "" => format!("no label {label}"),
                        value => format!("{label}={value}"),
                    });
                values.collect::<Vec<_>>().join(" and ")
            })
            .collect();
        let given: Vec<String> = self
            .cluster_labels
            .iter()
            .map(|(label, value)| format!("{label}={value}"))
            .collect();
        let given = given.join(" and ");
        if found.is_empty() || found.contains(&given) {
            return Ok(());
        }
        let more = match found.len().saturating_sub(MOST_LISTED) {
            0 => String::new(),
            more => format!(", or {more} others"),
        };
        let found = found.iter().take(MOST_LISTED);
        let found: Vec<String> = found.map(|one| brief(one)).collect();
        Err(MonitoringError::OtherCluster {
            server: self.place().to_owned(),
            of: of.to_owned(),
            given,
            found: found.join(", or ") + &more,
        })
    }

    /// The series of a selector in the ten minutes before `at`.
    async fn newest(
        &self,
        selector: &Selector,
        at: Timestamp,
    ) -> Result<Vec<Series>, MonitoringError> {
        let at = at.as_millisecond();
        let chunk = Chunk {
            first: at.saturating_sub(PROBED),
            last: at,
        };
        let mut joined = Joined::default();
        match self.api.samples(selector, chunk).await {
            Ok(series) => {
                for one in series {
                    joined.add(one, chunk);
                }
            }
            Err(
                QueryError::TooMuch(_)
                | QueryError::Failed(MonitoringError::Refused { status: 400, .. }),
            ) if 1 < selector.names().len() => {
                for name in selector.names() {
                    for one in self.api.samples(&selector.for_name(name), chunk).await? {
                        joined.add(one, chunk);
                    }
                }
            }
            Err(error) => return Err(error.into()),
        }
        Ok(joined.finish().0)
    }
}

fn presence(series: &[Series], name: &str) -> Presence {
    let mut presence = Presence::default();
    let mut distances = Vec::new();
    for one in series.iter().filter(|one| one.label(NAME) == name) {
        presence.series += 1;
        let pairs = one.samples.windows(2);
        distances.extend(pairs.map(|pair| pair[1].0 - pair[0].0));
        let last = one.samples.last();
        let newest = last.and_then(|(at, _)| Timestamp::from_millisecond(*at).ok());
        presence.newest = presence.newest.max(newest);
    }
    presence.interval = median(&mut distances).map(SignedDuration::from_millis);
    presence
}

/// Most values in a message.
const MOST_LISTED: usize = 5;
/// Milliseconds before `at`.
const PROBED: i64 = 600_000;
