//! A small world that can raise each alarm, watched second by second.

use hpa_analysis::{Analysis, Assessment, FollowedMemory, MemoryBasis};
use hpa_engine::model::{
    ApiError, Condition, ConditionStatus, Context, ExternalMetricValue, FieldManager, HpaKey,
    HpaStatus, IndexedAnswer, Input, IntermediateOwner, Memory, Observation, PodPhase,
    QuotaResource, Reading, ResourceQuota, Shared, Source, SyncInput, Target,
};
use hpa_watch::{Agreement, AlarmKind, Event, SeenHpa, State, Update, reduce};
use jiff::{SignedDuration, Timestamp};

use hpa_testing::{NOW, PodFixture, average, hpa, quantity};

/// The observable state.
#[derive(Clone, Debug)]
pub(crate) struct World {
    /// Seconds from one sync to the next.
    pub(crate) period: i64,
    /// Whether the period was given.
    pub(crate) is_period_given: bool,
    /// `spec.replicas` of the scale.
    pub(crate) replicas: i32,
    /// `status.replicas` of the scale.
    pub(crate) created: i32,
    pub(crate) max: i32,
    /// The replicas that the external metric asks for; `None` if it cannot be read.
    pub(crate) proposal: Option<i32>,
    /// `status.currentReplicas` of the HPA.
    pub(crate) written: i32,
    /// `status.lastScaleTime` of the HPA, in seconds.
    pub(crate) scaled_at: i64,
    /// The last writer of `spec.replicas`.
    pub(crate) written_by: &'static str,
    pub(crate) pods: Vec<OnePod>,
    /// Reason of ScalingActive, if it is false; it has been false for 1000 s.
    pub(crate) inactive: Option<&'static str>,
    /// The quota that has refused pods by the condition of their ReplicaSet; `None`: none was refused.
    pub(crate) quota: Option<Quota>,
    /// `ScalingLimited` is True for TooManyReplicas since this second.
    pub(crate) limited_since: Option<i64>,
}

/// The quota of the namespace now. Its refusal was at a limit of 4 pods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quota {
    /// It cannot be read.
    NotRead,
    /// It is gone.
    Deleted,
    /// It allows this many pods, of which as many are used as are created.
    Of(i32),
}

/// A pod.
#[derive(Clone, Debug)]
pub(crate) struct OnePod {
    pub(crate) is_ready: bool,
    pub(crate) has_node: bool,
    /// In seconds.
    pub(crate) created: i64,
    /// Thousandths of a core; the metric cpu exists if any pod has it.
    pub(crate) usage: Option<i64>,
}

impl Default for World {
    /// Four replicas, as the metric asks, and no problem.
    fn default() -> Self {
        Self {
            period: 15,
            is_period_given: true,
            replicas: 4,
            created: 4,
            max: 10,
            proposal: Some(4),
            written: 4,
            scaled_at: -3600,
            written_by: "kube-controller-manager",
            pods: Vec::new(),
            inactive: None,
            quota: None,
            limited_since: None,
        }
    }
}

impl OnePod {
    pub(crate) const READY: Self = Self {
        is_ready: true,
        has_node: true,
        created: -3600,
        usage: None,
    };
}

/// An event at a second.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// The HPA is read between two syncs.
    Seen(World),
    /// A sync with this input.
    Reconciled(World),
    /// The result of the comparison of an earlier sync with its recomputation.
    Compared(Agreement),
    /// A source fails, or recovers.
    Contact(Source, bool),
    /// Time passes.
    Tick,
    /// The API server sent something.
    InformerInput,
}

/// Plays steps in the order of their seconds, and returns after which of them an alarm is on.
pub(crate) fn played(kind: AlarmKind, steps: &[(i64, Step)]) -> Vec<bool> {
    let mut state = State::default();
    steps
        .iter()
        .map(|step| {
            play(&mut state, step);
            let hpa = state.hpas.get(&key());
            hpa.is_some_and(|hpa| hpa.alarms.iter().any(|alarm| alarm.kind == kind))
        })
        .collect()
}

