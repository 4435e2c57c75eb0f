//! What a percentage means: of requests, in absolute amounts, of limits, and the highest one that a pod can reach.

use hpa_diagnosis::{
    effect::Effect,
    unreachable_target::{HighestUsage, OutOfReach, is_at_limits, out_of_reach},
};
use hpa_engine::{
    engine::Reach,
    model::{Pod, quantity::Overflow},
    trace::{Milli, Percent, PodClass, RatioFormula},
};
use hpa_words::amount::percent;

use crate::{
    ExplainContext, MetricFacts, NoteTopic, NoteView, NoteWeight,
    containers::{MeasuredResource, counted, measured_resource},
    edge::threshold_text,
    reach::{self, highest},
    situation::{MeasuredProblem, Place, Situation},
};

/// For each metric in percent of requests: the same in absolute amounts and in percent of the limits.
pub(super) fn notes(cx: &ExplainContext<'_>) -> Vec<NoteView> {
    cx.facts
        .metrics
        .iter()
        .filter_map(|metric| percentage(cx, metric))
        .collect()
}

/// Problem: the only metric can never, or hardly ever, scale up because the CPU limits are too low for it. None if it scales up all
/// the same, as with a sample above the limits.
pub(crate) fn problem(cx: &ExplainContext<'_>) -> Option<MeasuredProblem> {
    let CappedMetric {
        utilization,
        target,
        highest,
        beyond,
    } = CappedMetric::of(cx)?;
    let OutOfReach {
        is_never,
        reachable,
    } = beyond;
    if cx.facts.current() < cx.facts.proposal() {
        return None;
    }
    let effect = if is_never {
        Effect::Blocked
    } else {
        Effect::Later(1)
    };
    let up = cx.tipping_points().thresholds.first()?.up.as_ref()?;
    let (_, needed) = threshold_text(cx, 0, up)?;
    let at_limit = is_at_limits(highest, utilization.0);
    let can = if is_never { "can never" } else { "hardly ever" };
    let scale = if is_never { "scale" } else { "scales" };
    let situation = Situation {
        place: Place::Instead,
        words: Some("target out of reach".to_owned()),
        sentences: vec![
            format!(
                "This HPA {can} {scale} up: it needs {needed} CPU (target {}), and the CPU limits cap usage at {}.",
                percent(Percent(target)),
                percent(Percent(highest.most))
            ),
            if at_limit {
                format!(
                    "Now: {}, so the pods are at their limit.",
                    percent(utilization)
                )
            } else {
                format!("Now: {}.", percent(utilization))
            },
            format!(
                "Lower the target to {} or less, or raise the limits.",
                percent(Percent(reachable?))
            ),
        ],
        command: None,
    };
    situation.measured(Some(effect))
}

/// The only metric, where the CPU limits keep its target out of reach.
struct CappedMetric {
    utilization: Percent,
    target: i32,
    highest: HighestUsage,
    beyond: OutOfReach,
}

impl CappedMetric {
    fn of(cx: &ExplainContext<'_>) -> Option<Self> {
        let [metric] = &cx.facts.metrics[..] else {
            return None;
        };
        let RatioFormula::Utilization {
            utilization,
            target: Percent(target),
            ..
        } = metric.ratio?.formula
        else {
            return None;
        };
        let highest = highest(&cx.facts, metric)?;
        let observation = cx.facts.observation;
        let reach = Reach::new(
            &observation.controller,
            observation.hpa.spec.behavior.as_ref(),
        );
        let beyond = out_of_reach(&reach, target, highest, Some(utilization.0))?;
        (cx.facts.current()? < cx.facts.max()).then_some(Self {
            utilization,
            target,
            highest,
            beyond,
        })
    }
}

fn percentage(cx: &ExplainContext<'_>, metric: &MetricFacts<'_>) -> Option<NoteView> {
    let measured_resource =
        measured_resource(metric).filter(|measured_resource| measured_resource.needs_requests)?;
    let RatioFormula::Utilization {
        requests: Milli(requests),
        pods,
        utilization: Percent(now),
        average: Milli(average),
        target: Percent(target),
        ..
    } = metric.ratio?.formula
    else {
        return None;
    };
    let pods = i64::try_from(pods).ok().filter(|pods| 0 < *pods)?;
    let request = requests / pods;
    let unit = metric.unit();
    let amount = |milli| unit.amount(Milli(milli));
    let name = metric.full_name();
    let mut text = format!(
        "{name}: {target}% of requests is {} of {} per pod; now {} ({now}%)",
        amount(request.checked_mul(target.into())? / 100),
        amount(request),
        amount(average),
    );
    let limit = limit_a_pod(cx, metric, measured_resource);
    let most = limit.and_then(|limit| limit.checked_mul(100)?.checked_div(request));
    match limit.zip(most) {
        Some((limit, most)) if 0 < limit => {
            let of_limit = average.checked_mul(100)? / limit;
            text.push_str(&format!(
                ", {of_limit}% of the limit {}. A pod can reach {most}% of its requests (limit ÷ request)",
                amount(limit)
            ));
        }
        _ => text.push_str(", no limit"),
    }
    let is_out_of_reach = cx
        .tipping_points()
        .thresholds
        .iter()
        .filter(|one| one.index == metric.evaluation.index)
        .filter_map(|one| one.up.as_ref())
        .any(|up| reach::out_of_reach(&cx.facts, metric, up).is_some());
    if is_out_of_reach {
        text.push_str(": the scale-up point cannot be reached");
    }
    text.push('.');
    let is_winner = cx
        .facts
        .winner()
        .is_some_and(|winner| winner.evaluation.index == metric.evaluation.index);
    Some(NoteTopic::Pods.note(
        "per pod",
        if is_out_of_reach {
            NoteWeight::Warning
        } else if 100 < now && is_winner {
            NoteWeight::Normal
        } else {
            NoteWeight::Detail
        },
        text,
    ))
}

/// The mean limit of the counted pods; `None` if one of their containers has no limit.
fn limit_a_pod(
    cx: &ExplainContext<'_>,
    metric: &MetricFacts<'_>,
    measured_resource: MeasuredResource<'_>,
) -> Option<i64> {
    let of_pod = |pod: &Pod| {
        counted(&cx.facts, pod, measured_resource).try_fold(0_i64, |sum, container| {
            let limit = container.limit(measured_resource.resource)?;
            sum.checked_add(limit.milli_value(Overflow::Saturate))
        })
    };
    let limits: Vec<i64> = metric
        .groups?
        .pods
        .iter()
        .filter(|pod| pod.class == PodClass::Ready)
        .filter_map(|pod| cx.facts.pod(pod.pod))
        .map(of_pod)
        .collect::<Option<_>>()?;
    let pods = i64::try_from(limits.len()).ok()?;
    limits
        .iter()
        .try_fold(0_i64, |sum, limit| sum.checked_add(*limit))?
        .checked_div(pods)
}
