//! What a status and its Events leave open: each test has one way in which the controller may remember something else.

use hpa_engine::model::{
    Behavior, ControllerConfig, FieldManager, HpaSpec, Input, KubeVersion, MetricIdentifier,
    MetricSpec, MetricStatus, MetricTarget, MetricValueStatus, NotRead, PodsSource, PolicyType,
    Reading, Scale, ScaleTargetRef, ScalingPolicy, ScalingRules, SnapshotField,
};

use super::*;
use crate::{
    testing::{at, rescale_event},
    without_metrics,
};

const ABOVE: &str = "external metric queue(nil) above target";
const BELOW: &str = "All metrics below target";
const BELOW_MIN: &str = "Current number of replicas below Spec.MinReplicas";
const ABOVE_MAX: &str = "Current number of replicas above Spec.MaxReplicas";

/// Seconds after the HPA was first synced; the sync that comes is within the second `NOW`, as times in Events and a
/// status are cut to seconds.
const NOW: i64 = 600;

/// An HPA with bounds 2 to 20, whose last sync was 15 seconds ago.
struct Look {
    observation: Observation,
    context: Context,
}

impl Look {
    fn new(behavior: Option<Behavior>) -> Self {
        let target = ScaleTargetRef {
            api_version: None,
            kind: "Deployment".to_owned(),
            name: "web".to_owned(),
        };
        let mut spec = HpaSpec::new(target, 20, Vec::new());
        spec.min_replicas = Some(2);
        spec.behavior = behavior;
        let version = Input::assumed(KubeVersion::NEWEST);
        let mut observation = without_metrics(&spec, &ControllerConfig::defaults(version));
        observation.hpa.spec.metrics = vec![MetricSpec::External(PodsSource {
            metric: MetricIdentifier {
                name: "queue".to_owned(),
                selector: None,
            },
            metric_target: MetricTarget::default(),
        })];
        let context = Context {
            leader_since: Some(at(-1)),
            ..Context::default()
        };
        Self {
            observation,
            context,
        }
    }

    /// The status of the last sync: from and to how many replicas, and the reasons of `AbleToScale` and
    /// `ScalingLimited`, which is as it is for five minutes.
    fn status(mut self, (from, to): (i32, i32), able: &str, limited: &str) -> Self {
        let condition = |kind: &str, reason: &str, status: &str, since: i64| Condition {
            condition_type: kind.to_owned(),
            status: status.to_owned(),
            last_transition_time: Some(at(since)),
            reason: reason.to_owned(),
            ..Condition::default()
        };
        let is_limited = if limited == "DesiredWithinRange" {
            "False"
        } else {
            "True"
        };
        self.observation.scale = Reading::Read(Scale::new(to, "app=web"));
        let status = &mut self.observation.hpa.status;
        (status.current_replicas, status.desired_replicas) = (from, to);
        status.current_metrics = vec![MetricStatus::Failed];
        status.conditions = vec![
            condition("AbleToScale", able, "True", 0),
            condition("ScalingLimited", limited, is_limited, NOW - 300),
        ];
        self
    }

    /// The last sync replaced replicas outside the bounds: it read no metric.
    fn without_values(mut self) -> Self {
        self.observation.hpa.status.current_metrics = Vec::new();
        self
    }

    fn rescaled(mut self, seconds: i64, size: i32, reason: &str) -> Self {
        let message = format!("New size: {size}; reason: {reason}");
        let event = rescale_event(&message, 1, seconds, seconds);
        self.context.events.push(event);
        self.observation.hpa.status.last_scale_time = Some(at(seconds));
        self
    }

    fn edited(mut self, seconds: i64) -> Self {
        self.context.hpa_edited_by = Some(FieldManager {
            time: Some(at(seconds)),
            ..FieldManager::default()
        });
        self
    }

    fn memory(&self) -> OutsideMemory {
        let now = at(NOW) + SignedDuration::from_millis(400);
        memory_from_outside(&self.observation, &self.context, now)
    }
}

/// Windows of `scaleUp` and `scaleDown`, and a pod in three minutes.
fn behavior(up: i32, down: i32) -> Behavior {
    let rules = |window| ScalingRules {
        stabilization_window_seconds: Some(window),
        policies: Some(vec![ScalingPolicy {
            policy_type: PolicyType::Pods,
            value: 1,
            period_seconds: 180,
        }]),
        ..ScalingRules::default()
    };
    Behavior {
        scale_up: Some(rules(up)),
        scale_down: Some(rules(down)),
    }
}

/// The highest recommendation that is remembered.
fn highest(memory: &Memory) -> Option<i32> {
    let recommendations = memory.recommendations.iter().flatten();
    recommendations.map(|one| one.replicas).max()
}