/// Plays steps in the order of their seconds, and returns what a reader gets.
pub(crate) fn updates(steps: &[(i64, Step)]) -> Vec<Update> {
    let mut state = State::default();
    let steps = steps.iter();
    steps.flat_map(|step| play(&mut state, step)).collect()
}

fn play(state: &mut State, (second, step): &(i64, Step)) -> Vec<Update> {
    let at = time(*second);
    let event = match step {
        Step::Seen(world) => Event::Seen(Box::new(world.seen(at))),
        Step::Reconciled(world) => Event::Reconciled(Box::new(world.seen(at))),
        Step::Compared(agreement) => Event::Compared {
            hpa: key(),
            at,
            agreement: agreement.clone(),
        },
        Step::Contact(source, true) => Event::Recovered {
            source: source.clone(),
        },
        Step::Contact(source, false) => Event::Failing {
            source: source.clone(),
            why: "connection refused".to_owned(),
            fresh_until: Some(at),
        },
        Step::InformerInput => Event::InformerInput,
        Step::Tick => Event::Tick,
    };
    reduce(state, event, at)
}

/// The second since which an alarm is on, after syncs with these worlds.
pub(crate) fn since_after(kind: AlarmKind, syncs: &[(i64, World)]) -> Option<i64> {
    let mut state = State::default();
    for (second, world) in syncs {
        let at = time(*second);
        reduce(&mut state, Event::Reconciled(Box::new(world.seen(at))), at);
    }
    let mut alarms = state.hpas[&key()].alarms.iter();
    let alarm = alarms.find(|alarm| alarm.kind == kind)?;
    Some(alarm.since.duration_since(NOW).as_secs())
}

/// The words of an alarm as it was reported, after each of so many syncs with this world.
pub(crate) fn texts_after(kind: AlarmKind, world: &World, syncs: i64) -> Vec<String> {
    let steps: Vec<(i64, Step)> = (0..syncs)
        .map(|sync| (sync * 15, Step::Reconciled(world.clone())))
        .collect();
    let updates = updates(&steps).into_iter();
    updates
        .filter_map(|update| match update {
            Update::AlarmOn { alarm, .. } if alarm.kind == kind => Some(alarm.text),
            _ => None,
        })
        .collect()
}

/// The words of the alarm after a single sync.
pub(crate) fn text_after(kind: AlarmKind, world: &World) -> Option<String> {
    let mut state = State::default();
    let event = Event::Reconciled(Box::new(world.seen(time(0))));
    reduce(&mut state, event, time(0));
    let mut alarms = state.hpas[&key()].alarms.iter();
    let alarm = alarms.find(|alarm| alarm.kind == kind)?;
    Some(alarm.text.clone())
}

fn time(second: i64) -> Timestamp {
    NOW + SignedDuration::from_secs(second)
}

fn key() -> HpaKey {
    HpaKey {
        namespace: "shop".to_owned(),
        name: "web".to_owned(),
    }
}

impl World {
    fn seen(&self, at: Timestamp) -> SeenHpa {
        let input = SyncInput {
            observation: self.observation(at),
            context: self.context(),
            memory: Some(Memory::default()),
            now: at,
        };
        let following = FollowedMemory {
            basis: MemoryBasis::Watched,
            others: &[],
        };
        let analysis = Analysis::following(&input, &following);
        SeenHpa {
            hpa: key(),
            assessment: Assessment::with(input, analysis),
            is_memory_observed: true,
            has_restarted: false,
            agreement: Agreement::Open,
        }
    }

    fn context(&self) -> Context {
        let writer = FieldManager {
            manager: self.written_by.to_owned(),
            operation: "Update".to_owned(),
            subresource: Some("scale".to_owned()),
            time: None,
        };
        let set = self.quota.map(|_| IntermediateOwner {
            kind: "ReplicaSet".to_owned(),
            name: "web-1".to_owned(),
            owner_kind: "Deployment".to_owned(),
            owner_name: "web".to_owned(),
            failure: Some(REFUSAL.to_owned()),
            ..IntermediateOwner::default()
        });
        let mut context = Context {
            target: Some(Target {
                kind: "Deployment".to_owned(),
                name: "web".to_owned(),
                replicas_written_by: vec![writer],
                intermediate_owners: set.into_iter().collect(),
                ..Target::default()
            }),
            ..Context::default()
        };
        context.surroundings.downstream.quotas = self.quotas();
        context
    }

