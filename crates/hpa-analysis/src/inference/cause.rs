//! Reasons for a disagreement with the controller.

use jiff::Timestamp;

use crate::model::{Architecture, KubeVersion, Setting};

/// A reason why the recomputation and the controller may disagree.
#[derive(Clone, Debug, PartialEq)]
pub struct Hypothesis {
    /// The reason.
    pub cause: Cause,
    /// Whether the engine arrives at all the numbers that the controller wrote if this is so.
    pub fits: bool,
    /// The values of the flag that all fit.
    pub span: Option<FlagSpan>,
}

impl Hypothesis {
    /// A reason under which the engine arrives at all the numbers that the controller wrote.
    pub fn fitting(cause: Cause) -> Self {
        Self {
            cause,
            fits: true,
            span: None,
        }
    }

    /// A reason that nothing speaks against, but that can't be tried.
    pub fn possible(cause: Cause) -> Self {
        Self {
            cause,
            fits: false,
            span: None,
        }
    }
}

/// Values of a flag between which nothing changes: a tolerance, or seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlagSpan {
    /// From here on; none: from 0.
    pub from: Option<f64>,
    /// Below this; none: without an end.
    pub below: Option<f64>,
}

/// A spec that the controller has not synced yet, by `observedGeneration`.
#[derive(Clone, Debug, PartialEq)]
pub struct Unobserved {
    /// `status.observedGeneration`.
    pub observed: i64,
    /// `metadata.generation`.
    pub generation: i64,
    /// When it was edited last and by which field manager, if that is known.
    pub edited: Option<(Timestamp, String)>,
}

/// Why a recomputation and the controller may disagree.
#[derive(Clone, Debug, PartialEq)]
pub enum Cause {
    /// A flag of kube-controller-manager has another value: a tolerance, or seconds.
    Flag(Setting, f64),
    /// A feature gate is set otherwise.
    FeatureGate(&'static str, bool),
    /// The controller is of another version.
    Version(KubeVersion),
    /// The controller runs on another processor architecture.
    Architecture(Architecture),
    /// The controller remembers nothing from before: it restarted or another one leads.
    Restarted,
    /// The metrics have moved since.
    SampleMoved,
    /// Pods came, went or changed their readiness since.
    PodsMoved,
    /// What the controller remembers has expired since.
    TimePassed,
    /// Somebody else set `spec.replicas` since.
    ScaledByOther,
    /// The spec was edited since.
    SpecEdited,
    /// The status is of an older generation: the controller has not synced the spec yet.
    SpecNewer(Unobserved),
    /// The spec was edited at that time by that field manager, and the controller has not had a sync since.
    EditPending(Timestamp, String),
    /// The spec was edited at that time by that field manager, and the controller has written no status since, though it
    /// has had the time.
    EditUnanswered(Timestamp, String),
    /// Nothing known here explains it.
    Unexplained,
}

impl Cause {
    /// The setting of the controller that is another one than was assumed, if it is one.
    pub fn setting(&self) -> Option<Setting> {
        Some(match self {
            Self::Flag(setting, _) => *setting,
            Self::FeatureGate(gate, _) => Setting::FeatureGate(gate),
            Self::Version(_) => Setting::Version,
            Self::Architecture(_) => Setting::Architecture,
            _ => return None,
        })
    }
}
