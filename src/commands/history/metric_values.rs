//! Reads the values of Pods, Object and External metrics between the scrapes: what KEDA exports, or what the query gives
//! that the metrics API evaluates, too.

use anyhow::{Context as _, bail};
use futures::future;
use hpa_engine::model::{Hpa, MetricSpec};
use hpa_history::{
    CourseValues, KEDA_VALUE, MetricCourse, MetricValues, Millis, Series, SeriesSet, ValueSource,
    scaled_object, trigger,
};
use hpa_objects::recording::Snapshot;
use hpa_prometheus::{Selector, Server};

use super::{read::series_of, span::Span};
use crate::cli::MetricQuery;

/// A query, or a series, with the values of a metric.
struct Candidate<'a> {
    index: usize,
    metric: &'a str,
    source: ValueSource,
    query: Query<'a>,
}

enum Query<'a> {
    /// A query. `nothing_is_zero`: without a result it is 0.
    Evaluated {
        text: &'a str,
        nothing_is_zero: bool,
    },
    /// The series that KEDA's operator exports.
    Series(Selector),
}

/// Reads the values of the metrics of the HPA, the best source of each metric first, and the series of KEDA among them.
/// An error: `--metric-query` is wrong, or the server does not answer.
pub(super) async fn read(
    server: &Server<'_>,
    (snapshot, hpa): (&Snapshot, &Hpa),
    queries: &[MetricQuery],
    span: Span,
) -> anyhow::Result<(Vec<MetricValues>, Vec<Series>)> {
    let candidates = candidates(snapshot, hpa, queries)?;
    let reads = candidates.iter().map(async |candidate| {
        let read = match &candidate.query {
            Query::Evaluated { text, .. } => {
                let course = evaluated(server, text, (candidate, hpa), span).await;
                course.map(|course| (course, Vec::new()))
            }
            Query::Series(selector) => exported(server, selector, (candidate, hpa), span).await,
        };
        (candidate, read)
    });
    let (mut found, mut exported) = (Vec::new(), Vec::new());
    for (candidate, read) in future::join_all(reads).await {
        let nothing_is_zero = matches!(
            candidate.query,
            Query::Evaluated {
                nothing_is_zero: true,
                ..
            }
        );
        let read = read.map(|(course, series)| {
            exported.extend(series);
            course
        });
        let course = match read {
            Ok(course) if nothing_is_zero || !course.values.is_empty() => Ok(course),
            // KEDA is not scraped.
            Ok(_) if candidate.source == ValueSource::Exported => continue,
            Ok(_) => Err("the query has no result in this time".to_owned()),
            Err(error) if candidate.source == ValueSource::Flag => {
                return Err(error).with_context(|| format!("--metric-query {}", candidate.metric));
            }
            Err(error) if candidate.source == ValueSource::Exported => return Err(error),
            Err(error) => Err(format!("{error:#}")),
        };
        found.push(MetricValues {
            index: candidate.index,
            metric: candidate.metric.to_owned(),
            source: candidate.source.clone(),
            course,
            nothing_is_zero,
        });
    }
    Ok((found, exported))
}

