//! A possible input of a sync.

use std::rc::Rc;

use hpa_engine::model::Observation;

use crate::{sample_age::Sample, series::Millis, usage::CountersOfPods};

/// A possible input of a sync.
pub(crate) struct Case<'a> {
    pub(crate) observation: Observation,
    /// The samples of its pods, without their values.
    pub(crate) samples: Vec<Sample>,
    pub(crate) counters: CountersOfPods<'a>,
    /// How long before metrics-server may have read the kubelet, if that matters.
    pub(crate) read_ages: Vec<Millis>,
}

impl Case<'_> {
    /// The same samples with another observation.
    pub(crate) fn with(&self, observation: Observation) -> Self {
        Self {
            observation,
            samples: self.samples.clone(),
            counters: Rc::clone(&self.counters),
            read_ages: Vec::new(),
        }
    }
}
