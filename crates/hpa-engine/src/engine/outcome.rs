//! Builds the outcome: steps, events, conditions, status.

use crate::{
    engine::{context::ReconcileContext, go_format::format_without_arguments, go_math},
    model::{Condition, HpaStatus, MetricStatus},
    trace::{Event, EventType, Outcome, Step},
};

/// The trace and the outcome of one sync under construction.
pub(crate) struct Draft<'a> {
    cx: &'a ReconcileContext<'a>,
    steps: Vec<Step>,
    events: Vec<Event>,
    conditions: Vec<Condition>,
    scale_to: Option<i32>,
}

impl<'a> Draft<'a> {
    /// Starts with the conditions of the previous sync.
    pub(crate) fn new(cx: &'a ReconcileContext<'a>) -> Self {
        Self {
            cx,
            steps: Vec::with_capacity(8),
            events: Vec::new(),
            conditions: cx.hpa().status.conditions.clone(),
            scale_to: None,
        }
    }

    pub(crate) fn step(&mut self, step: Step) {
        self.steps.push(step);
    }

    pub(crate) fn emit(&mut self, event_type: EventType, reason: &'static str, message: String) {
        self.events.push(Event {
            event_type,
            reason,
            message,
        });
    }

    pub(crate) fn scale_to(&mut self, replicas: i32) {
        self.scale_to = Some(replicas);
    }

    /// Sets a condition; its transition time moves only when its status changes. Upstream: `setConditionInList`.
    pub(crate) fn set_condition(
        &mut self,
        condition_type: &str,
        status: &str,
        reason: &str,
        message: String,
    ) {
        self.set_condition_at(self.cx.now, condition_type, status, reason, message);
    }

    /// Like [`Self::set_condition`], for a message that up to 1.31 is used as a format string a second time.
    pub(crate) fn set_formatted_condition(
        &mut self,
        condition_type: &str,
        status: &str,
        reason: &str,
        message: String,
    ) {
        let message = garble(self.cx, message);
        self.set_condition(condition_type, status, reason, message);
    }

    /// Like [`Self::set_condition`], at a given time.
    pub(crate) fn set_condition_at(
        &mut self,
        at: jiff::Timestamp,
        condition_type: &str,
        status: &str,
        reason: &str,
        message: String,
    ) {
        let position = self
            .conditions
            .iter()
            .position(|condition| condition.condition_type == condition_type);
        let index = position.unwrap_or(self.conditions.len());
        if position.is_none() {
            self.conditions.push(Condition {
                condition_type: condition_type.to_owned(),
                ..Condition::default()
            });
        }
        if let Some(condition) = self.conditions.get_mut(index) {
            if condition.status != status {
                status.clone_into(&mut condition.status);
                condition.last_transition_time = Some(go_math::whole_seconds(at));
            }
            reason.clone_into(&mut condition.reason);
            condition.message = message;
        }
    }

    /// Removes a condition.
    pub(crate) fn remove_condition(&mut self, condition_type: &str) {
        self.conditions
            .retain(|condition| condition.condition_type != condition_type);
    }

    /// The outcome of a sync that ends before anything is written.
    pub(crate) fn finish_with_nothing(self) -> (Vec<Step>, Outcome) {
        let outcome = Outcome {
            scale_to: None,
            status: self.cx.hpa().status.clone(),
            events: Vec::new(),
        };
        (self.steps, outcome)
    }

    /// The outcome of a sync that changes only conditions in the status.
    pub(crate) fn finish_with_old_status(self) -> (Vec<Step>, Outcome) {
        let status = self.cx.hpa().status.clone();
        self.finish(status)
    }

    /// The outcome of a sync that writes replicas and metrics. Upstream: `setStatus`.
    pub(crate) fn finish_with_status(
        self,
        current_replicas: i32,
        desired_replicas: i32,
        current_metrics: Vec<MetricStatus>,
        is_rescaled: bool,
    ) -> (Vec<Step>, Outcome) {
        let old = &self.cx.hpa().status;
        let status = HpaStatus {
            observed_generation: if self.cx.switches.observed_generation {
                self.cx.hpa().generation
            } else {
                None
            },
            last_scale_time: if is_rescaled {
                Some(go_math::whole_seconds(self.cx.now))
            } else {
                old.last_scale_time
            },
            current_replicas,
            desired_replicas,
            current_metrics,
            conditions: Vec::new(),
        };
        self.finish(status)
    }

    /// If the new status is semantically equal, or the write is refused, the old status stays byte for byte.
    fn finish(mut self, mut status: HpaStatus) -> (Vec<Step>, Outcome) {
        status.conditions = std::mem::take(&mut self.conditions);
        let old = &self.cx.hpa().status;
        if status == *old {
            status = old.clone();
        } else if let Some(error) = &self.cx.observation.status_write_error {
            status = old.clone();
            self.emit_refused_status(error.message.clone());
        }
        (
            self.steps,
            Outcome {
                scale_to: self.scale_to,
                status,
                events: self.events,
            },
        )
    }

    /// A sync whose metrics fail emits its event after the status write; all other events come before it.
    fn emit_refused_status(&mut self, message: String) {
        let reported_last = self
            .events
            .pop_if(|event| event.reason == "FailedComputeMetricsReplicas");
        self.emit(EventType::Warning, "FailedUpdateStatus", message);
        self.events.extend(reported_last);
    }

    /// The steps of a sync whose outcome is unknown.
    pub(crate) fn into_steps(self) -> Vec<Step> {
        self.steps
    }
}

/// Formats a message that is used as a format string a second time.
pub(crate) fn garble(cx: &ReconcileContext<'_>, message: String) -> String {
    if cx.switches.garbles_percent {
        format_without_arguments(&message)
    } else {
        message
    }
}