/// The queries and series to read, the best one of each metric first.
fn candidates<'a>(
    snapshot: &'a Snapshot,
    hpa: &'a Hpa,
    queries: &'a [MetricQuery],
) -> anyhow::Result<Vec<Candidate<'a>>> {
    let metrics = hpa.spec.metrics.iter().enumerate();
    let metrics = metrics.filter(|(_, metric)| metric.identifier().is_some());
    let context = snapshot.surroundings.iter();
    let autoscalers = context.flat_map(|context| context.autoscalers.iter().map(AsRef::as_ref));
    let mut candidates = Vec::new();
    for query in queries {
        let is_of = |(_, metric): &(usize, &MetricSpec)| metric.short_name() == query.metric;
        let mut of_name = metrics.clone().filter(is_of).peekable();
        if of_name.peek().is_none() {
            let known: Vec<&str> = metrics.map(|(_, metric)| metric.short_name()).collect();
            let known = match &known[..] {
                [] => "it has none".to_owned(),
                known => format!("it has {}", known.join(", ")),
            };
            bail!(
                "--metric-query {}: {} has no External, Object or Pods metric of this name: {known}",
                query.metric,
                hpa.key()
            );
        }
        candidates.extend(of_name.map(|(index, metric)| Candidate {
            index,
            metric: metric.short_name(),
            source: ValueSource::Flag,
            query: Query::Evaluated {
                text: &query.query,
                nothing_is_zero: false,
            },
        }));
    }
    for (index, metric) in metrics {
        let Some(scaled_object) = scaled_object(metric) else {
            continue;
        };
        let name = metric.short_name();
        if let Some((number, trigger)) = trigger(autoscalers.clone(), scaled_object, name)
            && let Some(text) = trigger.metadata.get("query")
        {
            let ignores_nothing = trigger.metadata.get("ignoreNullValues");
            candidates.push(Candidate {
                index,
                metric: name,
                source: ValueSource::Trigger {
                    number,
                    scaled_object: scaled_object.clone(),
                },
                query: Query::Evaluated {
                    text,
                    nothing_is_zero: ignores_nothing.is_none_or(|value| value != "false"),
                },
            });
        }
        let series = Selector::new(KEDA_VALUE)
            .is("metric", name)
            .is("scaledObject", scaled_object);
        candidates.push(Candidate {
            index,
            metric: name,
            source: ValueSource::Exported,
            query: Query::Series(series),
        });
    }
    Ok(candidates)
}

/// The results of a query. Of several series, KEDA takes none; the controller adds those of other metrics APIs, and a
/// Pods metric has those of each pod.
async fn evaluated(
    server: &Server<'_>,
    text: &str,
    (candidate, hpa): (&Candidate<'_>, &Hpa),
    span: Span,
) -> anyhow::Result<MetricCourse> {
    let length = span.to.duration_since(span.from);
    let parts = length.as_millis() / (i128::from(FINEST_STEP) * MOST_STEPS) + 1;
    let step = FINEST_STEP * Millis::try_from(parts)?;
    let series = server.evaluated(text, (span.from, span.to), step).await?;
    let series = series_of(vec![series]);
    if let (ValueSource::Trigger { .. }, count @ 2..) = (&candidate.source, series.len()) {
        bail!("its result has {count} series, and KEDA takes one");
    }
    let values = if hpa.spec.metrics[candidate.index].is_pods() {
        let Some(values) = CourseValues::by_pod(series, &hpa.namespace) else {
            bail!(
                "its result has no label `pod`, and a Pods metric has a value for each pod: use `sum by (pod) (…)`"
            );
        };
        values
    } else {
        CourseValues::sum(series)
    };
    Ok(MetricCourse {
        index: candidate.index,
        values,
        interval: step,
        is_scraped: false,
        delay: 0,
    })
}

/// The values that KEDA's operator exports, and their series. If its pod is replaced, another series follows.
async fn exported(
    server: &Server<'_>,
    selector: &Selector,
    (candidate, hpa): (&Candidate<'_>, &Hpa),
    span: Span,
) -> anyhow::Result<(MetricCourse, Vec<Series>)> {
    let found = server.raw(selector, span.from, span.to).await?;
    // The scrape adds the operator's own namespace, unless it honors the labels.
    let is_own = |one: &hpa_prometheus::Series| {
        let exported = one.label("exported_namespace");
        let own = if exported.is_empty() {
            one.label("namespace")
        } else {
            exported
        };
        own == hpa.namespace
    };
    let own = series_of(vec![found.into_iter().filter(is_own).collect()]);
    let course = MetricCourse {
        index: candidate.index,
        values: CourseValues::first(own.clone()),
        interval: SeriesSet::new(own.clone()).reach(KEDA_VALUE),
        is_scraped: true,
        delay: 0,
    };
    Ok((course, own))
}

/// Milliseconds between two evaluations: shorter than the interval of most scrapes.
const FINEST_STEP: Millis = 5_000;

/// The most evaluations of a query: 16 requests.
const MOST_STEPS: i128 = 160_000;
