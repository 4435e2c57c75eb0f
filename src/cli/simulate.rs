//! Arguments of `kubectl hpa simulate`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use hpa_change::Assignment;
use hpa_cluster::ConnectionArgs;
use hpa_prometheus::PrometheusArgs;
use hpa_simulation::{Amount, Millis, ParseLoadError, TimedEvent, parse_span};

use crate::cli::{ControllerArgs, PagerArgs, SelectionArgs};

/// Arguments of `kubectl hpa simulate`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  # Four times the load within 2 min, as the HPA is now
  kubectl hpa simulate web -n shop --load x1..x4/2m

  # The same against another spec
  kubectl hpa simulate web -n shop --load x1..x4/2m --compare 'maxReplicas=40'

  # Without a cluster: manifests, or a recording that says how things are
  kubectl hpa simulate -f web.yaml --load 1cores..6cores/2m
  kubectl hpa simulate -f incident.jsonl --load recording:incident.jsonl --compare 'behavior.scaleDown.stabilizationWindowSeconds=60'

  # The page of one decision; a recording of all of them
  kubectl hpa simulate web --load x4 --at 1:15
  kubectl hpa simulate web --load x4 --record what-if.jsonl && kubectl hpa replay what-if.jsonl

  # A test of autoscaling in CI
  kubectl hpa simulate -f web.yaml --load x1..x4/2m --expect 'ready >= 18 within 4m in 95%'

LOAD is in the unit of the metric:
  2cores, 500m, 4Gi, 200, x4     always so much; x4 is four times the load now
  1..6/5m, x1..x4/2m             rises or falls in a straight line within a time, and stays
  spike:1..6/2m@5m               a peak of 2 min that begins after 5 min
  sine:1..6/24h                  up and down, from the low point on
  load.csv                       a file of lines of time,value
  recording:FILE                 the load that a recording shows
  history:24h                    the load of the last 24 h, as Prometheus has it

Exit codes: 0 simulated and all expectations hold, 1 an expectation does not hold, 2 failed.")]
pub struct SimulateArgs {
    /// Which HPA.
    #[command(flatten)]
    pub selection: SelectionArgs,
    /// Start from a snapshot, a recording or ordinary objects in a file instead of a cluster; - is standard input.
    #[arg(short = 'f', long = "filename", alias = "file", value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// The load over time, of the first metric or of the metric that is named: cpu=LOAD,queue=LOAD (default: the load now).
    #[arg(long = "load", value_name = "[METRIC=]LOAD", value_delimiter = ',')]
    pub loads: Vec<String>,
    /// How long to simulate (default: 1h).
    #[arg(long = "for", value_name = "DURATION", value_parser = parse_length)]
    pub length: Option<Millis>,
    /// A variant with another value in the spec, such as maxReplicas=30; all --set together are one variant.
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub assignments: Vec<Assignment>,
    /// One more variant: assignments as in --set, separated by commas; may be repeated.
    #[arg(long = "compare", value_name = "PATH=VALUE,…")]
    pub variants: Vec<String>,
    /// From the creation of a pod until it is ready: a time, a range such as 20s..60s, or observed (default: observed).
    #[arg(long, value_name = "RANGE", help_heading = PODS)]
    pub start: Option<String>,
    /// Room for so many pods of the target, and how long a pod beyond waits for a new node: 12,+90s.
    #[arg(long, value_name = "COUNT[,+WAIT]", help_heading = PODS)]
    pub nodes: Option<String>,
    /// The most CPU that a pod can use (default: its limit).
    #[arg(long, value_name = "CPU", help_heading = PODS, value_parser = parse_cores)]
    pub capacity: Option<f64>,
    /// What a pod uses without a load: 50m, or cpu=50m,memory=200Mi (default: 0).
    #[arg(long, value_name = "[RESOURCE=]AMOUNT", value_delimiter = ',', help_heading = PODS)]
    pub base: Vec<String>,
    /// CPU that a container uses besides its load after it starts, and for how long: 800m/30s.
    #[arg(long, value_name = "CPU/TIME", help_heading = PODS)]
    pub start_cpu: Option<String>,
    /// How unevenly pods share a load: the standard deviation of the logarithm, such as 0.15 (default: as observed).
    #[arg(long, value_name = "NUMBER", help_heading = PODS, value_parser = parse_uneven)]
    pub uneven: Option<f64>,
    /// CPU work that cannot be done waits, instead of being lost.
    #[arg(long, help_heading = PODS)]
    pub queue: bool,
    /// What one ready pod takes from a queue each second, where an Object or External metric is its length: queue=5.
    #[arg(long, value_name = "METRIC=RATE", value_delimiter = ',', help_heading = PODS)]
    pub service_rate: Vec<String>,
    /// From scrape to scrape of the metrics.
    #[arg(long, value_name = "DURATION", default_value = "15s", value_parser = parse_length, help_heading = PODS)]
    pub metrics_resolution: Millis,
    /// From reading to reading of a container by the kubelet: a time, or a range such as 10s..20s.
    #[arg(long, value_name = "RANGE", default_value = "10s..20s", value_parser = parse_interval, help_heading = PODS)]
    pub kubelet_interval: (Millis, Millis),
    /// What happens meanwhile.
    #[arg(
        long = "event",
        value_name = "TIME: EVENT",
        value_parser = parse_event,
        // rustdoc takes the brackets for links.
        help = "What happens at a time: '2m: kill 3', crash N [FOR], unready N [FOR], rollout, metric-fails FOR, scale N, \
                controller-restart; may be repeated"
    )]
    pub events: Vec<TimedEvent>,
    /// How many runs, each with other random numbers.
    #[arg(long, value_name = "COUNT", default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub seeds: u32,
    /// The seed of the first run; the next ones have the next numbers.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub seed: u64,
    /// Explain one decision instead: that of the first run at this time, such as 1:15 or 90s, with the spec of --set.
    #[arg(
        long,
        value_name = "TIME",
        value_parser = parse_time,
        conflicts_with_all = ["expectations", "record", "variants"]
    )]
    pub at: Option<Millis>,
    /// Exit with 1 unless this holds, such as 'ready >= 18 within 4m in 95%' or 'notServed <= 5%'; may be repeated.
    #[arg(long = "expect", value_name = "EXPECTATION")]
    pub expectations: Vec<String>,
    /// Count the seconds in which the value per pod is above this: percent of the request, or a value (default: the target
    /// plus the tolerance).
    #[arg(long, value_name = "VALUE", value_parser = parse_above)]
    pub above: Option<String>,
    /// Write the first run of each variant as a recording, compressed if the name ends in .gz or .zst.
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Output format.
    #[arg(short, long, value_name = "FORMAT", default_value = "text")]
    pub output: SimulateFormat,
    /// Whether a pager shows a long report.
    #[command(flatten)]
    pub pager: PagerArgs,
    /// Settings of the controller.
    #[command(flatten)]
    pub controller: ControllerArgs,
    /// The monitoring server, for history:DURATION.
    #[command(flatten)]
    pub prometheus: PrometheusArgs,
    /// Connection flags.
    #[command(flatten)]
    pub connection: ConnectionArgs,
}

