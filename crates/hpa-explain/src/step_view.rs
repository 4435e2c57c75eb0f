//! One step in words and formulas, without layout.

use hpa_engine::trace::Upstream;

/// One step of the ladder.
#[derive(Clone, Debug, PartialEq)]
pub struct StepView {
    /// What kind of step it is.
    pub kind: StepKind,
    /// The metric it belongs to: its index in `spec.metrics`.
    pub metric: Option<usize>,
    /// The title of the step; further steps of one metric repeat it.
    pub title: String,
    /// Its outcome, short: `85% of requests`.
    pub outcome: String,
    /// The calculation in numbers that the page has shown: `510m / 600m, the 6 ready pods`.
    pub how: String,
    /// The formula in names, if there is one: `usage × 100 ÷ requests`.
    pub formula: Option<&'static str>,
    /// Further sentences about this step.
    pub notes: Vec<String>,
    /// The numbers of the step, for JSON.
    pub values: Vec<(&'static str, StepValue)>,
    /// The function of the controller that performs it.
    pub upstream: Option<Upstream>,
    /// Whether this is the step that decides.
    pub is_deciding: bool,
    /// How important the step is.
    pub weight: Weight,
}

/// How important a step is to the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// It changed nothing.
    Quiet,
    /// It matters.
    Normal,
    /// It failed.
    Error,
}

/// The kinds of steps, in the controller's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StepKind {
    /// The scale of the target is read.
    ReadScale,
    /// The current replicas become the first recommendation.
    FirstRecommendation,
    /// Current replicas against zero, `minReplicas` and `maxReplicas`.
    CompareBounds,
    /// The selector and the pods that it matches.
    Pods,
    /// A metrics API is read.
    ReadMetric,
    /// Pods are sorted into ready, unready, missing and ignored.
    GroupPods,
    /// Requests are added up.
    SumRequests,
    /// Usage ÷ target.
    UsageRatio,
    /// The ratio against the tolerance.
    Tolerance,
    /// Missing and unready pods are added back.
    AddBackPods,
    /// The ratio with the added pods.
    AdjustedRatio,
    /// The adjusted ratio is evaluated.
    Adjustment,
    /// Ready pods are counted.
    CountReadyPods,
    /// What the metric asks for.
    Proposal,
    /// The metric failed.
    MetricFailure,
    /// The largest proposal wins.
    Choice,
    /// Recent recommendations hold the replicas.
    Stabilize,
    /// Policies, `minReplicas` and `maxReplicas`.
    Limits,
    /// A workload that the HPA scaled to zero is raised to `minReplicas`.
    RaiseFromZero,
    /// The result is written.
    Result,
}

impl StepKind {
    /// Whether it belongs to the adjusted average of a metric, with the pods that are added back.
    pub fn is_second_pass(self) -> bool {
        matches!(
            self,
            Self::AddBackPods | Self::AdjustedRatio | Self::Adjustment
        )
    }

    /// The kind in kebab case, as in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ReadScale => "read-scale",
            Self::FirstRecommendation => "first-recommendation",
            Self::CompareBounds => "compare-bounds",
            Self::Pods => "pods",
            Self::ReadMetric => "read-metric",
            Self::GroupPods => "group-pods",
            Self::SumRequests => "sum-requests",
            Self::UsageRatio => "usage-ratio",
            Self::Tolerance => "tolerance",
            Self::AddBackPods => "add-back-pods",
            Self::AdjustedRatio => "adjusted-ratio",
            Self::Adjustment => "adjustment",
            Self::CountReadyPods => "count-ready-pods",
            Self::Proposal => "proposal",
            Self::MetricFailure => "metric-failure",
            Self::Choice => "choice",
            Self::Stabilize => "stabilize",
            Self::Limits => "limits",
            Self::RaiseFromZero => "raise-from-zero",
            Self::Result => "result",
        }
    }
}

/// A number of a step, for JSON.
#[derive(Clone, Debug, PartialEq)]
pub enum StepValue {
    /// Yes or no.
    Bool(bool),
    /// A ratio or a tolerance.
    Float(f64),
    /// A count, replicas, percent, or thousandths (then the name ends in `Milli`).
    Integer(i64),
    /// Several values.
    List(Vec<StepValue>),
    /// No value.
    Null,
    /// A name, a time or the controller's own words.
    Text(String),
}

impl From<bool> for StepValue {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<f64> for StepValue {
    fn from(value: f64) -> Self {
        Self::Float(value)
    }
}

impl From<i32> for StepValue {
    fn from(value: i32) -> Self {
        Self::Integer(value.into())
    }
}

impl From<i64> for StepValue {
    fn from(value: i64) -> Self {
        Self::Integer(value)
    }
}

impl From<usize> for StepValue {
    fn from(value: usize) -> Self {
        Self::Integer(i64::try_from(value).unwrap_or(i64::MAX))
    }
}

impl From<&str> for StepValue {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

impl From<String> for StepValue {
    fn from(value: String) -> Self {
        Self::Text(value)
    }
}

impl<T: Into<StepValue>> From<Option<T>> for StepValue {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl StepView {
    /// A step with its outcome and calculation.
    pub fn new(
        kind: StepKind,
        title: impl Into<String>,
        outcome: impl Into<String>,
        how: impl Into<String>,
    ) -> Self {
        Self {
            kind,
            metric: None,
            title: title.into(),
            outcome: outcome.into(),
            how: how.into(),
            formula: None,
            notes: Vec::new(),
            values: Vec::new(),
            upstream: None,
            is_deciding: false,
            weight: Weight::Normal,
        }
    }

    pub(super) fn formula(mut self, formula: &'static str) -> Self {
        self.formula = Some(formula);
        self
    }

    pub(super) fn upstream(mut self, upstream: Upstream) -> Self {
        self.upstream = Some(upstream);
        self
    }

    pub(super) fn value(mut self, name: &'static str, value: impl Into<StepValue>) -> Self {
        self.values.push((name, value.into()));
        self
    }

    pub(super) fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    pub(super) fn quiet_if(mut self, is_quiet: bool) -> Self {
        if is_quiet {
            self.weight = Weight::Quiet;
        }
        self
    }

    pub(super) fn error(mut self) -> Self {
        self.weight = Weight::Error;
        self
    }
}
