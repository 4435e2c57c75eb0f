//! The one thing that is different.

use jiff::SignedDuration;

use super::{metrics, pods, rules, usage};
use crate::{
    inference::{Threshold, without_pods::remove_pods},
    model::{Direction, Observation, ScalingPolicy},
    trace::Trace,
};

/// The one thing that is different.
#[derive(Clone, Debug, PartialEq)]
pub enum Alteration {
    /// One or more metrics measure something else.
    Usage {
        /// What that is to lead to.
        goal: Goal,
        /// What they measure, in the order of `spec.metrics`.
        levels: Vec<UsageLevel>,
    },
    /// The pods that are not ready, or have no sample, are ready and as busy as the counted ones.
    PodsReady {
        /// Their names.
        pods: Vec<String>,
    },
    /// Some pods behind the selector are not there.
    WithoutPods {
        /// Which of them.
        whose: Whose,
        /// Their names.
        pods: Vec<String>,
    },
    /// Some metrics are not in the spec.
    WithoutMetrics {
        /// Indices in `spec.metrics`.
        indices: Vec<usize>,
        /// Whether they failed; else they win.
        are_failing: bool,
    },
    /// The other HPAs that select the same pods are not there.
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
        /// Whether it is the only one: then the API server fills in its defaults.
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
    /// The tolerance of the controller is 0, where the HPA can't set its own.
    WithoutToleranceFlag,
    /// `selectPolicy: Disabled` is not in the spec.
    Enabled {
        /// The direction.
        side: Direction,
    },
    /// `maxReplicas` allows all that is asked for.
    MaxReplicas {
        /// Its value.
        to: i32,
    },
    /// `minReplicas` allows as few as are asked for.
    MinReplicas {
        /// Its value.
        to: i32,
    },
}

/// What another usage is to lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// One replica more than there are.
    Up,
    /// One replica fewer than there are.
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
    /// The usage, and what the metric makes of it: at one thousandth beside it, the metric misses the goal.
    pub threshold: Threshold,
}

/// Which pods are taken away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// Those that are not ready or have no sample.
    Absent,
    /// Those that do not belong to the scale target.
    Foreign,
}

/// The family of an alteration. Its name is part of the JSON contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlterationKind {
    /// [`Alteration::Usage`].
    Usage,
    /// [`Alteration::PodsReady`].
    PodsReady,
    /// [`Alteration::WithoutPods`] that are absent.
    AbsentPods,
    /// [`Alteration::WithoutPods`] that are foreign.
    ForeignPods,
    /// [`Alteration::WithoutMetrics`] that failed.
    FailingMetrics,
    /// [`Alteration::WithoutMetrics`] that win.
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

    /// What the controller would read. `trace` is what it made of `observation`.
    pub fn applied_to(&self, observation: &Observation, trace: &Trace) -> Observation {
        let mut altered = observation.clone();
        match self {
            Self::Usage { levels, .. } => usage::set(&mut altered, trace, levels),
            Self::PodsReady { .. } => {
                if let Some((_, ready)) = pods::all_ready(observation, trace) {
                    altered = ready;
                }
            }
            Self::WithoutPods { pods, .. } => {
                remove_pods(&mut altered, &pods.iter().map(String::as_str).collect());
            }
            Self::WithoutMetrics { indices, .. } => metrics::remove(&mut altered, indices),
            Self::WithoutOtherHpas { hpas } => {
                altered.other_hpas.retain(|hpa| !hpas.contains(&hpa.name));
            }
            Self::WithoutPolicy { side, index, .. } => {
                rules::remove_policy(altered.hpa.spec.rules_mut(*side), *index);
            }
            Self::WithoutWindow { side, .. } => {
                altered
                    .hpa
                    .spec
                    .rules_mut(*side)
                    .stabilization_window_seconds = Some(0);
            }
            Self::WithoutTolerance { side } => {
                altered.hpa.spec.rules_mut(*side).tolerance = Some(rules::no_tolerance());
            }
            Self::WithoutToleranceFlag => altered.controller.tolerance.value = 0.0,
            Self::Enabled { side } => altered.hpa.spec.rules_mut(*side).select_policy = None,
            Self::MaxReplicas { to } => altered.hpa.spec.max_replicas = *to,
            Self::MinReplicas { to } => altered.hpa.spec.min_replicas = Some(*to),
        }
        altered
    }
}
