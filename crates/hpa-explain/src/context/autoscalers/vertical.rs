//! VerticalPodAutoscalers: whether one changes the requests that the HPA divides by, and the effect.

use std::collections::BTreeMap;

use hpa_diagnosis::{effect::Effect, vertical_autoscaler};
use hpa_engine::{
    model::{Autoscaler, MetricSpec, Pod, VerticalAutoscaler, quantity::Overflow},
    trace::{Milli, Percent, PodClass, RatioFormula},
};
use hpa_words::amount::{MetricUnit, count, percent, resource_in_prose};

use crate::{
    ExplainContext, MetricFacts,
    command::ShellCommand,
    context::{NoteView, NoteWeight},
    note::NoteTopic,
    situation::{MeasuredProblem, Place, Situation},
};

/// How VerticalPodAutoscalers affect the HPA.
pub(super) fn notes(cx: &ExplainContext<'_>) -> Vec<NoteView> {
    let mut notes = Vec::new();
    for other in cx.context.surroundings.autoscalers.besides_hpas() {
        let Some(vertical) = &other.vertical else {
            continue;
        };
        let about = about(cx, other, vertical);
        if about.is_empty() {
            notes.push(no_conflict(cx, other));
        }
        notes.extend(about);
    }
    notes
}

/// One note for each metric whose requests the autoscaler changes, or would change.
fn about(
    cx: &ExplainContext<'_>,
    other: &Autoscaler,
    vertical: &VerticalAutoscaler,
) -> Vec<NoteView> {
    let mode = other.mode.as_deref().unwrap_or("Auto");
    let mut notes = Vec::new();
    for metric in &cx.facts.metrics {
        let Some((resource, is_percent)) = resource(metric) else {
            continue;
        };
        let pods: Vec<&Pod> = counted(cx, metric);
        let containers = measured(metric, &pods);
        let controlled: Vec<&String> = containers
            .iter()
            .filter(|container| vertical.controls(container, resource))
            .collect();
        if controlled.is_empty() {
            continue;
        }
        let name = format!("VerticalPodAutoscaler {}", other.name);
        let recommends = recommendations(vertical, &controlled, resource);
        let (weight, text) = if mode == "Off" {
            let text = format!("{name} only recommends (updateMode Off){recommends}.");
            (NoteWeight::Detail, text)
        } else if is_percent {
            let after = after(metric, &pods, vertical, resource).unwrap_or_default();
            let text = format!(
                "{name} (updateMode {mode}) changes the {resource} requests that this HPA divides by{recommends}.{after} \
                 Let it control other resources (controlledResources), or only recommend (updateMode Off)."
            );
            (NoteWeight::Warning, text)
        } else {
            let text = format!(
                "{name} (updateMode {mode}) changes {resource} requests; the target of this HPA is an amount, which \
                 they do not enter{recommends}."
            );
            (NoteWeight::Normal, text)
        };
        notes.push(NoteTopic::Autoscalers.note("VPA", weight, text));
        notes.extend(drift(metric, &pods, resource));
    }
    notes
}

/// A VerticalPodAutoscaler that changes the requests that the HPA divides by.
struct Rival<'c, 'a> {
    other: &'a Autoscaler,
    vertical: &'a VerticalAutoscaler,
    /// The deciding metric: of others there is a note.
    metric: &'c MetricFacts<'a>,
    resource: &'a str,
    /// The pods whose samples count.
    pods: Vec<&'a Pod>,
}

fn rival<'c, 'a>(cx: &'c ExplainContext<'a>) -> Option<Rival<'c, 'a>> {
    let metric = cx.facts.winner()?;
    let (resource, _) = resource(metric).filter(|(_, is_percent)| *is_percent)?;
    let pods = counted(cx, metric);
    let containers = measured(metric, &pods);
    let mut others = cx.context.surroundings.autoscalers.besides_hpas();
    let (other, vertical) = others.find_map(|other| {
        let vertical = other.vertical.as_ref()?;
        let is_controlled = |container: &String| vertical.controls(container, resource);
        let changes = other.mode.as_deref() != Some("Off") && containers.iter().any(is_controlled);
        changes.then_some((other, vertical))
    })?;
    Some(Rival {
        other,
        vertical,
        metric,
        resource,
        pods,
    })
}

