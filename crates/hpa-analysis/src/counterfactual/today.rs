//! The real state, as the baseline of counterfactuals.

use hpa_engine::{
    engine,
    model::{Context, Direction, Observation, ScalingRules},
    trace::Decision,
};

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

impl Today<'_> {
    /// The decision if `behavior` had nothing for `side`: the defaults of the API.
    pub fn without_rules(&self, side: Direction) -> Decision {
        let mut observation = self.observation.clone();
        *observation.hpa.spec.rules_mut(side) = ScalingRules::default();
        let mut memory = self.analysis.memory.clone();
        engine::decide(&observation, &mut memory, self.analysis.trace.at).decision
    }
}
