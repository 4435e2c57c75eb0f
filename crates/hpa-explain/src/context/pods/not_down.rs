//! Why the HPA does not scale down: the eight causes in the controller's order, each with its numbers and whether it
//! holds.

use hpa_analysis::usage_floor;
use hpa_engine::{
    engine,
    model::{Direction, ScalingRules},
    trace::{
        AdjustedVerdict, Decision, LimitPath, Milli, MissingFill, Percent, PodClass, RatioFormula,
        StabilizePath, ToleranceCheck,
    },
};
use hpa_words::{
    amount::{MetricUnit, count, percent, ratio, trimmed},
    clock::duration,
};

use super::memory::idle_above_target;
use crate::{
    Decider, ExplainContext, MetricFacts, NoteTopic, NoteView, NoteWeight,
    edge::at_most,
    ladder::{holder, number},
    rules::invalid_metrics::failed_metrics,
};

/// The causes, as details; the least that memory allows is on every page if memory decides.
pub(super) fn notes(cx: &ExplainContext<'_>) -> Vec<NoteView> {
    let is_held = matches!(cx.facts.trace.decision, Decision::Hold { .. });
    let Some(current) = cx.facts.current().filter(|current| 1 < *current) else {
        return Vec::new();
    };
    if !is_held || cx.facts.choice.is_none() {
        return Vec::new();
    }
    let causes = [
        ("rounding", rounding(cx, current)),
        ("tolerance", tolerance(cx)),
        ("other metric", other_metric(cx, current)),
        ("failed metric", Some(failed_metric(cx))),
        ("window", window(cx)),
        ("missing pods", missing_pods(cx)),
        ("limits", Some(limits(cx, current))),
        ("memory", memory(cx, current)),
    ];
    let mut notes = Vec::new();
    for (number, (name, cause)) in (1..).zip(causes) {
        let Some(cause) = cause else {
            continue;
        };
        let holds = if cause.holds {
            " holds it"
        } else {
            ", cleared"
        };
        let weight = if cause.is_for_all {
            NoteWeight::Normal
        } else {
            NoteWeight::Detail
        };
        notes.push(NoteTopic::Decision.note(
            "stays up",
            weight,
            if cause.is_for_all {
                cause.text
            } else {
                format!("{number} {name}{holds}: {}", cause.text)
            },
        ));
    }
    notes
}

/// One cause that may keep the replicas up.
struct HoldCause {
    /// Whether it keeps them up.
    holds: bool,
    /// Whether every page shows it.
    is_for_all: bool,
    text: String,
}

fn cause(holds: bool, text: String) -> HoldCause {
    HoldCause {
        holds,
        is_for_all: false,
        text,
    }
}

/// `from 8 to 7 the average must fall to 7/8 of the target: at 52% or less`.
fn rounding(cx: &ExplainContext<'_>, current: i32) -> Option<HoldCause> {
    let winner = cx.facts.winner()?;
    let holds = cx.rule.decider() == Decider::Rounding;
    let found = cx
        .tipping_points()
        .thresholds
        .iter()
        .find(|one| one.index == winner.evaluation.index)?;
    let text = match &found.down {
        Some(down) => format!(
            "the number is rounded up, so {current} becomes {} only {}{}.",
            down.replicas,
            at_most(winner, down),
            share(winner, current, down.replicas).unwrap_or_default(),
        ),
        None => format!(
            "{} asks for {}, rounded up.",
            winner.full_name(),
            winner.replicas()?
        ),
    };
    Some(cause(holds, text))
}

/// ` (4/5 of the target 60%)`, if that number comes from the rounding alone: every pod counts as it is.
fn share(winner: &MetricFacts<'_>, current: i32, then: i32) -> Option<String> {
    let is_current = |pods: usize| i32::try_from(pods) == Ok(current);
    let is_simple = winner.groups.is_none_or(|groups| {
        let mut pods = groups.pods.iter();
        is_current(groups.pods.len()) && pods.all(|pod| pod.class == PodClass::Ready)
    }) && winner.ready.is_none_or(|pods| is_current(pods.ready));
    if !is_simple || current.checked_sub(1) != Some(then) {
        return None;
    }
    let target = winner.metric_target_text()?;
    let check = winner.tolerance.or(winner.adjusted_tolerance)?;
    let (low, _) = check.band();
    let less = if low < f64::from(then) / f64::from(current) {
        ", less the tolerance"
    } else {
        ""
    };
    Some(format!(" ({then}/{current} of the target {target}{less})"))
}

