//! `kubectl hpa simulate`: what would happen.
#![expect(
    clippy::cast_possible_truncation,
    reason = "a model computes in floats; a length of a year fits into 64 bits"
)]

#[cfg(feature = "mcp")]
mod answer;
mod load_file;
mod output;
mod page;
mod past;
mod play;
mod progress;
mod start;
mod variant;

use std::sync::atomic::AtomicUsize;

use anyhow::{Context as _, bail};
use hpa_objects::recording::Snapshot;
use hpa_playback::Archived;
use hpa_render::{Style, simulate as render, styled::StyledText};
use hpa_simulation::{Expectation, LoadFile, Model, ModelOptions, PerPodUnit, amount, report};
use jiff::tz::TimeZone;

use crate::{
    cli::{ColorChoice, SimulateArgs},
    commands::full_screen::assessed,
    commands::named_file,
    exit_code::ExitStatus,
    process::terminal,
};
#[cfg(feature = "mcp")]
pub(crate) use answer::{answer, reads_file, reads_past};
pub(super) use past::{PastInput, simulate_past};
use start::Start;
use variant::Variant;

/// Runs `kubectl hpa simulate`.
pub(crate) fn run(args: &SimulateArgs, color: ColorChoice) -> anyhow::Result<ExitStatus> {
    if let Some(path) = &args.record {
        let loads: Vec<_> = args
            .loads
            .iter()
            .filter_map(|load| Some(LoadFile::of_argument(load)?.path().to_owned()))
            .collect();
        named_file::ensure_not_read("--record", path, args.file.iter().chain(&loads))?;
    }
    let zone = TimeZone::system();
    let Prepared {
        mut models,
        lines,
        expectations,
    } = prepare(args, &zone)?;
    if let Some(at) = args.at {
        let model = models.swap_remove(variant::index_of_set(args, models.len()));
        return page::print(args, model, at, terminal::style(color), &zone);
    }
    let played = play::play(args, &models, &expectations)?;
    if let Some(path) = &args.record {
        output::record(path, args, (&models, &lines))?;
    }
    output::print(args, &models, played, &expectations, color)
}

/// What is played.
struct Prepared {
    /// The model of each variant.
    models: Vec<Model>,
    /// The variants as lines of a recording, if one is written.
    lines: Vec<Snapshot>,
    expectations: Vec<Expectation>,
}

/// The models to play, and the expectations.
fn prepare(args: &SimulateArgs, zone: &TimeZone) -> anyhow::Result<Prepared> {
    let expectations = args
        .expectations
        .iter()
        .map(|text| Expectation::parse(text, args.length()))
        .collect::<Result<Vec<_>, _>>()?;
    let assignments = variant::requested(&args.assignments, &args.variants)?;
    if let Some(at) = args.at
        && args.length() <= at
    {
        bail!("--at is after the end of the simulation: use a longer --for");
    }
    // The data that the models are built from is dropped, as it may be large.
    let start = Start::read(args, zone)?;
    let variants = Variant::all(&start, &assignments)?;
    let (options, known) = (options(args), Variant::metrics(&variants)?);
    let model = |variant: &Variant<'_>| {
        let model = variant.model(&options, &known);
        model.with_context(|| match variant.name.as_str() {
            variant::TODAY => "cannot simulate".to_owned(),
            name => format!("cannot simulate {name}"),
        })
    };
    let models = variants
        .iter()
        .map(model)
        .collect::<anyhow::Result<Vec<_>>>()?;
    let lines = args
        .record
        .iter()
        .flat_map(|_| variants.iter().map(Variant::line));
    let lines = lines.collect();
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
    Ok(Prepared {
        models,
        lines,
        expectations,
    })
}

/// What is given of the simulation besides the HPA.
fn options(args: &SimulateArgs) -> ModelOptions {
    ModelOptions {
        length: args.length(),
        loads: args.loads.clone(),
        start: args.start.clone(),
        nodes: args.nodes.clone(),
        capacity: args.capacity,
        base: args.base.clone(),
        start_cpu: args.start_cpu.clone(),
        uneven: args.uneven,
        is_queued: args.queue,
        service_rate: args.service_rate.clone(),
        metrics_resolution: args.metrics_resolution,
        kubelet_interval: args.kubelet_interval,
        events: args.events.clone(),
        above: args.above.clone(),
    }
}

/// The next hour of an HPA if its load stays as last observed, as a page.
pub(crate) fn ahead(latest: Archived, style: Style) -> anyhow::Result<StyledText> {
    // Many pods take long, and the user waits.
    let many = 200;
    let seeds = if latest.snapshot.pods.len() < many {
        8
    } else {
        1
    };
    let snapshot = latest.snapshot.clone();
    let start = Start::of_assessment(assessed(latest)?, snapshot);
    let variants = Variant::all(&start, &[])?;
    let models = Variant::models(&variants, &ModelOptions::default())?;
    // The screen has the terminal and its signals.
    let player = play::Player::of_seeds(seeds, &models, false)?;
    let counting = (&player, &AtomicUsize::default());
    let played = play::play_quietly((seeds, 1), &models, &[], counting)?;
    let report = report(&models, played, &[], (0, false)).context("no HPA to simulate")?;
    Ok(render::styled(&report, style, false))
}
