//! Converts a snapshot to the engine's observation.

use hpa_engine::model::{
    ApiError, ControllerConfig, Hpa, IndexedAnswer, Memory, NotRead, Observation, Reading, Scale,
    Shared, SnapshotField, SyncInput, expect_refusal,
};

use super::{Converted, InvalidField, Within as _, each, pod, wire};
use crate::recording::Snapshot;

impl Snapshot {
    /// Converts to the model. An absent answer counts as an empty list, unless `notRead` names it.
    pub fn observation(&self) -> Result<Observation, InvalidField> {
        self.observation_among(&mut Converted::default())
    }

    /// Everything that the snapshot has of one sync. Adds data that it shares with others to `converted`.
    pub fn sync_input(&self, converted: &mut Converted) -> Result<SyncInput, InvalidField> {
        let mut observation = self.observation_among(converted)?;
        // A recording from the controller itself, or one with a known outcome, leaves nothing to predict.
        if self.outcome.is_none() && self.is_captured() {
            expect_refusal(&mut observation);
        }
        Ok(SyncInput {
            observation,
            context: self.context(),
            memory: self.controller_started.then(Memory::default),
            now: self.time(),
        })
    }

    /// Only the HPA and its controller.
    pub fn hpa_and_controller(&self) -> Result<(Hpa, ControllerConfig), InvalidField> {
        let controller = self.controller.to_model().within("controller")?;
        Ok((self.hpa.to_model().within("hpa")?, controller))
    }

    /// Like [`Snapshot::observation`], for one of many snapshots: shared data is converted once.
    pub fn observation_among(
        &self,
        converted: &mut Converted,
    ) -> Result<Observation, InvalidField> {
        let (hpa, controller) = self.hpa_and_controller()?;
        Ok(Observation {
            controller,
            hpa,
            scale: self.scale_reading()?,
            scale_write_error: self.scale_write_error.clone(),
            status_write_error: self.status_write_error.clone(),
            pods: if self.pods.is_empty()
                && let Some(not_read) = self.not_read_of(&SnapshotField::Pods)
            {
                Reading::NotRead(not_read)
            } else {
                Reading::Read(converted.pods.of(&self.pods, pod::all)?)
            },
            pod_metrics: match &self.pod_metrics {
                Some(wire::Answer {
                    error: Some(error), ..
                }) => Reading::Failed(error.clone()),
                Some(wire::Answer { items, error: None }) => {
                    let usages = converted
                        .usages
                        .of(items, |items| each(items, "items", |item| item.to_model()));
                    Reading::Read(usages.within("podMetrics")?)
                }
                None => self
                    .not_read_of(&SnapshotField::PodMetrics)
                    .map_or(Reading::Read(Shared::default()), Reading::NotRead),
            },
            custom_metrics: self.indexed(
                &self.custom_metrics,
                ("customMetrics", SnapshotField::CustomMetrics),
                wire::MetricValue::to_model,
            )?,
            external_metrics: self.indexed(
                &self.external_metrics,
                ("externalMetrics", SnapshotField::ExternalMetrics),
                wire::ExternalMetricValue::to_model,
            )?,
            other_hpas: self.other_hpas.clone(),
        })
    }

    fn scale_reading(&self) -> Result<Reading<Scale>, InvalidField> {
        if let Some(error) = &self.scale_error {
            return Ok(Reading::Failed(error.clone()));
        }
        if let Some(scale) = &self.scale {
            return Ok(Reading::Read(scale.to_model()));
        }
        self.not_read_of(&SnapshotField::Scale)
            .map(Reading::NotRead)
            .ok_or_else(|| {
                InvalidField::here(
                    "missing field (wanted: scale, scaleError, or an entry of notRead that says why there is neither)",
                )
            })
            .within("scale")
    }

    fn indexed<T, U>(
        &self,
        answers: &[wire::IndexedAnswer<T>],
        (field, what): (&str, fn(Option<usize>) -> SnapshotField),
        convert: impl Fn(&T) -> Result<U, InvalidField>,
    ) -> Result<Vec<IndexedAnswer<U>>, InvalidField> {
        let mut indexed = each(answers, field, |answer| {
            Ok(IndexedAnswer {
                index: answer.index,
                answer: reading(&answer.items, answer.error.as_ref(), &convert)?,
            })
        })?;
        for index in 0..self.hpa.spec.metrics.len() {
            if answers.iter().all(|answer| answer.index != index)
                && let Some(not_read) = self.not_read_of(&what(Some(index)))
            {
                indexed.push(IndexedAnswer {
                    index,
                    answer: Reading::NotRead(not_read),
                });
            }
        }
        Ok(indexed)
    }

    fn not_read_of(&self, what: &SnapshotField) -> Option<NotRead> {
        self.not_read
            .iter()
            .find(|not_read| not_read.what == *what)
            .cloned()
    }
}

fn reading<T, U>(
    items: &[T],
    error: Option<&ApiError>,
    convert: impl Fn(&T) -> Result<U, InvalidField>,
) -> Result<Reading<Shared<U>>, InvalidField> {
    match error {
        Some(error) => Ok(Reading::Failed(error.clone())),
        None => Ok(Reading::Read(each(items, "items", convert)?.into())),
    }
}

impl wire::Scale {
    fn to_model(&self) -> Scale {
        Scale {
            spec_replicas: self.spec.replicas,
            status_replicas: self.status.replicas,
            selector: self.status.selector.clone(),
        }
    }
}
