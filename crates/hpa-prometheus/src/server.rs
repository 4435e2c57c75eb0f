//! A monitoring server that provides raw samples.

use std::{cell::Cell, collections::VecDeque, sync::Arc};

use futures::{
    StreamExt as _,
    stream::{self, FuturesUnordered},
};
use jiff::{SignedDuration, Timestamp};

use super::{
    Kind, MonitoringError, Progress, Selector, Series,
    chunks::Chunk,
    join::{Joined, Oddities},
    query::{Api, MOST_AT_ONCE, QueryError},
};

/// A monitoring server that has answered.
pub struct Server<'a> {
    pub(super) api: Api<'a>,
    pub(super) cluster_labels: Vec<(String, String)>,
    longest: Cell<i64>,
    progress: Arc<Progress>,
    pub(super) notes: Vec<String>,
}

impl<'a> Server<'a> {
    pub(super) fn new(api: Api<'a>, cluster_labels: Vec<(String, String)>) -> Self {
        Self {
            api,
            cluster_labels,
            longest: Cell::new(LONGEST_CHUNK),
            progress: Arc::default(),
            notes: Vec::new(),
        }
    }

    /// Which program it is.
    pub fn kind(&self) -> Kind {
        self.api.kind
    }

    /// Its version; empty if it does not report one, or it is that of another program.
    pub fn version(&self) -> &str {
        match self.api.kind {
            Kind::Prometheus | Kind::Thanos | Kind::Mimir => &self.api.version,
            Kind::VictoriaMetrics | Kind::Unknown | Kind::Strict => "",
        }
    }

    /// Its location, such as `monitoring/prometheus-operated:9090` or a URL.
    pub fn place(&self) -> &str {
        &self.api.respondent.name
    }

    /// The progress of the sample requests.
    pub fn progress(&self) -> Arc<Progress> {
        Arc::clone(&self.progress)
    }

    /// Notes about how it was found: other servers that answer as well.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The new warnings since the last call: the server's, and irregularities in its answers.
    pub fn take_warnings(&self) -> Vec<String> {
        self.api.warnings.take().into_iter().collect()
    }

    /// Sets the longest piece of one request (default: a day). Pieces get shorter by themselves if one is too much.
    pub fn set_longest_chunk(&self, length: SignedDuration) {
        let length = i64::try_from(length.as_millis()).unwrap_or(i64::MAX);
        self.longest
            .set(length.clamp(SHORTEST_CHUNK, LONGEST_RANGE));
    }

    /// All samples from `from` to `to`, both included, as scraped. Samples of Prometheus replicas are merged into one
    /// series; series without samples are left out.
    pub async fn raw(
        &self,
        selector: &Selector,
        from: Timestamp,
        to: Timestamp,
    ) -> Result<Vec<Series>, MonitoringError> {
        let whole = Chunk {
            first: from.as_millisecond(),
            last: to.as_millisecond(),
        };
        let selector = self.with_cluster_labels(selector);
        let mut longest = self.longest.get();
        // The newest hour shows how much data the rest of a long span has.
        let (mut waiting, mut rest) = match whole.without_newest(FIRST_CHUNK.min(longest)) {
            Some((rest, newest)) if 4 * newest.range() < whole.range() => {
                (VecDeque::from([newest]), Some(rest))
            }
            _ => (whole.split(longest), None),
        };
        self.progress.plan(waiting.len());
        let mut joined = Joined::default();
        let mut is_tried = false;
        let mut running = FuturesUnordered::new();
        loop {
            while running.len() < MOST_AT_ONCE
                && let Some(chunk) = waiting.pop_front()
            {
                running.push(self.ask(&selector, chunk));
            }
            let Some((chunk, result)) = running.next().await else {
                break;
            };
            self.progress.finish_one();
            match result {
                Ok(series) => {
                    for one in series {
                        joined.add(one, chunk);
                    }
                    for (count, most, what) in [
                        (joined.count, MOST_SAMPLES, "samples"),
                        (joined.len(), MOST_SERIES, "series"),
                    ] {
                        if most < count {
                            return Err(MonitoringError::TooMuch {
                                server: self.place().to_owned(),
                                why: format!("{selector} has more than {most} {what}"),
                            });
                        }
                    }
                    if let Some(rest) = rest.take() {
                        longest = longest.min(fitting(chunk, joined.count));
                        let pieces = rest.split(longest);
                        self.progress.plan(pieces.len());
                        waiting.extend(pieces);
                    }
                }
                Err(QueryError::TooMuch(_)) if SHORTEST_CHUNK < chunk.range() => {
                    // If there are too many series, a shorter time has no fewer: the shortest one shows that soon.
                    if !is_tried {
                        is_tried = true;
                        if let Some((_, shortest)) = chunk.without_newest(SHORTEST_CHUNK) {
                            self.progress.plan(1);
                            self.ask(&selector, shortest).await.1?;
                            self.progress.finish_one();
                        }
                    }
                    longest = longest.min((chunk.range() / 2).max(SHORTEST_CHUNK));
                    let planned = waiting.len();
                    let mut pieces = chunk.split(longest);
                    pieces.extend(waiting.iter().flat_map(|chunk| chunk.split(longest)));
                    self.progress.plan(pieces.len() - planned);
                    waiting = pieces;
                }
                Err(error) => return Err(error.into()),
            }
        }
        let (series, oddities) = joined.finish();
        self.note(&selector, oddities);
        Ok(series)
    }

