//! Infers the scale events that the controller remembers from the Events of an HPA.

use std::mem;

use hpa_engine::{
    engine,
    model::{
        Behavior, Direction, Memory, Observation, PolicyType, Provenance, ScaleEvent,
        ScalingPolicy, ScalingRules, SelectPolicy,
    },
};
use jiff::{SignedDuration, Timestamp};

use super::rescale_events::{RescaleCause, RescaleEvents, Rescaled, is_same_second};

/// Probable scale events, and the proved part of them.
#[derive(Debug, Default)]
pub(super) struct ScaleEvents {
    /// Every rescale, with the smallest certain change.
    pub(super) proved: Sides,
    /// Every rescale with its most probable change, including those with only a probable time and size.
    pub(super) likely: Sides,
    /// The same, with the largest possible changes.
    pub(super) most: Sides,
    /// Whether the controller may have stored fewer, or none.
    pub(super) is_doubted: bool,
}

/// Scale events by direction.
#[derive(Clone, Debug, Default)]
pub(super) struct Sides {
    ups: Vec<ScaleEvent>,
    downs: Vec<ScaleEvent>,
}

impl ScaleEvents {
    fn push_likely(&mut self, rescale: &OneWay<'_>, (likely, most): (i32, i32)) {
        self.likely.push(rescale, likely);
        let latest = OneWay {
            at: latest(rescale.at),
            ..*rescale
        };
        self.most.push(&latest, most);
    }

    /// Whether there can be one of a direction after `began`.
    fn has_since(&self, direction: Direction, began: Timestamp) -> bool {
        let side = match direction {
            Direction::Up => &self.most.ups,
            Direction::Down => &self.most.downs,
        };
        side.iter().any(|event| began < event.at)
    }

    /// The same, but only `stored` is proved.
    pub(super) fn doubted(self, stored: Sides) -> Self {
        Self {
            is_doubted: self.is_doubted || stored.len() != self.proved.len(),
            proved: stored,
            ..self
        }
    }
}

impl Sides {
    /// Stores one as the controller does: in the place of one that is older than all periods of its direction, if there
    /// is any. Without its behavior, nothing is known to be replaced.
    fn push(&mut self, rescale: &OneWay<'_>, replica_change: i32) {
        let mut memory = Memory {
            scale_up_events: mem::take(&mut self.ups),
            scale_down_events: mem::take(&mut self.downs),
            ..Memory::default()
        };
        let event = ScaleEvent {
            replica_change,
            at: rescale.at,
            is_outdated: false,
            provenance: Provenance::Inferred,
        };
        let (from, to, side) = match rescale.direction {
            Direction::Up => (0, replica_change, &mut memory.scale_up_events),
            Direction::Down => (replica_change, 0, &mut memory.scale_down_events),
        };
        if rescale.behavior.is_none() {
            side.push(event);
        }
        engine::store_scale_event(&mut memory, rescale.behavior, from, to, rescale.at);
        let Memory {
            scale_up_events: mut ups,
            scale_down_events: mut downs,
            ..
        } = memory;
        for one in ups.iter_mut().chain(&mut downs) {
            one.provenance = Provenance::Inferred;
        }
        (self.ups, self.downs) = (ups, downs);
    }

    /// All of one direction, and what is `stored` of the other.
    pub(super) fn apart(self, stored: &Self) -> [Self; 2] {
        let Self { ups, downs } = self;
        [(ups, stored.downs.clone()), (stored.ups.clone(), downs)]
            .map(|(ups, downs)| Self { ups, downs })
    }

    /// Those that are newer than the last edit.
    pub(super) fn since(&self, edited: Option<Timestamp>) -> Self {
        let newer = |side: &[ScaleEvent]| {
            let is_newer =
                |event: &&ScaleEvent| edited.is_none_or(|edited| is_since(event.at, edited));
            side.iter().filter(is_newer).copied().collect()
        };
        Self {
            ups: newer(&self.ups),
            downs: newer(&self.downs),
        }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.ups.len().saturating_add(self.downs.len())
    }

    /// The last one of each direction. The controller replaces only events from before that.
    pub(super) fn newest(&self) -> Self {
        let newest = |side: &[ScaleEvent]| {
            let newest = side.iter().max_by_key(|event| event.at);
            newest.copied().into_iter().collect()
        };
        Self {
            ups: newest(&self.ups),
            downs: newest(&self.downs),
        }
    }

