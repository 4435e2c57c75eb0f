//! Writes the scale and updates condition, event, scaling history and `ScaledToZero`. Upstream: the second half of
//! `reconcileAutoscaler` in `horizontal.go`.

use jiff::{SignedDuration, Timestamp};

use crate::{
    engine::{
        bounds::ZeroScaling, context::ReconcileContext, go_math, outcome::Draft,
        scale_events::store_scale_event,
    },
    model::{ApiError, Memory},
    trace::{EventType, Rescale, ScaleWrite, Step},
};

/// Writes the scale, unless the write is known to be refused; `rescale.write` says which.
pub(crate) fn rescale(
    cx: &ReconcileContext<'_>,
    memory: &mut Memory,
    draft: &mut Draft<'_>,
    zero: ZeroScaling,
    rescale: Rescale,
) {
    let Rescale {
        from,
        to,
        reason,
        write,
    } = &rescale;
    draft.scale_to(*to);
    match write {
        ScaleWrite::Refused(error) => {
            let message = format!("New size: {to}; reason: {reason}; error: {}", error.message);
            draft.emit(EventType::Warning, "FailedRescale", message);
            draft.set_condition_at(
                time_of_refusal(cx, error),
                "AbleToScale",
                "False",
                "FailedUpdateScale",
                format!(
                    "the HPA controller was unable to update the target scale: {}",
                    error.message
                ),
            );
        }
        ScaleWrite::Accepted => {
            draft.set_condition(
                "AbleToScale",
                "True",
                "SucceededRescale",
                format!("the HPA controller was able to update the target scale to {to}"),
            );
            let message = format!("New size: {to}; reason: {reason}");
            draft.emit(EventType::Normal, "SuccessfulRescale", message);
            store_scale_event(memory, cx.hpa().spec.behavior.as_ref(), *from, *to, cx.now);
            set_scaled_to_zero_condition(cx, draft, zero, *from, *to);
        }
    }
    draft.step(Step::Rescale(rescale));
}

/// From 1.34 on, a conflict is retried four times, 10 to 11 ms apart, before the condition is set.
fn time_of_refusal(cx: &ReconcileContext<'_>, error: &ApiError) -> Timestamp {
    if cx.switches.scale_conflict_retries && error.reason == "Conflict" {
        go_math::after(cx.now, CONFLICT_RETRIES)
    } else {
        cx.now
    }
}

fn set_scaled_to_zero_condition(
    cx: &ReconcileContext<'_>,
    draft: &mut Draft<'_>,
    zero: ZeroScaling,
    current: i32,
    to: i32,
) {
    if !cx.switches.scaled_to_zero_condition {
        return;
    }
    if !cx.switches.scale_to_zero_gate {
        draft.remove_condition("ScaledToZero");
        return;
    }
    let min = cx.hpa().spec.min_replicas();
    let (status, reason, message) =
        if current > 0 && to == 0 && min == 0 && zero.has_metric_without_pods {
            (
                "True",
                "ScaledToZero",
                "the HPA controller scaled the workload to zero",
            )
        } else {
            (
                "False",
                "NotScaledToZero",
                "the HPA controller did not scale the workload to zero",
            )
        };
    draft.set_condition("ScaledToZero", status, reason, message.to_owned());
}

/// Between 40 and 44 ms; the jitter is unknown.
const CONFLICT_RETRIES: SignedDuration = SignedDuration::from_millis(42);
