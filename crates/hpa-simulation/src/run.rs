//! One run. The clock advances by seconds; readings, scrapes and syncs have exact times within a second.

use std::{collections::BTreeSet, mem, ops::ControlFlow};

use hpa_engine::{
    engine::decide,
    model::{Memory, Observation, Pod, Reading, Scale, Shared},
    trace::{Decision, Trace},
};
use jiff::{SignedDuration, Timestamp};

use crate::{
    Effort, Event, Expectation, Guard, Millis, Point, Run, Scenario, SimulatedRescale,
    chance::Chance,
    expectation::Watched,
    measure::Measure,
    observe::{Scraped, Strangers, scrape},
    pods::{Failure, Listed, PodFactory, SimulatedPod, Stage},
    scenario::WARM_UP,
    summary::Tally,
    usage::{Backlogs, load_at, pass_second},
    workload::Target,
};

/// The shortest and the longest length of a sync. The next sync comes one period after the end of the previous one. So
/// in a window of 300 s, syncs are never exactly 20 times 15 s apart, and the recommendation from 20 syncs ago has left
/// the window. Upstream: `processNextWorkItem`.
pub const SYNC_LENGTH: (Millis, Millis) = (5, 45);

/// How long a starting controller fills its caches before it syncs.
const STARTING: Millis = 1_000;

/// One sync of the controller.
pub struct Sync<'a> {
    /// What it reads.
    pub observation: &'a Observation,
    /// What the controller remembers before it.
    pub memory: &'a Memory,
    /// What it decides.
    pub trace: &'a Trace,
    /// Its time since the start.
    pub at: Millis,
    /// The controller's clock.
    pub now: Timestamp,
    /// Whether the controller has just started.
    pub is_first: bool,
}

/// Runs a scenario with a seed. `step` is the distance between points. `on_sync` receives every sync. `guard` can end the
/// run early.
pub fn simulate(
    scenario: &Scenario,
    seed: u64,
    step: Millis,
    expectations: &[Expectation],
    on_sync: Option<&mut dyn FnMut(Sync<'_>)>,
    guard: &Guard<'_>,
) -> Run {
    World::new(scenario, seed, expectations).play(step, on_sync, guard)
}

#[expect(
    clippy::struct_excessive_bools,
    reason = "each says of another thing that it is to be done"
)]
struct World<'a> {
    scenario: &'a Scenario,
    seed: u64,
    chance: Chance,
    syncs: Chance,
    factory: PodFactory<'a>,
    pods: Vec<SimulatedPod>,
    /// Pods of other owners; they never change.
    others: Vec<Pod>,
    strangers: Strangers,
    target: Target,
    room: Option<u32>,
    backlogs: Backlogs,
    scraped: Scraped,
    observation: Observation,
    memory: Memory,
    is_first: bool,
    failing_until: Millis,
    desired: i32,
    next_sync: Millis,
    next_scrape: Millis,
    next_change: Millis,
    /// Pods or `spec.replicas` have changed since the target's controllers last ran.
    is_due: bool,
    /// Pods have changed since the controller's list of them was built.
    is_list_old: bool,
    /// Whether that list has been built.
    is_list_made: bool,
    rescales: Vec<SimulatedRescale>,
    tally: Tally,
    watched: Vec<Watched<'a>>,
    measure: Measure,
    /// The work since the last report to the guard.
    work: u64,
}

