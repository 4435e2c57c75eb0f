//! The HPA's status, in both directions.

use hpa_engine::model::HpaStatus;

use super::{InvalidField, each, wire};

impl wire::HpaStatus {
    /// Converts to the model.
    pub fn to_model(&self) -> Result<HpaStatus, InvalidField> {
        Ok(HpaStatus {
            observed_generation: self.observed_generation,
            last_scale_time: self.last_scale_time,
            current_replicas: self.current_replicas,
            desired_replicas: self.desired_replicas,
            current_metrics: each(
                &self.current_metrics,
                "currentMetrics",
                wire::MetricStatus::to_model,
            )?,
            conditions: self.conditions.clone(),
        })
    }
}

impl From<&HpaStatus> for wire::HpaStatus {
    fn from(status: &HpaStatus) -> Self {
        Self {
            observed_generation: status.observed_generation,
            last_scale_time: status.last_scale_time,
            current_replicas: status.current_replicas,
            desired_replicas: status.desired_replicas,
            current_metrics: status.current_metrics.iter().map(Into::into).collect(),
            conditions: status.conditions.clone(),
        }
    }
}
