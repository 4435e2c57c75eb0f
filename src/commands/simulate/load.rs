//! The loads in the arguments, by metric.

use std::{
    collections::BTreeMap,
    fs::File,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, anyhow, bail};
use hpa_engine::model::{ContainerUsage, MetricSpec, Observation};
use hpa_objects::{
    manifest::{self, Opened},
    recording::{name_of, read_at_most},
};
use hpa_simulation::{Load, LoadPoint, Millis, ParseAmount, parse_csv, parse_span};
use jiff::Timestamp;

use crate::cli::SimulateArgs;

/// A load and its text.
#[derive(Clone, Debug)]
pub(super) struct WrittenLoad {
    /// The text.
    pub(super) text: String,
    /// The parsed load.
    pub(super) load: Load,
}

impl WrittenLoad {
    /// A load from the past.
    pub(super) fn of_the_past(load: Load) -> Self {
        Self {
            text: "as in the past".to_owned(),
            load,
        }
    }
}

/// Arguments of the form `METRIC=VALUE`, or `VALUE` alone for the first metric: the metric, and the value.
pub(super) fn by_metric<'a>(
    arguments: &'a [String],
    flag: &str,
    metrics: &[&'a str],
) -> anyhow::Result<Vec<(&'a str, &'a str)>> {
    let mut found: Vec<(&str, &str)> = Vec::new();
    for argument in arguments {
        let named = argument
            .split_once('=')
            .filter(|(name, _)| metrics.contains(name));
        let (name, value) = match (named, metrics.first()) {
            (Some(named), _) => named,
            (None, Some(_)) if argument.contains('=') => {
                let name = argument.split('=').next().unwrap_or_default();
                bail!(
                    "{flag} {argument}: the HPA has no metric {name:?}, it has {}",
                    metrics.join(", ")
                );
            }
            (None, Some(first)) => (*first, argument.as_str()),
            (None, None) => bail!("{flag} {argument}: the HPA has no metrics"),
        };
        if found.iter().any(|(other, _)| *other == name) {
            bail!(
                "{flag}: {name} is given twice{}",
                if metrics.len() > 1 {
                    ": name the metric, as in cpu=2cores"
                } else {
                    ""
                }
            );
        }
        found.push((name, value));
    }
    Ok(found)
}

/// The load of each metric that has one. `metrics` are the names of the loads, in the order of the spec; `amount_of` says
/// in which unit each is.
pub(super) fn read(
    args: &SimulateArgs,
    metrics: &[&str],
    amount_of: impl Fn(&str) -> ParseAmount,
    past: &BTreeMap<String, Load>,
) -> anyhow::Result<Vec<(String, WrittenLoad)>> {
    by_metric(&args.loads, "--load", metrics)?
        .into_iter()
        .map(|(metric, text)| {
            let load = match text.strip_prefix(HISTORY) {
                Some(_) => of_history(metric, past),
                None => parse(text, metric, amount_of(metric)),
            };
            let load = load.with_context(|| format!("--load {metric}={text}"))?;
            let text = text.to_owned();
            Ok((metric.to_owned(), WrittenLoad { text, load }))
        })
        .collect()
}

fn parse(text: &str, metric: &str, amount: ParseAmount) -> anyhow::Result<Load> {
    if let Some(path) = text.strip_prefix(RECORDING) {
        return of_recording(Path::new(path), metric);
    }
    if is_csv(text) {
        let path = Path::new(text);
        let bytes = File::open(path)
            .and_then(|file| read_at_most(file, 64))
            .with_context(|| format!("cannot read {}", name_of(path)))?;
        let csv =
            String::from_utf8(bytes).map_err(|_| anyhow!("{} is not UTF-8", name_of(path)))?;
        return parse_csv(&csv, metric, amount)
            .map_err(|error| anyhow!("{}, {error}", name_of(path)));
    }
    Ok(Load::parse(text, amount)?)
}

/// The file that a load is read from; `None` if it is in the argument itself.
pub(super) fn file_of(argument: &str) -> Option<PathBuf> {
    let text = argument.split_once('=').map_or(argument, |(_, text)| text);
    match text.strip_prefix(RECORDING) {
        Some(path) => Some(path.into()),
        None => is_csv(text).then(|| text.into()),
    }
}

