//! Arguments of `kubectl hpa history`.

use std::{path::PathBuf, str::FromStr};

use clap::{Args, ValueEnum};
use hpa_change::Assignment;
use hpa_cluster::ConnectionArgs;
use hpa_history::Depth;
use hpa_playback::PointInTime;
use hpa_prometheus::PrometheusArgs;
use hpa_simulation::{Millis, parse_span};

use crate::cli::{ContextsArgs, ControllerArgs, NoFileArgs, PagerArgs, SelectionArgs};

/// Arguments of `kubectl hpa history`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  # The last 24 h of an HPA: every change of the replicas with its reason
  kubectl hpa history web -n shop

  # Why did it scale at 03:12? The page of that sync
  kubectl hpa history web --at 03:12

  # A night, as a page for a browser
  kubectl hpa history web --from '2026-11-20 22:00' --to '2026-11-21 06:00' -o html > night.html

  # What would another maxReplicas have cost?
  kubectl hpa history web --since 7d --compare maxReplicas=30 --price 0.032/cpu-h

  # All HPAs: who was at maxReplicas, who flapped, whose metrics failed
  kubectl hpa history -A
  kubectl hpa history -A --contexts prod-eu,prod-us

  # Keep it, and look at it with replay
  kubectl hpa history web --record night.jsonl.zst && kubectl hpa replay night.jsonl.zst --tui

  # Another way to the monitoring server
  kubectl hpa history web --prometheus service:monitoring/prometheus-operated:9090
  kubectl hpa history web --prometheus https://mimir.example.com/prometheus --prometheus-header 'X-Scope-OrgID: shop'

Exit codes: 0 printed, 2 failed.")]
pub struct HistoryArgs {
    /// Which HPA.
    #[command(flatten)]
    pub selection: SelectionArgs,
    /// Which clusters.
    #[command(flatten)]
    pub contexts: ContextsArgs,
    /// How far back, until now.
    #[arg(long, value_name = "DURATION", default_value = "24h", value_parser = parse_since, conflicts_with_all = ["from", "to"])]
    pub since: Millis,
    /// Start of the time range: 03:00, '2026-11-20 22:00' or RFC 3339 (default: 24 h before its end).
    #[arg(long, value_name = "TIME")]
    pub from: Option<PointInTime>,
    /// End of the time range (default: now).
    #[arg(long, value_name = "TIME")]
    pub to: Option<PointInTime>,
    /// Explain one sync instead: the last one up to this time. Of a time without seconds: the rescale in that minute, if
    /// there is one.
    #[arg(long, value_name = "TIME", conflicts_with_all = ContextsArgs::IDS)]
    pub at: Option<PointInTime>,
    /// Read and show times in this time zone, such as UTC or Europe/Berlin (default: that of this machine).
    #[arg(long, value_name = "ZONE")]
    pub time_zone: Option<String>,
    /// How much to read (default: usage; for several HPAs always hpa).
    #[arg(long, value_name = "DEPTH")]
    pub depth: Option<DepthArg>,
    /// Recompute with another value in the spec, such as maxReplicas=30; all --set together are one variant.
    #[arg(long = "set", value_name = "PATH=VALUE", help_heading = WHAT_IF, conflicts_with_all = ContextsArgs::IDS)]
    pub assignments: Vec<Assignment>,
    /// One more variant: assignments as in --set, separated by commas; may be repeated.
    #[arg(long = "compare", value_name = "PATH=VALUE,…", help_heading = WHAT_IF, conflicts_with_all = ContextsArgs::IDS)]
    pub variants: Vec<String>,
    /// The price of a requested CPU for an hour, such as 0.032/cpu-h, or of a pod, such as 0.10/pod-h.
    #[arg(long, value_name = "PRICE", value_parser = parse_price, help_heading = WHAT_IF, conflicts_with_all = ContextsArgs::IDS)]
    pub price: Option<Price>,
    /// The PromQL query of an External, Object or Pods metric, as its adapter evaluates it; may be repeated. It shows the
    /// values between two scrapes. The queries of KEDA's prometheus triggers are known.
    #[arg(long = "metric-query", value_name = "METRIC=QUERY", conflicts_with_all = ContextsArgs::IDS)]
    pub metric_queries: Vec<MetricQuery>,
    /// Write the past as a recording, compressed if the name ends in .gz or .zst.
    #[arg(long, value_name = "FILE", conflicts_with_all = ContextsArgs::IDS)]
    pub record: Option<PathBuf>,
    /// Output format.
    #[arg(short, long, value_name = "FORMAT", default_value = "text")]
    pub output: HistoryFormat,
    /// Print only the rows of the table of several HPAs: no header, no summary.
    #[arg(long)]
    pub no_headers: bool,
    /// Whether a pager shows a long report.
    #[command(flatten)]
    pub pager: PagerArgs,
    /// Settings of the controller.
    #[command(flatten)]
    pub controller: ControllerArgs,
    /// The monitoring server.
    #[command(flatten)]
    pub prometheus: PrometheusArgs,
    /// Connection flags.
    #[command(flatten)]
    pub connection: ConnectionArgs,
    /// These commands read no file.
    #[command(flatten)]
    pub no_file: NoFileArgs,
}

