//! How far each metric is from its target: the content of the gauge, without its looks.

use hpa_engine::trace::ToleranceCheck;

use crate::{
    ExplainContext,
    facts::{MetricFacts, current_text},
    failure_cause::cause,
};

/// How far a metric is from its target.
#[derive(Clone, Debug, PartialEq)]
pub struct Gauge {
    /// The name of the metric.
    pub name: String,
    /// Its value, or why that is not known.
    pub reading: GaugeReading,
    /// The replicas that it asks for.
    pub replicas: Option<i32>,
}

/// The value of a metric.
#[derive(Clone, Debug, PartialEq)]
pub enum GaugeReading {
    /// It could not be read; the reason.
    Failed(String),
    /// It has a ratio.
    Ratio {
        /// Its value: `85%`.
        current: Level,
        /// The value with not ready pods and pods without metrics added back.
        adjusted: Option<Level>,
        /// Its target: `60%`.
        target: String,
        /// The ratios between which the replicas do not change.
        tolerance: (f64, f64),
        /// Whether the ratio that counts is within tolerance.
        is_within: bool,
    },
}

/// A value and its ratio to the target.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// The value: `85%`.
    pub text: String,
    /// Value ÷ target.
    pub ratio: f64,
}

/// The gauges of all metrics, in order.
pub(super) fn gauges(cx: &ExplainContext<'_>) -> Vec<Gauge> {
    cx.facts.metrics.iter().filter_map(gauge).collect()
}

/// `None` if the metric did not fail but has nothing to show.
fn gauge(metric: &MetricFacts<'_>) -> Option<Gauge> {
    let reading = match metric.failure() {
        Some(failure) => GaugeReading::Failed(cause(failure)),
        None => ratio(metric)?,
    };
    Some(Gauge {
        name: metric.full_name(),
        reading,
        replicas: metric.replicas(),
    })
}

fn ratio(metric: &MetricFacts<'_>) -> Option<GaugeReading> {
    let first = metric.ratio?;
    let check: &ToleranceCheck = metric.adjusted_tolerance.or(metric.tolerance)?;
    let unit = metric.unit();
    let adjusted = metric.adjusted_ratio.map(|adjusted| Level {
        text: current_text(unit, &adjusted.formula),
        ratio: adjusted.usage_ratio,
    });
    let current = Level {
        text: current_text(unit, &first.formula),
        ratio: first.usage_ratio,
    };
    let levels = [Some(&current), adjusted.as_ref()];
    let is_drawable = |level: &Level| level.ratio.is_finite() && 0.0 <= level.ratio;
    levels
        .into_iter()
        .flatten()
        .all(is_drawable)
        .then_some(())?;
    Some(GaugeReading::Ratio {
        current,
        adjusted,
        target: metric.metric_target_text()?,
        tolerance: check.band(),
        is_within: check.is_within,
    })
}