/// `nothing happens from 54% to 66% (54m … 66m a pod)`.
fn tolerance(cx: &ExplainContext<'_>) -> Option<HoldCause> {
    let winner = cx.facts.winner()?;
    let check = winner.tolerance.or(winner.adjusted_tolerance)?;
    let verdict = winner.adjustment.map(|adjustment| adjustment.verdict);
    let holds = match cx.rule.decider() {
        Decider::Tolerance => true,
        Decider::UncountedPods => verdict == Some(AdjustedVerdict::WithinTolerance),
        _ => false,
    };
    let band = band(winner, check)?;
    let (low, high) = check.band();
    Some(cause(
        holds,
        format!(
            "nothing happens {band}; the ratio is {}.",
            ratio(check.usage_ratio, &[low, high])
        ),
    ))
}

/// The tolerance range in the unit of the target, and for percentages in absolute amounts as well.
fn band(metric: &MetricFacts<'_>, check: &ToleranceCheck) -> Option<String> {
    let (low, high) = check.band();
    let unit = metric.unit();
    let of = |Milli(target): Milli, factor: f64| unit.amount(Milli(scaled(target, factor)));
    Some(match metric.ratio?.formula {
        RatioFormula::Utilization {
            target: Percent(target),
            requests: Milli(requests),
            pods,
            ..
        } => {
            let request = requests.checked_div(i64::try_from(pods).ok()?)?;
            let at = Milli(request.checked_mul(target.into())? / 100);
            let percent = |factor: f64| trimmed(f64::from(target) * factor, 2);
            format!(
                "from {}% to {}% of requests ({} to {} a pod)",
                percent(low),
                percent(high),
                of(at, low),
                of(at, high)
            )
        }
        RatioFormula::PodAverage { target, .. } => {
            format!("from {} to {} a pod", of(target, low), of(target, high))
        }
        RatioFormula::AveragePerReplica { target, .. } => {
            format!("from {} to {} a replica", of(target, low), of(target, high))
        }
        RatioFormula::Value { target, .. } => {
            format!("from {} to {}", of(target, low), of(target, high))
        }
    })
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "for display only"
)]
fn scaled(milli: i64, factor: f64) -> i64 {
    (milli as f64 * factor).round() as i64
}

/// `cpu asks for 4, memory asks for 9: the largest number counts`.
fn other_metric(cx: &ExplainContext<'_>, current: i32) -> Option<HoldCause> {
    let proposals: Vec<(String, i32)> = cx
        .facts
        .metrics
        .iter()
        .filter_map(|metric| Some((metric.full_name(), metric.replicas()?)))
        .collect();
    let most = proposals.iter().map(|(_, proposal)| *proposal).max()?;
    if cx.facts.metrics.len() == 1 {
        return Some(cause(false, "the HPA has only one metric.".to_owned()));
    }
    let holds = current <= most && proposals.iter().any(|(_, proposal)| *proposal < current);
    let parts: Vec<String> = proposals
        .iter()
        .map(|(name, proposal)| format!("{name} asks for {proposal}"))
        .collect();
    Some(cause(
        holds,
        format!("{}; the largest number counts.", parts.join(", ")),
    ))
}

fn failed_metric(cx: &ExplainContext<'_>) -> HoldCause {
    match failed_metrics(&cx.facts) {
        Some(failed) => cause(true, format!("{failed}, which forbids every step down.")),
        None => cause(false, "every metric can be computed.".to_owned()),
    }
}

/// `highest of 5 min is 9 (10:37:15), which leaves the window at 10:42:15`.
fn window(cx: &ExplainContext<'_>) -> Option<HoldCause> {
    let step = cx.facts.stabilize?;
    let (window, highest) = match step.path {
        StabilizePath::NoBehavior { window } => (window.value, step.stabilized),
        StabilizePath::Behavior {
            down_window,
            highest,
            ..
        } => (down_window.value, highest),
    };
    let holds = cx.rule.decider() == Decider::Window && step.recommendation < step.current;
    let name = duration(window);
    if !window.is_positive() {
        return Some(cause(false, "the HPA has no window.".to_owned()));
    }
    let Some(held) = holder(step, highest).filter(|_| step.recommendation < highest) else {
        return Some(cause(
            holds,
            format!("nothing in the last {name} asked for more than now."),
        ));
    };
    let clock = cx.clock;
    let ends = engine::after(held.at, window);
    let when = if held.provenance.is_inferred() {
        format!(
            "known from the status only; leaves the window of {name} at {} at the latest",
            clock.time(ends)
        )
    } else {
        format!(
            "of {}, leaves the window of {name} at {}",
            clock.time(held.at),
            clock.time(ends)
        )
    };
    Some(cause(
        holds,
        format!("the highest number is {} ({when}).", number(step, highest)),
    ))
}

