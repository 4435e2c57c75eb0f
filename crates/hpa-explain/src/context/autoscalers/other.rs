//! Autoscalers of which little more than the name is known.

use hpa_engine::model::{Autoscaler, Relation};

use crate::{
    ExplainContext,
    context::{NoteView, NoteWeight},
    note::NoteTopic,
};

/// One note for each autoscaler.
pub(super) fn notes(cx: &ExplainContext<'_>) -> Vec<NoteView> {
    let others = &cx.context.surroundings.autoscalers;
    let mut notes: Vec<NoteView> = others
        .besides_hpas()
        .filter(|other| product(&other.kind).is_some())
        .map(|other| one(cx, other))
        .collect();
    let is_reported = others
        .besides_hpas()
        .any(|other| other.relation == Relation::Owner);
    if !is_reported {
        notes.extend(owner(cx));
    }
    notes.extend(knative(cx));
    notes
}

/// The product that a kind belongs to; none for kinds with notes of their own.
fn product(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "EffectiveHorizontalPodAutoscaler" => "Crane",
        "IntelligentHorizontalPodAutoscaler" => "Kapacity",
        "CronHorizontalPodAutoscaler" => "kubernetes-cronhpa-controller",
        "AdvancedHorizontalPodAutoscaler" => "Alibaba Cloud",
        "DatadogPodAutoscaler" | "WatermarkPodAutoscaler" => "Datadog",
        "MultidimPodAutoscaler" => "GKE",
        "PredictiveHorizontalPodAutoscaler" => "predictive-horizontal-pod-autoscaler",
        "PodAutoscaler" => "Knative",
        _ => return None,
    })
}

fn named(kind: &str, name: &str) -> String {
    match product(kind) {
        Some(product) => format!("{kind} {name} ({product})"),
        None => format!("{kind} {name}"),
    }
}

fn one(cx: &ExplainContext<'_>, other: &Autoscaler) -> NoteView {
    let name = named(&other.kind, &other.name);
    let bounds = match (other.min_replicas, other.max_replicas) {
        (Some(min), Some(max)) => format!(", between {min} and {max} replicas"),
        (None, Some(max)) => format!(", up to {max} replicas"),
        _ => String::new(),
    };
    let looks_on = other
        .mode
        .as_deref()
        .is_some_and(|mode| LOOKS_ON.contains(&mode));
    let (weight, text) = match other.relation {
        Relation::Owner => (
            NoteWeight::Normal,
            format!("{name} made this HPA and writes its spec: change it there."),
        ),
        Relation::ScalesHpa => (
            NoteWeight::Normal,
            format!("{name} moves the bounds of this HPA at the times it is set to."),
        ),
        Relation::SameTarget if looks_on => (
            NoteWeight::Detail,
            format!(
                "{name} also targets {}, but only recommends (mode {}).",
                cx.target(),
                other.mode.as_deref().unwrap_or_default()
            ),
        ),
        Relation::SameTarget => {
            let target = cx.target();
            let fix = if other.kind == "CronHorizontalPodAutoscaler" {
                "Let it scale this HPA instead (scaleTargetRef of kind HorizontalPodAutoscaler)."
            } else {
                "Keep one of them."
            };
            (
                NoteWeight::Warning,
                format!(
                    "{name} also scales {target}{bounds}: it and this HPA overwrite each other. {fix}"
                ),
            )
        }
    };
    NoteTopic::Autoscalers.note("autoscaler", weight, text)
}

/// The owner of an HPA, if its kind is unknown here or it was not read.
fn owner(cx: &ExplainContext<'_>) -> Option<NoteView> {
    let owner = cx.context.hpa_origin.owner.as_ref()?;
    Some(NoteTopic::Autoscalers.note(
        "autoscaler",
        NoteWeight::Normal,
        format!(
            "{} made this HPA and writes its spec: change it there.",
            named(&owner.kind, &owner.name)
        ),
    ))
}

/// A Deployment of Knative already has an autoscaler, unless that one created this HPA.
fn knative(cx: &ExplainContext<'_>) -> Option<NoteView> {
    let target_object = cx.context.target.as_ref()?;
    let revision = target_object.origin.mark("serving.knative.dev/revision")?;
    let owner = cx.context.hpa_origin.owner.as_ref();
    let is_its_own = owner.is_some_and(|owner| owner.kind == "PodAutoscaler");
    (!is_its_own).then(|| {
        NoteTopic::Autoscalers.note(
            "autoscaler",
            NoteWeight::Warning,
            format!(
                "{} belongs to revision {revision} of Knative, which scales it itself: it and this HPA overwrite each \
                 other. Set the class hpa.autoscaling.knative.dev on the Service instead.",
                cx.target()
            ),
        )
    })
}

/// Modes in which an autoscaler changes nothing.
const LOOKS_ON: [&str; 4] = ["Preview", "Off", "observer", "Manual"];