impl<'a> World<'a> {
    fn new(scenario: &'a Scenario, seed: u64, expectations: &'a [Expectation]) -> Self {
        let mut phases = Chance::new(seed, 1);
        let period = period(&scenario.observation);
        let next_sync = phases.between(0, period - 1);
        let next_scrape = phases.between(0, scenario.pipeline.resolution - 1) - WARM_UP;
        let mut factory = PodFactory::new(scenario, seed);
        let found = scenario.observation.pods.read();
        let found = found.map_or(&[][..], |pods| pods.as_slice());
        let own = scenario.own.iter().enumerate();
        let pods: Vec<SimulatedPod> = own
            .filter_map(|(position, index)| {
                Some(factory.existing(position, *index, found.get(*index)?))
            })
            .collect();
        let own: BTreeSet<usize> = scenario.own.iter().copied().collect();
        let is_other = |(index, _): &(usize, &Pod)| !own.contains(index);
        let others = found
            .iter()
            .enumerate()
            .filter(is_other)
            .map(|(_, pod)| pod.clone())
            .collect();
        let replicas = scenario
            .observation
            .scale
            .read()
            .map_or(0, |scale| scale.spec_replicas);
        let with_node = pods.iter().filter(|pod| pod.has_node()).count() as u32;
        let measure = Measure::new(scenario);
        Self {
            scenario,
            seed,
            chance: Chance::new(seed, 2),
            syncs: Chance::new(seed, 3),
            factory,
            strangers: Strangers::new(&scenario.observation, &pods),
            others,
            target: Target {
                replicas,
                revision: 0,
                workload: scenario.workload,
                most: scenario.pods.most,
            },
            room: scenario.pods.nodes.map(|nodes| nodes.room.max(with_node)),
            backlogs: Backlogs::new(scenario),
            scraped: Scraped::default(),
            observation: scenario.observation.clone(),
            memory: scenario.memory.clone(),
            is_first: false,
            failing_until: Millis::MIN,
            desired: replicas,
            next_sync,
            next_scrape,
            next_change: 0,
            is_due: true,
            is_list_old: true,
            is_list_made: false,
            rescales: Vec::new(),
            tally: Tally::new(measure.above, measure.limit(scenario)),
            watched: expectations.iter().map(Watched::new).collect(),
            measure,
            work: 0,
            pods,
        }
    }

