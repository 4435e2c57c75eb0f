//! The series in a text format.

use std::{
    fmt,
    sync::{
        MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Instant,
};

use hpa_engine::model::HpaKey;
use jiff::Timestamp;
use prometheus_client::{
    collector::Collector,
    encoding::{
        DescriptorEncoder, EncodeCounterValue, EncodeGaugeValue, MetricEncoder, NoLabelSet,
        prometheus_text, text,
    },
    metrics::MetricType,
    registry::{Registry, Unit},
};

use super::{
    board::{Board, SharedBoard},
    catalogue::{
        AGREES, BUILD, CONDITION_REASON, COUNTED_PODS, DESIRED_REPLICAS, EVENTS, HELD_SECONDS,
        LAST_HEARD, LAST_SYNC, METRIC_VALID, PROCESS_CPU, PROCESS_FILES, PROCESS_MEMORY,
        PROCESS_MOST_FILES, PROCESS_START, PROPOSED_REPLICAS, REACHABLE_RATIO, RESCALES,
        SCRAPE_SECONDS, SCRAPES, SOURCE_FAILING, Series, SeriesKind, TURNS, UNMET_REPLICAS, UP,
        USAGE_RATIO, VERDICT, VISIBLE, WRITTEN,
    },
    decision::{Decision, MetricNumbers},
    held::Holder,
    record::Record,
};
use crate::watch::source_name;

/// Writes the series of a board.
#[derive(Debug)]
pub struct Exposition {
    board: SharedBoard,
    registry: Registry,
    /// Bytes of the longest text so far. A text that grows step by step takes three times its size.
    longest: AtomicUsize,
}

/// Numbers of the exporter's own process, as client libraries of Prometheus have them.
#[derive(Clone, Copy, Debug)]
pub struct ProcessNumbers {
    /// Seconds of CPU time, of user and system.
    pub cpu_seconds: f64,
    /// Bytes of resident memory.
    pub resident_bytes: u64,
    /// Open file descriptors.
    pub open_files: usize,
    /// Most file descriptors that it may open; none: there is no limit.
    pub most_files: Option<u64>,
    /// When it started, in seconds since the Unix epoch.
    pub started: f64,
}

/// Text formats of series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextFormat {
    /// OpenMetrics, which Prometheus requests.
    OpenMetrics,
    /// The older Prometheus format, which every other client understands.
    Prometheus,
}

impl TextFormat {
    /// The format that the request header `Accept` prefers.
    pub fn accepted(accept: &str) -> Self {
        if accept.contains("application/openmetrics-text") {
            Self::OpenMetrics
        } else {
            Self::Prometheus
        }
    }

    /// The response header `Content-Type`.
    pub fn content_type(self) -> &'static str {
        match self {
            Self::OpenMetrics => "application/openmetrics-text; version=1.0.0; charset=utf-8",
            Self::Prometheus => prometheus_text::CONTENT_TYPE,
        }
    }
}

impl Exposition {
    /// An exposition of a board.
    pub fn new(board: SharedBoard) -> Self {
        let mut registry = Registry::default();
        registry.register_collector(Box::new(BoardCollector(SharedBoard::clone(&board))));
        Self {
            board,
            registry,
            longest: AtomicUsize::new(0),
        }
    }

    /// The current series. `process` has the numbers of the exporter's own process, where they are known.
    pub fn write(
        &self,
        format: TextFormat,
        process: Option<ProcessNumbers>,
    ) -> Result<String, fmt::Error> {
        let begin = Instant::now();
        {
            let mut board = locked(&self.board);
            board.scrapes += 1;
            board.process = process;
        }
        let text = self.encoded(format)?;
        locked(&self.board).scraping += begin.elapsed();
        Ok(text)
    }

    fn encoded(&self, format: TextFormat) -> Result<String, fmt::Error> {
        let longest = self.longest.load(Ordering::Relaxed);
        let mut text = String::with_capacity(longest + longest / 16);
        match format {
            TextFormat::OpenMetrics => text::encode(&mut text, &self.registry)?,
            TextFormat::Prometheus => prometheus_text::encode(&mut text, &self.registry)?,
        }
        self.longest.fetch_max(text.len(), Ordering::Relaxed);
        Ok(text)
    }
}

/// Locks the board. It is consistent even if another thread panicked, because each event is applied as a whole.
pub fn locked(board: &SharedBoard) -> MutexGuard<'_, Board> {
    board.lock().unwrap_or_else(PoisonError::into_inner)
}

#[derive(Debug)]
struct BoardCollector(SharedBoard);

impl Collector for BoardCollector {
    fn encode(&self, encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let board = locked(&self.0);
        let mut out = SeriesEncoder(encoder);
        out.own(&board)?;
        out.exporter(&board)?;
        out.contact(&board)?;
        out.decisions(&board)?;
        out.counters(&board)?;
        out.metrics(&board)
    }
}

/// Labels of one series.
type Labels<'a> = Vec<(&'static str, &'a str)>;