/// Problem: a VerticalPodAutoscaler changes the requests that the HPA divides by, if its recommendation changes what it asks for.
pub(crate) fn problem(cx: &ExplainContext<'_>) -> Option<MeasuredProblem> {
    let Rival {
        other,
        vertical,
        metric,
        resource,
        pods,
    } = rival(cx)?;
    let asked = vertical_autoscaler::asked(cx.today(), vertical, resource)?;
    let effect = Effect::asking_later(cx.today(), asked)?;
    let mode = other.mode.as_deref().unwrap_or("Auto");
    let mut sentences = vec![format!(
        "VerticalPodAutoscaler {} ({mode}) changes the {} requests that this HPA divides by.",
        other.name,
        resource_in_prose(resource)
    )];
    if let Some(new) = utilization_after(metric, &pods, vertical, resource) {
        let after = i32::try_from(new.utilization).ok()?;
        let goes_down = if Some(asked) < cx.facts.current() {
            ", and the HPA scales down"
        } else {
            ""
        };
        sentences.push(format!(
            "With its recommendation the same load is {}{goes_down}.",
            percent(Percent(after))
        ));
    }
    sentences.push(format!(
        "Fix: leave {resource} out of its controlledResources, or set its updateMode to Off."
    ));
    let situation = Situation {
        place: Place::Before,
        words: Some("VPA changes requests".to_owned()),
        sentences,
        command: Some(
            ShellCommand::new("kubectl describe verticalpodautoscaler")
                .arg(&other.name)
                .in_namespace(cx),
        ),
    };
    situation.measured(Some(effect))
}

fn no_conflict(cx: &ExplainContext<'_>, other: &Autoscaler) -> NoteView {
    NoteTopic::Autoscalers.note(
        "VPA",
        NoteWeight::Detail,
        format!(
            "VerticalPodAutoscaler {} changes requests of {}, none of which this HPA measures against.",
            other.name,
            cx.target()
        ),
    )
}

/// The resource of a metric, and whether its target is in percent of requests.
fn resource<'a>(metric: &MetricFacts<'a>) -> Option<(&'a str, bool)> {
    Some((metric.resource()?, metric.spec?.percent().is_some()))
}

/// The pods whose samples count.
fn counted<'a>(cx: &ExplainContext<'a>, metric: &MetricFacts<'a>) -> Vec<&'a Pod> {
    let groups = metric.groups.into_iter();
    groups
        .flat_map(|groups| &groups.pods)
        .filter(|pod| pod.class == PodClass::Ready && pod.usage.is_some())
        .filter_map(|pod| cx.facts.pod(pod.pod))
        .collect()
}

/// The containers whose requests count.
fn measured(metric: &MetricFacts<'_>, pods: &[&Pod]) -> Vec<String> {
    if let Some(container) = metric.spec.and_then(MetricSpec::container) {
        return vec![container.to_owned()];
    }
    let mut names: Vec<String> = pods
        .iter()
        .flat_map(|pod| &pod.containers)
        .map(|container| container.name.clone())
        .collect();
    names.sort();
    names.dedup();
    names
}

/// ` and recommends 250m for container main`.
fn recommendations(
    vertical: &VerticalAutoscaler,
    containers: &[&String],
    resource: &str,
) -> String {
    let unit = MetricUnit::of_resource(resource);
    let parts: Vec<String> = containers
        .iter()
        .filter_map(|container| {
            let milli = recommended(vertical, container, resource)?;
            Some(format!(
                "{} for container {container}",
                unit.amount(Milli(milli))
            ))
        })
        .collect();
    if parts.is_empty() {
        " and has no recommendation yet".to_owned()
    } else {
        format!(" and recommends {}", parts.join(", "))
    }
}

