//! The record of one sync: its calculations, in the controller's order, and its result.
//!
//! Steps hold typed numbers; `explain` puts them into words. Pods are identified by their index in
//! [`Observation::pods`](crate::model::Observation::pods), so a trace is read together with its observation.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod metric_step;
mod outcome;
mod step;
mod unordered;
mod upstream;

pub use metric_step::{
    AddBackPods, AddedPod, AdjustedVerdict, Adjustment, ClassifiedPod, CountReadyPods, GroupPods,
    MetricEvaluation, MetricFailure, MetricOutcome, MetricStep, Milli, MissingFill, Pass, Percent,
    PodClass, PodReason, PodRequest, Proposal, ProposalRule, RatioFormula, ReadMetric, RequestGap,
    SumRequests, ToleranceCheck, ToleranceForm, UsageRatio,
};
pub use outcome::{Decision, Event, EventType, Outcome, Trace};
pub use step::{
    BoundsBranch, Choice, ChooseProposal, CompareBounds, DisabledReason, FirstRecommendation,
    LimitPath, LimitRate, LimitReason, PolicyBound, RaiseFromZero, ReadScale, Rescale, ScaleWrite,
    SelectorCheck, SelectorVerdict, Stabilize, StabilizePath, StabilizeReason, Step,
};
#[doc(hidden)]
pub use unordered::may_be;
pub(crate) use unordered::two_of;
pub use upstream::Upstream;
