//! Pods of the target: how they start, what they use, and how the controller sees them.

use hpa_engine::model::{ConditionStatus, Pod, PodPhase, PodStart, ReadyCondition};
use jiff::{SignedDuration, Timestamp};

use crate::{ContainerStore, CounterPoint, Millis, Scenario, StartTimes, Startup, chance::Chance};

/// A pod of the target.
pub(crate) struct SimulatedPod {
    pub(crate) name: String,
    /// Its index in the observation, if it exists at the start.
    initial: Option<usize>,
    /// How the controller sees it.
    pub(crate) status: Status,
    /// Whether the controller's list of pods has it, and in which state.
    pub(crate) listed: Listed,
    /// Its ordinal in a StatefulSet; otherwise its position in the order of creation.
    pub(crate) ordinal: u32,
    /// The number of its template.
    pub(crate) revision: u32,
    /// Decides between otherwise equal pods, as the UID does.
    pub(crate) tie: u64,
    /// Its share of the load, relative to an even one.
    pub(crate) weight: f64,
    pub(crate) created: Millis,
    pub(crate) times: StartTimes,
    pub(crate) stage: Stage,
    /// When its containers run, once it has a node.
    pub(crate) runs_at: Millis,
    /// When it becomes ready by itself, once it runs.
    pub(crate) ready_at: Millis,
    /// When its readiness changed last.
    pub(crate) ready_since: Millis,
    pub(crate) failure: Option<Failure>,
    /// When its deletion started.
    pub(crate) deleted: Option<Millis>,
    pub(crate) meter: Meter,
}

/// The part of a pod's state that the controller sees.
pub(crate) struct Status {
    created: Option<Timestamp>,
    deleted: Option<Timestamp>,
    phase: PodPhase,
    started: Option<Timestamp>,
    scheduled: Option<bool>,
    ready: Option<ReadyCondition>,
    pub(crate) start: PodStart,
    waiting: Option<String>,
}

/// Whether the controller's list has a pod, and in which state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Listed {
    /// Not yet.
    No,
    /// In its state before a change.
    Outdated,
    /// In its current state.
    Yes,
}

/// The stage of a pod's life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Stage {
    /// It has no node yet; it may get one from `since` on.
    Waiting { since: Millis },
    /// It has a node; its containers do not run yet.
    Starting,
    /// Its containers run.
    Running,
    /// It is ready.
    Ready,
}

/// What keeps a pod from being ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    /// Its containers do not run; otherwise they run but are not ready.
    pub(crate) is_crash: bool,
    /// When it is over; none: never.
    pub(crate) until: Option<Millis>,
}

/// The usage of a pod, and the readings of it.
#[derive(Default)]
pub(crate) struct Meter {
    /// When the counter started.
    pub(crate) start: Millis,
    /// Core-nanoseconds.
    pub(crate) cpu: f64,
    /// Bytes.
    pub(crate) memory: f64,
    /// Current usage in cores.
    pub(crate) cores: f64,
    /// When the kubelet reads it next.
    pub(crate) next_reading: Millis,
    /// The newest reading and the previous one: a scrape can come between the two.
    pub(crate) readings: [Option<CounterPoint>; 2],
    pub(crate) store: ContainerStore,
}

impl SimulatedPod {
    /// Whether it takes load.
    pub(crate) fn serves(&self) -> bool {
        self.stage == Stage::Ready && self.deleted.is_none()
    }

    /// Whether its containers run.
    pub(crate) fn runs(&self) -> bool {
        Stage::Running <= self.stage && !self.failure.is_some_and(|failure| failure.is_crash)
    }

    /// Whether it has a node.
    pub(crate) fn has_node(&self) -> bool {
        Stage::Starting <= self.stage
    }

    /// The pod as the controller sees it.
    pub(crate) fn view(&self, scenario: &Scenario) -> Pod {
        let found = self
            .initial
            .and_then(|index| scenario.observation.pods.read()?.get(index));
        let base = found.unwrap_or(&scenario.pods.template);
        let status = &self.status;
        Pod {
            name: self.name.clone(),
            created: status.created,
            deleted: status.deleted,
            phase: status.phase.clone(),
            started: status.started,
            scheduled: status.scheduled,
            ready: status.ready,
            start: status.start,
            waiting: status.waiting.clone(),
            resize: found.and_then(|pod| pod.resize.clone()),
            ..base.clone()
        }
    }

    /// Keeps it without a node for now. Returns whether that is new.
    pub(crate) fn wait_for_node(&mut self) -> bool {
        let is_new = self.status.waiting.is_none();
        if is_new {
            self.status.waiting = Some("0/1 nodes are available: 1 Insufficient cpu.".to_owned());
            self.changed();
        }
        is_new
    }