struct SeriesEncoder<'a>(DescriptorEncoder<'a>);

impl SeriesEncoder<'_> {
    /// What concerns the exporter and its process alone.
    fn own(&mut self, board: &Board) -> fmt::Result {
        self.describe(&BUILD, |out| {
            out.encode_info(&[("version", env!("CARGO_PKG_VERSION"))])
        })?;
        self.describe(&SCRAPES, |out| {
            out.encode_counter::<NoLabelSet, _, u64>(&board.scrapes, None)
        })?;
        self.describe(&SCRAPE_SECONDS, |out| {
            out.encode_counter::<NoLabelSet, _, u64>(&board.scraping.as_secs_f64(), None)
        })?;
        let Some(process) = &board.process else {
            return Ok(());
        };
        self.describe(&PROCESS_CPU, |out| {
            out.encode_counter::<NoLabelSet, _, u64>(&process.cpu_seconds, None)
        })?;
        self.describe(&PROCESS_MEMORY, |out| {
            out.encode_gauge(&process.resident_bytes)
        })?;
        self.describe(&PROCESS_FILES, |out| {
            out.encode_gauge(&i64::try_from(process.open_files).unwrap_or(i64::MAX))
        })?;
        if let Some(most) = process.most_files {
            self.describe(&PROCESS_MOST_FILES, |out| out.encode_gauge(&most))?;
        }
        self.describe(&PROCESS_START, |out| out.encode_gauge(&process.started))
    }

    fn exporter(&mut self, board: &Board) -> fmt::Result {
        self.describe(&UP, |out| out.encode_gauge(&i64::from(board.is_up())))?;
        self.describe(&LAST_HEARD, |out| match board.heard_at {
            Some(at) => out.encode_gauge(&seconds(at)),
            None => Ok(()),
        })?;
        self.describe(&SOURCE_FAILING, |out| {
            for name in board.failing.keys().filter_map(source_name) {
                gauge(out, &vec![("source", name.as_str())], &1_i64)?;
            }
            Ok(())
        })
    }

    /// Series of all HPAs, including those that are not visible.
    fn contact(&mut self, board: &Board) -> fmt::Result {
        self.describe(&VISIBLE, |out| {
            for (hpa, record) in &board.hpas {
                gauge(out, &of(hpa), &i64::from(record.is_visible))?;
            }
            Ok(())
        })?;
        self.describe(&LAST_SYNC, |out| {
            for (hpa, record) in &board.hpas {
                if let Some(at) = record.synced_at {
                    gauge(out, &of(hpa), &seconds(at))?;
                }
            }
            Ok(())
        })
    }

    fn decisions(&mut self, board: &Board) -> fmt::Result {
        self.describe(&VERDICT, |out| {
            for (hpa, decision) in decisions(board) {
                if let Some(verdict) = decision.verdict {
                    gauge(out, &with(hpa, [("verdict", verdict)]), &1_i64)?;
                }
            }
            Ok(())
        })?;
        for (series, number) in REPLICAS {
            self.describe(series, |out| {
                for (hpa, decision) in decisions(board) {
                    if let Some(number) = number(decision) {
                        gauge(out, &of(hpa), &i64::from(number))?;
                    }
                }
                Ok(())
            })?;
        }
        self.describe(&AGREES, |out| {
            for (hpa, record) in visible(board) {
                if let Some(agrees) = record.agrees {
                    gauge(out, &of(hpa), &i64::from(agrees))?;
                }
            }
            Ok(())
        })?;
        self.describe(&CONDITION_REASON, |out| {
            for (hpa, record) in visible(board) {
                for (condition, reason) in &record.conditions {
                    let labels = [("condition", *condition), ("reason", reason)];
                    gauge(out, &with(hpa, labels), &1_i64)?;
                }
            }
            Ok(())
        })
    }

    fn counters(&mut self, board: &Board) -> fmt::Result {
        self.describe(&HELD_SECONDS, |out| {
            for (hpa, record) in visible(board) {
                for holder in Holder::ALL {
                    let labels = with(hpa, [("by", holder.as_str())]);
                    counter(out, &labels, &record.held[holder as usize])?;
                }
            }
            Ok(())
        })?;
        self.describe(&RESCALES, |out| {
            for (hpa, record) in visible(board) {
                for (direction, number) in ["up", "down"].into_iter().zip(record.rescales) {
                    counter(out, &with(hpa, [("direction", direction)]), &number)?;
                }
            }
            Ok(())
        })?;
        for (series, number) in COUNTS {
            self.describe(series, |out| {
                for (hpa, record) in visible(board) {
                    counter(out, &of(hpa), &number(record))?;
                }
                Ok(())
            })?;
        }
        self.describe(&EVENTS, |out| {
            for (hpa, record) in visible(board) {
                for (reason, number) in &record.events {
                    counter(out, &with(hpa, [("reason", reason)]), number)?;
                }
            }
            Ok(())
        })
    }

    fn metrics(&mut self, board: &Board) -> fmt::Result {
        self.describe(&PROPOSED_REPLICAS, |out| {
            for (hpa, metric) in metrics(board) {
                if let Some(proposed) = metric.proposed {
                    let labels = [
                        ("metric", metric.name.as_str()),
                        ("source", &metric.source),
                        ("index", &metric.index),
                    ];
                    gauge(out, &with(hpa, labels), &i64::from(proposed))?;
                }
            }
            Ok(())
        })?;
        for (series, number) in RATIOS {
            self.describe(series, |out| {
                for (hpa, metric) in metrics(board) {
                    if let Some(number) = number(metric) {
                        gauge(out, &of_metric(hpa, &metric.name, &metric.index), &number)?;
                    }
                }
                Ok(())
            })?;
        }
        self.describe(&METRIC_VALID, |out| {
            for (hpa, metric) in metrics(board) {
                if let Some(is_valid) = metric.is_valid {
                    let labels = of_metric(hpa, &metric.name, &metric.index);
                    gauge(out, &labels, &i64::from(is_valid))?;
                }
            }
            Ok(())
        })?;
        self.describe(&COUNTED_PODS, |out| {
            for (hpa, decision) in decisions(board) {
                if let Some(pods) = &decision.pods {
                    for (class, number) in pods.classes {
                        let mut labels = of_metric(hpa, &pods.metric, &pods.index);
                        labels.push(("class", class));
                        gauge(out, &labels, &number)?;
                    }
                }
            }
            Ok(())
        })
    }

    /// Writes type and help of a series, then its samples. The format adds the suffixes for unit and kind to the name.
    fn describe(
        &mut self,
        series: &Series,
        samples: impl FnOnce(&mut MetricEncoder<'_>) -> fmt::Result,
    ) -> fmt::Result {
        let (end, kind) = match series.kind {
            SeriesKind::Counter => ("_total", MetricType::Counter),
            SeriesKind::Gauge => ("", MetricType::Gauge),
            SeriesKind::Info => ("_info", MetricType::Info),
        };
        let name = series.name.strip_suffix(end).unwrap_or(series.name);
        let (name, unit) = match name.strip_suffix("_seconds") {
            Some(name) => (name, Some(&Unit::Seconds)),
            None => (name, None),
        };
        samples(&mut self.0.encode_descriptor(name, series.help, unit, kind)?)
    }
}

