//! Plays all variants with all seeds, on all cores.

use std::{
    num::NonZero,
    ops::ControlFlow,
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use anyhow::bail;
use hpa_simulation::{
    Budget, Effort, Expectation, ExplainedRun, Millis, Model, Plan, Played, Run, Sync, simulate,
    step,
};

use super::progress::{show_progress, watch_signals};
use crate::{
    cli::SimulateArgs,
    process::call::{CANCELLED, Call},
};

/// What runs may take, and who can cancel them.
pub(super) struct Player {
    pub(super) budget: Budget,
    call: Option<Call>,
    /// When the runs that are done must suffice.
    pub(super) until: Option<Instant>,
}

/// One run.
pub(super) struct OneRun<'a> {
    /// The seed of its random numbers.
    pub(super) seed: u64,
    /// The interval between its points.
    pub(super) step: Millis,
    /// What is expected of it.
    pub(super) expectations: &'a [Expectation],
    /// Whether its rescales are kept with their reasons.
    pub(super) is_explained: bool,
}

impl Player {
    /// A player of `runs` of each model with an interval of `step` between points. It is an error if they are certain to
    /// be too much; `advice` says what to do then. `is_seen`: somebody sees that they work.
    pub(super) fn new(
        models: &[Model],
        (runs, step): (usize, Millis),
        advice: &'static str,
        is_seen: bool,
    ) -> anyhow::Result<Self> {
        let call = Call::served();
        let budget = Budget::of(&Plan {
            models,
            runs,
            step,
            advice,
            is_seen: is_seen && call.is_none(),
            threads: threads(),
        })?;
        Ok(Self {
            budget,
            call,
            until: None,
        })
    }

    /// A player of the seeds in the arguments.
    pub(super) fn of_seeds(seeds: usize, models: &[Model], is_seen: bool) -> anyhow::Result<Self> {
        let length = models.first().map_or(0, |model| model.scenario.length);
        let advice = if Call::served().is_some() {
            LESS_FOR_AGENTS
        } else {
            "Use a shorter --for, fewer --seeds or fewer --compare"
        };
        Self::new(models, (seeds, step(length)), advice, is_seen)
    }

    /// A player of a single run, of which only the syncs matter.
    pub(super) fn of_one(model: &Model) -> anyhow::Result<Self> {
        let models = std::slice::from_ref(model);
        Self::new(models, (1, Millis::MAX), "Use a shorter time", true)
    }

