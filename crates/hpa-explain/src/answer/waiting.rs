//! The pods of the target that are not ready, or that the deciding metric does not count: how many, which to check, and what
//! the metric would ask for with them. Said once, whatever the rule is.

use hpa_diagnosis::pods_not_running::existing_pods;
use hpa_engine::{
    model::{Direction, Pod, PodPhase},
    trace::{ClassifiedPod, GroupPods, PodClass, PodReason},
};
use hpa_words::amount::{replicas, upper_first};
use jiff::SignedDuration;

use crate::{
    Action, Decider, ExplainContext,
    command::ShellCommand,
    context::downstream::unscheduled,
    failing_pods::failure,
    not_counted::{
        self, Checks, absent, are_counting_soon, are_young, checks, counted_unready, few_ready,
        uncounted,
    },
    pods::waits_for_room,
    rules::second_pass::counted_back,
    situation::Situation,
    verdict::action,
};

/// What is said of the pods that wait.
pub(super) struct Waiting {
    /// How many there are; none: another sentence says it.
    pub(super) number: Option<String>,
    /// Which to check.
    pub(super) checks: Checks,
    /// What the metric would ask for with them.
    pub(super) with_them: Option<String>,
    /// The command about the first of them.
    pub(super) command: Option<ShellCommand>,
    /// Whether they count soon by themselves: they are ready.
    pub(super) ends_by_itself: bool,
    /// Those to check whatever else the answer says, if they wait for longer than a start takes.
    pub(super) unusual: Vec<String>,
}

/// The pods that wait, without those that `lead` is about; none: every replica is ready and counted, or that is not known.
pub(super) fn waiting(cx: &ExplainContext<'_>, lead: &[Named]) -> Option<Waiting> {
    let is_decided = matches!(
        action(&cx.facts).0,
        Action::Hold | Action::ScaleDown | Action::ScaleUp
    );
    if !is_decided || cx.rule.decider() == Decider::FailedMetric {
        return None;
    }
    let of_metric = cx.facts.winner().and_then(|winner| winner.groups);
    let left = of_metric.and_then(|groups| without(cx, groups.clone(), lead));
    let (groups, number) = match left {
        Some(groups) => {
            let left_out = left_out(cx, &groups);
            (groups, left_out)
        }
        None => (
            without(cx, not_ready(cx), lead)?,
            few_ready(cx).map(|few| format!("{few}.")),
        ),
    };
    let groups = with_unready(cx, groups, lead);
    let lacks_node = {
        let pods = uncounted(&cx.facts, &groups);
        let first = pods.iter().flatten().next();
        first.is_some_and(|(_, pod)| waits_for_room(pod))
    };
    let check = &check_first(cx, lacks_node);
    Some(Waiting {
        number,
        checks: checks(&cx.facts, &groups, cx.clock, check),
        with_them: with_them(cx),
        command: not_counted::command(cx, &groups),
        ends_by_itself: are_counting_soon(&cx.facts, &groups),
        unusual: if are_counting_soon(&cx.facts, &groups) || are_young(&cx.facts, &groups, cx.clock)
        {
            Vec::new()
        } else {
            let checks = checks(&cx.facts, &groups, cx.clock, "Check");
            [checks.check, checks.others].concat()
        },
    })
}

/// Whether the answer names the pods that are not ready, so that no note repeats how many they are.
pub(crate) fn are_unready_named(cx: &ExplainContext<'_>) -> bool {
    let is_said = cx.facts.winner().and_then(counted_back).is_some();
    let waiting = waiting(cx, &[]).filter(|_| is_said && cx.contradiction().is_none());
    waiting.is_some_and(|waiting| !waiting.checks.check.is_empty())
}

/// How the sentence starts that names pods to check: before `maxReplicas` is raised, if the load asks for that.
fn check_first(cx: &ExplainContext<'_>, lacks_node: bool) -> String {
    let is_limited = cx.rule.decider() == Decider::Max || cx.is_stepwise();
    let asks = cx
        .facts
        .proposal()
        .filter(|asks| is_limited && cx.facts.max() < *asks);
    match asks {
        None => "Check".to_owned(),
        Some(_) if cx.facts.is_off(Direction::Up) => "Check".to_owned(),
        Some(_) if cx.facts.min() == cx.facts.max() => "First check".to_owned(),
        Some(asks) if lacks_node => {
            format!("Before raising maxReplicas to {asks}, add node capacity for")
        }
        Some(asks) => format!("Before raising maxReplicas to {asks}, check"),
    }
}

/// Pods that another part of the answer names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    /// Those whose containers cannot run.
    Failing,
    /// Those without a node.
    Unscheduled,
}

impl Named {
    /// Whether the problem that leads is about pods without a node.
    pub(super) fn of(cx: &ExplainContext<'_>, situation: &Situation) -> Option<Self> {
        unscheduled::problem(cx)
            .filter(|one| one.situation == *situation)
            .map(|_| Self::Unscheduled)
    }
}