    fn quotas(&self) -> Option<Vec<ResourceQuota>> {
        let amount = |number: i32| quantity(&number.to_string());
        match self.quota? {
            Quota::NotRead => None,
            Quota::Deleted => Some(Vec::new()),
            Quota::Of(hard) => Some(vec![ResourceQuota {
                name: "compute".to_owned(),
                resources: vec![QuotaResource {
                    name: "pods".to_owned(),
                    hard: amount(hard),
                    used: amount(self.created),
                }],
                ..ResourceQuota::default()
            }]),
        }
    }

    fn observation(&self, at: Timestamp) -> Observation {
        let period = SignedDuration::from_secs(self.period);
        let mut controller = hpa_testing::controller(34);
        controller.sync_period = if self.is_period_given {
            Input::given(period)
        } else {
            Input::assumed(period)
        };
        let mut world = hpa("web")
            .min(1)
            .max(self.max)
            .with_replicas(self.replicas)
            .status_replicas(self.created);
        world = world.external(average("1"));
        if self.pods.iter().any(|pod| pod.usage.is_some()) {
            world = world.average("cpu", "100m");
        }
        world.now = at;
        world = world.pods((0..).zip(&self.pods).map(pod));
        let mut observation = world.observation;
        observation.controller = controller;
        observation.external_metrics = vec![IndexedAnswer {
            index: 0,
            answer: self.answer(),
        }];
        observation.hpa.status = HpaStatus {
            last_scale_time: Some(time(self.scaled_at)),
            current_replicas: self.written,
            desired_replicas: self.written,
            conditions: self.conditions(),
            ..HpaStatus::default()
        };
        observation
    }

    fn conditions(&self) -> Vec<Condition> {
        let limited = self.limited_since.into_iter().flat_map(|since| {
            let reasons = [
                ("AbleToScale", "ReadyForNewScale"),
                ("ScalingLimited", "TooManyReplicas"),
            ];
            reasons.map(|(condition_type, reason)| Condition {
                condition_type: condition_type.to_owned(),
                status: "True".to_owned(),
                last_transition_time: Some(time(since)),
                reason: reason.to_owned(),
                message: String::new(),
            })
        });
        self.inactive
            .map(inactive)
            .into_iter()
            .chain(limited)
            .collect()
    }

    fn answer(&self) -> Reading<Shared<ExternalMetricValue>> {
        match self.proposal {
            Some(proposal) => Reading::Read(
                vec![ExternalMetricValue {
                    labels: Vec::new(),
                    timestamp: None,
                    value: quantity(&proposal.to_string()),
                }]
                .into(),
            ),
            None => Reading::Failed(ApiError {
                message: "no such metric".to_owned(),
                reason: "NotFound".to_owned(),
                code: 404,
            }),
        }
    }
}

fn inactive(reason: &'static str) -> Condition {
    Condition {
        condition_type: "ScalingActive".to_owned(),
        status: "False".to_owned(),
        last_transition_time: Some(time(-1000)),
        reason: reason.to_owned(),
        message: String::new(),
    }
}

fn pod((number, one): (usize, &OnePod)) -> PodFixture {
    let status = if one.is_ready {
        ConditionStatus::True
    } else {
        ConditionStatus::False
    };
    let fixture = hpa_testing::pod(&format!("web-{number}"))
        .requesting("100m")
        .ready(status, "-1h")
        .change(|pod| {
            pod.created = Some(time(one.created));
            pod.scheduled = Some(one.has_node);
            if !one.has_node {
                (pod.phase, pod.started) = (PodPhase::Pending, None);
            }
        });
    match one.usage {
        Some(usage) => fixture.cpu(&format!("{usage}m")).sampled("0s", "30s"),
        None => fixture,
    }
}

/// What the API server answered when the quota was full.
const REFUSAL: &str = "pods \"web-1-x\" is forbidden: exceeded quota: compute, requested: pods=1, used: pods=4, \
                       limited: pods=4";
