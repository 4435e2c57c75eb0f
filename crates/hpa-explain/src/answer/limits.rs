//! Answers where policies, `minReplicas` or `maxReplicas` decide.

use hpa_analysis::ReplicaChange;
use hpa_engine::{
    model::{MetricSpec, PolicyType},
    trace::{
        ClassifiedPod, GroupPods, LimitPath, PodClass, PodReason, PolicyBound, ProposalRule,
        RatioFormula,
    },
};
use hpa_words::{
    amount::{count, replicas},
    clock::duration,
};
use jiff::{SignedDuration, Unit};

use crate::{
    ExplainContext,
    context::downstream::{
        self,
        missing::{few_exist, missing},
    },
    failing_pods::FailingPods,
    ladder::{deciding_policy, is_bound},
    not_counted::{checks, shortage, show_at},
    pods::{lacks_nodes, pending},
    situation::{Place, Situation, is_more_useless},
};

pub(super) fn policy(cx: &ExplainContext<'_>) -> Vec<String> {
    let Some(limit) = cx.facts.limit else {
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
    let used = deciding.and_then(used_up);
    let what = match (deciding, used) {
        (None, _) => format!("the {side} policies allow {} now", limit.desired),
        (Some(policy), Some(used)) if limit.desired == limit.current => {
            format!("{side} policy \"{}\" is used up: {used}", rate(policy))
        }
        (Some(policy), used) => format!(
            "{side} policy \"{}\" allows {} now{}",
            rate(policy),
            limit.desired,
            used.map_or_else(String::new, |used| format!(" ({used})"))
        ),
    };
    let why = format!("{}, but {what}.", proposal_before(cx, limit.stabilized));
    let steps = steps(cx).unwrap_or_else(|| "It continues as the period allows.".to_owned());
    // If nothing changes now, the time of the next change comes first.
    if limit.desired == limit.current {
        vec![steps, why]
    } else {
        vec![why, steps]
    }
}

/// `CPU is at 330% (target 60%) and asks for 33 replicas`, or the result of the stabilization window.
fn proposal_before(cx: &ExplainContext<'_>, stabilized: i32) -> String {
    if cx.facts.proposal() == Some(stabilized) {
        match cx.facts.winner() {
            Some(winner) => format!("{} and asks for {}", winner.is_at(), replicas(stabilized)),
            None => cx.proposal_text(),
        }
    } else {
        format!(
            "{}, the stabilization window makes that {stabilized}",
            cx.proposal_text()
        )
    }
}

fn rate(policy: &PolicyBound) -> String {
    policy_rate(policy.policy_type, policy.value, policy.period_seconds)
}

/// `30% per 60 s`, `2 pods per 15 s`: in seconds, as the spec has it.
pub(crate) fn policy_rate(kind: PolicyType, value: i32, period_seconds: i32) -> String {
    match kind {
        PolicyType::Percent => format!("{value}% per {period_seconds} s"),
        PolicyType::Pods => format!(
            "{} per {period_seconds} s",
            count(usize::try_from(value).unwrap_or_default(), "pod")
        ),
    }
}

/// How much of a policy is already used up: `2 pods were added in the last 60 s`.
fn used_up(policy: &PolicyBound) -> Option<String> {
    let changed = match (policy.added, policy.removed) {
        (0, 0) => return None,
        (added, 0) => format!("{} added", pods_were(added)),
        (0, removed) => format!("{} removed", pods_were(removed)),
        (added, removed) => format!("{} added and {removed} removed", pods_were(added)),
    };
    Some(format!("{changed} in the last {} s", policy.period_seconds))
}

fn pods_were(number: i32) -> String {
    let be = if number == 1 { "was" } else { "were" };
    let pods = count(usize::try_from(number).unwrap_or_default(), "pod");
    format!("{pods} {be}")
}

/// `While CPU asks for 40, it scales to 33 at 10:42:00 (in 45 s), 40 at 10:43:00.`, to the end. At the same load a metric
/// can ask for something else on the way: near the target it is within tolerance.
pub(super) fn steps(cx: &ExplainContext<'_>) -> Option<String> {
    let changes = &cx.analysis.timeline;
    let (first, last) = (changes.first()?, changes.last()?);
    let at = |change: &ReplicaChange| format!("{} at {}", change.to, cx.clock.time(change.at));
    let mut parts = vec![format!("{} {}", first.to, cx.clock.ahead(first.at))];
    match rhythm(changes) {
        Some(rhythm) => {
            parts.push(rhythm);
            parts.push(format!("{} at about {}", last.to, cx.clock.time(last.at)));
        }
        None if changes.len() <= 4 => parts.extend(changes[1..].iter().map(at)),
        None => {
            parts.extend(changes[1..3].iter().map(at));
            parts.push(format!("eventually {}", last.to));
        }
    }
    let recommended = cx.facts.winner().zip(cx.facts.stabilize);
    let condition = recommended.map_or_else(
        || "While the metrics ask for the same".to_owned(),
        |(winner, stabilize)| {
            let number = stabilize.recommendation;
            format!("While {} asks for {number}", winner.in_prose())
        },
    );
    Some(format!("{condition}, it scales to {}.", parts.join(", ")))
}

/// `then 1 more each minute`, if that describes everything between the first and the last change.
fn rhythm(changes: &[ReplicaChange]) -> Option<String> {
    let [first, second, _, .., last] = changes else {
        return None;
    };
    let (step, period) = (second.to - second.from, seconds_between(first, second)?);
    let is_even = changes.windows(2).all(|pair| {
        let is_last = pair[1] == *last;
        let by = pair[1].to - pair[1].from;
        let is_step =
            by == step || is_last && by.signum() == step.signum() && by.abs() < step.abs();
        is_step && seconds_between(&pair[0], &pair[1]) == Some(period)
    });
    let way = if 0 < step { "more" } else { "fewer" };
    let each = match period {
        60 => "each minute".to_owned(),
        _ => format!("every {}", duration(SignedDuration::from_secs(period))),
    };
    is_even.then(|| format!("then {} {way} {each}", step.abs()))
}

/// Whole seconds: a change happens just after a period has ended.
fn seconds_between(one: &ReplicaChange, next: &ReplicaChange) -> Option<i64> {
    let between = next.at.duration_since(one.at).round(Unit::Second).ok()?;
    Some(between.as_secs()).filter(|seconds| 0 < *seconds)
}

pub(super) fn disabled_direction(cx: &ExplainContext<'_>) -> Vec<String> {
    let proposal = cx.facts.proposal().unwrap_or_default();
    let is_down = cx.facts.current().is_some_and(|current| proposal < current);
    let side = if is_down { "scaleDown" } else { "scaleUp" };
    let way = if is_down { "down" } else { "up" };
    vec![
        format!(
            "{}, but {side}.selectPolicy is Disabled, so no metric scales it {way}.",
            cx.proposal_text()
        ),
        "Only minReplicas and maxReplicas still change the replicas.".to_owned(),
    ]
}

pub(super) fn no_behavior_limit(cx: &ExplainContext<'_>) -> Vec<String> {
    let Some(limit) = cx.facts.limit else {
        return Vec::new();
    };
    let rule = if limit.desired == 4 && limit.current.saturating_mul(2) < 4 {
        "Without behavior one sync can at most reach 4 here"
    } else if limit.desired == 4 {
        "Without behavior one sync can at most double the replicas, or reach 4"
    } else {
        "Without behavior one sync can at most double the replicas"
    };
    let mut sentences = vec![
        format!("{}.", proposal_before(cx, limit.stabilized)),
        format!("{rule}."),
    ];
    sentences.extend(steps(cx));
    sentences
}

pub(super) fn max_replicas(cx: &ExplainContext<'_>, situation: Option<&Situation>) -> Vec<String> {
    let facts = &cx.facts;
    let max = facts.max();
    let proposal_before = facts.limit.map_or(max, |limit| limit.stabilized);
    // An inferred recommendation may be known only as a bound; then the shortage is a bound as well.
    let is_bound = facts
        .stabilize
        .is_some_and(|step| is_bound(step, proposal_before));
    let at_least = if is_bound { "at least " } else { "" };
    let recommendation = match facts.winner() {
        Some(winner) if facts.proposal() == Some(proposal_before) => {
            format!(
                "{} and asks for {}",
                winner.is_at(),
                replicas(proposal_before)
            )
        }
        _ => format!(
            "{}, the stabilization window makes that {at_least}{proposal_before}",
            cx.proposal_text()
        ),
    };
    if facts.current().is_some_and(|current| current < max) {
        return vec![format!(
            "{recommendation}, but maxReplicas is {max}: it scales to {max}."
        )]
        .into_iter()
        .chain(pending(facts).map(|pending| format!("{pending}.")))
        .chain(
            lacks_nodes(facts).then(|| "Add node capacity: the new pods also need it.".to_owned()),
        )
        .collect();
    }
    let mut sentences = vec![if facts.min() == max {
        format!(
            "minReplicas and maxReplicas are both {max}, so it cannot scale up: {recommendation}."
        )
    } else {
        format!("At maxReplicas {max}: {recommendation}.")
    }];
    match pending(facts) {
        Some(pending) => {
            sentences.push(format!(
                "Raising maxReplicas alone will not help: {pending}."
            ));
            if lacks_nodes(facts) {
                sentences.push("Add node capacity first.".to_owned());
            }
        }
        None => match not_counted(cx) {
            Some(groups) if situation.is_none() => {
                sentences.push(format!("{}.", shortage(cx, groups)));
                let check = "Before you raise maxReplicas, check";
                sentences.extend(checks(facts, groups, cx.clock, check));
            }
            _ => sentences.extend(higher_maximum(cx, situation, proposal_before).or_else(|| {
                let missing = missing(cx).filter(|_| situation.is_none())?;
                Some(format!("{} yet.", few_exist(missing)))
            })),
        },
    }
    sentences
}

/// The pods, if some are not ready or have no metrics. If pods fail, the answer names them already.
fn not_counted<'a>(cx: &ExplainContext<'a>) -> Option<&'a GroupPods> {
    let groups = cx.facts.groups()?;
    let is_any = 0 < groups.unready || 0 < groups.missing;
    (is_any && FailingPods::in_the_way(cx).is_none()).then_some(groups)
}