/// The lowest recommendation since then.
fn lowest_since(memory: &Memory, seconds: i64) -> Option<i32> {
    let recommendations = memory.recommendations.iter().flatten();
    let newer = recommendations.filter(|one| at(seconds) < one.at);
    newer.map(|one| one.replicas).min()
}

#[test]
fn older_recommendation_that_raised_the_replicas_may_be_over() {
    let raised = |reason| {
        let look = Look::new(None).rescaled(NOW - 60, 14, ABOVE);
        look.rescaled(NOW - 15, 19, reason)
            .status((14, 19), "SucceededRescale", "DesiredWithinRange")
            .memory()
    };
    let own = raised(ABOVE);
    assert_eq!(highest(&own.least), Some(19));
    let older = raised(BELOW);
    assert_eq!(highest(&older.most), Some(19));
    assert_eq!(highest(&older.least), Some(14));
}

#[test]
fn replicas_that_a_limit_held_before_may_follow_from_a_higher_recommendation() {
    let mut look = Look::new(None)
        .rescaled(NOW - 30, 4, ABOVE)
        .rescaled(NOW - 15, 8, ABOVE)
        .status((4, 8), "SucceededRescale", "ScaleUpLimit");
    let memory = look.memory();
    assert_eq!(highest(&memory.most), Some(21));
    assert_eq!(highest(&memory.least), Some(8));
    // Nothing limited the replicas in the sync before: the recommendation is that of this one.
    let limited = &mut look.observation.hpa.status.conditions[1];
    limited.last_transition_time = Some(at(NOW - 15));
    assert_eq!(highest(&look.memory().least), Some(9));
}

#[test]
fn window_that_is_as_long_as_the_period_has_ended() {
    let mut look =
        Look::new(Some(behavior(15, 15))).status((3, 3), "ReadyForNewScale", "DesiredWithinRange");
    look.context.leader_since = Some(at(-3600));
    assert_eq!(lowest_since(&look.memory().most, NOW - 14), None);
    // A sync that came before its turn has written the status.
    look.context.hpa_status_written = Some(at(NOW - 4));
    assert_eq!(lowest_since(&look.memory().least, NOW - 14), Some(3));
}

#[test]
fn bound_that_replaced_the_replicas_shows_no_recommendation() {
    let lowered = Look::new(None)
        .rescaled(NOW - 15, 20, ABOVE_MAX)
        .status((25, 20), "SucceededRescale", "DesiredWithinRange")
        .without_values()
        .memory();
    assert_eq!(
        (highest(&lowered.least), highest(&lowered.most)),
        (None, Some(25))
    );
    let raised = Look::new(Some(behavior(60, 60)))
        .rescaled(NOW - 15, 2, BELOW_MIN)
        .status((1, 2), "SucceededRescale", "DesiredWithinRange")
        .without_values()
        .memory();
    assert_eq!(highest(&raised.least), None);
    assert_eq!(highest(&raised.most), Some(21));
    assert_eq!(lowest_since(&raised.most, NOW - 60), Some(2));
}

#[test]
fn replicas_that_another_writer_set_are_not_those_of_the_first_sync() {
    let first = |reason, change| {
        let mut look = Look::new(None).rescaled(NOW - 15, 3, reason);
        look = look.status(change, "SucceededRescale", "DesiredWithinRange");
        look.context.leader_since = Some(at(NOW - 120));
        look.observation.hpa.status.conditions[0].last_transition_time = Some(at(NOW - 119));
        look.memory()
    };
    // With a recommendation of eight the window would have held them.
    assert_eq!(highest(&first(BELOW, (8, 3)).least), None);
    // The same sync found them.
    let found = first(ABOVE, (2, 3));
    assert_eq!(lowest_since(&found.least, NOW - 120), Some(2));
}

#[test]
fn limited_way_down_leaves_an_older_recommendation() {
    let memory = Look::new(Some(behavior(0, 60)))
        .rescaled(NOW - 15, 8, BELOW)
        .status((13, 8), "SucceededRescale", "ScaleDownLimit")
        .memory();
    assert_eq!(
        (highest(&memory.least), highest(&memory.most)),
        (None, Some(7))
    );
}

#[test]
fn failed_metrics_leave_what_a_limit_held_back() {
    let memory = Look::new(None)
        .status((4, 4), "SucceededGetScale", "ScaleUpLimit")
        .memory();
    assert_eq!(highest(&memory.most), Some(21));
}

#[test]
fn recommendation_that_would_have_held_the_replicas_is_not_proved() {
    let raised = Look::new(None).rescaled(NOW - 120, 14, ABOVE);
    let held = ("ScaleDownStabilized", "DesiredWithinRange");
    // The window had a shorter length then.
    let shown = raised.status((5, 5), held.0, held.1).memory();
    assert_eq!(highest(&shown.most), Some(5));
    let lowered = Look::new(Some(behavior(0, 300)))
        .rescaled(NOW - 120, 14, ABOVE)
        .rescaled(NOW - 90, 5, BELOW)
        .status((5, 5), "FailedGetScale", "ScaleDownLimit")
        .memory();
    assert_eq!(
        (highest(&lowered.least), highest(&lowered.most)),
        (None, Some(14))
    );
}

