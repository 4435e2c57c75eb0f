//! One sync, from the read of the scale to the status. Upstream: `reconcileAutoscaler` in `horizontal.go`.

use jiff::Timestamp;

use crate::{
    engine::{
        bounds::{ZeroScaling, compare_bounds},
        context::ReconcileContext,
        metric::MetricContext,
        metrics::{Computed, compute_replicas_for_metrics},
        outcome::Draft,
        rescale::rescale,
        scaling_policies::limit_rate,
        selector_check::validate_and_parse_selector,
        stabilization::{record_initial_recommendation, stabilize},
    },
    model::{ApiError, Memory, MetricStatus, NotRead, Observation, Reading, Scale, Switches},
    trace::{
        BoundsBranch, Decision, EventType, FirstRecommendation, LimitReason, Outcome,
        RaiseFromZero, ReadScale, Rescale, ScaleWrite, StabilizeReason, Step, Trace,
    },
};

/// Decides what the controller decides in one sync, and records how.
///
/// `memory` is what the controller remembers of this HPA; it is updated as the controller updates it. `now` is the
/// controller's clock. The switches follow from the version in the observation.
pub fn decide(observation: &Observation, memory: &mut Memory, now: Timestamp) -> Trace {
    let controller = &observation.controller;
    let switches = Switches::of(controller.version.value, &controller.feature_gates);
    decide_with(observation, &switches, memory, now)
}

/// Like [`decide`], with the caller's switches: for forks and clusters whose behavior differs from their version.
pub fn decide_with(
    observation: &Observation,
    switches: &Switches,
    memory: &mut Memory,
    now: Timestamp,
) -> Trace {
    let cx = ReconcileContext::new(observation, switches, now);
    let mut draft = Draft::new(&cx);
    let end = match &observation.scale {
        Reading::Read(scale) => reconcile(&cx, scale, memory, &mut draft),
        Reading::Failed(error) => fail_to_get_scale(error, &mut draft),
        Reading::NotRead(not_read) => ReconcileEnd::Unknown {
            current: None,
            missing: vec![not_read.clone()],
        },
    };
    finish(&cx, draft, end)
}

/// How a sync ends.
enum ReconcileEnd {
    /// The controller crashed on a metric.
    Crashed { current: i32 },
    /// The scale could not be read.
    FailedGetScale,
    /// The metrics gave no proposal.
    FailedMetrics {
        current: i32,
        statuses: Vec<MetricStatus>,
    },
    /// The write of the scale was refused.
    FailedRescale {
        current: i32,
        to: i32,
        statuses: Vec<MetricStatus>,
    },
    /// Zero replicas, and the HPA may not scale up from zero.
    Disabled { current: i32 },
    /// The replicas stay.
    Hold {
        current: i32,
        statuses: Vec<MetricStatus>,
    },
    /// The replicas change.
    Rescaled {
        current: i32,
        to: i32,
        statuses: Vec<MetricStatus>,
    },
    /// A read that the decision needs is missing.
    Unknown {
        current: Option<i32>,
        missing: Vec<NotRead>,
    },
}

/// The result of the metrics path.
enum Desired {
    Failed(ReconcileEnd),
    Replicas {
        desired: i32,
        reason: String,
        statuses: Vec<MetricStatus>,
    },
}

fn reconcile(
    cx: &ReconcileContext<'_>,
    scale: &Scale,
    memory: &mut Memory,
    draft: &mut Draft<'_>,
) -> ReconcileEnd {
    let current = scale.spec_replicas;
    draft.step(Step::ReadScale(ReadScale {
        spec_replicas: Some(current),
        status_replicas: Some(scale.status_replicas),
        error: None,
    }));
    draft.set_condition(
        "AbleToScale",
        "True",
        "SucceededGetScale",
        "the HPA controller was able to get the target's current scale".to_owned(),
    );
    if record_initial_recommendation(memory, current, cx.now) {
        draft.step(Step::FirstRecommendation(FirstRecommendation {
            replicas: current,
        }));
    }
    let zero = ZeroScaling::of(cx);
    let bounds = compare_bounds(cx, scale, zero);
    draft.step(Step::CompareBounds(bounds));
    let (desired, reason, statuses) = match bounds.branch {
        BoundsBranch::Disabled(_) => return disable(cx, draft, current),
        BoundsBranch::AboveMax => (
            bounds.max,
            "Current number of replicas above Spec.MaxReplicas".to_owned(),
            Vec::new(),
        ),
        BoundsBranch::BelowMin => (
            bounds.min,
            "Current number of replicas below Spec.MinReplicas".to_owned(),
            Vec::new(),
        ),
        BoundsBranch::Metrics => match desired_by_metrics(cx, scale, memory, draft, zero) {
            Desired::Failed(end) => return end,
            Desired::Replicas {
                desired,
                reason,
                statuses,
            } => (desired, reason, statuses),
        },
    };
    if bounds.branch == BoundsBranch::Metrics && desired == current {
        return ReconcileEnd::Hold { current, statuses };
    }
    let write = cx
        .observation
        .scale_write_error
        .clone()
        .map_or(ScaleWrite::Accepted, ScaleWrite::Refused);
    let is_accepted = write == ScaleWrite::Accepted;
    let change = Rescale {
        from: current,
        to: desired,
        reason,
        write,
    };
    rescale(cx, memory, draft, zero, change);
    if is_accepted {
        ReconcileEnd::Rescaled {
            current,
            to: desired,
            statuses,
        }
    } else {
        ReconcileEnd::FailedRescale {
            current,
            to: desired,
            statuses: fresh_or_old(cx, statuses),
        }
    }
}

