//! Prints and records the results.

use std::path::Path;

use anyhow::Context as _;
use hpa_objects::{
    output_file::is_stdout,
    recording::{RecordingWriter, Snapshot, Synced, visible},
};
use hpa_render::simulate as render;
use hpa_simulation::{Expectation, Model, Played, SimulationReport, Sync, report, step};
use hpa_words::{program::typed, shell_path};

use super::{
    play::{OneRun, Player},
    variant::index_of_set,
};
use crate::{
    cli::{ColorChoice, SimulateArgs, SimulateFormat},
    exit_code::ExitStatus,
    process::{pager, terminal, workflow::say},
};

/// Prints the report. The exit code says whether all expectations hold.
pub(super) fn print(
    args: &SimulateArgs,
    models: &[Model],
    played: Played,
    expectations: &[Expectation],
    color: ColorChoice,
) -> anyhow::Result<ExitStatus> {
    let report = report_of(args, models, played, expectations)?;
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
    pager::print(&text, args.pager, is_page)?;
    let holds = report.expectations.iter().all(|one| one.holds);
    Ok(if holds {
        ExitStatus::Success
    } else {
        ExitStatus::Findings
    })
}

/// The report.
pub(super) fn report_of(
    args: &SimulateArgs,
    models: &[Model],
    played: Played,
    expectations: &[Expectation],
) -> anyhow::Result<SimulationReport> {
    let about = (index_of_set(args, models.len()), args.length.is_some());
    report(models, played, expectations, about).context("no HPA to simulate")
}

/// Writes the first run of each variant as a recording. `lines` are the variants, without what changes from sync to sync.
pub(super) fn record(
    path: &Path,
    args: &SimulateArgs,
    (models, lines): (&[Model], &[Snapshot]),
) -> anyhow::Result<()> {
    let mut writer = RecordingWriter::create(path)?;
    for (model, line) in models.iter().zip(lines) {
        let mut failed = None;
        let mut is_first = model.is_new;
        let mut write = |sync: Sync<'_>| {
            if failed.is_some() {
                return;
            }
            let line = line.with_sync(
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
        let one = OneRun {
            seed: args.seed,
            step: step(model.scenario.length),
            expectations: &[],
            is_explained: false,
        };
        let player = Player::of_one(model)?;
        player.run(model, &one, Some(&mut write));
        if let Some(error) = failed {
            return Err(error.into());
        }
        player.check()?;
    }
    writer.finish()?;
    if !is_stdout(path) {
        let name = path.display().to_string();
        let word = shell_path(&name);
        say(&format!(
            "saved {name}\nTo read it:\n  {} {word}",
            typed("replay")
        ));
    }
    Ok(())
}