const WHAT_IF: &str = "What if";

/// How much to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DepthArg {
    /// The HPA and the replicas of its target.
    Hpa,
    /// With its pods.
    Pods,
    /// With the usage of the pods.
    Usage,
}

impl From<DepthArg> for Depth {
    fn from(depth: DepthArg) -> Self {
        match depth {
            DepthArg::Hpa => Self::Hpa,
            DepthArg::Pods => Self::Pods,
            DepthArg::Usage => Self::Usage,
        }
    }
}

/// Output formats of `kubectl hpa history`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum HistoryFormat {
    /// For people.
    Text,
    /// For people, with every change of the replicas and every series.
    Wide,
    /// For programs; the schema is docs/schema/history.json.
    Json,
    /// For spreadsheets: a line for each sync.
    Csv,
    /// One self-contained file for a browser, with charts.
    Html,
}

/// What an hour costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Price {
    /// For each CPU that pods request.
    Cpu(f64),
    /// For each pod.
    Pod(f64),
}

/// The query of a metric.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MetricQuery {
    /// The name of the metric in the HPA.
    pub metric: String,
    /// `PromQL`.
    pub query: String,
}

impl FromStr for MetricQuery {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (metric, query) = text.split_once('=').unwrap_or_default();
        if metric.trim().is_empty() || query.trim().is_empty() {
            return Err("use METRIC=QUERY, such as 'queue=sum(rabbitmq_queue_messages)'");
        }
        Ok(Self {
            metric: metric.trim().to_owned(),
            query: query.trim().to_owned(),
        })
    }
}

fn parse_since(text: &str) -> Result<Millis, String> {
    match parse_span(text) {
        Ok(length) if length < 60_000 => Err("use at least 1m".to_owned()),
        Ok(length) if 366 * 86_400_000 < length => Err("use at most 366d".to_owned()),
        other => other.map_err(|error| error.to_string()),
    }
}

fn parse_price(text: &str) -> Result<Price, String> {
    let expected = "use a price for an hour, such as 0.032/cpu-h or 0.10/pod-h";
    let (number, unit) = text.split_once('/').ok_or(expected)?;
    let number = number.trim_start_matches(['$', '€', '£']);
    let price = number
        .parse()
        .ok()
        .filter(|one: &f64| (0.0..=1e9).contains(one));
    let price = price.ok_or(expected)?;
    match unit {
        "cpu-h" => Ok(Price::Cpu(price)),
        "pod-h" => Ok(Price::Pod(price)),
        _ => Err(expected.to_owned()),
    }
}