    /// Evaluates a query every `step` milliseconds from `from` to `to`, at whole multiples of it. For queries that someone
    /// else evaluates, too: what a series contains, [`raw`](Self::raw) shows.
    pub async fn evaluated(
        &self,
        query: &str,
        (from, to): (Timestamp, Timestamp),
        step: i64,
    ) -> Result<Vec<Series>, MonitoringError> {
        let whole = Chunk {
            first: from.as_millisecond().div_euclid(step) * step,
            last: to.as_millisecond(),
        };
        let mut pieces = Vec::new();
        let mut first = whole.first;
        while first <= whole.last {
            let last = whole.last.min(first + (MOST_STEPS - 1) * step);
            pieces.push(Chunk { first, last });
            first += MOST_STEPS * step;
        }
        self.progress.plan(pieces.len());
        let mut joined = Joined::default();
        let mut answers = stream::iter(pieces)
            .map(async |piece| (piece, self.api.evaluated(query, piece, step).await))
            .buffered(MOST_AT_ONCE);
        while let Some((piece, answer)) = answers.next().await {
            self.progress.finish_one();
            for one in answer.map_err(MonitoringError::from)? {
                joined.add(one, piece);
            }
        }
        Ok(joined.finish().0)
    }

    async fn ask(
        &self,
        selector: &Selector,
        chunk: Chunk,
    ) -> (Chunk, Result<Vec<super::answer::RawSeries>, QueryError>) {
        (chunk, self.api.samples(selector, chunk).await)
    }

    /// The selector restricted to the user's cluster.
    pub(super) fn with_cluster_labels(&self, selector: &Selector) -> Selector {
        let labels = self.cluster_labels.iter();
        labels.fold(selector.clone(), |selector, (label, value)| {
            selector.is(label, value)
        })
    }

    fn note(&self, selector: &Selector, oddities: Oddities) {
        let mut warnings = self.api.warnings.borrow_mut();
        let names = selector.names().join(", ");
        if oddities.has_strays {
            warnings.insert(format!(
                "it answers with samples of {names} outside of the time range; they are left out"
            ));
        }
        if 0 < oddities.contradictions {
            warnings.insert(format!(
                "it has different values at the same time in {} series of {names}; the greatest one counts",
                oddities.contradictions
            ));
        }
    }
}

/// The length of a piece with about [`FEW_SAMPLES`], if the density is the same everywhere.
fn fitting(chunk: Chunk, samples: usize) -> i64 {
    let samples = i64::try_from(samples).unwrap_or(i64::MAX).max(1);
    let length = chunk.range().saturating_mul(FEW_SAMPLES) / samples;
    (length / 1000 * 1000).max(SHORTEST_CHUNK)
}

/// Milliseconds of an hour: the first piece of a long span.
const FIRST_CHUNK: i64 = 3_600_000;
/// Samples of an answer of 4 MiB; answers of twice that size can be read.
const FEW_SAMPLES: i64 = 120_000;
/// Milliseconds of a day.
const LONGEST_CHUNK: i64 = 86_400_000;
/// The longest range of a request: a hundred years.
const LONGEST_RANGE: i64 = 100 * 366 * LONGEST_CHUNK;
/// Milliseconds of a piece that is not split further.
const SHORTEST_CHUNK: i64 = 60_000;
/// Steps of a request. Prometheus accepts 11,000.
const MOST_STEPS: i64 = 10_000;
/// Most series of one selector: about 100 MiB of memory.
const MOST_SERIES: usize = 100_000;
/// Most samples of one selector: 160 MiB of memory.
const MOST_SAMPLES: usize = 10_000_000;
