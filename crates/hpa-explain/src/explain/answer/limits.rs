//! Answers where policies, minimum or maximum decide.

use crate::{
    explain::{
        Story,
        amount::count,
        clock::duration,
        ladder::{deciding_policy, is_bound},
        pods::pending,
    },
    model::PolicyType,
    trace::{LimitPath, PolicyBound},
};
use jiff::SignedDuration;

pub(super) fn policy(story: &Story<'_>) -> Vec<String> {
    let Some(limit) = story.facts.limit else {
        return Vec::new();
    };
    let LimitPath::Behavior {
        direction: Some(direction),
        policies,
        select_policy,
        ..
    } = &limit.path
    else {
        return Vec::new();
    };
    let side = direction.as_str();
    let deciding = deciding_policy(policies, *select_policy, *direction);
    let what = deciding.map_or_else(
        || format!("the {side} policies allow"),
        |policy| format!("the {side} policy {} allows", rate(policy)),
    );
    let mut sentences = vec![format!(
        "{}, but {what} {} now.",
        wanted(story, limit.stabilized),
        limit.desired
    )];
    if let Some(policy) = deciding {
        sentences.extend(used_up(policy));
    }
    sentences.push(steps(story).unwrap_or_else(|| "It goes on as the period allows.".to_owned()));
    sentences
}

/// `cpu asks for 33`, or `33 are wanted` if the window changed that.
fn wanted(story: &Story<'_>, stabilized: i32) -> String {
    if story.facts.asked() == Some(stabilized) {
        match story.facts.winner() {
            Some(winner) => format!("{}, which asks for {stabilized}", winner.is_at()),
            None => story.asks(),
        }
    } else {
        format!("{}, the window holds it at {stabilized}", story.asks())
    }
}

fn rate(policy: &PolicyBound) -> String {
    policy_rate(policy.policy_type, policy.value, policy.period_seconds)
}

/// `30 % per 1 m`, `2 pods per 15 s`.
pub(in crate::explain) fn policy_rate(kind: PolicyType, value: i32, period_seconds: i32) -> String {
    let period = duration(SignedDuration::from_secs(period_seconds.into()));
    match kind {
        PolicyType::Percent => format!("{value} % per {period}"),
        PolicyType::Pods => format!(
            "{} per {period}",
            count(usize::try_from(value).unwrap_or_default(), "pod")
        ),
    }
}

/// What of a policy is used up already.
fn used_up(policy: &PolicyBound) -> Option<String> {
    let period = duration(SignedDuration::from_secs(policy.period_seconds.into()));
    match (policy.added, policy.removed) {
        (0, 0) => None,
        (added, 0) => Some(format!(
            "{added} {} added within the last {period} already.",
            were(added)
        )),
        (0, removed) => Some(format!(
            "{removed} {} removed within the last {period} already.",
            were(removed)
        )),
        (added, removed) => Some(format!(
            "{added} {} added and {removed} removed within the last {period}.",
            were(added)
        )),
    }
}

fn were(number: i32) -> &'static str {
    if number == 1 { "was" } else { "were" }
}

/// `Next: 33 at 10:42:00, 40 at 10:43:00, if the load stays.`
fn steps(story: &Story<'_>) -> Option<String> {
    let steps: Vec<String> = story
        .look
        .timeline
        .iter()
        .take(3)
        .map(|change| format!("{} at {}", change.to, story.clock.time(change.at)))
        .collect();
    (!steps.is_empty()).then(|| format!("If the load stays: {}.", steps.join(", ")))
}

pub(super) fn disabled_direction(story: &Story<'_>) -> Vec<String> {
    let asked = story.facts.asked().unwrap_or_default();
    let is_down = story.facts.current().is_some_and(|current| asked < current);
    let side = if is_down { "scaleDown" } else { "scaleUp" };
    let way = if is_down { "down" } else { "up" };
    vec![
        format!(
            "{}, but {side}.selectPolicy is Disabled: it does not go {way} by itself.",
            story.asks()
        ),
        "Only minReplicas and maxReplicas still move it.".to_owned(),
    ]
}

pub(super) fn no_behavior_limit(story: &Story<'_>) -> Vec<String> {
    let Some(limit) = story.facts.limit else {
        return Vec::new();
    };
    let rule = if limit.desired == 4 && limit.current.saturating_mul(2) < 4 {
        "without behavior one step may at most reach 4 here"
    } else if limit.desired == 4 {
        "without behavior one step may at most double the replicas, or reach 4"
    } else {
        "without behavior one step may at most double the replicas"
    };
    let mut sentences = vec![format!("{}; {rule}.", wanted(story, limit.stabilized))];
    sentences.extend(steps(story));
    sentences
}

pub(super) fn max_replicas(story: &Story<'_>) -> Vec<String> {
    let facts = &story.facts;
    let max = facts.max();
    let wanted = facts.limit.map_or(max, |limit| limit.stabilized);
    let short = wanted.saturating_sub(max);
    // Of an inferred recommendation only a bound may be known, and with it only a bound of what is lacking.
    let is_bound = facts.stabilize.is_some_and(|step| is_bound(step, wanted));
    let at_least = if is_bound { "at least " } else { "" };
    let first = match facts.winner() {
        Some(winner) if facts.asked() == Some(wanted) => format!(
            "{}, which asks for {wanted}: {short} more than maxReplicas allows.",
            winner.is_at()
        ),
        _ => format!(
            "{}, which the window makes {at_least}{wanted}: {at_least}{short} more than maxReplicas \
             allows.",
            story.asks()
        ),
    };
    let mut sentences = vec![first];
    if facts.current().is_some_and(|current| current < max) {
        sentences.push(format!(
            "That is cut, not refused: the replicas go to {max}."
        ));
    }
    sentences.extend(pending(facts));
    sentences
}

pub(super) fn min_replicas(story: &Story<'_>) -> Vec<String> {
    let facts = &story.facts;
    let (min, current) = (facts.min(), facts.current().unwrap_or_default());
    let asked = facts.winner().map_or_else(
        || story.asks(),
        |winner| {
            format!(
                "{}, which asks for {}",
                winner.is_at(),
                facts.asked().unwrap_or_default()
            )
        },
    );
    if min < current {
        return vec![format!("{asked}; minReplicas stops it at {min}.")];
    }
    vec![format!(
        "{asked}, but minReplicas is {min}: the usual state of an idle workload (ScalingLimited is no \
         error there)."
    )]
}