    fn changed(&mut self) {
        if self.listed == Listed::Yes {
            self.listed = Listed::Outdated;
        }
    }

    /// Assigns it to a node.
    pub(crate) fn schedule(&mut self, now: Millis, start: Timestamp) {
        self.stage = Stage::Starting;
        self.runs_at = now + self.times.start;
        self.ready_at = self.runs_at + self.times.readiness;
        let at = Some(whole_second(start, now));
        self.status.scheduled = Some(true);
        self.status.started = at;
        self.status.start.scheduled = at;
        self.status.waiting = None;
        self.set_ready(false, now, start);
    }

    /// Applies the changes that are due by `now`. Returns whether there were any.
    pub(crate) fn advance(&mut self, now: Millis, start: Timestamp) -> bool {
        let before = (self.stage, self.failure);
        if self.stage == Stage::Starting && self.runs_at <= now {
            self.stage = Stage::Running;
            self.status.phase = PodPhase::Running;
            let at = Some(whole_second(start, now));
            self.status.start.initialized = at;
            self.status.start.containers_started = at;
            self.meter = Meter {
                start: now,
                next_reading: now + self.meter.next_reading,
                ..Meter::default()
            };
        }
        if let Some(Failure {
            until: Some(until),
            is_crash,
        }) = self.failure
            && until <= now
        {
            self.failure = None;
            self.status.waiting = None;
            if is_crash {
                self.meter.start = now;
                self.meter.cpu = 0.0;
            }
        }
        if self.stage == Stage::Running && self.ready_at <= now && self.failure.is_none() {
            self.stage = Stage::Ready;
            self.set_ready(true, now, start);
        }
        let has_changed = before != (self.stage, self.failure);
        if has_changed {
            self.changed();
        }
        has_changed
    }

    /// When its next change is due.
    pub(crate) fn next_change(&self) -> Option<Millis> {
        let until = self.failure.and_then(|failure| failure.until);
        match self.stage {
            Stage::Waiting { .. } | Stage::Ready => until,
            Stage::Starting => Some(self.runs_at),
            Stage::Running => match self.failure {
                Some(_) => until,
                None => Some(self.ready_at),
            },
        }
    }

    /// Makes it not ready.
    pub(crate) fn fail(&mut self, failure: Failure, now: Millis, start: Timestamp) {
        self.failure = Some(failure);
        self.stage = self.stage.min(Stage::Running);
        self.ready_at = now;
        if failure.is_crash {
            self.status.waiting = Some("CrashLoopBackOff".to_owned());
            self.status.start.restarts += 1;
            self.meter.cores = 0.0;
        }
        self.set_ready(false, now, start);
    }

    /// Starts its deletion.
    pub(crate) fn delete(&mut self, now: Millis, start: Timestamp) {
        self.changed();
        self.deleted = Some(now);
        self.status.deleted = Some(whole_second(start, now));
        self.meter.cores = 0.0;
    }

    fn set_ready(&mut self, is_ready: bool, now: Millis, start: Timestamp) {
        self.changed();
        self.ready_since = now;
        self.status.ready = Some(ReadyCondition {
            status: if is_ready {
                ConditionStatus::True
            } else {
                ConditionStatus::False
            },
            last_transition: Some(whole_second(start, now)),
        });
    }
}

/// Creates pods with random properties.
pub(crate) struct PodFactory<'a> {
    scenario: &'a Scenario,
    seed: u64,
    made: u32,
}

impl<'a> PodFactory<'a> {
    pub(crate) fn new(scenario: &'a Scenario, seed: u64) -> Self {
        Self {
            scenario,
            seed,
            made: 0,
        }
    }

