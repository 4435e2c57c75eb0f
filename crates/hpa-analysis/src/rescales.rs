//! Infers the scale events that the controller remembers from the Events of an HPA.

use hpa_engine::model::{
    Direction, Memory, Observation, PolicyType, Provenance, ScaleEvent, ScalingPolicy,
    ScalingRules, SelectPolicy,
};
use jiff::Timestamp;

use super::rescale_events::{RescaleCause, RescaleEvents, Rescaled};

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
    fn push_likely(&mut self, direction: Direction, at: Timestamp, (likely, most): (i32, i32)) {
        self.likely.push(direction, at, likely);
        self.most.push(direction, at, most);
    }

    /// The same, but only `stored` is proved.
    pub(super) fn doubted(self, stored: Sides) -> Self {
        Self {
            is_doubted: stored.len() != self.proved.len(),
            proved: stored,
            ..self
        }
    }
}

impl Sides {
    fn push(&mut self, direction: Direction, at: Timestamp, replica_change: i32) {
        let side = match direction {
            Direction::Up => &mut self.ups,
            Direction::Down => &mut self.downs,
        };
        side.push(ScaleEvent {
            replica_change,
            at,
            is_outdated: false,
            provenance: Provenance::Inferred,
        });
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
            let is_newer = |event: &&ScaleEvent| edited.is_none_or(|edited| edited < event.at);
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
        let newest = |side: &[ScaleEvent]| side.last().copied().into_iter().collect();
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
        let was_other = edited.is_some_and(|edited| rescale.at <= edited);
        let is_newest = index + 1 == events.rescales.len();
        let certain = before.filter(|_| is_newest).or_else(|| {
            let may_hide = |earlier| events.may_hide(earlier, rescale, None);
            rescale.from.filter(|_| !earlier.is_none_or(may_hide))
        });
        let from = certain.or(rescale.from);
        let change = from.map(|from| rescale.size.saturating_sub(from));
        let direction = match from {
            Some(from) => Direction::between(from, rescale.size),
            None => rescale
                .direction()
                .or_else(|| Direction::between(earlier?.size, rescale.size)),
        };
        let Some(direction) = direction else {
            continue;
        };
        let change = change.map(i32::saturating_abs);
        let is_above = earlier.is_some_and(|earlier| earlier.size < rescale.size);
        if was_other && is_above && direction == Direction::Down && certain.is_none() {
            // Without behavior, an older recommendation can also have raised them.
            found.push_likely(Direction::Up, rescale.at, (1, MANY));
            found.most.push(Direction::Down, rescale.at, MANY);
            continue;
        }
        // Its reason shows at least the direction.
        let least = if certain.is_some() { change } else { None };
        if certain.is_some() || rescale.direction().is_some() {
            found.proved.push(direction, rescale.at, least.unwrap_or(1));
        }
        match (change, earlier.and_then(|one| steps(events, one, rescale))) {
            (Some(change), _) => found.push_likely(direction, rescale.at, (change, change)),
            (None, Some(steps)) => {
                for (at, change) in steps {
                    found.push_likely(direction, at, (change, change));
                }
            }
            (None, None) => {
                let by_policies = || by_policies(observation, rescale, direction);
                let change = (!was_other).then(by_policies).flatten();
                let changes = change.map_or((1, MANY), |change| (change, change));
                found.push_likely(direction, rescale.at, changes);
            }
        }
    }
    found
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
    use hpa_engine::model::{
        Behavior, Context, ControllerConfig, HpaSpec, Input, KubeEvent, KubeVersion, ScaleTargetRef,
    };
    use jiff::SignedDuration;

    use super::*;
    use crate::{
        testing::{at, rescale_event},
        without_metrics,
    };

    const ABOVE: &str = "cpu resource utilization (percentage of request) above target";

    /// An HPA with one pod in a minute.
    fn observation() -> Observation {
        let policy = ScalingPolicy {
            policy_type: PolicyType::Pods,
            value: 1,
            period_seconds: 60,
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
