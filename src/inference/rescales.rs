//! The scale history that the Events of an HPA still tell.

use jiff::Timestamp;

use crate::model::{
    Context, Memory, Observation, PolicyType, Provenance, ScaleEvent, ScalingPolicy, ScalingRules,
    SelectPolicy,
};

/// One successful rescale, from an Event of the HPA.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PastRescale {
    /// When, to the second.
    pub(super) at: Timestamp,
    /// Replicas afterwards.
    pub(super) size: i32,
    /// What made the controller do it.
    pub(super) cause: Cause,
}

/// What made the controller rescale, from the reason in the Event's message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    /// `… above target`: the metrics asked for more than there were.
    AboveTarget,
    /// There were more than the maximum.
    AboveMax,
    /// There were fewer than the minimum.
    BelowMin,
    /// `All metrics below target`: they asked for fewer.
    BelowTarget,
    /// Nothing: stabilization moved the number.
    None,
}

/// One successful rescale, in the words of its Event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rescaled {
    /// When, to the second.
    pub at: Timestamp,
    /// Replicas afterwards.
    pub size: i32,
    /// The controller's reason, such as `All metrics below target`; empty: an old recommendation moved the number.
    pub reason: String,
    pub(super) cause: Cause,
}

/// The rescales that the Events tell, oldest first. Repeated messages are kept as one Event, so some are lost.
pub(super) fn rescales(context: &Context) -> Vec<Rescaled> {
    let mut rescales: Vec<Rescaled> = context
        .events
        .iter()
        .filter(|event| event.reason == "SuccessfulRescale")
        .filter_map(|event| {
            let (size, cause, reason) = parse(&event.message)?;
            let first = event.first.filter(|_| 1 < event.count);
            Some([first, event.last].map(|at| {
                Some(Rescaled {
                    at: at?,
                    size,
                    reason: reason.to_owned(),
                    cause,
                })
            }))
        })
        .flatten()
        .flatten()
        .collect();
    rescales.sort_by_key(|rescale| rescale.at);
    rescales.dedup();
    rescales
}

/// The same rescales without their words: what the controller's memory is worked out from.
pub(super) fn past_rescales(context: &Context) -> Vec<PastRescale> {
    let mut past: Vec<PastRescale> = rescales(context)
        .into_iter()
        .map(|rescale| PastRescale {
            at: rescale.at,
            size: rescale.size,
            cause: rescale.cause,
        })
        .collect();
    past.dedup();
    past
}

/// Reads `New size: 12; reason: cpu resource utilization (percentage of request) above target`: size, cause, reason.
pub(super) fn parse(message: &str) -> Option<(i32, Cause, &str)> {
    // Many events in a short time are kept as one, with this mark.
    let message = message
        .strip_prefix("(combined from similar events): ")
        .unwrap_or(message);
    let (size, reason) = message
        .strip_prefix("New size: ")?
        .split_once("; reason:")?;
    let cause = if reason.ends_with(" above target") {
        Cause::AboveTarget
    } else if reason.ends_with(" above Spec.MaxReplicas") {
        Cause::AboveMax
    } else if reason.ends_with(" below Spec.MinReplicas") {
        Cause::BelowMin
    } else if reason.ends_with(" below target") {
        Cause::BelowTarget
    } else {
        Cause::None
    };
    Some((size.parse().ok()?, cause, reason.trim_start()))
}

/// The scale events that the controller remembers: the differences between successive sizes since `began`.
/// `before` are the replicas before the newest rescale, if they are known.
pub(super) fn scale_events(
    rescales: &[PastRescale],
    began: Option<Timestamp>,
    before: Option<i32>,
) -> (Vec<ScaleEvent>, Vec<ScaleEvent>) {
    let (mut ups, mut downs) = (Vec::new(), Vec::new());
    let mut previous: Option<i32> = None;
    for (index, rescale) in rescales.iter().enumerate() {
        let is_newest = index + 1 == rescales.len();
        let from = before.filter(|_| is_newest).or(previous);
        previous = Some(rescale.size);
        let is_remembered = began.is_none_or(|began| began <= rescale.at);
        let (Some(from), true) = (from, is_remembered) else {
            continue;
        };
        let event = |replica_change| ScaleEvent {
            replica_change,
            at: rescale.at,
            is_outdated: false,
            provenance: Provenance::Inferred,
        };
        match rescale.size.saturating_sub(from) {
            0 => {}
            added @ 1.. => ups.push(event(added)),
            removed => downs.push(event(removed.saturating_neg())),
        }
    }
    (ups, downs)
}

