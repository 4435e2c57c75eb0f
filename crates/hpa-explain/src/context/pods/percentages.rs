//! What a percentage means: of requests, in absolute amounts, of limits, and the highest one that a pod can reach.

use hpa_engine::{
    model::{Pod, quantity::Overflow},
    trace::{Milli, Percent, PodClass, RatioFormula},
};
use hpa_words::amount::{MetricUnit, percent};

use crate::{
    ExplainContext, MetricFacts, NoteTopic, NoteView, NoteWeight,
    containers::{MeasuredResource, counted, measured_resource},
    edge::threshold_text,
    reach::{highest, out_of_reach},
    situation::{Place, Situation},
};

/// For each metric in percent of requests: the same in absolute amounts and in percent of the limits.
pub(super) fn notes(cx: &ExplainContext<'_>) -> Vec<NoteView> {
    cx.facts
        .metrics
        .iter()
        .filter_map(|metric| percentage(cx, metric))
        .collect()
}

/// Situation: the only metric can never scale up because the CPU limits are too low for it.
pub(crate) fn situation(cx: &ExplainContext<'_>) -> Option<Situation> {
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
    let most = highest(&cx.facts, metric).filter(|_| metric.unit() == MetricUnit::Cores)?;
    let tolerance = metric.tolerance?.scale_up.value;
    let is_reachable = 1.0 + tolerance < f64::from(most.0) / f64::from(target);
    if is_reachable || cx.facts.max() <= cx.facts.current()? {
        return None;
    }
    let up = cx.tipping_points().thresholds.first()?.up.as_ref()?;
    let (_, needed) = threshold_text(cx, 0, up)?;
    // At their limit, the pods would have to be able to trigger a scale-up.
    let at_limit = i64::from(utilization.0) * 10 >= i64::from(most.0) * 9;
    let highest_usage = if at_limit { utilization } else { most };
    let triggers = |target: &i32| 1.0 + tolerance < f64::from(highest_usage.0) / f64::from(*target);
    let reachable = (1..target).rev().find(triggers)?;
    Some(Situation {
        place: Place::Instead,
        words: Some("target out of reach".to_owned()),
        sentences: vec![
            format!(
                "This HPA can never scale up: it needs {needed} CPU (target {}), and the CPU limits cap usage at {}.",
                percent(Percent(target)),
                percent(most)
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
                percent(Percent(reachable))
            ),
        ],
        command: None,
    })
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
        .any(|up| out_of_reach(&cx.facts, metric, up).is_some());
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
