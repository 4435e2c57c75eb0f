//! The overhead of pods with pod-level requests: it counts as a request from 1.34 to 1.37, and no longer from 1.38 on.

use hpa_engine::{
    model::{find_resource, quantity::Overflow},
    trace::{Milli, Percent, PodClass, RatioFormula},
};
use hpa_words::amount::count;

use crate::{
    ExplainContext, MetricFacts, NoteTopic, NoteView, NoteWeight, containers::measured_resource,
};

/// For each metric in percent of pod-level requests: how much of them is overhead, and what it is in the other versions.
pub(super) fn notes(cx: &ExplainContext<'_>) -> Vec<NoteView> {
    let metrics = cx.facts.metrics.iter();
    metrics.filter_map(|metric| note(cx, metric)).collect()
}

fn note(cx: &ExplainContext<'_>, metric: &MetricFacts<'_>) -> Option<NoteView> {
    let resource = measured_resource(metric)?.resource;
    let overhead = |pod: usize| {
        let pod = cx.facts.pod(pod)?;
        let overhead = find_resource(&pod.overhead, resource)?;
        Some(i128::from(overhead.milli_value(Overflow::Saturate))).filter(|milli| 0 < *milli)
    };
    let requests = metric.requests?.requests.iter();
    let concerned: Vec<_> = requests
        .filter(|one| one.is_pod_level && overhead(one.pod).is_some())
        .collect();
    let requested: i128 = concerned.iter().map(|one| i128::from(one.request.0)).sum();
    let of_overhead: i128 = concerned.iter().filter_map(|one| overhead(one.pod)).sum();
    if concerned.is_empty() {
        return None;
    }
    let counts = cx.facts.trace.switches.pod_level_overhead;
    // In the other versions, the requests are more or less by this much.
    let other = other_utilization(metric, |pod| {
        let is_concerned = concerned.iter().any(|one| one.pod == pod);
        let milli = overhead(pod).filter(|_| is_concerned).unwrap_or(0);
        if counts { -milli } else { milli }
    });
    let amount = |milli: i128| {
        let milli = i64::try_from(milli).unwrap_or(i64::MAX);
        metric.unit().amount(Milli(milli))
    };
    let (pods, name) = (count(concerned.len(), "pod"), metric.full_name());
    let verb = if concerned.len() == 1 {
        "requests"
    } else {
        "request"
    };
    let (requested, of_overhead) = (amount(requested), amount(of_overhead));
    let text = if counts {
        let then = other.map_or_else(String::new, |(now, then)| {
            format!(": the same load is then {then}% instead of {now}%")
        });
        format!(
            "{name}: {pods} {verb} {requested}, of which {of_overhead} is overhead. From Kubernetes 1.38 on, overhead does not \
             count{then}."
        )
    } else {
        let then = other.map_or_else(String::new, |(now, then)| {
            format!(": the same load was {then}% instead of {now}%")
        });
        format!(
            "{name}: {pods} {verb} {requested} without overhead. Up to Kubernetes 1.37, the overhead {of_overhead} counted as \
             well{then}."
        )
    };
    Some(NoteTopic::Pods.note(
        "overhead",
        if counts {
            NoteWeight::Normal
        } else {
            NoteWeight::Detail
        },
        text,
    ))
}

/// Percent of requests now, and if each pod requested more by `more` (milli-units). None if not each pod that is ready
/// has a sample.
fn other_utilization(
    metric: &MetricFacts<'_>,
    more: impl Fn(usize) -> i128,
) -> Option<(i32, i128)> {
    let RatioFormula::Utilization {
        usage: Milli(usage),
        requests: Milli(requests),
        pods,
        utilization: Percent(now),
        ..
    } = metric.ratio?.formula
    else {
        return None;
    };
    let measured = metric.groups?.pods.iter();
    let measured: Vec<_> = measured
        .filter(|pod| pod.class == PodClass::Ready)
        .collect();
    let more: i128 = measured.iter().map(|pod| more(pod.pod)).sum();
    let requests = i128::from(requests) + more;
    (measured.len() == pods && 0 < requests).then(|| (now, i128::from(usage) * 100 / requests))
}
