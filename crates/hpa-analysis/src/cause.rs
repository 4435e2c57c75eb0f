//! Causes of a disagreement with the controller.

use hpa_engine::model::{Architecture, KubeVersion, Setting};
use jiff::Timestamp;

/// A possible cause of a disagreement between the recomputation and the controller.
#[derive(Clone, Debug, PartialEq)]
pub struct Hypothesis {
    /// The cause.
    pub cause: Cause,
    /// Whether the engine reproduces every number that the controller wrote under this cause.
    pub fits: bool,
    /// The range of flag values that fit.
    pub span: Option<FlagSpan>,
}

impl Hypothesis {
    /// A cause under which the engine reproduces every number that the controller wrote.
    pub fn fitting(cause: Cause) -> Self {
        Self {
            cause,
            fits: true,
            span: None,
        }
    }

    /// A plausible cause that the engine cannot test.
    pub fn possible(cause: Cause) -> Self {
        Self {
            cause,
            fits: false,
            span: None,
        }
    }
}

/// A range of flag values with the same result: tolerances, or seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlagSpan {
    /// Lower end, included. None: 0.
    pub from: Option<f64>,
    /// Upper end, excluded. None: unbounded.
    pub below: Option<f64>,
}

/// A spec that the controller has not synced yet, by `observedGeneration`.
#[derive(Clone, Debug, PartialEq)]
pub struct Unobserved {
    /// `status.observedGeneration`.
    pub observed: i64,
    /// `metadata.generation`.
    pub generation: i64,
    /// When it was last edited and by which field manager, if known.
    pub edited: Option<(Timestamp, String)>,
}

/// Why a recomputation and the controller can disagree.
#[derive(Clone, Debug, PartialEq)]
pub enum Cause {
    /// A flag of kube-controller-manager has this other value: a tolerance, or seconds.
    Flag(Setting, f64),
    /// A feature gate has this other value.
    FeatureGate(&'static str, bool),
    /// The controller has this other version.
    Version(KubeVersion),
    /// The controller runs on this other processor architecture.
    Architecture(Architecture),
    /// The controller's history is empty: it restarted, or the leader changed.
    Restarted,
    /// The metrics have changed since.
    SampleMoved,
    /// Pods were created, deleted or changed their readiness since.
    PodsMoved,
    /// Pods that the last sync counted may be gone since: some number of them would explain what it wrote.
    PodsGone,
    /// Recommendation history has expired since.
    TimePassed,
    /// Another writer has set `spec.replicas` since.
    ScaledByOther,
    /// The spec has been edited since.
    SpecEdited,
    /// The status is for an older generation: the controller has not synced the current spec yet.
    SpecNewer(Unobserved),
    /// This field manager edited the spec at this time, and the next sync is not due yet.
    EditPending(Timestamp, String),
    /// This field manager edited the spec at this time. The controller has not written a status since, although a sync
    /// was due.
    EditUnanswered(Timestamp, String),
    /// No known cause explains it.
    Unexplained,
}

impl Cause {
    /// The setting of the controller that differs from the assumed one, if that is the cause.
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