    /// Stores them in a memory.
    pub(super) fn remember(self, memory: &mut Memory) {
        (memory.scale_up_events, memory.scale_down_events) = (self.ups, self.downs);
    }
}

/// A rescale in one direction. The behavior is None where it is not known.
struct OneWay<'a> {
    direction: Direction,
    at: Timestamp,
    behavior: Option<&'a Behavior>,
}

/// The scale events since `began`. `before` is the number of replicas before the newest rescale, if the status has it.
/// The policies and bounds of the spec say nothing about the rescales until it was `edited`.
pub(super) fn scale_events(
    observation: &Observation,
    events: &RescaleEvents,
    began: Option<Timestamp>,
    before: Option<i32>,
    edited: Option<Timestamp>,
) -> ScaleEvents {
    let mut found = ScaleEvents::default();
    let mut previous: Option<&Rescaled> = None;
    for (index, rescale) in events.rescales.iter().enumerate() {
        let earlier = previous.replace(rescale);
        if began.is_some_and(|began| rescale.at < began) {
            continue;
        }
        let was_other = edited.is_some_and(|edited| !is_since(rescale.at, edited));
        let behavior = observation.hpa.spec.behavior.as_ref();
        let behavior = behavior.filter(|_| !was_other);
        let policies = |direction| {
            let by_policies = || by_policies(observation, rescale, direction);
            (!was_other).then(by_policies).flatten()
        };
        let is_possible = |from: &i32| {
            let direction = Direction::between(*from, rescale.size);
            let most = direction.and_then(|one| Some((one, policies(one)?)));
            let Some(((direction, most), behavior)) = most.zip(behavior) else {
                return true;
            };
            let change = rescale.size.abs_diff(*from);
            let began = engine::before(rescale.at, engine::longest_period(behavior, direction));
            let has_earlier = |direction| found.has_since(direction, began);
            let has_opposite = Direction::BOTH
                .into_iter()
                .any(|one| one != direction && has_earlier(one));
            // More than the policies allow, or less than a limit that was reached: another writer changed the replicas
            // before.
            let is_too_much = most.unsigned_abs() < change && !has_opposite;
            let is_limited = limited_direction(observation, rescale) == Some(direction);
            let is_too_little = is_limited
                && change < most.unsigned_abs()
                && !has_opposite
                && !has_earlier(direction);
            !is_too_much && !is_too_little
        };
        let follows = rescale.from.filter(is_possible);
        let is_newest = index + 1 == events.rescales.len();
        let certain = before.filter(|_| is_newest).or_else(|| {
            let may_hide = |earlier| events.may_hide(earlier, rescale, None);
            follows.filter(|_| !was_other && !earlier.is_none_or(may_hide))
        });
        let from = certain.or(follows);
        let change = from.map(|from| rescale.size.saturating_sub(from));
        let direction = match from {
            Some(from) => Direction::between(from, rescale.size),
            None => rescale
                .direction()
                .or_else(|| limited_direction(observation, rescale))
                .or_else(|| Direction::between(earlier?.size, rescale.size)),
        };
        let one_way = |direction| OneWay {
            direction,
            at: rescale.at,
            behavior,
        };
        // Of a rescale from the status alone, nothing shows the direction, and without the Events no earlier ones.
        if direction.is_none() || events.are_unread {
            found.is_doubted = true;
            for direction in Direction::BOTH {
                found.most.push(&one_way(direction), MANY);
            }
        }
        let Some(direction) = direction else {
            continue;
        };
        let this = one_way(direction);
        let change = change.map(i32::saturating_abs);
        let is_above = earlier.is_some_and(|earlier| earlier.size < rescale.size);
        if was_other && is_above && direction == Direction::Down && certain.is_none() {
            // Without behavior, an older recommendation can also have raised them.
            found.push_likely(&one_way(Direction::Up), (1, MANY));
            found.most.push(&this, MANY);
            continue;
        }
        // Its reason shows at least the direction.
        let least = if certain.is_some() { change } else { None };
        if certain.is_some() || rescale.direction().is_some() {
            found.proved.push(&this, least.unwrap_or(1));
        }
        let steps = earlier.and_then(|one| steps(events, one, rescale));
        if steps.is_none() && earlier.is_some_and(|one| events.hides(one, rescale, None)) {
            found.is_doubted = true;
            for direction in Direction::BOTH {
                found.most.push(&one_way(direction), MANY);
            }
        }
        match (change, steps) {
            (Some(change), _) if was_other && certain.is_none() => {
                // With another target it may have begun elsewhere.
                found.push_likely(&this, (change, MANY));
            }
            (Some(change), _) => found.push_likely(&this, (change, change)),
            (None, Some(steps)) => {
                for (at, change) in steps {
                    found.push_likely(&OneWay { at, ..this }, (change, change));
                }
            }
            (None, None) => {
                let is_single = earlier.is_some() || !events.may_be_dropped;
                let most = |change| if is_single { change } else { MANY };
                let changes =
                    policies(direction).map_or((1, MANY), |change| (change, most(change)));
                found.push_likely(&this, changes);
            }
        }
    }
    found
}