impl SimulateArgs {
    /// How long to simulate.
    pub fn length(&self) -> Millis {
        self.length.unwrap_or(3_600_000)
    }
}

const PODS: &str = "Pods and metrics";

/// Output formats of `kubectl hpa simulate`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SimulateFormat {
    /// For people.
    Text,
    /// For people, with every rescale and every assumption.
    Wide,
    /// For programs; the schema is docs/schema/simulate.json.
    Json,
    /// For spreadsheets: the course of every run.
    Csv,
    /// One self-contained file for a browser, with charts.
    Html,
}

fn parse_length(text: &str) -> Result<Millis, String> {
    match parse_span(text) {
        Ok(length) if length < 1000 => Err("use at least 1s".to_owned()),
        Ok(length) if 366 * 86_400_000 < length => Err("use at most 366d".to_owned()),
        other => other.map_err(|error| error.to_string()),
    }
}

fn parse_interval(text: &str) -> Result<(Millis, Millis), String> {
    let (low, high) = text.split_once("..").unwrap_or((text, text));
    let (low, high) = (parse_length(low)?, parse_length(high)?);
    if high < low {
        return Err("the first time is longer than the second".to_owned());
    }
    Ok((low, high))
}

fn parse_time(text: &str) -> Result<Millis, String> {
    parse_span(text).map_err(|error| error.to_string())
}

fn parse_event(text: &str) -> Result<TimedEvent, String> {
    TimedEvent::parse(text).map_err(|error| error.to_string())
}

fn parse_cores(text: &str) -> Result<f64, String> {
    above_0(Amount::parse_cores(text))
}

fn parse_amount(text: &str) -> Result<f64, String> {
    above_0(Amount::parse(text))
}

fn above_0(amount: Result<Amount, ParseLoadError>) -> Result<f64, String> {
    match amount {
        Ok(Amount::Absolute(value)) if 0.0 < value => Ok(value),
        Ok(_) => Err("use an amount above 0, such as 500m or 2cores".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// Only the first metric says which unit it needs.
fn parse_above(text: &str) -> Result<String, String> {
    parse_amount(text.trim_end_matches('%')).map(|_| text.to_owned())
}

fn parse_uneven(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|value| (0.0..=3.0).contains(value))
        .ok_or_else(|| "use a number from 0 (even) to 3, such as 0.15".to_owned())
}
