//! The values of Pods, Object and External metrics between the scrapes: what KEDA exports, or what the query gives that
//! the metrics API evaluates, too.

use std::fmt;

use hpa_engine::model::{Autoscaler, Hpa, MetricSpec, Trigger};

use crate::{
    confirmation::Confirmation, metric_course::MetricCourse, names::KEDA_VALUE, sources::Sources,
};

/// The values of a metric, and where they are from.
pub struct MetricValues {
    /// The index of the metric in the spec.
    pub index: usize,
    /// The name of the metric.
    pub metric: String,
    /// Where they are from.
    pub source: ValueSource,
    /// The values, or why they could not be read.
    pub course: Result<MetricCourse, String>,
    /// Whether a query without a result counts as 0.
    pub nothing_is_zero: bool,
}

/// Where the values of a metric are from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueSource {
    /// `--metric-query`.
    Flag,
    /// The query of a trigger.
    Trigger {
        /// The number of the trigger.
        number: usize,
        /// Its ScaledObject.
        scaled_object: String,
    },
    /// KEDA's own series.
    Exported,
}

/// The metrics of which nothing shows the values between the scrapes, and the user gave no query.
pub(crate) fn not_shown<'a>(
    hpa: &'a Hpa,
    courses: &[MetricCourse],
    values: &[MetricValues],
) -> Vec<&'a MetricSpec> {
    let is_shown = |index| courses.iter().any(|course| course.index == index);
    let is_given = |index| {
        let mut of = values.iter().filter(|one| one.index == index);
        of.any(|one| one.source == ValueSource::Flag)
    };
    let metrics = hpa.spec.metrics.iter().enumerate();
    metrics
        .filter(|(index, metric)| {
            metric.identifier().is_some() && !is_shown(*index) && !is_given(*index)
        })
        .map(|(_, metric)| metric)
        .collect()
}

/// The ScaledObject of a metric that KEDA serves.
pub fn scaled_object(metric: &MetricSpec) -> Option<&String> {
    let selector = metric.external_identifier()?.selector.as_ref()?;
    selector.match_labels.get(SCALED_OBJECT)
}

impl MetricValues {
    /// The course, if the controller had these values, as far as scrapes show them. An error: why it is not used.
    pub(crate) fn confirmed(&self, sources: &Sources<'_>) -> Result<MetricCourse, NotUsed> {
        let mut course = match &self.course {
            Ok(course) => course.clone(),
            Err(error) => return Err(NotUsed::Failed(error.clone())),
        };
        if self.nothing_is_zero {
            course.fill_with_zeros(sources.set);
        }
        let confirmation = course.confirm(sources);
        // Zeros are a guess that only the controller's own values confirm.
        let is_guess = self.nothing_is_zero && confirmation.compared == 0;
        if confirmation.is_refuted() || is_guess {
            return Err(NotUsed::Other(confirmation));
        }
        Ok(course)
    }
}

/// Why values are not used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NotUsed {
    /// They cannot be read.
    Failed(String),
    /// The controller had others.
    Other(Confirmation),
}

impl fmt::Display for ValueSource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag => formatter.write_str("--metric-query"),
            Self::Trigger {
                number,
                scaled_object,
            } => write!(
                formatter,
                "the query of trigger {number} of ScaledObject {scaled_object}"
            ),
            Self::Exported => formatter.write_str(KEDA_VALUE),
        }
    }
}

/// The prometheus trigger behind a metric such as `s0-prometheus`, unless KEDA answers from its cache.
pub fn trigger<'a>(
    mut autoscalers: impl Iterator<Item = &'a Autoscaler>,
    scaled_object: &str,
    metric: &str,
) -> Option<(usize, &'a Trigger)> {
    let number: usize = metric
        .strip_prefix('s')?
        .strip_suffix("-prometheus")?
        .parse()
        .ok()?;
    let object = autoscalers.find(|one| one.kind == "ScaledObject" && one.name == scaled_object)?;
    let trigger = object.scaled_object.as_ref()?.triggers.get(number)?;
    (trigger.trigger_type == "prometheus" && !trigger.uses_cache).then_some((number, trigger))
}

/// The label by which KEDA's metrics name their ScaledObject.
const SCALED_OBJECT: &str = "scaledobject.keda.sh/name";