/// What it did then shows other flags, which the page names.
#[test]
fn recommendation_since_the_last_edit_stays_proved() {
    let lowered = || {
        Look::new(Some(behavior(0, 300)))
            .rescaled(NOW - 120, 14, ABOVE)
            .rescaled(NOW - 90, 5, BELOW)
            .status((5, 5), "FailedGetScale", "ScaleDownLimit")
    };
    assert_eq!(highest(&lowered().memory().least), None);
    let edited = |seconds| lowered().edited(NOW - seconds).memory();
    assert_eq!(highest(&edited(100).least), None);
    assert_eq!(highest(&edited(150).least), Some(14));
    // It was never edited.
    let mut created = lowered().edited(NOW - 150);
    created.observation.hpa.created = Some(at(NOW - 150));
    assert_eq!(highest(&created.memory().least), Some(14));
}

#[test]
fn higher_recommendation_is_no_floor() {
    let memory = Look::new(Some(behavior(300, 300)))
        .rescaled(NOW - 60, 7, ABOVE)
        .status((7, 7), "ReadyForNewScale", "ScaleUpLimit")
        .memory();
    assert_eq!(lowest_since(&memory.least, NOW - 61), Some(7));
    assert_eq!(lowest_since(&memory.most, NOW - 61), Some(21));
    assert_eq!(lowest_since(&memory.dated, NOW - 61), Some(8));
}

#[test]
fn rescale_before_the_last_edit_may_not_be_stored() {
    let look = || {
        Look::new(Some(behavior(0, 300)))
            .rescaled(NOW - 90, 6, ABOVE)
            .rescaled(NOW - 60, 7, ABOVE)
            .status((7, 7), "ReadyForNewScale", "ScaleUpLimit")
    };
    assert_eq!(look().memory().least.scale_up_events.len(), 2);
    assert_eq!(look().memory().others, []);
    let edited = look().edited(NOW - 75).memory();
    assert_eq!(edited.least.scale_up_events.len(), 1);
    assert_eq!(edited.most.scale_up_events.len(), 2);
    assert_ne!(edited.others, []);
}

#[test]
fn way_up_by_an_older_recommendation_before_an_edit_is_no_scale_down() {
    let look = || {
        Look::new(Some(behavior(0, 300)))
            .rescaled(NOW - 90, 13, BELOW_MIN)
            .rescaled(NOW - 60, 25, BELOW)
            .status((15, 15), "ReadyForNewScale", "DesiredWithinRange")
    };
    assert_eq!(look().memory().least.scale_down_events.len(), 1);
    let edited = look().edited(NOW - 30).memory();
    assert_eq!(edited.least.scale_down_events, []);
    assert_eq!(edited.likely.scale_up_events.len(), 2);
    assert_eq!(edited.most.scale_down_events.len(), 1);
}

#[test]
fn event_older_than_all_periods_of_its_direction_is_replaced() {
    let down = |period| {
        let mut behavior = behavior(0, 0);
        let rules = behavior.scale_down.as_mut().unwrap();
        rules.policies.as_mut().unwrap()[0].period_seconds = period;
        let looked = Look::new(Some(behavior))
            .rescaled(NOW - 300, 5, ABOVE)
            .rescaled(NOW - 120, 4, BELOW)
            .rescaled(NOW - 60, 3, BELOW)
            .status((3, 3), "ReadyForNewScale", "DesiredWithinRange");
        looked.memory().least.scale_down_events.len()
    };
    // The policies of scaleUp would still count it.
    assert_eq!((down(30), down(90)), (1, 2));
}

#[test]
fn change_that_no_policy_allows_was_another_writers() {
    let rescaled = |size| {
        let look = Look::new(Some(behavior(0, 0))).rescaled(NOW - 400, 4, ABOVE);
        let look = look.rescaled(NOW - 30, size, ABOVE);
        let memory = look
            .status((size, size), "ReadyForNewScale", "ScaleUpLimit")
            .memory();
        memory.most.scale_up_events.last().unwrap().replica_change
    };
    assert_eq!((rescaled(5), rescaled(12)), (1, 1));
}

#[test]
fn rescale_that_only_the_status_shows_went_in_the_direction_that_was_limited() {
    let only = |limited, since| {
        let mut look = Look::new(Some(behavior(0, 0))).rescaled(NOW - 30, 5, BELOW);
        look.context.events.clear();
        look = look.status((5, 5), "ReadyForNewScale", limited);
        look.observation.hpa.status.conditions[1].last_transition_time = Some(at(since));
        let memory = look.memory();
        [&memory.most.scale_up_events, &memory.most.scale_down_events].map(Vec::len)
    };
    assert_eq!(only("ScaleDownLimit", NOW - 30), [0, 1]);
    assert_eq!(only("ScaleUpLimit", NOW - 30), [1, 0]);
    assert_eq!(only("DesiredWithinRange", NOW - 300), [1, 1]);
}

