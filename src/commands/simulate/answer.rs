//! A simulation for a program that passes it to a model.

use std::sync::atomic::AtomicUsize;

use hpa_render::simulate as render;
use hpa_simulation::ExpectationReport;
use jiff::tz::TimeZone;

use super::{load, output, play, prepare};
use crate::{cli::SimulateArgs, commands::answer::Answer};

/// Simulates and answers: the result, and which expectations hold.
pub(in crate::commands) fn answer(args: &SimulateArgs) -> anyhow::Result<Answer> {
    let zone = TimeZone::system();
    let (models, expectations) = prepare(args, &zone)?;
    // The server handles the signals.
    let budget = play::budget(args, &models, false)?;
    let counting = (&budget, &AtomicUsize::default());
    let played = play::play_quietly(args, &models, &expectations, &zone, counting)?;
    let report = output::report(args, &models, played, &expectations)?;
    let expectation = |one: &ExpectationReport| {
        let verb = if one.holds { "holds" } else { "does not hold" };
        format!(
            "{} {verb}: in {} of {} runs.",
            one.text, one.holds_in, one.of
        )
    };
    let verdict = hpa_simulation::answer(&report).join(" ");
    let mut sentences = vec![format!("{}: {verdict}", report.hpa)];
    sentences.extend(report.expectations.iter().map(expectation));
    Answer::new(sentences, &render::json(&report))
}

/// Whether a load of `--load` is read from a file.
pub(in crate::commands) fn reads_file(argument: &str) -> bool {
    load::file_of(argument).is_some()
}

/// Whether a load is read from the past.
pub(in crate::commands) fn reads_past(args: &SimulateArgs) -> anyhow::Result<bool> {
    Ok(load::history(args)?.is_some())
}
