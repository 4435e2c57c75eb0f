//! What a simulation may take: pods, memory and time are checked before it starts, as far as they are known, and while
//! it runs, because the HPA may grow.

use std::{
    cell::RefCell,
    mem::size_of,
    ops::ControlFlow,
    sync::{
        Mutex, MutexGuard, OnceLock,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

use crate::{Effort, Event, Millis, Point, Run, Scenario, SimulatedRescale, TimedEvent};
use anyhow::{anyhow, bail};
use hpa_words::amount::count;

use crate::model::Model;

/// Most pods of one run: more than any HPA has, and about 60 MB.
pub const MOST_PODS: usize = 20_000;

/// Pods of all runs at the same time. A run with more than its share of them goes alone.
const MOST_PODS_AT_ONCE: usize = 40_000;

/// Bytes that a pod takes, with its metrics and its place in the decision.
const POD: u64 = 4_000;

/// Bytes of results that are kept: the points and rescales of all runs.
const MOST_KEPT: u64 = 1 << 30;

/// Bytes of a rescale with its reason in words.
const REASON: u64 = 1_000;

/// Seconds that the work may take on one core, by the estimate.
const MOST_SECONDS: u64 = 3_600;

/// The same where nobody sees that it works: for an agent, and on a full screen.
const MOST_SECONDS_UNSEEN: u64 = 60;

/// Units of [`Effort::work`] in a second.
const UNITS: u64 = 1_000_000_000;

/// What several runs of several specs may take together.
pub struct Budget {
    most_seconds: u64,
    spent: AtomicU64,
    kept: AtomicU64,
    /// Pods that a run may have while others run.
    share: usize,
    /// Held by the only run that has more.
    alone: Mutex<()>,
    advice: &'static str,
    is_stopped: AtomicBool,
    excess: OnceLock<String>,
}

/// What is simulated, and for whom.
pub struct Plan<'a> {
    /// The specs.
    pub models: &'a [Model],
    /// Runs of each spec.
    pub runs: usize,
    /// Interval between the points that are kept.
    pub step: Millis,
    /// What to do if it is too much.
    pub advice: &'static str,
    /// Whether somebody sees that it works, and can stop it.
    pub is_seen: bool,
    /// Threads that simulate.
    pub threads: usize,
}

impl Budget {
    /// The budget of a plan. It is an error if the plan is certain to exceed it.
    pub fn of(plan: &Plan<'_>) -> anyhow::Result<Self> {
        let most_seconds = if plan.is_seen {
            MOST_SECONDS
        } else {
            MOST_SECONDS_UNSEEN
        };
        let (mut work, mut pods, mut kept) = (0_u64, 0, 0_u64);
        let runs = plan.runs as u64;
        for model in plan.models {
            let scenario = &model.scenario;
            let certain = scenario.certain_pods();
            if MOST_PODS < certain {
                bail!(too_many(scenario, certain));
            }
            pods = pods.max(certain);
            work = work.saturating_add(scenario.work(certain).saturating_mul(runs));
            let points = (scenario.length / plan.step.max(1000) + 1).cast_unsigned();
            kept = kept.saturating_add(points.saturating_mul(runs).saturating_mul(POINT));
        }
        let threads = plan
            .threads
            .min(plan.runs.saturating_mul(plan.models.len()).max(1));
        let budget = Self {
            most_seconds,
            spent: AtomicU64::default(),
            kept: AtomicU64::default(),
            share: MOST_PODS_AT_ONCE / threads,
            alone: Mutex::default(),
            advice: plan.advice,
            is_stopped: AtomicBool::default(),
            excess: OnceLock::default(),
        };
        let seconds = work / UNITS;
        if most_seconds < seconds || MOST_KEPT < kept {
            let held = (threads.saturating_mul(pods) as u64).saturating_mul(POD);
            bail!(
                "too much to simulate: {} of {} over {}, with at least {}, would take up to {} of one core and {} of memory. The most is {} and {}. {}",
                count(plan.runs, "run"),
                count(plan.models.len(), "spec"),
                plan.models
                    .iter()
                    .map(|model| duration(model.scenario.length.unsigned_abs() / 1000))
                    .next()
                    .unwrap_or_default(),
                count(pods, "pod"),
                duration(seconds),
                size(held.saturating_add(kept)),
                duration(most_seconds),
                size(MOST_KEPT),
                plan.advice,
            );
        }
        Ok(budget)
    }

    /// Ends all runs, as somebody wishes.
    pub fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Whether runs should end, for whatever reason.
    pub fn is_over(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed) || self.excess.get().is_some()
    }

    /// The part of one run of a spec. `is_explained`: its rescales are kept with their reasons.
    pub fn for_run<'a>(&'a self, model: &'a Model, is_explained: bool) -> RunBudget<'a> {
        RunBudget {
            budget: self,
            name: &model.name,
            rescale: if is_explained { REASON } else { RESCALE },
            alone: RefCell::default(),
        }
    }

    /// Counts what is kept of a finished run.
    pub fn keep(&self, run: &Run) {
        let bytes = run.points.len() as u64 * POINT + run.rescales.len() as u64 * RESCALE;
        self.kept.fetch_add(bytes, Ordering::Relaxed);
    }

    /// It is an error if a run needed more.
    pub fn check(&self) -> anyhow::Result<()> {
        match self.excess.get() {
            Some(excess) => bail!("{excess}"),
            None => Ok(()),
        }
    }

    fn exceed(&self, why: String) -> ControlFlow<()> {
        // The first reason is reported.
        let _ = self.excess.set(why);
        ControlFlow::Break(())
    }
}

