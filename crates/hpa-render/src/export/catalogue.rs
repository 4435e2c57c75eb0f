//! All time series: names, labels and meaning.

/// One time series.
#[derive(Clone, Copy, Debug)]
pub struct Series {
    /// The name, as used in queries.
    pub name: &'static str,
    /// Counter, gauge or info.
    pub kind: SeriesKind,
    /// Its labels.
    pub labels: &'static [&'static str],
    /// The help text, one sentence.
    pub help: &'static str,
}

/// Kinds of series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeriesKind {
    /// It only increases, until the exporter restarts.
    Counter,
    /// A current value.
    Gauge,
    /// Always 1: the labels carry the value.
    Info,
}

impl Series {
    const fn gauge(
        name: &'static str,
        labels: &'static [&'static str],
        help: &'static str,
    ) -> Self {
        Self {
            name,
            kind: SeriesKind::Gauge,
            labels,
            help,
        }
    }

    const fn counter(
        name: &'static str,
        labels: &'static [&'static str],
        help: &'static str,
    ) -> Self {
        Self {
            name,
            kind: SeriesKind::Counter,
            labels,
            help,
        }
    }
}

pub(super) const VERDICT: Series = Series::gauge(
    "kubectl_hpa_verdict",
    &["namespace", "horizontalpodautoscaler", "verdict"],
    "What the latest sync of the controller decided, recomputed: 1 for the verdict that holds.",
);
pub(super) const UNMET_REPLICAS: Series = Series::gauge(
    "kubectl_hpa_unmet_replicas",
    &["namespace", "horizontalpodautoscaler"],
    "Replicas that the metrics ask for beyond maxReplicas.",
);
pub(super) const DESIRED_REPLICAS: Series = Series::gauge(
    "kubectl_hpa_desired_replicas",
    &["namespace", "horizontalpodautoscaler"],
    "Replicas after the decision.",
);
pub(super) const PROPOSED_REPLICAS: Series = Series::gauge(
    "kubectl_hpa_proposed_replicas",
    &[
        "namespace",
        "horizontalpodautoscaler",
        "metric",
        "source",
        "index",
    ],
    "Replicas that a metric asks for, before windows, policies and bounds.",
);
pub(super) const USAGE_RATIO: Series = Series::gauge(
    "kubectl_hpa_usage_ratio",
    &["namespace", "horizontalpodautoscaler", "metric", "index"],
    "Value of a metric divided by its target.",
);
pub(super) const REACHABLE_RATIO: Series = Series::gauge(
    "kubectl_hpa_reachable_ratio",
    &["namespace", "horizontalpodautoscaler", "metric", "index"],
    "Highest usage ratio that the CPU limits of the counted pods allow: at 1 or below, the metric never scales up.",
);
pub(super) const METRIC_VALID: Series = Series::gauge(
    "kubectl_hpa_metric_valid",
    &["namespace", "horizontalpodautoscaler", "metric", "index"],
    "Whether the controller can compute a metric: 0 if it fails.",
);
pub(super) const COUNTED_PODS: Series = Series::gauge(
    "kubectl_hpa_counted_pods",
    &[
        "namespace",
        "horizontalpodautoscaler",
        "metric",
        "index",
        "class",
    ],
    "Pods as the deciding metric counts them, by class: ready, not_ready, no_metrics.",
);
pub(super) const CONDITION_REASON: Series = Series::gauge(
    "kubectl_hpa_condition_reason",
    &[
        "namespace",
        "horizontalpodautoscaler",
        "condition",
        "reason",
    ],
    "Reason of a condition in the status of the HPA: 1 for the reason that holds.",
);
pub(super) const EVENTS: Series = Series::counter(
    "kubectl_hpa_events_total",
    &["namespace", "horizontalpodautoscaler", "reason"],
    "Kubernetes Events of type Warning on the HPA, by reason: the first reason, and other.",
);
pub(super) const RESCALES: Series = Series::counter(
    "kubectl_hpa_rescales_total",
    &["namespace", "horizontalpodautoscaler", "direction"],
    "How often the controller scaled, by direction: up, down.",
);
pub(super) const TURNS: Series = Series::counter(
    "kubectl_hpa_turns_total",
    &["namespace", "horizontalpodautoscaler"],
    "How often the controller scaled in another direction than the time before.",
);
pub(super) const WRITTEN: Series = Series::counter(
    "kubectl_hpa_replicas_written_total",
    &["namespace", "horizontalpodautoscaler"],
    "How often another writer than the controller set the replicas.",
);
pub(super) const HELD_SECONDS: Series = Series::counter(
    "kubectl_hpa_held_seconds_total",
    &["namespace", "horizontalpodautoscaler", "by"],
    "Time in which the replicas were not what the metrics ask for, by what held them.",
);
pub(super) const AGREES: Series = Series::gauge(
    "kubectl_hpa_agrees",
    &["namespace", "horizontalpodautoscaler"],
    "Whether the controller did what was recomputed, at the latest sync that could be compared.",
);
pub(super) const LAST_SYNC: Series = Series::gauge(
    "kubectl_hpa_last_sync_timestamp_seconds",
    &["namespace", "horizontalpodautoscaler"],
    "When the controller synced the HPA last, as far as it was seen.",
);
pub(super) const VISIBLE: Series = Series::gauge(
    "kubectl_hpa_visible",
    &["namespace", "horizontalpodautoscaler"],
    "Whether the exporter can read all that the decision takes: at 0, all other series of the HPA but the last sync are absent.",
);
pub(super) const UP: Series = Series::gauge(
    "kubectl_hpa_up",
    &[],
    "Whether the exporter hears of the API server and can watch HPAs.",
);
pub(super) const LAST_HEARD: Series = Series::gauge(
    "kubectl_hpa_last_heard_timestamp_seconds",
    &[],
    "When the exporter heard of the API server last.",
);
pub(super) const SOURCE_FAILING: Series = Series::gauge(
    "kubectl_hpa_source_failing",
    &["source"],
    "What the exporter cannot read at present: 1 for each source.",
);
pub(super) const BUILD: Series = Series {
    name: "kubectl_hpa_build_info",
    kind: SeriesKind::Info,
    labels: &["version"],
    help: "Version of the exporter.",
};

