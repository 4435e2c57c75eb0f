//! The past of `history`, simulated with today's spec and with others.

use std::collections::BTreeMap;

use hpa_change::Assignment;
use hpa_engine::model::{Input, Memory};
use hpa_history::STEP;
use hpa_objects::recording::Snapshot;
use hpa_simulation::{Load, Millis, ModelOptions, PastVariant};

use super::{
    Start, Variant,
    play::{OneRun, Player},
    variant,
};

/// What is simulated.
pub(in crate::commands) struct PastInput {
    /// The HPA at its start.
    pub(in crate::commands) snapshot: Snapshot,
    /// The controller's history at that time.
    pub(in crate::commands) memory: Memory,
    /// The load of each metric.
    pub(in crate::commands) loads: BTreeMap<String, Load>,
    /// How long pods took from creation to ready.
    pub(in crate::commands) startups: Vec<Millis>,
    /// Its length.
    pub(in crate::commands) length: Millis,
    /// `--set`.
    pub(in crate::commands) assignments: Vec<Assignment>,
    /// `--compare`.
    pub(in crate::commands) variants: Vec<String>,
}

/// Number of runs of each spec.
const SEEDS: usize = 8;

/// Runs all specs, today's first.
pub(in crate::commands) fn simulate_past(past: PastInput) -> anyhow::Result<Vec<PastVariant>> {
    let requested = variant::requested(&past.assignments, &past.variants)?;
    let start = Start {
        snapshot: past.snapshot,
        memory: Input::inferred(past.memory),
        template: None,
        is_running: true,
        past: past.loads,
        past_startups: past.startups,
        problem: None,
    };
    let options = ModelOptions {
        length: past.length,
        ..ModelOptions::default()
    };
    let variants = Variant::all(&start, &requested)?;
    let models = Variant::models(&variants, &options)?;
    let advice = "Use a shorter time, or fewer --compare";
    let player = Player::new(&models, (SEEDS, STEP), advice, true)?;
    let runs = player.on_all_cores(&models, SEEDS, |model, seed| {
        let one = OneRun {
            seed: 1 + seed as u64,
            step: STEP,
            expectations: &[],
            is_explained: false,
        };
        player.run(model, &one, None)
    })?;
    let variants = models.iter().zip(runs);
    Ok(variants
        .map(|(model, runs)| PastVariant::new(model, runs))
        .collect())
}
