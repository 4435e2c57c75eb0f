//! The loads in the arguments, by metric.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use crate::{Load, Millis, ParseAmount, parse_span};
use anyhow::{Context as _, anyhow, bail};
use hpa_engine::model::{ContainerUsage, Observation};
use hpa_words::program::typed;

/// A load and its text.
#[derive(Clone, Debug)]
pub(crate) struct WrittenLoad {
    /// The text.
    pub(crate) text: String,
    /// The parsed load.
    pub(crate) load: Load,
}

impl WrittenLoad {
    /// A load from the past.
    pub(crate) fn of_the_past(load: Load) -> Self {
        Self {
            text: "as in the past".to_owned(),
            load,
        }
    }
}

/// Arguments of the form `METRIC=VALUE`, or `VALUE` alone for the first metric: the metric, and the value.
pub(crate) fn by_metric<'a>(
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

/// A file that a load is read from.
pub enum LoadFile {
    /// Lines of time and value.
    Csv(PathBuf),
    /// A recording of the HPA.
    Recording(PathBuf),
}

/// Reads the load of a metric from a file.
pub type ReadFile<'a> = dyn Fn(&LoadFile, &str, ParseAmount) -> anyhow::Result<Load> + Sync + 'a;

impl LoadFile {
    /// The file of a load without its metric; none: the text is the load itself.
    fn of(text: &str) -> Option<Self> {
        if let Some(path) = text.strip_prefix(RECORDING) {
            return Some(Self::Recording(path.into()));
        }
        let is_csv = Path::new(text)
            .extension()
            .is_some_and(|extension| extension.eq_ignore_ascii_case("csv"));
        is_csv.then(|| Self::Csv(text.into()))
    }

    /// The file of an argument `[METRIC=]LOAD`.
    pub fn of_argument(argument: &str) -> Option<Self> {
        Self::of(argument.split_once('=').map_or(argument, |(_, text)| text))
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        let (Self::Csv(path) | Self::Recording(path)) = self;
        path
    }
}

/// The load of each metric that has one. `metrics` are the names of the loads, in the order of the spec; `amount_of` says
/// in which unit each is.
pub(crate) fn read(
    arguments: &[String],
    metrics: &[&str],
    (amount_of, read_file): (&dyn Fn(&str) -> ParseAmount, &ReadFile<'_>),
    past: &BTreeMap<String, Load>,
) -> anyhow::Result<Vec<(String, WrittenLoad)>> {
    by_metric(arguments, "--load", metrics)?
        .into_iter()
        .map(|(metric, text)| {
            let amount = amount_of(metric);
            let load = match (text.strip_prefix(HISTORY), LoadFile::of(text)) {
                (Some(_), _) => of_history(metric, past),
                (None, Some(file)) => read_file(&file, metric, amount),
                (None, None) => Load::parse(text, amount).map_err(Into::into),
            };
            let load = load.with_context(|| format!("--load {metric}={text}"))?;
            let text = text.to_owned();
            Ok((metric.to_owned(), WrittenLoad { text, load }))
        })
        .collect()
}

/// The prefix of a load from a recording.
const RECORDING: &str = "recording:";

/// The prefix of a load from Prometheus.
const HISTORY: &str = "history:";

/// How far back the loads from Prometheus reach; `None` if there are none.
pub fn history(arguments: &[String]) -> anyhow::Result<Option<Millis>> {
    let mut longest = None;
    for text in arguments {
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
        anyhow!(
            "the past of {metric} is not known: `{}` says what the monitoring server has",
            typed("history")
        )
    })
}

/// The total usage of all pods for a metric; `None` if there is no answer.
pub fn total(observation: &Observation, metric: &str) -> Option<f64> {
    let metrics = &observation.hpa.spec.metrics;
    let index = metrics.iter().position(|one| one.short_name() == metric)?;
    if metrics[index].resource().is_some() {
        let items = observation.pod_metrics.read()?;
        return usage(items.iter().flat_map(|item| &item.containers), metric);
    }
    let sum = |values: Vec<f64>| values.into_iter().reduce(|sum, value| sum + value);
    if metrics[index].is_external() {
        let mut answers = observation.external_metrics.iter();
        let items = answers.find(|one| one.index == index)?.answer.read()?;
        return sum(items
            .iter()
            .map(|item| item.value.approximate_f64())
            .collect());
    }
    let mut answers = observation.custom_metrics.iter();
    let items = answers.find(|one| one.index == index)?.answer.read()?;
    sum(items
        .iter()
        .map(|item| item.value.approximate_f64())
        .collect())
}

/// The total usage of a resource in containers; `None` if no container has a sample of it.
pub(crate) fn usage<'a>(
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
