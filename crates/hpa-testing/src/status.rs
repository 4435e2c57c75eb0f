//! The status of the HPA, and its Events.

use hpa_engine::model::{Condition, HpaStatus, KubeEvent, MetricStatus, MetricValueStatus};

use crate::{World, at, quantity};

impl World {
    /// A condition that the status has had for an hour.
    pub fn condition(self, condition_type: &str, status: &str, reason: &str) -> Self {
        self.condition_since(condition_type, status, reason, "-1h")
    }

    /// A condition that the status has had since this time.
    pub(crate) fn condition_since(
        mut self,
        condition_type: &str,
        status: &str,
        reason: &str,
        time: &str,
    ) -> Self {
        self.observation.hpa.status.conditions.push(Condition {
            condition_type: condition_type.to_owned(),
            status: status.to_owned(),
            last_transition_time: Some(at(time)),
            reason: reason.to_owned(),
            message: String::new(),
        });
        self
    }

    /// The status of the last sync: replicas before and after, percent of cpu, reasons of AbleToScale and ScalingLimited.
    pub fn status(
        mut self,
        current: i32,
        desired: i32,
        cpu: i32,
        able: &str,
        limited: &str,
    ) -> Self {
        self.observation.hpa.status = HpaStatus {
            current_replicas: current,
            desired_replicas: desired,
            current_metrics: vec![MetricStatus::Resource {
                name: "cpu".to_owned(),
                current: MetricValueStatus {
                    average_utilization: Some(cpu),
                    average_value: Some(quantity(&format!("{cpu}m"))),
                    value: None,
                },
            }],
            ..HpaStatus::default()
        };
        let is_limited = if limited == "DesiredWithinRange" {
            "False"
        } else {
            "True"
        };
        self.condition_since("AbleToScale", "True", able, "01:00:15")
            .condition_since("ScalingActive", "True", "ValidMetricFound", "01:00:15")
            .condition_since("ScalingLimited", is_limited, limited, "01:00:15")
    }

    /// `ScalingActive` is False since then.
    pub fn failing_since(mut self, time: &str) -> Self {
        self.observation.hpa.status.conditions.clear();
        self.condition_since("AbleToScale", "True", "SucceededGetScale", time)
            .condition_since("ScalingActive", "False", "FailedGetResourceMetric", time)
    }

    /// An Event `SuccessfulRescale`.
    pub fn rescaled(mut self, time: &str, size: i32, reason: &str) -> Self {
        self.context.events.push(KubeEvent {
            event_type: "Normal".to_owned(),
            reason: "SuccessfulRescale".to_owned(),
            message: format!("New size: {size}; reason: {reason}"),
            count: 1,
            first: Some(at(time)),
            last: Some(at(time)),
        });
        self
    }
}
