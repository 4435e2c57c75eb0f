//! The specs that are simulated: today's, and others.

use std::borrow::Cow;

use anyhow::{Context as _, bail};
use hpa_change::{Assignment, SpecChange};
use hpa_engine::model::Shared;
use hpa_objects::recording::{Converted, Snapshot, wire};
use hpa_simulation::{MOST_PODS, Model, ModelOptions, ModelStart};
use hpa_words::amount::count;

use super::{Start, load_file};
use crate::cli::SimulateArgs;

/// The name of the current spec.
pub(super) const TODAY: &str = "today";

/// The most specs of a simulation.
const MOST_SPECS: usize = 100;

/// One spec.
pub(super) struct Variant<'a> {
    /// `today`, or its assignments.
    pub(super) name: String,
    /// The initial state with this spec.
    pub(super) snapshot: Cow<'a, Snapshot>,
    /// Where it was read from.
    pub(super) start: &'a Start,
}

/// The index of the variant for questions about a single spec: that of `--set`, else today's.
pub(super) fn index_of_set(args: &SimulateArgs, variants: usize) -> usize {
    usize::from(!args.assignments.is_empty()).min(variants.saturating_sub(1))
}

/// Assignments and their text.
pub(super) type Requested = (String, Vec<Assignment>);

/// The variants that the arguments request, besides today's spec.
pub(super) fn requested(set: &[Assignment], compare: &[String]) -> anyhow::Result<Vec<Requested>> {
    let mut all = Vec::new();
    if !set.is_empty() {
        let names: Vec<String> = set.iter().map(ToString::to_string).collect();
        all.push((names.join(","), set.to_vec()));
    }
    for text in compare {
        let assignments =
            Assignment::several(text).with_context(|| format!("--compare {text:?}"))?;
        all.push((text.clone(), assignments));
    }
    Ok(all)
}

impl<'a> Variant<'a> {
    /// The model of each variant.
    pub(super) fn models(variants: &[Self], options: &ModelOptions) -> anyhow::Result<Vec<Model>> {
        let known = Self::metrics(variants)?;
        variants
            .iter()
            .map(|variant| variant.model(options, &known))
            .collect()
    }

    /// Its model. `known` are the metrics of all variants.
    pub(super) fn model(&self, options: &ModelOptions, known: &[String]) -> anyhow::Result<Model> {
        let start = self.start;
        let start = ModelStart {
            name: self.name.clone(),
            input: self.snapshot.sync_input(&mut Converted::default())?,
            memory: &start.memory,
            template: start
                .template
                .as_ref()
                .map(wire::Pod::to_model)
                .transpose()?,
            is_running: start.is_running,
            past: &start.past,
            past_startups: &start.past_startups,
            problem: start.problem.clone(),
        };
        Model::build(options, start, known, &load_file::read)
    }

    /// The data of its recording's lines besides the sync.
    pub(super) fn line(&self) -> Snapshot {
        Snapshot {
            pods: Shared::default(),
            pod_metrics: None,
            ..Snapshot::clone(&self.snapshot)
        }
    }

    /// The names of the metrics of all variants, without duplicates.
    pub(super) fn metrics(variants: &[Self]) -> anyhow::Result<Vec<String>> {
        let mut names = Vec::new();
        for variant in variants {
            let (hpa, _) = variant.snapshot.hpa_and_controller()?;
            for metric in &hpa.spec.metrics {
                let name = metric.short_name().to_owned();
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        Ok(names)
    }

    /// Today's spec first, then the others.
    pub(super) fn all(start: &'a Start, requested: &[Requested]) -> anyhow::Result<Vec<Self>> {
        let pods = start.snapshot.pods.len().max(1);
        let most = (10 * MOST_PODS / pods).min(MOST_SPECS);
        if most <= requested.len() {
            bail!(
                "too much to simulate: {} of {}. The most is {most}. Use fewer --compare",
                count(requested.len() + 1, "spec"),
                count(pods, "pod"),
            );
        }
        let mut variants = vec![Self {
            name: TODAY.to_owned(),
            snapshot: Cow::Borrowed(&start.snapshot),
            start,
        }];
        for (name, assignments) in requested {
            let change = SpecChange {
                with: None,
                assignments: assignments.clone(),
            };
            let config = start.snapshot.controller.to_model()?;
            let changed = change.of(&start.snapshot.hpa, &config)?;
            let (mut snapshot, _) = start.snapshot.with_spec(changed.spec);
            // The controller sees the edit immediately, as if it was applied before the start.
            snapshot.hpa.metadata.generation = start.snapshot.hpa.metadata.generation;
            variants.push(Self {
                name: name.clone(),
                snapshot: Cow::Owned(snapshot),
                start,
            });
        }
        Ok(variants)
    }
}
