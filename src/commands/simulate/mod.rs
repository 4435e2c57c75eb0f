//! `kubectl hpa simulate`: what would happen.

mod load;
mod model;
mod output;
mod page;
mod play;
mod start;
mod variant;

use anyhow::{Context as _, bail};
use jiff::tz::TimeZone;

use super::terminal;
use crate::{
    cli::{ColorChoice, SimulateArgs},
    exit_code::ExitStatus,
    simulation::Expectation,
};
use model::Model;
use start::Start;
use variant::Variant;

/// Runs `kubectl hpa simulate`.
pub(super) fn run(args: &SimulateArgs, color: ColorChoice) -> anyhow::Result<ExitStatus> {
    let zone = TimeZone::system();
    let expectations = args
        .expectations
        .iter()
        .map(|text| Expectation::parse(text, args.length))
        .collect::<Result<Vec<_>, _>>()?;
    let assignments = variant::requested(args)?;
    if let Some(at) = args.at
        && args.length <= at
    {
        bail!("--at lies behind the end of the simulation: use a longer --for");
    }
    let start = Start::read(args, &zone)?;
    let variants = Variant::all(&start, &assignments)?;
    let models = variants
        .iter()
        .map(|variant| {
            Model::build(args, variant).with_context(|| match variant.name.as_str() {
                variant::TODAY => "cannot simulate".to_owned(),
                name => format!("cannot simulate {name}"),
            })
        })
        .collect::<anyhow::Result<Vec<_>>>()?;
    if let Some(expectation) = expectations.iter().find(|one| one.needs_capacity())
        && models.iter().all(|model| !model.has_capacity())
    {
        bail!(
            "{:?} cannot be decided: nothing says how much a pod can do. Give --capacity, such as --capacity 500m",
            expectation.text
        );
    }
    if let Some(at) = args.at {
        return page::print(args, &variants, &models, at, terminal::style(color), &zone);
    }
    let played = play::play(args, &models, &expectations)?;
    if let Some(path) = &args.record {
        output::record(path, args, &variants, &models)?;
    }
    output::print(
        args,
        &variants,
        &models,
        &played,
        &expectations,
        color,
        &zone,
    )
}