/// Advice to raise `maxReplicas`, if nothing known speaks against it.
fn higher_maximum(
    cx: &ExplainContext<'_>,
    situation: Option<&Situation>,
    needed: i32,
) -> Option<String> {
    let groups = cx.facts.groups()?;
    if situation.is_some() || !may_raise_max(cx) {
        return None;
    }
    let all = match groups.pods.len() {
        1 => "The only pod is ready".to_owned(),
        pods => format!("All {pods} pods are ready"),
    };
    Some(format!(
        "{all}: if this load is expected, raise maxReplicas (to {needed} at this load)."
    ))
}

/// Whether nothing known speaks against a higher `maxReplicas`: all pods are ready, and more of them fit.
pub(crate) fn may_raise_max(cx: &ExplainContext<'_>) -> bool {
    // A pod that is not ready may still count with its usage.
    let is_ready = |pod: &ClassifiedPod| {
        pod.class == PodClass::Ready && pod.reason != PodReason::CountedThoughNotReady
    };
    let all_ready = |groups: &GroupPods| groups.pods.iter().all(is_ready);
    cx.facts.groups().is_some_and(all_ready) && downstream::has_room(cx) && !is_more_useless(cx)
}

/// Situation: a target of type Value is multiplied by the ready pods, which drives the replicas up.
pub(crate) fn value_times_pods(cx: &ExplainContext<'_>) -> Option<Situation> {
    let winner = cx.facts.winner()?;
    let (Some(MetricSpec::External(_) | MetricSpec::Object(_)), Some(proposal)) =
        (winner.spec, winner.proposal)
    else {
        return None;
    };
    let ProposalRule::CeilRatioTimesReady { usage_ratio, ready } = proposal.rule else {
        return None;
    };
    let RatioFormula::Value { usage, target } = winner.ratio?.formula else {
        return None;
    };
    if usage_ratio <= 1.0 || proposal.replicas <= cx.facts.current()? {
        return None;
    }
    let unit = winner.unit();
    let as_average = i32::try_from(usage.0.div_euclid(target.0.max(1)))
        .ok()?
        .saturating_add(i32::from(usage.0.rem_euclid(target.0.max(1)) != 0));
    let (value, target) = (unit.amount(usage), unit.amount(target));
    Some(Situation {
        place: Place::After,
        words: None,
        sentences: vec![
            format!(
                "A Value target is multiplied by the ready pods ({value} / {target} × {ready}), so the result grows with \
                 every scale-up until {} falls.",
                winner.name()
            ),
            format!(
                "If {} is a total, use AverageValue: {target} would ask for {}.",
                winner.name(),
                replicas(as_average)
            ),
        ],
        command: None,
    })
}