    /// A pod that exists at the start.
    pub(crate) fn existing(&mut self, position: usize, index: usize, pod: &Pod) -> SimulatedPod {
        let scenario = self.scenario;
        let mut chance = self.next_chance();
        let at = |time: Option<Timestamp>| {
            time.map(|time| time.duration_since(scenario.start).as_millis() as Millis)
        };
        let model = &scenario.pods;
        let weight = match model.spread.observed.get(position) {
            Some(weight) => *weight,
            None => chance.factor(model.spread.sigma),
        };
        let created = at(pod.created).unwrap_or(0).min(0);
        let times = times(&model.startup, &mut chance);
        let is_crash = pod.waiting.as_deref().is_some_and(|_| pod.has_node())
            && pod.phase == PodPhase::Running;
        let stage = if !pod.has_node() {
            Stage::Waiting { since: created }
        } else if pod.phase == PodPhase::Pending {
            Stage::Starting
        } else if pod.is_ready() {
            Stage::Ready
        } else {
            Stage::Running
        };
        let runs_at = match stage {
            Stage::Waiting { .. } | Stage::Starting => {
                (created + times.schedule + times.start).max(0)
            }
            _ => at(pod.start.containers_started)
                .or(at(pod.started))
                .unwrap_or(created)
                .min(0),
        };
        let ready_at = runs_at + times.readiness;
        // A pod that is not ready long after it should be stays not ready.
        let is_stuck = stage == Stage::Running && ready_at < -60_000;
        SimulatedPod {
            ordinal: ordinal_of(&pod.name).unwrap_or(self.made - 1),
            revision: 0,
            tie: tie(&mut chance),
            weight,
            created,
            times,
            stage,
            runs_at,
            ready_at: ready_at.max(0),
            ready_since: at(pod.ready.and_then(|ready| ready.last_transition))
                .unwrap_or(created)
                .min(0),
            failure: (is_crash || is_stuck).then_some(Failure {
                is_crash,
                until: None,
            }),
            deleted: pod.deleted.map(|_| 0),
            meter: Meter {
                start: Millis::MIN / 4,
                next_reading: chance.between(0, scenario.pipeline.housekeeping.0)
                    - crate::scenario::WARM_UP,
                ..Meter::default()
            },
            name: pod.name.clone(),
            initial: Some(index),
            listed: Listed::No,
            status: Status {
                created: pod.created,
                deleted: pod.deleted,
                phase: pod.phase.clone(),
                started: pod.started,
                scheduled: pod.scheduled,
                ready: pod.ready,
                start: pod.start,
                waiting: pod.waiting.clone(),
            },
        }
    }

    /// A new pod. `ordinal` is its number in a StatefulSet.
    pub(crate) fn create(
        &mut self,
        now: Millis,
        revision: u32,
        ordinal: Option<u32>,
    ) -> SimulatedPod {
        let scenario = self.scenario;
        let mut chance = self.next_chance();
        let times = times(&scenario.pods.startup, &mut chance);
        let template = &scenario.pods.template;
        // Without an owner the pods are named after those that exist.
        let owner = match (&template.owner, template.name.rsplit_once('-')) {
            (Some(owner), _) => owner.name.as_str(),
            (None, Some((stem, _))) => stem,
            (None, None) => "pod",
        };
        let tie = tie(&mut chance);
        let name = match ordinal {
            Some(ordinal) => format!("{owner}-{ordinal}"),
            None => format!("{owner}-{}", suffix(tie)),
        };
        SimulatedPod {
            name,
            initial: None,
            listed: Listed::No,
            status: Status {
                created: Some(whole_second(scenario.start, now)),
                deleted: None,
                phase: PodPhase::Pending,
                started: None,
                scheduled: Some(false),
                ready: None,
                start: PodStart::default(),
                waiting: None,
            },
            ordinal: ordinal.unwrap_or(self.made - 1),
            revision,
            tie,
            weight: chance.factor(scenario.pods.spread.sigma),
            created: now,
            times,
            stage: Stage::Waiting {
                since: now + times.schedule,
            },
            runs_at: 0,
            ready_at: 0,
            ready_since: now,
            failure: None,
            deleted: None,
            meter: Meter {
                // Until it runs, this is the delay between its start and the kubelet's first reading.
                next_reading: chance.between(0, 999),
                ..Meter::default()
            },
        }
    }

    fn next_chance(&mut self) -> Chance {
        self.made += 1;
        Chance::new(self.seed, 1_000 + u64::from(self.made))
    }
}

fn times(startup: &Startup, chance: &mut Chance) -> StartTimes {
    match startup {
        Startup::Between(low, high) => StartTimes::in_halves(chance.between(*low, *high)),
        Startup::Observed(observed) => chance.one_of(observed).copied().unwrap_or_default(),
    }
}

fn tie(chance: &mut Chance) -> u64 {
    (chance.unit() * (1_u64 << 52) as f64) as u64
}

/// Five characters, as the API server generates them for `generateName`.
fn suffix(mut number: u64) -> String {
    const LETTERS: &[u8] = b"bcdfghjklmnpqrstvwxz2456789";
    let count = LETTERS.len() as u64;
    (0..5)
        .map(|_| {
            let letter = LETTERS[(number % count) as usize];
            number /= count;
            char::from(letter)
        })
        .collect()
}

fn ordinal_of(name: &str) -> Option<u32> {
    name.rsplit_once('-')?.1.parse().ok()
}

/// A time in the API's resolution: whole seconds.
pub(crate) fn whole_second(start: Timestamp, at: Millis) -> Timestamp {
    let exact = start
        .checked_add(SignedDuration::from_millis(at))
        .unwrap_or(Timestamp::MAX);
    Timestamp::from_second(exact.as_second()).unwrap_or(exact)
}