/// An HPA whose Events may not be read.
fn unread(mut look: Look) -> Look {
    look.context.events.clear();
    look.context.not_read.push(NotRead {
        what: SnapshotField::Events,
        why: "no permission to list events".to_owned(),
        remedy: None,
        is_forbidden: true,
    });
    look
}

#[test]
fn without_a_status_only_events_that_were_read_show_that_it_was_never_synced() {
    let look = Look::new(None);
    assert_eq!(look.memory(), OutsideMemory::default());
    assert_eq!(unread(look).memory().others.len(), 1);
}

#[test]
fn before_the_last_rescale_there_may_be_others_if_events_were_not_read() {
    let most = |look: Look| {
        let look = look.status((4, 5), "SucceededRescale", "ScaleUpLimit");
        let memory = look.memory().most;
        [memory.scale_up_events, memory.scale_down_events]
            .map(|events| events.iter().map(|one| one.replica_change).sum::<i32>())
    };
    let look = || Look::new(Some(behavior(0, 0))).rescaled(NOW - 15, 5, ABOVE);
    assert_eq!(most(look()), [1, 0]);
    let [up, down] = most(unread(look()));
    assert!(20 < up && 20 < down, "{up} {down}");
}

#[test]
fn first_replicas_are_not_proved_by_the_last_rescale_if_events_were_not_read() {
    let first = |look: Look| {
        let mut look = look.status((4, 5), "SucceededRescale", "");
        look.context.leader_since = Some(at(NOW - 100));
        look.observation.hpa.status.conditions[0].last_transition_time = Some(at(NOW - 100));
        let memory = look.memory();
        [&memory.least, &memory.most].map(highest)
    };
    let look = || Look::new(Some(behavior(0, 300))).rescaled(NOW - 15, 5, ABOVE);
    assert_eq!(first(look()), [Some(5), Some(5)]);
    assert_eq!(first(unread(look())), [None, Some(21)]);
}

#[test]
fn bound_that_replaced_the_first_replicas_shows_on_which_side_they_were() {
    let first = |reason| {
        let mut look = Look::new(None).rescaled(NOW - 100, 7, reason);
        look = look.status((7, 7), "SucceededGetScale", "");
        look.context.leader_since = Some(at(NOW - 101));
        look.observation.hpa.status.conditions[0].last_transition_time = Some(at(NOW - 100));
        let memory = look.memory();
        (highest(&memory.least), highest(&memory.most))
    };
    assert_eq!(first(ABOVE_MAX), (None, Some(8)));
    assert_eq!(first(BELOW_MIN), (None, Some(6)));
}

#[test]
fn recommendation_that_held_may_have_been_higher_where_another_writer_raised_the_replicas() {
    let held = |replicas| {
        let mut look = Look::new(Some(behavior(0, 300)));
        look = look.status((6, 6), "ScaleDownStabilized", "DesiredWithinRange");
        look.observation.scale = Reading::Read(Scale::new(replicas, "app=web"));
        let memory = look.memory();
        (highest(&memory.least), highest(&memory.most))
    };
    assert_eq!(held(6), (Some(6), Some(6)));
    assert_eq!(held(12), (Some(6), Some(21)));
}

#[test]
fn other_metrics_may_be_more_than_the_whole_edit() {
    let mut look = Look::new(None).status((6, 6), "ReadyForNewScale", "DesiredWithinRange");
    let value = MetricStatus::Resource {
        name: "cpu".to_owned(),
        current: MetricValueStatus::default(),
    };
    look.observation.hpa.status.current_metrics = vec![value];
    assert_eq!(highest(&look.memory().most), Some(21));
}

#[test]
fn limit_that_only_behavior_has_shows_that_behavior_was_removed() {
    let look = Look::new(None).status((6, 6), "SucceededGetScale", "ScaleDownLimit");
    assert!(StatusSpec::shown(&look.observation).is_other);
}

/// A refused write leaves the desired replicas of a new HPA at zero.
#[test]
fn creating_an_hpa_is_no_edit_and_a_refused_write_is_no_other_writer() {
    let mut look = Look::new(None).status((2, 0), "FailedUpdateScale", "DesiredWithinRange");
    look.observation.scale = Reading::Read(Scale::new(2, "app=web"));
    look.observation.hpa.created = Some(at(NOW - 2));
    let memory = look.edited(NOW - 2).memory();
    assert_eq!(highest(&memory.most), Some(2));
}