/// The same pods without those that another part of the answer names; none: all that remain are ready and counted.
fn without(cx: &ExplainContext<'_>, mut groups: GroupPods, lead: &[Named]) -> Option<GroupPods> {
    let is_named = |one: &ClassifiedPod| {
        let pod = cx.facts.pod(one.pod);
        pod.is_none_or(|pod| {
            let is_pending = pod.phase == PodPhase::Pending && failure(pod).is_none();
            lead.contains(&Named::Failing) && failure(pod).is_some()
                || lead.contains(&Named::Unscheduled) && is_pending
        })
    };
    let is_kept = |one: &ClassifiedPod| one.class == PodClass::Ready || !is_named(one);
    groups.pods.retain(is_kept);
    let number = |class| groups.pods.iter().filter(|one| one.class == class).count();
    let (unready, missing) = (number(PodClass::Unready), number(PodClass::Missing));
    (groups.unready, groups.missing) = (unready, missing);
    (0 < unready + missing).then_some(groups)
}

/// The same pods, of which those that are not ready are to check as well, though a metric counts them.
fn with_unready(cx: &ExplainContext<'_>, mut groups: GroupPods, lead: &[Named]) -> GroupPods {
    let is_named = |pod: &Pod| lead.contains(&Named::Failing) && failure(pod).is_some();
    for one in &mut groups.pods {
        let pod = cx.facts.pod(one.pod).filter(|pod| !pod.is_ready());
        if one.class == PodClass::Ready && pod.is_some_and(|pod| !is_named(pod)) {
            one.reason = PodReason::NotReadyInInitialization;
        }
    }
    groups
}

/// The target's pods, those that are not ready apart, for a metric that reads no pods.
fn not_ready(cx: &ExplainContext<'_>) -> GroupPods {
    let all = cx.facts.observation.pods.read();
    let all = all.map(|pods| pods.as_slice()).unwrap_or_default();
    let own = existing_pods(cx.facts.observation, cx.context);
    let is_own = |name: &str| own.iter().any(|pod| pod.name == name);
    let pods = all.iter().enumerate().filter(|(_, pod)| is_own(&pod.name));
    let pods = pods.map(|(index, pod)| {
        let has_been_ready = pod.ready.and_then(|ready| ready.last_transition) > pod.started;
        let (class, reason) = match pod.phase {
            _ if pod.is_ready() => (PodClass::Ready, PodReason::Counted),
            PodPhase::Pending => (PodClass::Unready, PodReason::Pending),
            _ if has_been_ready => (PodClass::Unready, PodReason::NotReadyInInitialization),
            _ => (PodClass::Unready, PodReason::NeverReady),
        };
        ClassifiedPod {
            pod: index,
            class,
            reason,
            usage: None,
            sampled: None,
            window: SignedDuration::ZERO,
        }
    });
    GroupPods {
        pods: pods.collect(),
        unknown_pods: 0,
        ready: 0,
        unready: 0,
        missing: 0,
        ignored: 0,
    }
}

/// `2 of 6 pods are not ready, and the HPA leaves them out; for a scale-up it counts them as 0.`, unless the sentence about the metric has said it.
fn left_out(cx: &ExplainContext<'_>, groups: &GroupPods) -> Option<String> {
    if counted_back(cx.facts.winner()?).is_some() {
        return None;
    }
    let (left, counted) = (groups.unready + groups.missing, counted_unready(groups));
    let them = if left == 1 { "it" } else { "them" };
    let out = match counted {
        0 => them.to_owned(),
        _ => format!("{left} of them"),
    };
    let absent = upper_first(&absent(groups, counted).join(" and "));
    let is_held = action(&cx.facts).0 == Action::Hold && cx.rule.decider() == Decider::Tolerance;
    let then = if is_held {
        format!("; for a scale-up it counts {them} as 0")
    } else {
        String::new()
    };
    Some(format!("{absent}, and the HPA leaves {out} out{then}."))
}

/// `With every pod as busy as those that count, CPU would ask for 12 replicas.`, where the HPA would go to another number.
fn with_them(cx: &ExplainContext<'_>) -> Option<String> {
    let winner = cx.facts.winner()?;
    let then = cx.tipping_points().if_ready?;
    let (min, max) = (cx.facts.min(), cx.facts.max());
    // Between the bounds it is another number.
    let is_same = |one: i32| one.max(min).min(max) == then.replicas.max(min).min(max);
    if winner.replicas().is_none_or(is_same) {
        return None;
    }
    let beyond = cx.beyond(then.replicas);
    let asks = replicas(then.replicas);
    // The answer has begun with its full name.
    let name = match winner.resource() {
        Some(_) => winner.in_prose(),
        None => winner.name(),
    };
    let with = match winner.ready {
        Some(step) => format!("With all {} pods ready", step.selected),
        None => "With every pod as busy as those that count".to_owned(),
    };
    Some(format!("{with}, {name} would ask for {asks}{beyond}."))
}