/// The latest time that, cut to seconds as in Events and a status, is `at`.
pub(super) fn latest(at: Timestamp) -> Timestamp {
    let rest = SignedDuration::from_nanos(999_999_999);
    if at.subsec_nanosecond() == 0 {
        engine::after(at, rest)
    } else {
        at
    }
}

/// Whether a rescale was certainly after an edit, whose time is cut to seconds.
pub(super) fn is_since(at: Timestamp, edited: Timestamp) -> bool {
    engine::after(edited, SignedDuration::from_secs(1)) <= at
}

/// The direction of the rescale that the status has, if it limited the rate.
fn limited_direction(observation: &Observation, rescale: &Rescaled) -> Option<Direction> {
    let status = &observation.hpa.status;
    let limited = status.condition("ScalingLimited")?;
    let is_of_status = [status.last_scale_time, limited.last_transition_time]
        .into_iter()
        .all(|at| at.is_some_and(|at| is_same_second(at, rescale.at)));
    match limited.reason.as_str() {
        "ScaleUpLimit" if is_of_status => Some(Direction::Up),
        "ScaleDownLimit" if is_of_status => Some(Direction::Down),
        _ => None,
    }
}

/// The steps that an Event combines, assumed to be equal, if all went in one direction.
fn steps(
    events: &RescaleEvents,
    earlier: &Rescaled,
    rescale: &Rescaled,
) -> Option<Vec<(Timestamp, i32)>> {
    let times = events.combined(earlier, rescale)?;
    let number = i32::try_from(times.len()).ok()?;
    let change = rescale.size.saturating_sub(earlier.size);
    let direction = Direction::between(earlier.size, rescale.size)?;
    let change = change.saturating_abs();
    if rescale.direction() != Some(direction) || change < number {
        return None;
    }
    let until = |step: i32| change.saturating_mul(step) / number;
    let sizes = (0..number).map(|step| until(step + 1) - until(step));
    Some(times.into_iter().zip(sizes).collect())
}

/// The change by a rescale with unknown replicas before, if its policies allowed exactly that. None: no policy limits
/// it.
fn by_policies(observation: &Observation, rescale: &Rescaled, direction: Direction) -> Option<i32> {
    if matches!(
        rescale.cause,
        RescaleCause::AboveMax | RescaleCause::BelowMin
    ) {
        return None;
    }
    let spec = &observation.hpa.spec;
    let rules = spec.behavior.as_ref()?.rules(direction);
    let size = rescale.size;
    let change = allowed(rules, |policy| match (policy.policy_type, direction) {
        (PolicyType::Pods, _) => policy.value,
        (PolicyType::Percent, Direction::Up) => {
            share(size, policy.value, policy.value.saturating_add(100))
        }
        (PolicyType::Percent, Direction::Down) if 100 <= policy.value => i32::MAX,
        (PolicyType::Percent, Direction::Down) => share(size, policy.value, 100 - policy.value),
    });
    let room = match direction {
        Direction::Up => size.saturating_sub(spec.min_replicas()),
        Direction::Down => spec.max_replicas.saturating_sub(size),
    };
    Some(change.min(room).max(1))
}

/// What the policies of one direction allow: the most or the least, as `selectPolicy` says. Without policies, a large
/// number.
fn allowed(rules: Option<&ScalingRules>, of: impl Fn(&ScalingPolicy) -> i32) -> i32 {
    let Some(rules) = rules else {
        return i32::MAX;
    };
    let changes = rules.policies.iter().flatten().map(of);
    let change = if rules.select_policy == Some(SelectPolicy::Min) {
        changes.min()
    } else {
        changes.max()
    };
    change.unwrap_or(i32::MAX)
}

