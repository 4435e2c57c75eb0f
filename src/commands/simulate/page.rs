//! One decision of a simulation, explained.

use hpa_engine::model::{Context, SnapshotField, SyncInput};
use hpa_objects::recording::ready_replicas;
use hpa_render::Style;
use hpa_simulation::{Millis, Sync, simulate};
use jiff::{SignedDuration, tz::TimeZone};

use super::{Model, budget::Budget, play::step};
use crate::{
    cli::{ExplainFormat, SimulateArgs, SimulateFormat},
    commands::explain::{ExplainSubject, Origin, print_page},
    exit_code::ExitStatus,
};

/// A sync of a simulation as the subject of a page.
pub(super) fn subject(sync: &Sync<'_>, context: &Context) -> ExplainSubject {
    let mut context = context.clone();
    if let Some(target) = &mut context.target {
        target.ready_replicas = ready_replicas(sync.observation);
        target.updated_replicas = None;
    }
    // What was observed at the start is from another time.
    context.hpa_status_written = None;
    context.leader_since = None;
    context.surroundings.downstream.failed_creates.clear();
    let is_simulated = |what: &SnapshotField| what.decides() || *what == SnapshotField::Time;
    context
        .not_read
        .retain(|not_read| !is_simulated(&not_read.what));
    ExplainSubject {
        input: SyncInput {
            observation: sync.observation.clone(),
            context,
            memory: Some(sync.memory.clone()),
            now: sync.now,
        },
        outcome: None,
        changed_from: None,
        origin: Origin::Simulated(sync.now - SignedDuration::from_millis(sync.at)),
        afterwards: None,
    }
}

/// Prints the page of the last sync up to `at`, of the first run.
pub(super) fn print(
    args: &SimulateArgs,
    model: &Model,
    at: Millis,
    style: Style,
    zone: &TimeZone,
) -> anyhow::Result<ExitStatus> {
    let budget = Budget::of_one(model)?;
    let own = budget.for_run(model, false);
    let mut scenario = model.scenario.clone();
    // One period more: the first sync may come late in it.
    let period = scenario.observation.sync_period().value.as_millis() as Millis;
    scenario.length = at.max(period) + 1000;
    let mut found = None;
    let mut keep = |sync: Sync<'_>| {
        if sync.at <= at || found.is_none() {
            found = Some(subject(&sync, &model.context));
        }
    };
    simulate(
        &scenario,
        args.seed,
        step(scenario.length),
        &[],
        Some(&mut keep),
        &|effort| own.admit(effort),
    );
    budget.check()?;
    let Some(subject) = found else {
        anyhow::bail!("no sync up to then: use a later --at");
    };
    let format = match args.output {
        SimulateFormat::Text => ExplainFormat::Text,
        SimulateFormat::Wide => ExplainFormat::Wide,
        SimulateFormat::Json => ExplainFormat::Json,
        SimulateFormat::Html => ExplainFormat::Html,
        SimulateFormat::Csv => anyhow::bail!("--at explains one decision: -o csv has the course"),
    };
    print_page(subject, &format, args.pager.no_pager, style, zone)
}
