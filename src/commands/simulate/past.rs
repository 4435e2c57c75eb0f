//! The past of `history`, simulated with today's spec and with others.

use std::{
    collections::BTreeMap,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use anyhow::bail;
use clap::Parser as _;
use hpa_change::Assignment;
use hpa_engine::model::{Input, Memory};
use hpa_objects::recording::Snapshot;
use hpa_simulation::{Load, Millis, Run, Startup, Summary, simulate};
use jiff::Timestamp;

use super::{
    Model, Start, Variant,
    budget::{Budget, Plan, threads},
    variant,
};
use crate::cli::{Cli, Command};

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
    /// The flags of the controller.
    pub(in crate::commands) controller: crate::cli::ControllerArgs,
}

/// The runs of one spec.
pub(in crate::commands) struct PastVariant {
    /// `today`, or its assignments.
    pub(in crate::commands) name: String,
    /// `maxReplicas`.
    pub(in crate::commands) max: i32,
    /// When they start.
    pub(in crate::commands) start: Timestamp,
    /// How long new pods take.
    pub(in crate::commands) startup: Startup,
    /// A summary of all runs.
    pub(in crate::commands) summary: Summary,
    /// The value per pod above which the summary counts seconds.
    pub(in crate::commands) above: f64,
    /// The runs, with different random numbers.
    pub(in crate::commands) runs: Vec<Run>,
}

/// Number of runs of each spec.
const SEEDS: usize = 8;

/// Interval between points of a run.
pub(in crate::commands) const STEP: Millis = 15_000;

/// Runs all specs, today's first.
pub(in crate::commands) fn simulate_past(past: PastInput) -> anyhow::Result<Vec<PastVariant>> {
    let Command::Simulate(mut args) = Cli::try_parse_from(["kubectl-hpa", "simulate"])?.command
    else {
        bail!("these arguments belong to another command");
    };
    args.length = Some(past.length);
    args.assignments = past.assignments;
    args.variants = past.variants;
    args.controller = past.controller;
    let requested = variant::requested(&args)?;
    let start = Start {
        snapshot: past.snapshot,
        memory: Input::inferred(past.memory),
        template: None,
        is_running: true,
        past: past.loads,
        past_startups: past.startups,
    };
    let variants = Variant::all(&start, &requested)?;
    let known = Variant::metrics(&variants)?;
    let models = variants
        .iter()
        .map(|variant| Model::build(&args, variant, &known))
        .collect::<anyhow::Result<Vec<_>>>()?;
    let budget = Budget::of(&Plan {
        models: &models,
        runs: SEEDS,
        step: STEP,
        advice: "Use a shorter time, or fewer --compare",
        is_seen: true,
    })?;
    let tasks = models.len() * SEEDS;
    let next = AtomicUsize::new(0);
    let runs: Vec<Mutex<Vec<Run>>> = models.iter().map(|_| Mutex::default()).collect();
    let work = || {
        loop {
            let task = next.fetch_add(1, Ordering::Relaxed);
            if tasks <= task || budget.is_over() {
                return;
            }
            let (variant, seed) = (task % models.len(), task / models.len());
            let scenario = &models[variant].scenario;
            let own = budget.for_run(&models[variant], false);
            let guard = |effort| own.admit(effort);
            let run = simulate(scenario, 1 + seed as u64, STEP, &[], None, &guard);
            budget.keep(&run);
            if let Ok(mut runs) = runs[variant].lock() {
                runs.push(run);
            }
        }
    };
    let has_failed = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads().min(tasks))
            .map(|_| scope.spawn(work))
            .collect();
        workers.into_iter().any(|worker| worker.join().is_err())
    });
    if has_failed {
        bail!("a run of the simulation failed");
    }
    budget.check()?;
    Ok(models
        .iter()
        .zip(runs)
        .map(|(model, runs)| {
            let mut runs = runs.into_inner().unwrap_or_default();
            runs.sort_by_key(|run| run.seed);
            PastVariant {
                name: model.name.clone(),
                max: model.scenario.observation.hpa.spec.max_replicas,
                start: model.scenario.start,
                startup: model.scenario.pods.startup.clone(),
                summary: Summary::of(&runs),
                above: model.scenario.measured().above,
                runs,
            }
        })
        .collect())
}