    /// One run. It ends early if it is cancelled or needs too much, which [`Self::check`] reports.
    pub(super) fn run(
        &self,
        model: &Model,
        one: &OneRun<'_>,
        on_sync: Option<&mut dyn FnMut(Sync<'_>)>,
    ) -> Run {
        let own = self.budget.for_run(model, one.is_explained);
        let guard = |effort: Effort| {
            if self.is_over() {
                return ControlFlow::Break(());
            }
            own.admit(effort)
        };
        let run = simulate(
            &model.scenario,
            one.seed,
            one.step,
            one.expectations,
            on_sync,
            &guard,
        );
        self.budget.keep(&run);
        run
    }

    /// Does the same for `seeds` of all models, seed by seed, so that what is finished is the same for all of them. The
    /// results of each model are in the order of the seeds, and fewer if it was stopped.
    pub(super) fn on_all_cores<T: Send>(
        &self,
        models: &[Model],
        seeds: usize,
        of: impl Fn(&Model, usize) -> T + std::marker::Sync,
    ) -> anyhow::Result<Vec<Vec<T>>> {
        let tasks = models.len() * seeds;
        let next = AtomicUsize::new(0);
        let done: Mutex<Vec<(usize, T)>> = Mutex::default();
        let work = || {
            loop {
                let task = next.fetch_add(1, Ordering::Relaxed);
                if tasks <= task || self.is_over() {
                    return;
                }
                let one = of(&models[task % models.len()], task / models.len());
                if let Ok(mut done) = done.lock() {
                    done.push((task, one));
                }
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
        self.check()?;
        let mut done = done.into_inner().unwrap_or_default();
        done.sort_by_key(|(task, _)| *task);
        let mut by_model: Vec<Vec<T>> = models.iter().map(|_| Vec::new()).collect();
        for (task, one) in done {
            by_model[task % models.len()].push(one);
        }
        Ok(by_model)
    }

    /// It is an error if a run needed too much, or if the call was cancelled.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        self.budget.check()?;
        if self.is_cancelled() {
            bail!(CANCELLED);
        }
        Ok(())
    }

    /// Says to the client of a call how many runs are done.
    fn note(&self, done: usize, of: usize) {
        if let Some(call) = &self.call {
            call.note(format!("{done} of {of} runs"));
        }
    }

    fn is_over(&self) -> bool {
        self.budget.is_over() || self.is_cancelled() || self.is_late()
    }

    fn is_late(&self) -> bool {
        self.until.is_some_and(|until| until <= Instant::now())
    }

    fn is_cancelled(&self) -> bool {
        self.call.as_ref().is_some_and(Call::is_cancelled)
    }
}

/// Plays the variants, with a progress bar on a terminal. Ctrl-C keeps finished runs, if there are any.
pub(super) fn play(
    args: &SimulateArgs,
    models: &[Model],
    expectations: &[Expectation],
) -> anyhow::Result<Played> {
    let seeds = args.seeds as usize;
    let player = Player::of_seeds(seeds, models, true)?;
    let done = AtomicUsize::new(0);
    let is_over = AtomicBool::new(false);
    let tasks = seeds * models.len();
    thread::scope(|scope| {
        scope.spawn(|| watch_signals(&player.budget, &is_over));
        let bar = scope.spawn(|| show_progress(&done, tasks, &is_over));
        let played = play_quietly((seeds, args.seed), models, expectations, (&player, &done));
        is_over.store(true, Ordering::Relaxed);
        let _ = bar.join();
        played
    })
}

/// Like [`play`], without using the terminal and its signals: so many seeds, and the first one. Counts the runs that are
/// done.
pub(super) fn play_quietly(
    (count, first): (usize, u64),
    models: &[Model],
    expectations: &[Expectation],
    (player, done): (&Player, &AtomicUsize),
) -> anyhow::Result<Played> {
    player.note(0, count * models.len());
    let played = player.on_all_cores(models, count, |model, seed| {
        let mut explained = ExplainedRun::default();
        let mut keep = |sync: Sync<'_>| explained.take(&sync, &model.context);
        let one = OneRun {
            // Seeds wrap around, so the largest one is valid.
            seed: first.wrapping_add(seed as u64),
            step: step(model.scenario.length),
            expectations,
            is_explained: seed == 0,
        };
        let on_sync: Option<&mut dyn FnMut(Sync<'_>)> = match seed {
            0 => Some(&mut keep),
            _ => None,
        };
        let run = player.run(model, &one, on_sync);
        let done = 1 + done.fetch_add(1, Ordering::Relaxed);
        player.note(done, count * models.len());
        (run, explained)
    })?;
    let is_whole =
        |(model, (run, _)): (&Model, &(Run, ExplainedRun))| run.end == model.scenario.length;
    let whole = models.iter().zip(&played).map(|(model, runs)| {
        let whole = runs.iter().take_while(|one| is_whole((model, one)));
        whole.count()
    });
    let whole = whole.min().unwrap_or(0);
    if whole == 0 && player.is_late() {
        bail!(
            "not one run of each spec was done within {} s, and many clients wait only a little longer. {LESS_FOR_AGENTS}",
            LONGEST_CALL.as_secs()
        );
    }
    if whole == 0 {
        bail!("interrupted before the first run was done: nothing to show");
    }
    let mut all = Played {
        runs: Vec::new(),
        explained: Vec::new(),
        interrupted_of: (whole < count).then_some(count),
    };
    for of_model in played {
        let (runs, explained): (Vec<_>, Vec<_>) = of_model.into_iter().take(whole).unzip();
        all.runs.push(runs);
        all.explained.extend(explained.into_iter().next());
    }
    Ok(all)
}

/// How long a client waits for a simulation: many give up after a minute.
pub(super) const LONGEST_CALL: Duration = Duration::from_secs(45);

/// How an agent asks for less.
pub(super) const LESS_FOR_AGENTS: &str = "Use a shorter for, fewer seeds or fewer compare";

/// Threads that simulate.
fn threads() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}
