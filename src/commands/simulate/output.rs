//! Prints and records the results.

use std::path::Path;

use hpa_objects::{
    output_file::is_stdout,
    recording::{RecordingWriter, Synced, visible},
};
use hpa_render::simulate as render;
use hpa_simulation::{
    Expectation, ExpectationReport, PerPodUnit, Run, SimulationReport, Summary, Sync,
    VariantReport, simulate,
};
use hpa_words::shell_path;

use super::{
    Model,
    budget::Budget,
    play::{ExplainedRun, Played, step},
    variant::index_of_set,
};
use crate::{
    cli::{ColorChoice, SimulateArgs, SimulateFormat},
    commands::{pager, terminal, workflow::say},
    exit_code::ExitStatus,
};

/// Prints the report. The exit code says whether all expectations hold.
pub(super) fn print(
    args: &SimulateArgs,
    models: &[Model],
    played: Played,
    expectations: &[Expectation],
    color: ColorChoice,
) -> anyhow::Result<ExitStatus> {
    let report = report(args, models, played, expectations)?;
    let text = match args.output {
        SimulateFormat::Text | SimulateFormat::Wide => render::text(
            &report,
            terminal::style(color),
            args.output == SimulateFormat::Wide,
        ),
        SimulateFormat::Json => visible::json_pretty(&render::json(&report))?,
        SimulateFormat::Csv => render::csv(&report),
        SimulateFormat::Html => render::document(&report),
    };
    let is_page = matches!(args.output, SimulateFormat::Text | SimulateFormat::Wide);
    pager::print(&text, args.pager.no_pager || !is_page)?;
    let holds = report.expectations.iter().all(|one| one.holds);
    Ok(if holds {
        ExitStatus::Success
    } else {
        ExitStatus::Findings
    })
}

pub(super) fn report(
    args: &SimulateArgs,
    models: &[Model],
    played: Played,
    expectations: &[Expectation],
) -> anyhow::Result<SimulationReport> {
    let Some(first) = models.first() else {
        anyhow::bail!("no HPA to simulate");
    };
    let observation = &first.scenario.observation;
    let expected = index_of_set(args, models.len());
    let runs = &played.runs[expected];
    let expectation = |(index, expectation): (usize, &Expectation)| {
        let holds_in = runs.iter().filter(|run| run.expectations[index]).count();
        let of = runs.len();
        ExpectationReport {
            text: expectation.text.clone(),
            variant: models[expected].name.clone(),
            holds_in,
            of,
            holds: expectation.share * of as f64 <= holds_in as f64 + 1e-9,
        }
    };
    let expectations = expectations.iter().enumerate().map(expectation).collect();
    let loads = first.scenario.demands.iter();
    let longest_load = loads.map(|demand| demand.load.length()).max();
    // With --for it is meant.
    let cut_load = longest_load.filter(|load| args.length.is_none() && args.length() < *load);
    let count = played.runs[0].len();
    let is_interrupted = played.is_interrupted;
    let played = played.runs.into_iter().zip(played.explained);
    Ok(SimulationReport {
        hpa: observation.hpa.key(),
        target: observation.hpa.spec.scale_target.to_string(),
        version: observation.controller.version.value.to_string(),
        start: first.scenario.start,
        length: args.length(),
        cut_load,
        runs: count,
        interrupted_of: is_interrupted.then_some(args.seeds as usize),
        events: first.scenario.events.clone(),
        variants: models
            .iter()
            .zip(played)
            .map(|(model, (runs, explained))| variant(model, runs, explained))
            .collect(),
        assumptions: first.assumptions.clone(),
        not_modeled: first.not_modeled.clone(),
        expectations,
    })
}

fn variant(model: &Model, runs: Vec<Run>, explained: ExplainedRun) -> VariantReport {
    let scenario = &model.scenario;
    let spec = &scenario.observation.hpa.spec;
    let (metric, load_unit) = model.first_metric();
    let unit = model.per_pod_unit();
    let measured = scenario.measured();
    let is_percent = unit == PerPodUnit::PercentOfRequest;
    VariantReport {
        name: model.name.clone(),
        bounds: (spec.min_replicas(), spec.max_replicas),
        unit,
        metric,
        load_unit,
        goal: measured.goal,
        tolerated: measured.tolerated,
        most_per_pod: measured.most_per_pod.filter(|_| is_percent),
        above: measured.above,
        summary: Summary::of(&runs),
        failure: explained.failure,
        rescales: explained.rescales,
        runs,
    }
}

/// Writes the first run of each variant as a recording.
pub(super) fn record(path: &Path, args: &SimulateArgs, models: &[Model]) -> anyhow::Result<()> {
    let mut writer = RecordingWriter::create(path)?;
    for model in models {
        let mut failed = None;
        let mut is_first = model.is_new;
        let mut write = |sync: Sync<'_>| {
            if failed.is_some() {
                return;
            }
            let line = model.line.with_sync(
                &model.name,
                &Synced {
                    observation: sync.observation,
                    outcome: sync.trace.outcome.as_ref(),
                    now: sync.now,
                    controller_started: sync.is_first || is_first,
                },
            );
            is_first = false;
            failed = writer.write(&line).err();
        };
        let step = step(args.length());
        let budget = Budget::of_one(model)?;
        let own = budget.for_run(model, false);
        simulate(
            &model.scenario,
            args.seed,
            step,
            &[],
            Some(&mut write),
            &|effort| own.admit(effort),
        );
        if let Some(error) = failed {
            return Err(error.into());
        }
        budget.check()?;
    }
    writer.finish()?;
    if !is_stdout(path) {
        let name = path.display().to_string();
        let word = shell_path(&name);
        say(&format!(
            "saved {name}\nTo read it:\n  kubectl hpa replay {word}"
        ));
    }
    Ok(())
}