fn missing_pods(cx: &ExplainContext<'_>) -> Option<HoldCause> {
    let winner = cx.facts.winner()?;
    let missing = winner.groups.map_or(0, |groups| groups.missing);
    if missing == 0 {
        return Some(cause(
            false,
            "every pod that counts has a sample.".to_owned(),
        ));
    }
    let points_down = winner.ratio.is_some_and(|ratio| ratio.usage_ratio < 1.0);
    let fill = match winner.add_back.map(|step| step.missing_fill) {
        Some(MissingFill::PercentOfRequest(fill)) => {
            format!(
                "{} of the request (the larger of 100% and the target)",
                percent(fill)
            )
        }
        Some(MissingFill::Target(target)) => {
            format!("the target, {}", winner.unit().amount(target))
        }
        _ => "0, as the metric points up".to_owned(),
    };
    let holds = points_down && winner.replicas() >= cx.facts.current();
    Some(cause(
        holds,
        format!(
            "{} without a sample, counted as {fill}.",
            count(missing, "pod")
        ),
    ))
}

fn limits(cx: &ExplainContext<'_>, current: i32) -> HoldCause {
    let facts = &cx.facts;
    let holds = matches!(
        cx.rule.decider(),
        Decider::Policy(Direction::Down) | Decider::DisabledDirection | Decider::Min
    );
    let min = format!("minReplicas is {}", facts.min());
    let down = facts.observation.hpa.spec.rules(Direction::Down);
    if down.is_some_and(ScalingRules::is_disabled) {
        return cause(true, "scaleDown.selectPolicy is Disabled.".to_owned());
    }
    let policy = match facts.limit.map(|limit| &limit.path) {
        Some(LimitPath::Behavior {
            direction: Some(Direction::Down),
            limit: Some(bound),
            ..
        }) => format!(", the policies allow {bound} now"),
        _ => String::new(),
    };
    cause(holds || current <= facts.min(), format!("{min}{policy}."))
}

/// Whether memory decides and hardly falls with the load, so that more replicas hardly lower it.
pub(crate) fn hardly_falls(cx: &ExplainContext<'_>) -> bool {
    let current = cx.facts.current().filter(|current| 1 < *current);
    let cause = current.and_then(|current| memory(cx, current));
    cause.is_some_and(|cause| cause.is_for_all)
}

/// What a memory metric allows: memory hardly falls with the load.
fn memory(cx: &ExplainContext<'_>, current: i32) -> Option<HoldCause> {
    let found = cx
        .facts
        .metrics
        .iter()
        .filter(|metric| {
            metric.replicas().is_some()
                && metric.spec.is_some_and(|spec| spec.is_resource("memory"))
        })
        .max_by_key(|metric| metric.replicas());
    let Some(metric) = found else {
        return Some(cause(false, "no metric on memory.".to_owned()));
    };
    let index = metric.evaluation.index;
    let found = usage_floor(cx.facts.observation, cx.facts.trace, index)?;
    let proposal = metric.replicas()?;
    let least = found.replicas.max(cx.facts.min());
    let is_winner = cx
        .facts
        .winner()
        .is_some_and(|winner| winner.evaluation.index == index);
    let holds = current <= proposal;
    if idle_above_target(cx).is_some() {
        // The answer says more about it.
        let floor = MetricUnit::Bytes.amount(found.floor);
        return Some(cause(
            holds,
            format!("even the leanest pod uses {floor}, above the target."),
        ));
    }
    Some(HoldCause {
        holds,
        is_for_all: holds && is_winner && cx.facts.min() < found.replicas,
        text: format!(
            "memory hardly falls with the load: the leanest pod uses {}, and if all fell to that, {} \
             would ask for no fewer than {least}.",
            MetricUnit::Bytes.amount(found.floor),
            metric.full_name(),
        ),
    })
}