    fn play(
        mut self,
        step: Millis,
        mut on_sync: Option<&mut dyn FnMut(Sync<'_>)>,
        guard: &Guard<'_>,
    ) -> Run {
        let length = self.scenario.length;
        let step = step.max(1000);
        let mut points = Vec::with_capacity((length / step + 2) as usize);
        let mut events = self.scenario.events.iter().peekable();
        let mut now = -WARM_UP;
        while now < length {
            self.work += self.scenario.of_second(self.pods.len() + self.others.len());
            if self.report(now, 0, guard).is_break() {
                break;
            }
            if 0 <= now {
                while let Some(event) = events.next_if(|event| event.at <= now) {
                    self.happen(event.event, now);
                }
                if self.move_pods(now, guard).is_break() {
                    break;
                }
            }
            let served = pass_second(
                self.scenario,
                &mut self.pods,
                &mut self.backlogs,
                now,
                &mut self.chance,
            );
            if 0 <= now {
                let point = self.point(now, served);
                self.tally.take(&point, served);
                for watched in &mut self.watched {
                    watched.take(&point);
                }
                if now % step == 0 {
                    points.push(point);
                }
            }
            let end = now + 1000;
            while self.next_scrape.min(self.next_sync) < end {
                if self.next_scrape <= self.next_sync {
                    let at = self.next_scrape;
                    self.work += self.scenario.of_scrape(self.pods.len() + self.others.len());
                    scrape(
                        self.scenario,
                        &mut self.pods,
                        &self.strangers,
                        &self.backlogs,
                        at,
                        &mut self.scraped,
                    );
                    self.next_scrape += self.scenario.pipeline.resolution.max(1000);
                } else {
                    let at = self.next_sync;
                    self.work += self.scenario.of_sync(self.pods.len() + self.others.len());
                    match &mut on_sync {
                        Some(on_sync) => self.sync(at, Some(&mut **on_sync)),
                        None => self.sync(at, None),
                    }
                    let (shortest, longest) = SYNC_LENGTH;
                    let length = self.syncs.between(shortest, longest);
                    self.next_sync += length + period(&self.observation);
                }
            }
            now = end;
        }
        let summary = self.tally.finish(&self.rescales, now.max(0));
        Run {
            seed: self.seed,
            points,
            expectations: self
                .watched
                .iter()
                .map(|watched| watched.holds(&summary, length <= now))
                .collect(),
            rescales: self.rescales,
            summary,
            end: now.clamp(0, length),
        }
    }

    fn happen(&mut self, event: Event, now: Millis) {
        let start = self.scenario.start;
        let mut serving = self.pods.iter_mut().filter(|pod| pod.serves());
        match event {
            Event::Kill(count) => serving
                .take(count as usize)
                .for_each(|pod| pod.delete(now, start)),
            Event::Crash(count, length) | Event::Unready(count, length) => {
                let failure = Failure {
                    is_crash: matches!(event, Event::Crash(..)),
                    until: length.map(|length| now + length),
                };
                serving
                    .by_ref()
                    .take(count as usize)
                    .for_each(|pod| pod.fail(failure, now, start));
            }
            Event::Rollout => self.target.revision += 1,
            Event::MetricFails(length) => self.failing_until = now + length,
            Event::Scale(replicas) => self.target.replicas = replicas,
            Event::ControllerRestart => {
                self.memory = Memory::default();
                self.is_first = true;
                self.next_sync = now + STARTING + first_sync(&self.observation);
            }
        }
        self.next_change = now;
        self.is_due = true;
        self.is_list_old = true;
    }

    /// Asks whether to go on, with `more` pods.
    fn report(&mut self, at: Millis, more: usize, guard: &Guard<'_>) -> ControlFlow<()> {
        guard(Effort {
            at,
            pods: (self.pods.len() + self.others.len()).saturating_add(more),
            rescales: self.rescales.len(),
            work: mem::take(&mut self.work),
        })
    }

    /// Pods get nodes, start, become ready and end. The target's controllers create and delete what is due.
    fn move_pods(&mut self, now: Millis, guard: &Guard<'_>) -> ControlFlow<()> {
        if now < self.next_change && !self.is_due {
            return ControlFlow::Continue(());
        }
        let start = self.scenario.start;
        let termination = self.scenario.pods.termination;
        let before = self.pods.len();
        self.pods.retain(|pod| {
            pod.deleted
                .is_none_or(|deleted| now < deleted + termination)
        });
        let mut has_changed = before != self.pods.len();
        if has_changed {
            self.scraped
                .forget_all_but(&self.pods, &self.others, self.scenario);
        }
        for pod in &mut self.pods {
            has_changed |= pod.advance(now, start);
        }
        if has_changed || self.is_due {
            let more = self.target.most_to_create(&self.pods);
            if 0 < more {
                self.report(now, more, guard)?;
            }
            self.target
                .reconcile(&mut self.pods, &mut self.factory, now, start);
            self.is_list_old = true;
            self.is_due = false;
        }
        self.assign_nodes(now);
        let ends = |pod: &SimulatedPod| pod.deleted.map(|deleted| deleted + termination);
        let waits = |pod: &SimulatedPod| match pod.stage {
            Stage::Waiting { since } => Some(since.max(now + 1000)),
            _ => None,
        };
        let next = |pod: &SimulatedPod| {
            [ends(pod), pod.next_change(), waits(pod)]
                .into_iter()
                .flatten()
                .min()
        };
        self.next_change = self
            .pods
            .iter()
            .filter_map(next)
            .min()
            .unwrap_or(Millis::MAX);
        // Several steps of a rollout or a StatefulSet can follow from one change.
        self.is_due = has_changed;
        ControlFlow::Continue(())
    }

    fn assign_nodes(&mut self, now: Millis) {
        let start = self.scenario.start;
        let mut with_node = self.pods.iter().filter(|pod| pod.has_node()).count() as u32;
        let wait = self.scenario.pods.nodes.and_then(|nodes| nodes.wait);
        for pod in &mut self.pods {
            let Stage::Waiting { since } = pod.stage else {
                continue;
            };
            if now < since || pod.deleted.is_some() {
                continue;
            }
            let is_room = self.room.is_none_or(|room| with_node < room);
            let is_new_node = wait.is_some_and(|wait| since + wait <= now);
            if is_room || is_new_node {
                pod.schedule(now, start);
                with_node += 1;
                self.room = self.room.map(|room| room.max(with_node));
                self.is_list_old = true;
            } else if pod.wait_for_node() {
                self.is_list_old = true;
            }
        }
    }

    fn sync(&mut self, at: Millis, on_sync: Option<&mut dyn FnMut(Sync<'_>)>) {
        let now = self
            .scenario
            .start
            .checked_add(SignedDuration::from_millis(at))
            .unwrap_or(Timestamp::MAX);
        let observation = &mut self.observation;
        if self.is_list_old {
            let before = mem::replace(&mut observation.pods, Reading::Read(Shared::default()));
            let before = match before {
                Reading::Read(pods) if self.is_list_made => pods.into_vec(),
                _ => Vec::new(),
            };
            let pods = list(self.scenario, &mut self.pods, before, &self.others);
            observation.pods = Reading::Read(pods.into());
            self.is_list_made = true;
            self.is_list_old = false;
        }
        let live = self.pods.iter().filter(|pod| pod.deleted.is_none()).count();
        if let Reading::Read(scale) = &observation.scale {
            observation.scale = Reading::Read(Scale {
                spec_replicas: self.target.replicas,
                status_replicas: count(live),
                selector: scale.selector.clone(),
            });
        }
        self.scraped.answer(observation, at < self.failing_until);
        let before = on_sync.is_some().then(|| self.memory.clone());
        let trace = decide(observation, &mut self.memory, now);
        if let (Some(on_sync), Some(memory)) = (on_sync, &before) {
            on_sync(Sync {
                observation,
                memory,
                trace: &trace,
                at,
                now,
                is_first: self.is_first,
            });
        }
        self.is_first = false;
        if let Some(stabilize) = trace.stabilize() {
            self.desired = stabilize.recommendation;
        }
        if let Decision::Rescale {
            from,
            to,
            succeeds: true,
        } = trace.decision
        {
            self.rescales.push(SimulatedRescale { at, from, to });
            self.target.replicas = to;
            self.is_due = true;
        }
        if let Some(outcome) = trace.outcome {
            self.observation.hpa.status = outcome.status;
        }
    }

    fn point(&self, now: Millis, served: crate::usage::Served) -> Point {
        let ready = self.pods.iter().filter(|pod| pod.serves());
        Point {
            at: now,
            load: self
                .scenario
                .demands
                .first()
                .map_or(0.0, |demand| load_at(demand, now)),
            needed: self.measure.needed(self.scenario, &self.backlogs, now),
            desired: self.desired,
            replicas: self.target.replicas,
            ready: count(ready.count()),
            without_node: count(self.pods.iter().filter(|pod| !pod.has_node()).count()),
            per_pod: self
                .measure
                .per_pod(self.scenario, &self.pods, &self.backlogs, now),
            lost: if served.offered > 0.0 {
                served.lost / served.offered
            } else {
                0.0
            },
        }
    }
}

/// The controller's list of pods. `before` is the previous list: unchanged pods are taken from it.
fn list(
    scenario: &Scenario,
    pods: &mut [SimulatedPod],
    before: Vec<Pod>,
    others: &[Pod],
) -> Vec<Pod> {
    let mut list = Vec::with_capacity(pods.len() + others.len());
    // New pods come after older ones, so both lists have the same order.
    let mut before = before.into_iter();
    for pod in pods {
        let listed = match pod.listed {
            Listed::No => None,
            Listed::Outdated | Listed::Yes => before.find(|listed| listed.name == pod.name),
        };
        let is_same = pod.listed == Listed::Yes;
        pod.listed = Listed::Yes;
        list.push(
            listed
                .filter(|_| is_same)
                .unwrap_or_else(|| pod.view(scenario)),
        );
    }
    list.extend(others.iter().cloned());
    list
}

fn period(observation: &Observation) -> Millis {
    let period = observation.sync_period().value.as_millis() as Millis;
    period.max(1000)
}

fn count(pods: usize) -> i32 {
    i32::try_from(pods).unwrap_or(i32::MAX)
}

/// Time from the controller's caches being full until its first sync of an HPA: none since 1.37, one period before.
/// Upstream: `enqueueHPA`.
fn first_sync(observation: &Observation) -> Millis {
    if 37 <= observation.controller.version.value.minor {
        0
    } else {
        period(observation)
    }
}
