//! One direction of `spec.behavior`, for rules.

use hpa_analysis::without_metrics;
use hpa_engine::{
    engine::AfterMetrics,
    model::{Direction, Observation, ScalingPolicy, ScalingRules},
};
use hpa_objects::recording::wire;

use crate::{Cx, Finding, FixStep, HpaSubject};

/// One direction of `spec.behavior`, if written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side<'a> {
    /// Up or down.
    pub(super) direction: Direction,
    /// `scale-up` or `scale-down`.
    pub(super) name: &'static str,
    /// `spec.behavior.scaleUp` or `spec.behavior.scaleDown`.
    pub(super) path: &'static str,
    /// As written.
    pub(super) written: &'a wire::ScalingRules,
    /// With the API server's defaults.
    pub(super) rules: &'a ScalingRules,
}

impl<'a> Side<'a> {
    /// `scaleUp`, if written.
    pub(super) fn up(cx: &Cx<'a, HpaSubject>) -> Option<Self> {
        let subject = cx.subject;
        Some(Self {
            direction: Direction::Up,
            name: "scale-up",
            path: "spec.behavior.scaleUp",
            written: subject.written.behavior.as_ref()?.scale_up.as_ref()?,
            rules: subject.spec.behavior.as_ref()?.scale_up.as_ref()?,
        })
    }

    /// `scaleDown`, if written.
    pub(super) fn down(cx: &Cx<'a, HpaSubject>) -> Option<Self> {
        let subject = cx.subject;
        Some(Self {
            direction: Direction::Down,
            name: "scale-down",
            path: "spec.behavior.scaleDown",
            written: subject.written.behavior.as_ref()?.scale_down.as_ref()?,
            rules: subject.spec.behavior.as_ref()?.scale_down.as_ref()?,
        })
    }

    /// Both directions, if written.
    pub(super) fn both(cx: &Cx<'a, HpaSubject>) -> impl Iterator<Item = Self> {
        [Self::up(cx), Self::down(cx)].into_iter().flatten()
    }

    /// Both directions, if written and not disabled.
    pub(super) fn enabled(cx: &Cx<'a, HpaSubject>) -> impl Iterator<Item = Self> {
        Self::both(cx).filter(|side| !side.is_disabled())
    }

    /// Directions that are not disabled, with the written tolerance as a ratio. Empty if the version does not read it.
    pub(super) fn tolerances(cx: &Cx<'a, HpaSubject>) -> impl Iterator<Item = (Self, f64)> {
        let is_heeded = cx.switches().per_hpa_tolerance;
        Self::enabled(cx)
            .filter(move |_| is_heeded)
            .filter_map(|side| {
                let tolerance = side.rules.tolerance.as_ref()?;
                Some((side, tolerance.approximate_f64()))
            })
    }

    /// With the written window in seconds. None if the direction is disabled.
    pub(super) fn with_window(self) -> Option<(Self, i32)> {
        let window = self.written.stabilization_window_seconds?;
        (!self.is_disabled()).then_some((self, window))
    }

    /// Whether the direction is disabled.
    pub(super) fn is_disabled(&self) -> bool {
        self.rules.is_disabled()
    }

    /// The written policies. Empty if they are absent or equal the API server's defaults.
    pub(super) fn own_policies(&self) -> &'a [ScalingPolicy] {
        let policies = AfterMetrics::policies(Some(self.rules), self.direction);
        let defaults = AfterMetrics::policies(None, self.direction);
        if self.written.policies.is_none() || policies == defaults {
            &[]
        } else {
            policies
        }
    }

    /// `spec.behavior.scaleUp.policies[1]`.
    pub(super) fn policy_path(&self, index: usize) -> String {
        format!("{}.policies[{index}]", self.path)
    }

    /// A field of this direction.
    pub(super) fn field(&self, name: &str) -> String {
        format!("{}.{name}", self.path)
    }
}

/// `minReplicas` and `maxReplicas`, if the API server accepts them.
pub(super) fn bounds(cx: &Cx<'_, HpaSubject>) -> Option<(i32, i32)> {
    let (min, max) = (cx.subject.spec.min_replicas(), cx.subject.spec.max_replicas);
    (0 <= min && min <= max && 1 <= max).then_some((min, max))
}

/// The HPA and the controller, for the engine.
pub(super) fn observation(cx: &Cx<'_, HpaSubject>) -> Observation {
    without_metrics(&cx.subject.spec, cx.config)
}

/// A ratio without binary rounding digits.
pub(super) fn rounded(ratio: f64) -> f64 {
    (ratio * 1e9).round() / 1e9
}

/// `Pods 4 per 60 s`.
pub(super) fn policy_text(policy: &ScalingPolicy) -> String {
    format!(
        "{} {} per {} s",
        policy.policy_type.as_str(),
        policy.value,
        policy.period_seconds
    )
}

/// Adds the fix, unless the field is in an annotation of `autoscaling/v1`.
pub(super) fn with_fix(cx: &Cx<'_, HpaSubject>, finding: Finding, step: FixStep) -> Finding {
    if cx.subject.manifest.version() == "v1" {
        finding
    } else {
        finding.fix(step)
    }
}