pub(super) fn min_replicas(cx: &ExplainContext<'_>) -> Vec<String> {
    let facts = &cx.facts;
    let (min, current) = (facts.min(), facts.current().unwrap_or_default());
    let proposal = facts.winner().map_or_else(
        || cx.proposal_text(),
        |winner| {
            format!(
                "{} and asks for {}",
                winner.is_at(),
                replicas(facts.proposal().unwrap_or_default())
            )
        },
    );
    if min < current {
        return vec![format!(
            "{proposal}, but minReplicas stops the scale-down at {min}."
        )];
    }
    let pods = not_counted(cx).map(|groups| {
        // An average over the remaining pods says little about the load.
        let shortage = vec![format!("{}.", shortage(cx, groups))];
        [shortage, show_at(facts, groups, cx.clock)].concat()
    });
    let is_pinned = min == facts.max();
    if is_pinned && let Some(mut sentences) = pods {
        sentences.push(format!(
            "The HPA stays at {min} whatever the load is: minReplicas and maxReplicas are both {min}."
        ));
        return sentences;
    }
    let mut sentences = vec![if is_pinned {
        format!("minReplicas and maxReplicas are both {min}, so the HPA never scales: {proposal}.")
    } else {
        format!("At minReplicas {min}: {proposal}.")
    }];
    if let Some(pods) = pods {
        sentences.extend(pods);
    } else if !is_pinned {
        sentences.push(
            "Normal for an idle workload: ScalingLimited=True (TooFewReplicas) is not an error here."
                .to_owned(),
        );
    }
    sentences
}