/// The part of a budget for one run.
pub struct RunBudget<'a> {
    budget: &'a Budget,
    name: &'a str,
    /// Bytes of each rescale.
    rescale: u64,
    /// Whether it is the run that goes alone.
    alone: RefCell<Option<MutexGuard<'a, ()>>>,
}

impl RunBudget<'_> {
    /// Whether the run may go on. A run with many pods waits until no other one has as many.
    pub fn admit(&self, effort: Effort) -> ControlFlow<()> {
        let budget = self.budget;
        if budget.is_over() {
            return ControlFlow::Break(());
        }
        if MOST_PODS < effort.pods {
            return budget.exceed(format!(
                "{}: at {} it would have {} pods, and a simulation can have at most {MOST_PODS}. Use a smaller load, or a lower maxReplicas",
                self.name,
                clock(effort.at),
                effort.pods
            ));
        }
        if budget.share < effort.pods && self.alone.borrow().is_none() {
            self.alone.replace(budget.alone.lock().ok());
        }
        let spent = effort.work + budget.spent.fetch_add(effort.work, Ordering::Relaxed);
        if budget.most_seconds < spent / UNITS {
            return budget.exceed(format!(
                "too much to simulate: {} of one core are used up. At {} of a run, {} has {}. {}",
                duration(budget.most_seconds),
                clock(effort.at),
                self.name,
                count(effort.pods, "pod"),
                budget.advice
            ));
        }
        let kept = effort.rescales as u64 * self.rescale + budget.kept.load(Ordering::Relaxed);
        if MOST_KEPT < kept {
            return budget.exceed(format!(
                "too much to simulate: the results take more than {}. {} has {} so far. {}",
                size(MOST_KEPT),
                self.name,
                count(effort.rescales, "rescale"),
                budget.advice
            ));
        }
        ControlFlow::Continue(())
    }
}

/// Why a scenario has too many pods from the start.
fn too_many(scenario: &Scenario, pods: usize) -> anyhow::Error {
    let is_event = |event: &TimedEvent| matches!(event.event, Event::Scale(count) if usize::try_from(count).is_ok_and(|count| count == pods));
    let is = |count: i32| usize::try_from(count).is_ok_and(|count| count == pods);
    let scale = scenario.observation.scale.read();
    let why = if scale.is_some_and(|scale| is(scale.spec_replicas)) {
        format!("the target has {pods} replicas")
    } else if is(scenario.observation.hpa.spec.min_replicas()) {
        format!("minReplicas is {pods}")
    } else if scenario.events.iter().any(is_event) {
        format!("an event scales to {pods} replicas")
    } else {
        format!("it has {pods} pods")
    };
    too_many_because(&why)
}

/// The error of too many pods.
pub(crate) fn too_many_because(why: &str) -> anyhow::Error {
    anyhow!(
        "{why}, and a simulation can have at most {MOST_PODS} pods. Use a smaller number. For an HPA of a cluster, change it in a file, and give that with -f"
    )
}

/// Bytes of a point.
const POINT: u64 = size_of::<Point>() as u64;

/// Bytes of a rescale.
const RESCALE: u64 = size_of::<SimulatedRescale>() as u64;

fn duration(seconds: u64) -> String {
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7_200 => format!("{} min", seconds.div_ceil(60)),
        _ => format!("{} h", seconds.div_ceil(3_600)),
    }
}

fn size(bytes: u64) -> String {
    format!("{} MB", bytes.div_ceil(1_000_000))
}

fn clock(at: Millis) -> String {
    format!("{}:{:02}", at / 60_000, at / 1000 % 60)
}
