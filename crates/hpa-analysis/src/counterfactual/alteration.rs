//! The single change of a counterfactual.

use hpa_engine::model::{Direction, ScalingPolicy};
use jiff::SignedDuration;

use crate::Threshold;

/// The single change of a counterfactual.
#[derive(Clone, Debug, PartialEq)]
pub enum Alteration {
    /// One or more metrics measure another value.
    Usage {
        /// The intended effect.
        goal: Goal,
        /// The values, in the order of `spec.metrics`.
        levels: Vec<UsageLevel>,
    },
    /// The pods that are not ready, or have no sample, are ready and have the average usage of the counted ones.
    PodsReady {
        /// Their names.
        pods: Vec<String>,
    },
    /// Some pods matched by the selector do not exist.
    WithoutPods {
        /// Which pods.
        whose: Whose,
        /// Their names.
        pods: Vec<String>,
    },
    /// Some metrics are not in the spec.
    WithoutMetrics {
        /// Indices in `spec.metrics`.
        indices: Vec<usize>,
        /// Whether they failed; otherwise they win.
        are_failing: bool,
    },
    /// The other HPAs that select the same pods do not exist.
    WithoutOtherHpas {
        /// Their names.
        hpas: Vec<String>,
    },
    /// A scaling policy is not in the spec.
    WithoutPolicy {
        /// Its direction.
        side: Direction,
        /// Its index in `policies`.
        index: usize,
        /// The policy.
        policy: ScalingPolicy,
        /// Whether it is the only policy: without it, the API server's defaults apply.
        is_only: bool,
    },
    /// A stabilization window is 0.
    WithoutWindow {
        /// Its direction.
        side: Direction,
        /// The window now.
        window: SignedDuration,
    },
    /// The tolerance of one direction is 0.
    WithoutTolerance {
        /// The direction.
        side: Direction,
    },
    /// The controller's tolerance flag is 0, for versions without a tolerance of the HPA's own.
    WithoutToleranceFlag,
    /// `selectPolicy: Disabled` is not in the spec.
    Enabled {
        /// The direction.
        side: Direction,
    },
    /// `maxReplicas` allows the whole recommendation.
    MaxReplicas {
        /// The new value.
        to: i32,
    },
    /// `minReplicas` allows the whole recommendation.
    MinReplicas {
        /// The new value.
        to: i32,
    },
}

/// The intended effect of another usage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// One replica more than now.
    Up,
    /// One replica fewer than now.
    Down,
    /// `maxReplicas`.
    Max,
    /// `minReplicas`.
    Min,
}

/// The usage of one metric.
#[derive(Clone, Debug, PartialEq)]
pub struct UsageLevel {
    /// Index in `spec.metrics`.
    pub index: usize,
    /// The usage at the edge: one thousandth beyond it, the metric misses the goal.
    pub threshold: Threshold,
}

/// Which pods are removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// Pods that are not ready or have no sample.
    Absent,
    /// Pods of other owners.
    Foreign,
}

/// The family of an alteration. Its name is part of the JSON contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlterationKind {
    /// [`Alteration::Usage`].
    Usage,
    /// [`Alteration::PodsReady`].
    PodsReady,
    /// [`Alteration::WithoutPods`] of absent pods.
    AbsentPods,
    /// [`Alteration::WithoutPods`] of pods of other owners.
    ForeignPods,
    /// [`Alteration::WithoutMetrics`] of failed metrics.
    FailingMetrics,
    /// [`Alteration::WithoutMetrics`] of winning metrics.
    WinningMetrics,
    /// [`Alteration::WithoutOtherHpas`].
    OtherHpas,
    /// [`Alteration::WithoutPolicy`].
    Policy(Direction),
    /// [`Alteration::WithoutWindow`].
    Window(Direction),
    /// [`Alteration::WithoutTolerance`] and [`Alteration::WithoutToleranceFlag`].
    Tolerance,
    /// [`Alteration::Enabled`].
    SelectPolicy(Direction),
    /// [`Alteration::MaxReplicas`].
    MaxReplicas,
    /// [`Alteration::MinReplicas`].
    MinReplicas,
}

impl AlterationKind {
    /// The name in kebab case.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Usage => "usage",
            Self::PodsReady => "pods-ready",
            Self::AbsentPods => "without-absent-pods",
            Self::ForeignPods => "without-foreign-pods",
            Self::FailingMetrics => "without-failing-metrics",
            Self::WinningMetrics => "without-winning-metrics",
            Self::OtherHpas => "without-other-hpas",
            Self::Policy(_) => "without-policy",
            Self::Window(_) => "without-window",
            Self::Tolerance => "without-tolerance",
            Self::SelectPolicy(_) => "select-policy-enabled",
            Self::MaxReplicas => "max-replicas",
            Self::MinReplicas => "min-replicas",
        }
    }
}

impl Alteration {
    /// Its family.
    pub fn kind(&self) -> AlterationKind {
        match self {
            Self::Usage { .. } => AlterationKind::Usage,
            Self::PodsReady { .. } => AlterationKind::PodsReady,
            Self::WithoutPods { whose, .. } => match whose {
                Whose::Absent => AlterationKind::AbsentPods,
                Whose::Foreign => AlterationKind::ForeignPods,
            },
            Self::WithoutMetrics {
                are_failing: true, ..
            } => AlterationKind::FailingMetrics,
            Self::WithoutMetrics { .. } => AlterationKind::WinningMetrics,
            Self::WithoutOtherHpas { .. } => AlterationKind::OtherHpas,
            Self::WithoutPolicy { side, .. } => AlterationKind::Policy(*side),
            Self::WithoutWindow { side, .. } => AlterationKind::Window(*side),
            Self::WithoutTolerance { .. } | Self::WithoutToleranceFlag => AlterationKind::Tolerance,
            Self::Enabled { side } => AlterationKind::SelectPolicy(*side),
            Self::MaxReplicas { .. } => AlterationKind::MaxReplicas,
            Self::MinReplicas { .. } => AlterationKind::MinReplicas,
        }
    }
}
