//! The real state, as the baseline of counterfactuals.

use hpa_engine::model::{Context, Observation};

use crate::Analysis;

/// The real state, as the baseline of counterfactuals.
#[derive(Clone, Copy, Debug)]
pub struct Today<'a> {
    /// What the controller reads.
    pub observation: &'a Observation,
    /// The objects around the HPA.
    pub context: &'a Context,
    /// The analysis of both.
    pub analysis: &'a Analysis,
}
