//! One decision of a simulation, explained.

use hpa_playback::{ExplainSubject, SubjectOrigin};
use hpa_render::Style;
use hpa_simulation::{Millis, Model, Sync, start_of, step, sync_input};
use jiff::tz::TimeZone;

use super::play::{OneRun, Player};
use crate::{
    cli::{ExplainFormat, SimulateArgs, SimulateFormat},
    commands::explain::print_page,
    exit_code::ExitStatus,
};

/// Prints the page of the last sync up to `at`, of the first run.
pub(super) fn print(
    args: &SimulateArgs,
    mut model: Model,
    at: Millis,
    style: Style,
    zone: &TimeZone,
) -> anyhow::Result<ExitStatus> {
    let player = Player::of_one(&model)?;
    // One period more: the first sync may come late in it.
    let period = model.scenario.observation.sync_period().value.as_millis() as Millis;
    model.scenario.length = at.max(period) + 1000;
    let mut found = None;
    let mut keep = |sync: Sync<'_>| {
        if sync.at <= at || found.is_none() {
            found = Some((sync_input(&sync, &model.context), start_of(&sync)));
        }
    };
    let one = OneRun {
        seed: args.seed,
        step: step(model.scenario.length),
        expectations: &[],
        is_explained: false,
    };
    player.run(&model, &one, Some(&mut keep));
    player.check()?;
    let Some((input, start)) = found else {
        anyhow::bail!("no sync up to then: use a later --at");
    };
    let subject = ExplainSubject {
        input,
        outcome: None,
        changed_from: None,
        origin: SubjectOrigin::Simulated(start),
        afterwards: None,
    };
    let format = match args.output {
        SimulateFormat::Text => ExplainFormat::Text,
        SimulateFormat::Wide => ExplainFormat::Wide,
        SimulateFormat::Json => ExplainFormat::Json,
        SimulateFormat::Html => ExplainFormat::Html,
        SimulateFormat::Csv => anyhow::bail!("--at explains one decision: -o csv has the course"),
    };
    print_page(subject, &format, args.pager, style, zone)
}
