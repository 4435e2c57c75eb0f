//! What is printed, and what is recorded.

use std::path::Path;

use jiff::tz::TimeZone;

use super::{
    Model, Variant, page,
    play::{Played, step},
    variant::asked_for,
};
use crate::{
    cli::{ColorChoice, SimulateArgs, SimulateFormat},
    commands::{pager, terminal, workflow::say},
    exit_code::ExitStatus,
    model::{MetricSpec, MetricTarget, Provenance},
    recording::{RecordingWriter, Synced, is_stdout, visible},
    render::simulate::{
        self as render, ExpectationReport, PerPodUnit, RescaleReport, SimulationReport,
        VariantReport,
    },
    simulation::{Expectation, Summary, Sync, simulate},
    trace::Decision,
};

/// Prints the report. The exit code says whether all expectations hold.
pub(super) fn print(
    args: &SimulateArgs,
    variants: &[Variant<'_>],
    models: &[Model],
    played: &Played,
    expectations: &[Expectation],
    color: ColorChoice,
    zone: &TimeZone,
) -> anyhow::Result<ExitStatus> {
    let report = report(args, variants, models, played, expectations, zone)?;
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
    pager::print(&text, !is_page)?;
    let holds = report.expectations.iter().all(|one| one.holds);
    Ok(if holds {
        ExitStatus::Success
    } else {
        ExitStatus::Findings
    })
}

pub(super) fn report(
    args: &SimulateArgs,
    variants: &[Variant<'_>],
    models: &[Model],
    played: &Played,
    expectations: &[Expectation],
    zone: &TimeZone,
) -> anyhow::Result<SimulationReport> {
    let Some(first) = models.first() else {
        anyhow::bail!("no HPA to simulate");
    };
    let observation = &first.scenario.observation;
    let expected = asked_for(args, models.len());
    let runs = &played.runs[expected];
    let expectation = |(index, expectation): (usize, &Expectation)| {
        let holds_in = runs.iter().filter(|run| run.expectations[index]).count();
        let of = runs.len();
        ExpectationReport {
            text: expectation.text.clone(),
            variant: variants[expected].name.clone(),
            holds_in,
            of,
            holds: expectation.share * of as f64 <= holds_in as f64 + 1e-9,
        }
    };
    Ok(SimulationReport {
        hpa: observation.hpa.key(),
        target: observation.hpa.spec.scale_target.to_string(),
        version: observation.controller.version.value.to_string(),
        start: first.scenario.start,
        length: args.length,
        runs: played.runs[0].len(),
        interrupted_of: played.is_interrupted.then_some(args.seeds as usize),
        variants: (0..models.len())
            .map(|index| {
                variant(
                    args,
                    &variants[index],
                    &models[index],
                    &played.runs[index],
                    zone,
                )
            })
            .collect(),
        assumptions: first.assumptions.clone(),
        not_modeled: first.not_modeled.clone(),
        expectations: expectations.iter().enumerate().map(expectation).collect(),
    })
}

fn variant(
    args: &SimulateArgs,
    variant: &Variant<'_>,
    model: &Model,
    runs: &[crate::simulation::Run],
    zone: &TimeZone,
) -> VariantReport {
    let scenario = &model.scenario;
    let spec = &scenario.observation.hpa.spec;
    let (metric, load_unit) = model.first_metric();
    let unit = model.per_pod_unit();
    let measured = scenario.measured();
    let is_percent = unit == PerPodUnit::PercentOfRequest;
    VariantReport {
        name: variant.name.clone(),
        bounds: (spec.min_replicas(), spec.max_replicas),
        unit,
        metric,
        load_unit,
        goal: spec.metrics.first().and_then(|metric| goal(metric)),
        most_per_pod: measured.most_per_pod.filter(|_| is_percent),
        above: measured.above,
        summary: Summary::of(runs),
        rescales: rescales(args, model, zone),
        runs: runs.to_vec(),
    }
}

/// The target of a metric, in the unit of the value per pod.
fn goal(metric: &MetricSpec) -> Option<f64> {
    let target: &MetricTarget = match metric {
        MetricSpec::Resource(source) => &source.metric_target,
        MetricSpec::ContainerResource(source) => &source.metric_target,
        MetricSpec::Pods(source) | MetricSpec::External(source) => &source.metric_target,
        MetricSpec::Object(source) => &source.metric_target,
        MetricSpec::Unknown { .. } => return None,
    };
    let value = target.average_value.as_ref().or(target.value.as_ref());
    target
        .average_utilization
        .map(f64::from)
        .or_else(|| value.map(|value| value.approximate_f64()))
}

/// The rescales of the first run, each with its reason: it is played once more.
fn rescales(args: &SimulateArgs, model: &Model, zone: &TimeZone) -> Vec<RescaleReport> {
    let mut rescales = Vec::new();
    let mut keep = |sync: Sync<'_>| {
        if let Decision::Rescale {
            from,
            to,
            succeeds: true,
        } = sync.trace.decision
        {
            let verdict = page::verdict(&sync, &model.context, zone);
            rescales.push(RescaleReport {
                at: sync.at,
                from,
                to,
                rule: verdict.rule.as_str(),
                sentences: verdict.sentences,
            });
        }
    };
    let step = step(args.length);
    simulate(
        &model.scenario,
        args.seed,
        step,
        &[],
        Some(&mut keep),
        &|| false,
    );
    rescales
}

/// Writes the first run of each variant as a recording.
pub(super) fn record(
    path: &Path,
    args: &SimulateArgs,
    variants: &[Variant<'_>],
    models: &[Model],
) -> anyhow::Result<()> {
    let mut writer = RecordingWriter::create(path)?;
    for (variant, model) in variants.iter().zip(models) {
        let mut failed = None;
        let is_new = variant.start.memory.provenance == Provenance::Assumed;
        let mut is_first = true;
        let mut write = |sync: Sync<'_>| {
            if failed.is_some() {
                return;
            }
            let line = variant.snapshot.with_sync(
                &variant.name,
                &Synced {
                    observation: sync.observation,
                    outcome: sync.trace.outcome.as_ref(),
                    now: sync.now,
                    controller_started: sync.is_first || (is_first && is_new),
                },
            );
            is_first = false;
            failed = writer.write(&line).err();
        };
        simulate(
            &model.scenario,
            args.seed,
            step(args.length),
            &[],
            Some(&mut write),
            &|| false,
        );
        if let Some(error) = failed {
            return Err(error.into());
        }
    }
    writer.finish()?;
    if !is_stdout(path) {
        let path = path.display();
        say(&format!(
            "saved {path}\nTo read it:\n  kubectl hpa replay {path}"
        ));
    }
    Ok(())
}