fn disable(cx: &ReconcileContext<'_>, draft: &mut Draft<'_>, current: i32) -> ReconcileEnd {
    draft.set_condition(
        "ScalingActive",
        "False",
        "ScalingDisabled",
        "scaling is disabled since the replica count of the target is zero".to_owned(),
    );
    if cx.switches.scaled_to_zero_condition && !cx.switches.scale_to_zero_gate {
        draft.remove_condition("ScaledToZero");
    }
    ReconcileEnd::Disabled { current }
}

fn fail_to_get_scale(error: &ApiError, draft: &mut Draft<'_>) -> ReconcileEnd {
    draft.step(Step::ReadScale(ReadScale {
        spec_replicas: None,
        status_replicas: None,
        error: Some(error.clone()),
    }));
    draft.emit(EventType::Warning, "FailedGetScale", error.message.clone());
    draft.set_condition(
        "AbleToScale",
        "False",
        "FailedGetScale",
        format!(
            "the HPA controller was unable to get the target's current scale: {}",
            error.message
        ),
    );
    ReconcileEnd::FailedGetScale
}

/// Metrics, stabilization and limits.
fn desired_by_metrics(
    cx: &ReconcileContext<'_>,
    scale: &Scale,
    memory: &mut Memory,
    draft: &mut Draft<'_>,
    zero: ZeroScaling,
) -> Desired {
    let current = scale.spec_replicas;
    let selected = match validate_and_parse_selector(cx, draft, &scale.selector) {
        Ok(selected) => selected,
        Err(error) => return fail_metrics(cx, draft, current, error, Vec::new()),
    };
    let context = MetricContext {
        cx,
        scale,
        selector: &selected.selector,
        pods: &selected.pods,
    };
    let (metric_desired_replicas, name, statuses) =
        match compute_replicas_for_metrics(&context, draft) {
            Computed::Replicas {
                metric_desired_replicas,
                name,
                statuses,
            } => (metric_desired_replicas, name, statuses),
            Computed::Crashed => {
                *memory = Memory::default();
                return Desired::Failed(ReconcileEnd::Crashed { current });
            }
            Computed::Failed { error, statuses } => {
                return fail_metrics(cx, draft, current, error, statuses);
            }
            Computed::Unknown(missing) => {
                return Desired::Failed(ReconcileEnd::Unknown {
                    current: Some(current),
                    missing,
                });
            }
        };
    let recommendation = metric_desired_replicas.max(0);
    // The reason is fixed before stabilization and rate limits, so it may not match the final change.
    let mut reason = match recommendation.cmp(&current) {
        std::cmp::Ordering::Less => "All metrics below target".to_owned(),
        std::cmp::Ordering::Equal => String::new(),
        std::cmp::Ordering::Greater => format!("{name} above target"),
    };
    let stabilized = stabilize(cx, memory, current, recommendation);
    set_stabilization_condition(draft, stabilized.reason);
    let stabilized_replicas = stabilized.stabilized;
    draft.step(Step::Stabilize(stabilized));
    let limited = limit_rate(cx, memory, current, stabilized_replicas);
    set_limit_condition(
        draft,
        limited.reason,
        limited.desired != stabilized_replicas,
    );
    let mut desired = limited.desired;
    let min = limited.min;
    draft.step(Step::LimitRate(limited));
    if current == 0 && min != 0 && zero.was_scaled_to_zero && desired < min {
        draft.step(Step::RaiseFromZero(RaiseFromZero {
            from: desired,
            to: min,
        }));
        desired = min;
        if reason.is_empty() {
            "Current number of replicas below Spec.MinReplicas".clone_into(&mut reason);
        }
    }
    Desired::Replicas {
        desired,
        reason,
        statuses,
    }
}

