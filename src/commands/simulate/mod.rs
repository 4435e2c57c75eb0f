//! `kubectl hpa simulate`: what would happen.
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "a model computes in floats; a length of a year fits into 64 bits"
)]

mod amounts;
#[cfg(feature = "mcp")]
mod answer;
mod budget;
mod load;
mod model;
mod output;
mod page;
mod past;
mod play;
mod start;
mod variant;

use std::sync::atomic::AtomicUsize;

use amounts::amount;
use anyhow::{Context as _, bail};
use clap::Parser as _;
use hpa_playback::Archived;
use hpa_render::{Style, simulate as render, styled::StyledText};
use hpa_simulation::{Expectation, PerPodUnit};
use jiff::tz::TimeZone;

use super::{full_screen::assessed, named_file, terminal};
use crate::{
    cli::{Cli, ColorChoice, Command, SimulateArgs},
    exit_code::ExitStatus,
};
#[cfg(feature = "mcp")]
pub(super) use answer::{answer, reads_file, reads_past};
pub(super) use load::total;
use model::Model;
pub(super) use model::per_pod_unit;
pub(super) use past::{PastInput, PastVariant, STEP, simulate_past};
use start::Start;
use variant::Variant;

/// Runs `kubectl hpa simulate`.
pub(super) fn run(args: &SimulateArgs, color: ColorChoice) -> anyhow::Result<ExitStatus> {
    if let Some(path) = &args.record {
        let loads: Vec<_> = args
            .loads
            .iter()
            .filter_map(|load| load::file_of(load))
            .collect();
        named_file::ensure_not_read("--record", path, args.file.iter().chain(&loads))?;
    }
    let zone = TimeZone::system();
    let (models, expectations) = prepare(args, &zone)?;
    if let Some(at) = args.at {
        let model = &models[variant::index_of_set(args, models.len())];
        return page::print(args, model, at, terminal::style(color), &zone);
    }
    let played = play::play(args, &models, &expectations, &zone)?;
    if let Some(path) = &args.record {
        output::record(path, args, &models)?;
    }
    output::print(args, &models, played, &expectations, color)
}

/// The models to play, and the expectations.
fn prepare(args: &SimulateArgs, zone: &TimeZone) -> anyhow::Result<(Vec<Model>, Vec<Expectation>)> {
    let expectations = args
        .expectations
        .iter()
        .map(|text| Expectation::parse(text, args.length()))
        .collect::<Result<Vec<_>, _>>()?;
    let assignments = variant::requested(args)?;
    if let Some(at) = args.at
        && args.length() <= at
    {
        bail!("--at is after the end of the simulation: use a longer --for");
    }
    let models = models(args, &assignments, zone)?;
    if let Some(expectation) = expectations.iter().find(|one| one.needs_capacity())
        && models.iter().all(|model| !model.has_capacity())
    {
        bail!(
            "{:?} cannot be decided: nothing says how much a pod can do. Give --capacity, such as --capacity 500m",
            expectation.text
        );
    }
    if let Some(model) = models.first() {
        let (metric, unit) = model.first_metric();
        for expectation in &expectations {
            let Some((is_per_pod, written)) = expectation.amount() else {
                continue;
            };
            let unit = if is_per_pod {
                model.per_pod_unit()
            } else {
                PerPodUnit::Value(unit)
            };
            amount(written, &metric, unit)
                .with_context(|| format!("--expect {:?}", expectation.text))?;
        }
    }
    Ok((models, expectations))
}

/// The model of each variant. The data that they were built from is dropped, as it may be large.
fn models(
    args: &SimulateArgs,
    assignments: &[variant::Requested],
    zone: &TimeZone,
) -> anyhow::Result<Vec<Model>> {
    let start = Start::read(args, zone)?;
    let variants = Variant::all(&start, assignments)?;
    let known = Variant::metrics(&variants)?;
    variants
        .iter()
        .map(|variant| {
            Model::build(args, variant, &known).with_context(|| match variant.name.as_str() {
                variant::TODAY => "cannot simulate".to_owned(),
                name => format!("cannot simulate {name}"),
            })
        })
        .collect()
}

/// The next hour of an HPA if its load stays as last observed, as a page.
pub(super) fn ahead(latest: Archived, style: Style, zone: &TimeZone) -> anyhow::Result<StyledText> {
    // Many pods take long, and the user waits.
    let many = 200;
    let seeds = if latest.snapshot.pods.len() < many {
        "8"
    } else {
        "1"
    };
    let arguments = ["kubectl-hpa", "simulate", "--seeds", seeds];
    let Command::Simulate(args) = Cli::try_parse_from(arguments)?.command else {
        bail!("these arguments belong to another command");
    };
    let snapshot = latest.snapshot.clone();
    let start = Start::of_assessment(assessed(latest)?, snapshot);
    let variants = Variant::all(&start, &[])?;
    let models = [Model::build(&args, &variants[0], &[])?];
    // The screen has the terminal and its signals.
    let budget = play::budget(&args, &models, false)?;
    let played = play::play_quietly(
        &args,
        &models,
        &[],
        zone,
        (&budget, &AtomicUsize::default()),
    )?;
    let report = output::report(&args, &models, played, &[])?;
    Ok(render::styled(&report, style, false))
}