/// Adds the oldest rescale, whose size before nobody knows, as if its policies had allowed just that.
pub(super) fn add_first_event(
    memory: &mut Memory,
    observation: &Observation,
    rescales: &[PastRescale],
    began: Option<Timestamp>,
) {
    let (Some(first), Some(behavior)) = (rescales.first(), &observation.hpa.spec.behavior) else {
        return;
    };
    let all = memory
        .scale_up_events
        .iter()
        .chain(&memory.scale_down_events);
    let is_known = all.into_iter().any(|event| event.at == first.at);
    if is_known || began.is_some_and(|began| first.at < began) {
        return;
    }
    let event = |replica_change: i32| ScaleEvent {
        replica_change,
        at: first.at,
        is_outdated: false,
        provenance: Provenance::Inferred,
    };
    match first.cause {
        Cause::AboveTarget => {
            let room = first
                .size
                .saturating_sub(observation.hpa.spec.min_replicas());
            let change = allowed(behavior.scale_up.as_ref(), |policy| {
                match policy.policy_type {
                    PolicyType::Pods => policy.value,
                    PolicyType::Percent => {
                        share(first.size, policy.value, policy.value.saturating_add(100))
                    }
                }
            });
            memory.scale_up_events.push(event(change.min(room).max(1)));
        }
        Cause::BelowTarget => {
            let room = observation.hpa.spec.max_replicas.saturating_sub(first.size);
            let change = allowed(behavior.scale_down.as_ref(), |policy| {
                match policy.policy_type {
                    PolicyType::Pods => policy.value,
                    PolicyType::Percent if 100 <= policy.value => i32::MAX,
                    PolicyType::Percent => share(first.size, policy.value, 100 - policy.value),
                }
            });
            memory
                .scale_down_events
                .push(event(change.min(room).max(1)));
        }
        Cause::AboveMax | Cause::BelowMin | Cause::None => {}
    }
}

/// What the policies of one direction allow, most or least of them as `selectPolicy` says; without policies much.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::KubeEvent;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + seconds).unwrap()
    }

    fn event(seconds: i64, message: &str) -> KubeEvent {
        KubeEvent {
            reason: "SuccessfulRescale".to_owned(),
            message: message.to_owned(),
            count: 1,
            first: Some(at(seconds)),
            last: Some(at(seconds)),
            ..KubeEvent::default()
        }
    }

    #[test]
    fn sizes_in_events_become_scale_events() {
        let context = Context {
            events: vec![
                event(
                    0,
                    "New size: 4; reason: cpu resource utilization (percentage of request) above target",
                ),
                event(30, "New size: 3; reason: All metrics below target"),
                event(
                    15,
                    "New size: 8; reason: Current number of replicas below Spec.MinReplicas",
                ),
            ],
            ..Context::default()
        };
        let rescales = past_rescales(&context);
        let sizes: Vec<i32> = rescales.iter().map(|rescale| rescale.size).collect();
        assert_eq!(sizes, [4, 8, 3]);
        assert_eq!(rescales[0].cause, Cause::AboveTarget);
        assert_eq!(rescales[1].cause, Cause::BelowMin);
        let (ups, downs) = scale_events(&rescales, None, None);
        assert_eq!((ups.len(), ups[0].replica_change), (1, 4));
        assert_eq!((downs.len(), downs[0].replica_change), (1, 5));
        // A controller that began in between has forgotten what was before.
        let (ups, downs) = scale_events(&rescales, Some(at(20)), None);
        assert_eq!((ups.len(), downs.len()), (0, 1));
    }
}
