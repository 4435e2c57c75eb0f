//! The inputs that every part of a sync shares.

use jiff::Timestamp;

use crate::{
    engine::go_math::FloatConversion,
    model::{
        ControllerConfig, Hpa, Observation, Pod, Switches, label_selector::Wording,
        quantity::Overflow,
    },
};

/// The inputs that every part of a sync shares; constant during the sync.
#[derive(Clone, Copy)]
pub(crate) struct ReconcileContext<'a> {
    pub(crate) observation: &'a Observation,
    pub(crate) switches: &'a Switches,
    pub(crate) float: FloatConversion,
    pub(crate) overflow: Overflow,
    pub(crate) wording: Wording,
    pub(crate) now: Timestamp,
}

impl<'a> ReconcileContext<'a> {
    pub(crate) fn new(
        observation: &'a Observation,
        switches: &'a Switches,
        now: Timestamp,
    ) -> Self {
        Self {
            observation,
            switches,
            float: FloatConversion::of(&observation.controller, switches.ceilings_saturate),
            overflow: switches.overflow(),
            wording: Wording::of(observation.controller.version.value),
            now,
        }
    }

    pub(crate) fn hpa(&self) -> &'a Hpa {
        &self.observation.hpa
    }

    pub(crate) fn controller(&self) -> &'a ControllerConfig {
        &self.observation.controller
    }
}

/// The pods that the selector of the scale matches.
#[derive(Clone, Debug)]
pub(crate) struct SelectedPods<'a> {
    /// All pods that were read.
    pub(crate) all: &'a [Pod],
    /// Indices in `all` of the pods that match.
    pub(crate) indices: Vec<usize>,
}

impl<'a> SelectedPods<'a> {
    /// The pods with their indices, in the order of the observation.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, &'a Pod)> + '_ {
        self.indices
            .iter()
            .filter_map(|&index| Some((index, self.all.get(index)?)))
    }
}