/// A series and its value; `None` if the series is absent.
type Taken<T, N> = (&'static Series, fn(&T) -> Option<N>);

/// Numbers of replicas of a decision.
const REPLICAS: [Taken<Decision, i32>; 2] = [
    (&UNMET_REPLICAS, |decision| decision.unmet),
    (&DESIRED_REPLICAS, |decision| decision.desired),
];

/// Ratios of a metric.
const RATIOS: [Taken<MetricNumbers, f64>; 2] = [
    (&USAGE_RATIO, |metric| metric.ratio),
    (&REACHABLE_RATIO, |metric| metric.reachable),
];

/// A counter and its value.
type Counted = (&'static Series, fn(&Record) -> u64);

/// Counters that have only the labels of the HPA.
const COUNTS: [Counted; 2] = [
    (&TURNS, |record| record.turns),
    (&WRITTEN, |record| record.written),
];

fn visible(board: &Board) -> impl Iterator<Item = (&HpaKey, &Record)> {
    board.hpas.iter().filter(|(_, record)| record.is_visible)
}

fn decisions(board: &Board) -> impl Iterator<Item = (&HpaKey, &Decision)> {
    visible(board).filter_map(|(hpa, record)| Some((hpa, record.decision.as_ref()?)))
}

fn metrics(board: &Board) -> impl Iterator<Item = (&HpaKey, &MetricNumbers)> {
    decisions(board).flat_map(|(hpa, decision)| decision.metrics.iter().map(move |one| (hpa, one)))
}

fn of(hpa: &HpaKey) -> Labels<'_> {
    vec![
        ("namespace", &hpa.namespace),
        ("horizontalpodautoscaler", &hpa.name),
    ]
}

fn with<'a, const N: usize>(hpa: &'a HpaKey, more: [(&'static str, &'a str); N]) -> Labels<'a> {
    let mut labels = of(hpa);
    labels.extend(more);
    labels
}

fn of_metric<'a>(hpa: &'a HpaKey, name: &'a str, index: &'a str) -> Labels<'a> {
    with(hpa, [("metric", name), ("index", index)])
}

fn gauge(
    out: &mut MetricEncoder<'_>,
    labels: &Labels<'_>,
    value: &impl EncodeGaugeValue,
) -> fmt::Result {
    out.encode_family(labels)?.encode_gauge(value)
}

fn counter(
    out: &mut MetricEncoder<'_>,
    labels: &Labels<'_>,
    value: &impl EncodeCounterValue,
) -> fmt::Result {
    out.encode_family(labels)?
        .encode_counter::<NoLabelSet, _, u64>(value, None)
}

/// Seconds since the Unix epoch.
fn seconds(at: Timestamp) -> f64 {
    at.as_duration().as_secs_f64()
}