fn fail_metrics(
    cx: &ReconcileContext<'_>,
    draft: &mut Draft<'_>,
    current: i32,
    error: String,
    statuses: Vec<MetricStatus>,
) -> Desired {
    draft.emit(EventType::Warning, "FailedComputeMetricsReplicas", error);
    let statuses = fresh_or_old(cx, statuses);
    Desired::Failed(ReconcileEnd::FailedMetrics { current, statuses })
}

/// Up to 1.28 a failure leaves `currentMetrics` unchanged.
fn fresh_or_old(cx: &ReconcileContext<'_>, statuses: Vec<MetricStatus>) -> Vec<MetricStatus> {
    if cx.switches.fresh_metrics_on_failure {
        statuses
    } else {
        cx.hpa().status.current_metrics.clone()
    }
}

fn set_stabilization_condition(draft: &mut Draft<'_>, reason: StabilizeReason) {
    let message = match reason {
        StabilizeReason::ReadyForNewScale => "recommended size matches current size",
        StabilizeReason::ScaleDownStabilized => {
            "recent recommendations were higher than current one, applying the highest recent \
             recommendation"
        }
        StabilizeReason::ScaleUpStabilized => {
            "recent recommendations were lower than current one, applying the lowest recent \
             recommendation"
        }
    };
    draft.set_condition("AbleToScale", "True", reason.as_str(), message.to_owned());
}

fn set_limit_condition(draft: &mut Draft<'_>, reason: LimitReason, is_limited: bool) {
    let message = match reason {
        LimitReason::DesiredWithinRange => "the desired count is within the acceptable range",
        LimitReason::ScaleDownLimit => {
            "the desired replica count is decreasing faster than the maximum scale rate"
        }
        LimitReason::ScaleUpLimit => {
            "the desired replica count is increasing faster than the maximum scale rate"
        }
        LimitReason::TooFewReplicas => {
            "the desired replica count is less than the minimum replica count"
        }
        LimitReason::TooManyReplicas => {
            "the desired replica count is more than the maximum replica count"
        }
    };
    let status = if is_limited { "True" } else { "False" };
    draft.set_condition(
        "ScalingLimited",
        status,
        reason.as_str(),
        message.to_owned(),
    );
}

fn finish(cx: &ReconcileContext<'_>, draft: Draft<'_>, end: ReconcileEnd) -> Trace {
    let previous = cx.hpa().status.desired_replicas;
    let (decision, (steps, outcome)) = match end {
        ReconcileEnd::Crashed { current } => (
            Decision::Failed {
                current: Some(current),
            },
            known(draft.finish_with_nothing()),
        ),
        ReconcileEnd::FailedGetScale => (
            Decision::Failed { current: None },
            known(draft.finish_with_old_status()),
        ),
        ReconcileEnd::FailedMetrics { current, statuses } => (
            Decision::Failed {
                current: Some(current),
            },
            known(draft.finish_with_status(current, previous, statuses, false)),
        ),
        ReconcileEnd::FailedRescale {
            current,
            to,
            statuses,
        } => (
            Decision::Rescale {
                from: current,
                to,
                succeeds: false,
            },
            known(draft.finish_with_status(current, previous, statuses, false)),
        ),
        ReconcileEnd::Disabled { current } => (
            Decision::Disabled,
            known(draft.finish_with_status(current, current, Vec::new(), false)),
        ),
        ReconcileEnd::Hold { current, statuses } => (
            Decision::Hold { current },
            known(draft.finish_with_status(current, current, statuses, false)),
        ),
        ReconcileEnd::Rescaled {
            current,
            to,
            statuses,
        } => (
            Decision::Rescale {
                from: current,
                to,
                succeeds: true,
            },
            known(draft.finish_with_status(current, to, statuses, true)),
        ),
        ReconcileEnd::Unknown { current, missing } => (
            Decision::Unknown { current, missing },
            (draft.into_steps(), None),
        ),
    };
    Trace {
        at: cx.now,
        switches: *cx.switches,
        steps,
        decision,
        outcome,
    }
}

fn known((steps, outcome): (Vec<Step>, Outcome)) -> (Vec<Step>, Option<Outcome>) {
    (steps, Some(outcome))
}
