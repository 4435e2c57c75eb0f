//! `spec.behavior` of an HPA.

use std::cmp::Ordering;

use jiff::SignedDuration;

use crate::model::Quantity;

/// One of the two directions of scaling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// `scaleUp`: more replicas.
    Up,
    /// `scaleDown`: fewer replicas.
    Down,
}

impl Direction {
    /// Both directions, in the order of the API.
    pub const BOTH: [Self; 2] = [Self::Up, Self::Down];

    /// The direction from `before` to `after` replicas. None if they are equal.
    pub fn between(before: i32, after: i32) -> Option<Self> {
        match after.cmp(&before) {
            Ordering::Less => Some(Self::Down),
            Ordering::Equal => None,
            Ordering::Greater => Some(Self::Up),
        }
    }

    /// The API's spelling.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Up => "scaleUp",
            Self::Down => "scaleDown",
        }
    }
}

/// `spec.behavior`. A side that is absent (a v1 patch can do that) gets the API server's defaults.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Behavior {
    /// Rules for scaling up.
    pub scale_up: Option<ScalingRules>,
    /// Rules for scaling down.
    pub scale_down: Option<ScalingRules>,
}

impl Behavior {
    /// The rules of a direction, if set.
    pub fn rules(&self, direction: Direction) -> Option<&ScalingRules> {
        match direction {
            Direction::Up => self.scale_up.as_ref(),
            Direction::Down => self.scale_down.as_ref(),
        }
    }
}

/// `HPAScalingRules`: the rules of one direction.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScalingRules {
    /// `stabilizationWindowSeconds`. If `scaleDown` has none, the controller's flag applies.
    pub stabilization_window_seconds: Option<i32>,
    /// `selectPolicy`. Absent means `Max`.
    pub select_policy: Option<SelectPolicy>,
    /// `policies`. If absent, the API server's defaults apply.
    pub policies: Option<Vec<ScalingPolicy>>,
    /// `tolerance`. If absent, the controller's flag applies.
    pub tolerance: Option<Quantity>,
}

impl ScalingRules {
    /// `stabilizationWindowSeconds`. If `scaleDown` has none, the controller's flag applies.
    pub fn window(&self) -> Option<SignedDuration> {
        self.stabilization_window_seconds
            .map(|seconds| SignedDuration::from_secs(seconds.into()))
    }

    /// Whether `selectPolicy` is `Disabled`: no scaling in this direction.
    pub fn is_disabled(&self) -> bool {
        self.select_policy == Some(SelectPolicy::Disabled)
    }
}

/// `HPAScalingPolicy`: how much may change within one period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScalingPolicy {
    /// Whether `value` counts pods or percent.
    pub policy_type: PolicyType,
    /// Pods, or percent of the replicas at the start of the period.
    pub value: i32,
    /// Length of the period in seconds, 1 to 1800.
    pub period_seconds: i32,
}

/// The unit of a scaling policy's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolicyType {
    /// Percent of the replicas at the start of the period.
    Percent,
    /// Pods.
    Pods,
}

/// Which of several policies applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SelectPolicy {
    /// No scaling in this direction.
    Disabled,
    /// The policy that allows the most change.
    Max,
    /// The policy that allows the least change.
    Min,
}

impl PolicyType {
    /// The API's spelling.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Percent => "Percent",
            Self::Pods => "Pods",
        }
    }
}

impl SelectPolicy {
    /// The API's spelling.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Disabled => "Disabled",
            Self::Max => "Max",
            Self::Min => "Min",
        }
    }
}