fn recommended(vertical: &VerticalAutoscaler, container: &str, resource: &str) -> Option<i64> {
    let recommended = vertical_autoscaler::recommended(vertical, container, resource)?;
    Some(recommended.milli_value(Overflow::Saturate))
}

/// ` With these requests cpu at 85% would be 34% (510m / 1500m).`
fn after(
    metric: &MetricFacts<'_>,
    pods: &[&Pod],
    vertical: &VerticalAutoscaler,
    resource: &str,
) -> Option<String> {
    let new = utilization_after(metric, pods, vertical, resource)?;
    let unit = MetricUnit::of_resource(resource);
    Some(format!(
        " With these requests {resource} would be at {}% instead of {}% ({} / {}).",
        new.utilization,
        new.before,
        unit.amount(new.usage),
        unit.amount(new.requests)
    ))
}

/// A utilization with the recommended requests.
struct UtilizationAfter {
    /// In percent.
    utilization: i64,
    /// The utilization with the current requests.
    before: i32,
    usage: Milli,
    requests: Milli,
}

/// The utilization with the recommended requests; `None` if it cannot be predicted or does not change.
fn utilization_after(
    metric: &MetricFacts<'_>,
    pods: &[&Pod],
    vertical: &VerticalAutoscaler,
    resource: &str,
) -> Option<UtilizationAfter> {
    let RatioFormula::Utilization {
        usage: Milli(usage),
        requests: Milli(requests),
        utilization,
        ..
    } = metric.ratio?.formula
    else {
        return None;
    };
    let own = |container: &str, request: Option<i64>| {
        let recommended = recommended(vertical, container, resource);
        (request, recommended.or(request))
    };
    let (mut before, mut after) = (0_i64, 0_i64);
    for pod in pods {
        let sidecars = pod.init_containers.iter().filter(|one| one.is_restartable);
        for container in pod.containers.iter().chain(sidecars) {
            let only = metric.spec.and_then(MetricSpec::container);
            if only.is_some_and(|only| only != container.name) {
                continue;
            }
            let request = container
                .request(resource)
                .map(|request| request.milli_value(Overflow::Saturate));
            let (old, new) = own(&container.name, request);
            before = before.saturating_add(old?);
            after = after.saturating_add(new?);
        }
    }
    // If the sum is built differently, as with pod-level requests, nothing can be predicted.
    if before != requests || after <= 0 || after == before {
        return None;
    }
    Some(UtilizationAfter {
        utilization: usage.saturating_mul(100).checked_div(after)?,
        before: utilization.0,
        usage: Milli(usage),
        requests: Milli(after),
    })
}

/// Pods of one workload whose requests differ because they were changed while it ran.
fn drift(metric: &MetricFacts<'_>, pods: &[&Pod], resource: &str) -> Option<NoteView> {
    let unit = MetricUnit::of_resource(resource);
    let mut differing = Vec::new();
    for container in measured(metric, pods) {
        let mut requests: BTreeMap<i64, usize> = BTreeMap::new();
        for pod in pods {
            let own = pod.containers.iter().find(|one| one.name == container);
            if let Some(request) = own.and_then(|own| own.request(resource)) {
                let pods = requests
                    .entry(request.milli_value(Overflow::Saturate))
                    .or_default();
                *pods = pods.saturating_add(1);
            }
        }
        if 1 < requests.len() {
            let each: Vec<String> = requests
                .iter()
                .map(|(request, pods)| {
                    format!("{} ({})", unit.amount(Milli(*request)), count(*pods, "pod"))
                })
                .collect();
            differing.push(format!(
                "container {container} requests {}",
                each.join(" and ")
            ));
        }
    }
    (!differing.is_empty()).then(|| {
        NoteTopic::Autoscalers.note(
            "VPA",
            NoteWeight::Normal,
            format!(
                "{resource} requests were changed while the pods run: {}.",
                differing.join("; ")
            ),
        )
    })
}
