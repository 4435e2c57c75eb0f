//! Plays all variants with all seeds, on all cores.

use std::{
    io::{self, IsTerminal as _, Write as _},
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, bail};
use hpa_engine::trace::Decision;
use hpa_simulation::{Expectation, Millis, RescaleReport, Run, Sync, simulate};
use jiff::tz::TimeZone;

use super::{
    Model,
    budget::{Budget, Plan, threads},
    page,
};
use crate::{
    cli::SimulateArgs,
    commands::{runtime::runtime, stop::StopSignal},
};

/// The runs of all variants.
pub(super) struct Played {
    /// The runs of each variant, in the order of their seeds. All variants have the same seeds.
    pub(super) runs: Vec<Vec<Run>>,
    /// The first run of each variant in words.
    pub(super) explained: Vec<ExplainedRun>,
    /// Whether it was interrupted.
    pub(super) is_interrupted: bool,
}

/// A run in words.
#[derive(Default)]
pub(super) struct ExplainedRun {
    /// The rescales, each with its reason.
    pub(super) rescales: Vec<RescaleReport>,
    /// Why the HPA cannot scale at the end.
    pub(super) failure: Option<String>,
}

/// Number of points of the course: enough for a wide picture.
const MOST_POINTS: Millis = 480;

/// The interval between points.
pub(super) fn step(length: Millis) -> Millis {
    let steps = [
        5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400,
    ];
    let fits = |step: &&Millis| length / (**step * 1000) <= MOST_POINTS;
    steps.iter().find(fits).copied().unwrap_or(86_400) * 1000
}

/// Plays the variants, with a progress bar on a terminal. Ctrl-C keeps finished runs, if there are any.
pub(super) fn play(
    args: &SimulateArgs,
    models: &[Model],
    expectations: &[Expectation],
    zone: &TimeZone,
) -> anyhow::Result<Played> {
    let budget = budget(args, models, true)?;
    let done = AtomicUsize::new(0);
    let is_over = AtomicBool::new(false);
    let tasks = args.seeds as usize * models.len();
    thread::scope(|scope| {
        scope.spawn(|| watch_signals(&budget, &is_over));
        let bar = scope.spawn(|| show_progress(&done, tasks, &is_over));
        let played = play_quietly(args, models, expectations, zone, (&budget, &done));
        is_over.store(true, Ordering::Relaxed);
        let _ = bar.join();
        played
    })
}

/// What the runs may take. `is_seen`: somebody sees that they work.
pub(super) fn budget(
    args: &SimulateArgs,
    models: &[Model],
    is_seen: bool,
) -> anyhow::Result<Budget> {
    Budget::of(&Plan {
        models,
        runs: args.seeds as usize,
        step: step(args.length()),
        advice: "Use a shorter --for, fewer --seeds or fewer --compare",
        is_seen,
    })
}

