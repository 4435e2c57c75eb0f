//! A simulation for a program that passes it to a model.

use std::sync::atomic::AtomicUsize;

use hpa_render::simulate as render;
use hpa_simulation::{ExpectationReport, LoadFile, history};
use jiff::tz::TimeZone;

use super::{
    output,
    play::{LESS_FOR_AGENTS, LONGEST_CALL, Player, play_quietly},
    prepare,
};
use crate::{cli::SimulateArgs, commands::answer::Answer, process::call::Call};

/// Simulates and answers: the result, and which expectations hold.
pub(crate) fn answer(args: &SimulateArgs) -> anyhow::Result<Answer> {
    let prepared = prepare(args, &TimeZone::system())?;
    let (models, expectations) = (&prepared.models, &prepared.expectations);
    let seeds = args.seeds as usize;
    // The server handles the signals.
    let mut player = Player::of_seeds(seeds, models, false)?;
    player.until = Call::served().map(|call| call.begun() + LONGEST_CALL);
    let counting = (&player, &AtomicUsize::default());
    let played = play_quietly((seeds, args.seed), models, expectations, counting)?;
    let report = output::report_of(args, models, played, expectations)?;
    let expectation = |one: &ExpectationReport| {
        let verb = if one.holds { "holds" } else { "does not hold" };
        format!(
            "{} {verb}: in {} of {} runs.",
            one.text, one.holds_in, one.of
        )
    };
    let verdict = hpa_simulation::answer(&report).join(" ");
    let mut sentences = vec![format!("{}: {verdict}", report.hpa)];
    sentences.extend(report.interrupted_of.map(|of| {
        format!(
            "Only {} of {of} runs were done within {} s, and the numbers are of those. {LESS_FOR_AGENTS} for all of them.",
            report.runs,
            LONGEST_CALL.as_secs()
        )
    }));
    sentences.extend(report.expectations.iter().map(expectation));
    Answer::new(sentences, &render::json(&report))
}

/// Whether a load of `--load` is read from a file.
pub(crate) fn reads_file(argument: &str) -> bool {
    LoadFile::of_argument(argument).is_some()
}

/// Whether a load is read from the past.
pub(crate) fn reads_past(args: &SimulateArgs) -> anyhow::Result<bool> {
    Ok(history(&args.loads)?.is_some())
}
