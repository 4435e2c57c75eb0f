//! Items of the three metrics APIs.

use hpa_engine::model::{
    ContainerUsage, ExternalMetricValue, MetricValue, PodMetrics, go_duration,
};
use jiff::SignedDuration;

use super::{InvalidField, Within as _, each, quantity, resources, wire};

impl wire::PodMetrics {
    /// Converts to the model.
    pub fn to_model(&self) -> Result<PodMetrics, InvalidField> {
        Ok(PodMetrics {
            name: self.metadata.name.clone(),
            labels: Some(self.metadata.labels.clone()).filter(|labels| !labels.is_empty()),
            timestamp: self.timestamp,
            window: match &self.window {
                Some(text) => go_duration::parse(text)
                    .map_err(InvalidField::here)
                    .within("window")?,
                None => SignedDuration::ZERO,
            },
            containers: each(&self.containers, "containers", |container| {
                Ok(ContainerUsage {
                    name: container.name.clone(),
                    usage: resources(&container.usage, "usage")?,
                })
            })?,
        })
    }
}

impl wire::MetricValue {
    /// Converts to the model.
    pub fn to_model(&self) -> Result<MetricValue, InvalidField> {
        Ok(MetricValue {
            object: self.described_object.name.clone(),
            timestamp: self.timestamp,
            window_seconds: self.window_seconds,
            value: quantity(&self.value).within("value")?,
        })
    }
}

impl wire::ExternalMetricValue {
    /// Converts to the model.
    pub fn to_model(&self) -> Result<ExternalMetricValue, InvalidField> {
        Ok(ExternalMetricValue {
            labels: self
                .metric_labels
                .iter()
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect(),
            timestamp: self.timestamp,
            value: quantity(&self.value).within("value")?,
        })
    }
}