pub(super) const SCRAPES: Series = Series::counter(
    "kubectl_hpa_scrapes_total",
    &[],
    "How often the series were served, this time included.",
);
pub(super) const SCRAPE_SECONDS: Series = Series::counter(
    "kubectl_hpa_scrape_seconds_total",
    &[],
    "Time that it took to make the answers with the series, without the one that is being made.",
);
pub(super) const PROCESS_CPU: Series = Series::counter(
    "process_cpu_seconds_total",
    &[],
    "CPU time of the exporter, of user and system. On Linux.",
);
pub(super) const PROCESS_MEMORY: Series = Series::gauge(
    "process_resident_memory_bytes",
    &[],
    "Resident memory of the exporter. On Linux.",
);
pub(super) const PROCESS_FILES: Series = Series::gauge(
    "process_open_fds",
    &[],
    "Open file descriptors of the exporter. On Linux.",
);
pub(super) const PROCESS_MOST_FILES: Series = Series::gauge(
    "process_max_fds",
    &[],
    "Most file descriptors that the exporter may open. On Linux.",
);
pub(super) const PROCESS_START: Series = Series::gauge(
    "process_start_time_seconds",
    &[],
    "When the exporter started. On Linux.",
);

/// All series, in the order in which they are served.
pub const SERIES: [&Series; 28] = [
    &BUILD,
    &SCRAPES,
    &SCRAPE_SECONDS,
    &PROCESS_CPU,
    &PROCESS_MEMORY,
    &PROCESS_FILES,
    &PROCESS_MOST_FILES,
    &PROCESS_START,
    &UP,
    &LAST_HEARD,
    &SOURCE_FAILING,
    &VISIBLE,
    &LAST_SYNC,
    &VERDICT,
    &UNMET_REPLICAS,
    &DESIRED_REPLICAS,
    &AGREES,
    &CONDITION_REASON,
    &HELD_SECONDS,
    &RESCALES,
    &TURNS,
    &WRITTEN,
    &EVENTS,
    &PROPOSED_REPLICAS,
    &USAGE_RATIO,
    &REACHABLE_RATIO,
    &METRIC_VALID,
    &COUNTED_PODS,
];