fn is_csv(text: &str) -> bool {
    Path::new(text)
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("csv"))
}

/// The prefix of a load from a recording.
const RECORDING: &str = "recording:";

/// The prefix of a load from Prometheus.
const HISTORY: &str = "history:";

/// How far back the loads from Prometheus reach; `None` if there are none.
pub(super) fn history(args: &SimulateArgs) -> anyhow::Result<Option<Millis>> {
    let mut longest = None;
    for text in &args.loads {
        let load = text.split_once('=').map_or(text.as_str(), |(_, load)| load);
        if let Some(span) = load.strip_prefix(HISTORY) {
            let span = parse_span(span).map_err(|error| {
                anyhow!("--load {text}: {error}. Use a time such as history:24h")
            })?;
            longest = longest.max(Some(span));
        }
    }
    Ok(longest)
}

fn of_history(metric: &str, past: &BTreeMap<String, Load>) -> anyhow::Result<Load> {
    past.get(metric).cloned().ok_or_else(|| {
        anyhow!("the past of {metric} is not known: `kubectl hpa history` says what the monitoring server has")
    })
}

/// The load in a recording: the total usage of all pods of the HPA at each sync.
fn of_recording(path: &Path, metric: &str) -> anyhow::Result<Load> {
    let reader = match manifest::open(path)? {
        Opened::Recording(reader) => reader,
        Opened::Objects(text) => {
            let file = name_of(path);
            manifest::read(&text, &file, Timestamp::now())?;
            bail!("{file} is not a recording: it has objects, which show one time only");
        }
    };
    let mut points: Vec<LoadPoint> = Vec::new();
    let mut first = None;
    let mut hpa = None;
    for line in reader {
        let line = line.with_context(|| name_of(path))?;
        let key = (
            line.snapshot.metadata.name.clone(),
            line.snapshot.hpa.metadata.name.clone(),
        );
        if hpa.get_or_insert_with(|| key.clone()) != &key {
            continue;
        }
        let observation = line
            .snapshot
            .observation()
            .with_context(|| format!("{}, line {}", name_of(path), line.number))?;
        let Some(value) = total(&observation, metric) else {
            continue;
        };
        let start = *first.get_or_insert(line.snapshot.time);
        let at = line.snapshot.time.duration_since(start).as_millis() as Millis;
        if points.last().is_none_or(|last| last.at < at) {
            points.push(LoadPoint { at, value });
        }
    }
    if points.is_empty() {
        bail!(
            "{} shows no {metric}: its answers are missing or errors",
            name_of(path)
        );
    }
    Ok(Load::Points(points))
}

/// The total usage of all pods for a metric; `None` if there is no answer.
pub(in crate::commands) fn total(observation: &Observation, metric: &str) -> Option<f64> {
    let metrics = &observation.hpa.spec.metrics;
    let index = metrics.iter().position(|one| one.short_name() == metric)?;
    match &metrics[index] {
        MetricSpec::Resource(_) | MetricSpec::ContainerResource(_) => {
            let items = observation.pod_metrics.read()?;
            usage(items.iter().flat_map(|item| &item.containers), metric)
        }
        MetricSpec::Pods(_) | MetricSpec::Object(_) => {
            let answer = observation
                .custom_metrics
                .iter()
                .find(|answer| answer.index == index)?;
            let items = answer.answer.read()?;
            (!items.is_empty()).then(|| items.iter().map(|item| item.value.approximate_f64()).sum())
        }
        MetricSpec::External(_) => {
            let answer = observation
                .external_metrics
                .iter()
                .find(|answer| answer.index == index)?;
            let items = answer.answer.read()?;
            (!items.is_empty()).then(|| items.iter().map(|item| item.value.approximate_f64()).sum())
        }
        MetricSpec::Unknown { .. } => None,
    }
}

/// The total usage of a resource in containers; `None` if no container has a sample of it.
pub(super) fn usage<'a>(
    containers: impl IntoIterator<Item = &'a ContainerUsage>,
    resource: &str,
) -> Option<f64> {
    let usages = containers
        .into_iter()
        .flat_map(|container| &container.usage);
    usages
        .filter(|(name, _)| name == resource)
        .map(|(_, value)| value.approximate_f64())
        .reduce(|sum, value| sum + value)
}
