//! KEDA's state: paused, on fallback, not ready, or taken over an existing HPA.

use hpa_engine::model::ScaledObject;

use super::owner::Keda;
use crate::context::{NoteView, NoteWeight};

/// What the annotations that pause KEDA do.
pub(super) fn paused(keda: &Keda<'_>) -> Vec<NoteView> {
    let is_set = |name: &str| ScaledObject::is_paused_by(&keda.object.annotations, name);
    let name = keda.name;
    let mut notes = Vec::new();
    let mut warn = |text: String| notes.push(Keda::note(NoteWeight::Warning, text));
    let replicas = keda
        .object
        .annotations
        .get(&format!("{PREFIX}paused-replicas"));
    if let Some(replicas) = replicas {
        warn(format!(
            "ScaledObject {name} is paused at {replicas} replicas ({PREFIX}paused-replicas): KEDA sets them and deletes \
             this HPA. Remove the annotation to continue."
        ));
    } else if is_set("paused") {
        warn(format!(
            "ScaledObject {name} is paused ({PREFIX}paused): KEDA keeps the replicas and deletes this HPA. \
             Remove the annotation to continue."
        ));
    }
    for (annotation, direction, rules) in [
        ("paused-scale-in", "down", "scaleDown"),
        ("paused-scale-out", "up", "scaleUp"),
    ] {
        if is_set(annotation) {
            warn(format!(
                "ScaledObject {name} is paused in one direction ({PREFIX}{annotation}): KEDA sets \
                 {rules}.selectPolicy of this HPA to Disabled, so it does not go {direction}. Remove the annotation to \
                 go on."
            ));
        }
    }
    if notes.is_empty() && keda.object.is("Paused") == Some(true) {
        notes.push(Keda::note(
            NoteWeight::Warning,
            format!("ScaledObject {name} is paused, by its condition Paused, although no annotation says so."),
        ));
    }
    notes
}

/// Whether the values of a trigger are its fallback because the trigger fails.
pub(super) fn fallback(keda: &Keda<'_>) -> Option<NoteView> {
    let failing: Vec<String> = keda
        .object
        .failing
        .iter()
        .map(|(metric, failures)| format!("{metric} failed {failures} times in a row"))
        .collect();
    let is_active = keda.object.is("Fallback") == Some(true);
    let Some(fallback) = &keda.object.fallback else {
        return None;
    };
    if !is_active && failing.is_empty() {
        return None;
    }
    let replicas = fallback.replicas;
    let effect = match fallback.behavior.as_deref() {
        Some("currentReplicas") => "that asks for the current replicas".to_owned(),
        Some("currentReplicasIfHigher") => {
            format!("that asks for {replicas} replicas, or the current ones if they are more")
        }
        Some("currentReplicasIfLower") => {
            format!("that asks for {replicas} replicas, or the current ones if they are fewer")
        }
        Some("scalingModifiers") => "for which its formula is used".to_owned(),
        _ => format!("that asks for {replicas} replicas"),
    };
    let why = if failing.is_empty() {
        String::new()
    } else {
        format!(" {}.", failing.join(", "))
    };
    let threshold = fallback.failure_threshold;
    let text = if is_active {
        format!(
            "fallback is active: KEDA answers with a value {effect}, whatever the load is.{why} Look at the source of \
             the trigger."
        )
    } else {
        format!(
            "{}: after more than {threshold} KEDA answers with a value {effect}.",
            failing.join(", ")
        )
    };
    Some(Keda::note(NoteWeight::Warning, text))
}

/// What KEDA reports if it cannot do its work.
pub(super) fn not_ready(keda: &Keda<'_>) -> Option<NoteView> {
    let ready = keda.object.condition("Ready")?;
    (ready.status == "False").then(|| {
        Keda::note(
            NoteWeight::Warning,
            format!(
                "ScaledObject {} is not ready ({}): {}",
                keda.name, ready.reason, ready.message
            ),
        )
    })
}

/// An HPA that existed before the ScaledObject.
pub(super) fn ownership(keda: &Keda<'_>) -> Option<NoteView> {
    let is_true = |name: &str| {
        let value = keda.object.annotations.get(name);
        value.is_some_and(|value| value == "true")
    };
    is_true("scaledobject.keda.sh/transfer-hpa-ownership").then(|| {
        Keda::note(
            NoteWeight::Detail,
            format!(
                "ScaledObject {} took over this HPA (scaledobject.keda.sh/transfer-hpa-ownership): \
                 a manifest of the HPA that is still applied is undone.",
                keda.name
            ),
        )
    })
}

const PREFIX: &str = ScaledObject::PAUSING;