/// `size × part ÷ whole`, rounded up.
fn share(size: i32, part: i32, whole: i32) -> i32 {
    let whole = i64::from(whole.max(1));
    let share = (i64::from(size) * i64::from(part) + whole - 1) / whole;
    i32::try_from(share).unwrap_or(i32::MAX)
}

/// A change that uses up any policy, and that the engine can still add.
const MANY: i32 = 1_000_000;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        testing::{at, rescale_event},
        without_metrics,
    };
    use hpa_engine::model::{
        Behavior, Context, ControllerConfig, HpaSpec, Input, KubeEvent, KubeVersion, ScaleTargetRef,
    };

    const ABOVE: &str = "cpu resource utilization (percentage of request) above target";

    /// An HPA with one pod in five minutes.
    fn observation() -> Observation {
        let policy = ScalingPolicy {
            policy_type: PolicyType::Pods,
            value: 1,
            period_seconds: 300,
        };
        let target = ScaleTargetRef {
            api_version: None,
            kind: "Deployment".to_owned(),
            name: "web".to_owned(),
        };
        let mut spec = HpaSpec::new(target, 40, Vec::new());
        spec.behavior = Some(Behavior {
            scale_up: Some(ScalingRules {
                policies: Some(vec![policy]),
                ..ScalingRules::default()
            }),
            ..Behavior::default()
        });
        let version = Input::assumed(KubeVersion::NEWEST);
        without_metrics(&spec, &ControllerConfig::defaults(version))
    }

    fn changes(events: Vec<KubeEvent>, began: Option<Timestamp>) -> [Vec<(Timestamp, i32)>; 4] {
        let context = Context {
            events,
            ..Context::default()
        };
        let events = RescaleEvents::of(&context, at(600));
        let ScaleEvents { proved, likely, .. } =
            scale_events(&observation(), &events, began, None, None);
        [proved.ups, proved.downs, likely.ups, likely.downs].map(|events| {
            let pairs = events.iter().map(|event| (event.at, event.replica_change));
            pairs.collect()
        })
    }

    #[test]
    fn sizes_in_events_become_scale_events() {
        let events = || {
            vec![
                rescale_event(&format!("New size: 4; reason: {ABOVE}"), 1, 0, 0),
                rescale_event("New size: 3; reason: All metrics below target", 1, 30, 30),
                rescale_event(
                    "New size: 8; reason: Current number of replicas below Spec.MinReplicas",
                    1,
                    15,
                    15,
                ),
            ]
        };
        let [proved_ups, proved_downs, likely_ups, likely_downs] = changes(events(), None);
        assert_eq!(proved_ups, [(at(0), 1), (at(15), 4)]);
        assert_eq!(proved_downs, [(at(30), 5)]);
        assert_eq!(likely_ups, [(at(0), 1), (at(15), 4)]);
        assert_eq!(likely_downs, [(at(30), 5)]);
        // A controller that became leader in between has no earlier history.
        let [ups, downs, ..] = changes(events(), Some(at(20)));
        assert_eq!((ups.len(), downs.len()), (0, 1));
    }

    #[test]
    fn combined_event_has_the_size_of_its_last_time_only() {
        let events = vec![
            rescale_event(&format!("New size: 15; reason: {ABOVE}"), 1, 400, 400),
            rescale_event(
                &format!("(combined from similar events): New size: 18; reason: {ABOVE}"),
                3,
                460,
                580,
            ),
        ];
        let [proved, _, likely, downs] = changes(events, None);
        assert_eq!(proved, [(at(400), 1), (at(580), 1)]);
        let minute = |number: i64| at(400) + SignedDuration::from_mins(number);
        assert_eq!(
            likely,
            [
                (minute(0), 1),
                (minute(1), 1),
                (minute(2), 1),
                (minute(3), 1)
            ]
        );
        assert_eq!(downs, []);
    }

    #[test]
    fn way_up_to_fewer_is_no_scale_down() {
        let events = vec![
            rescale_event(&format!("New size: 9; reason: {ABOVE}"), 1, 0, 0),
            rescale_event(&format!("New size: 6; reason: {ABOVE}"), 1, 60, 60),
        ];
        let [_, downs, likely, _] = changes(events, None);
        assert_eq!(downs, []);
        assert_eq!(likely, [(at(0), 1), (at(60), 1)]);
    }
}