/// Like [`play`], without using the terminal and its signals. Counts the runs that are done.
pub(super) fn play_quietly(
    args: &SimulateArgs,
    models: &[Model],
    expectations: &[Expectation],
    zone: &TimeZone,
    (budget, done): (&Budget, &AtomicUsize),
) -> anyhow::Result<Played> {
    let count = args.seeds as usize;
    let tasks = count * models.len();
    let next = AtomicUsize::new(0);
    let finished: Vec<Mutex<Vec<Option<Run>>>> = models
        .iter()
        .map(|_| Mutex::new(vec![None; count]))
        .collect();
    let explained: Vec<Mutex<ExplainedRun>> = models.iter().map(|_| Mutex::default()).collect();
    let step = step(args.length());
    let work = || {
        loop {
            let task = next.fetch_add(1, Ordering::Relaxed);
            if tasks <= task || budget.is_over() {
                return;
            }
            // Seed by seed, so that the finished runs are the same for all variants.
            let (seed, variant) = (task / models.len(), task % models.len());
            let model = &models[variant];
            let mut explained_run = ExplainedRun::default();
            let mut failing = None;
            let mut keep = |sync: Sync<'_>| {
                explained_run.rescales.extend(rescale(&sync, model, zone));
                failing = fails(&sync).then(|| page::subject(&sync, &model.context));
            };
            let on_sync: Option<&mut dyn FnMut(Sync<'_>)> = match seed {
                0 => Some(&mut keep),
                _ => None,
            };
            // Seeds wrap around, so the largest one is valid.
            let number = args.seed.wrapping_add(seed as u64);
            let scenario = &model.scenario;
            let own = budget.for_run(model, seed == 0);
            let guard = |effort| own.admit(effort);
            let run = simulate(scenario, number, step, expectations, on_sync, &guard);
            budget.keep(&run);
            if seed == 0
                && let Ok(mut explained) = explained[variant].lock()
            {
                explained_run.failure = failing.map(|subject| subject.verdict(zone).1.text());
                *explained = explained_run;
            }
            if run.end == args.length()
                && let Ok(mut runs) = finished[variant].lock()
            {
                runs[seed] = Some(run);
            }
            done.fetch_add(1, Ordering::Relaxed);
        }
    };
    let has_failed = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads().min(tasks))
            .map(|_| scope.spawn(work))
            .collect();
        workers.into_iter().any(|worker| worker.join().is_err())
    });
    if has_failed {
        bail!("a run of the simulation failed");
    }
    budget.check()?;
    let mut runs: Vec<Vec<Option<Run>>> = finished
        .into_iter()
        .map(|runs| runs.into_inner().unwrap_or_default())
        .collect();
    let complete = (0..count)
        .take_while(|seed| runs.iter().all(|of| of[*seed].is_some()))
        .count();
    if complete == 0 {
        bail!("interrupted before the first run was done: nothing to show");
    }
    for of in &mut runs {
        of.truncate(complete);
    }
    Ok(Played {
        runs: runs
            .into_iter()
            .map(|of| of.into_iter().flatten().collect())
            .collect(),
        explained: explained
            .into_iter()
            .map(|run| run.into_inner().unwrap_or_default())
            .collect(),
        is_interrupted: complete < count,
    })
}

/// Whether the HPA does not scale because it cannot.
fn fails(sync: &Sync<'_>) -> bool {
    matches!(
        sync.trace.decision,
        Decision::Failed { .. }
            | Decision::Rescale {
                succeeds: false,
                ..
            }
    )
}

/// The rescale of a sync, if it has one.
fn rescale(sync: &Sync<'_>, model: &Model, zone: &TimeZone) -> Option<RescaleReport> {
    let Decision::Rescale {
        from,
        to,
        succeeds: true,
    } = sync.trace.decision
    else {
        return None;
    };
    let (verdict, sentences) = page::subject(sync, &model.context).rescale(zone);
    Some(RescaleReport {
        at: sync.at,
        from,
        to,
        rule: verdict.rule.as_str(),
        sentences,
    })
}

/// Waits for Ctrl-C, or for the end.
fn watch_signals(budget: &Budget, is_over: &AtomicBool) {
    let listen = || -> anyhow::Result<()> {
        runtime()?.block_on(async {
            let mut stop = StopSignal::listen().context("cannot listen for signals")?;
            loop {
                tokio::select! {
                    () = stop.wait() => {
                        budget.stop();
                        break;
                    }
                    () = tokio::time::sleep(Duration::from_millis(20)) => {
                        if is_over.load(Ordering::Relaxed) {
                            break;
                        }
                    }
                }
            }
            stop.let_go();
            Ok(())
        })
    };
    // Without a handler, Ctrl-C ends the process as usual.
    let _ = listen();
}

/// Width of the bar in letters.
const WIDTH: usize = 30;

/// Shows a progress line on a terminal after two seconds.
fn show_progress(done: &AtomicUsize, tasks: usize, is_over: &AtomicBool) {
    if !io::stderr().is_terminal() {
        return;
    }
    let begun = Instant::now();
    let mut is_open = false;
    while !is_over.load(Ordering::Relaxed) {
        if Duration::from_secs(2) <= begun.elapsed() {
            is_open = true;
            let done = done.load(Ordering::Relaxed);
            let filled = done * WIDTH / tasks;
            let bar: String = (0..WIDTH)
                .map(|cell| if cell < filled { '#' } else { '.' })
                .collect();
            let mut err = io::stderr().lock();
            let _ = write!(err, "\r[{bar}] {done} of {tasks} runs ").and_then(|()| err.flush());
        }
        thread::sleep(Duration::from_millis(100));
    }
    if is_open {
        let mut err = io::stderr().lock();
        let _ = write!(err, "\r\x1b[K").and_then(|()| err.flush());
    }
}
