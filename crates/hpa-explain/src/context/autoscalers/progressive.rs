//! Argo Rollouts and Flagger: which pods a target really has.

use hpa_engine::model::{Autoscaler, KnownKind, Pod, Rollout, Selector, label_selector::Wording};
use hpa_words::amount::count;

use crate::{
    ExplainContext,
    context::{NoteView, NoteWeight, pods::without::without},
    note::NoteTopic,
    situation::{Place, Situation},
};

/// The versions in a Rollout, and canaries next to the target.
pub(super) fn notes(cx: &ExplainContext<'_>) -> Vec<NoteView> {
    let target = cx.context.target.as_ref();
    let rollout = target.and_then(|target| target.rollout.as_ref());
    let mut notes: Vec<NoteView> = Vec::new();
    if let Some(rollout) = rollout {
        notes.extend(split(cx, rollout));
        notes.extend(template(cx, rollout));
    }
    for other in cx.context.surroundings.autoscalers.besides_hpas() {
        match other.kind.as_str() {
            KnownKind::ROLLOUT => notes.push(lends_its_template(cx, other)),
            "Canary" => notes.push(canary(cx, other)),
            _ => {}
        }
    }
    notes
}

/// Situation: canary pods lower the average because their share of the pods exceeds their share of the traffic.
pub(crate) fn situation(cx: &ExplainContext<'_>) -> Option<Situation> {
    let rollout = cx.context.target.as_ref()?.rollout.as_ref()?;
    let winner = cx.facts.winner()?;
    winner.groups?;
    let weight = usize::try_from(rollout.weight?).ok()?;
    let pods = versions(cx, rollout)?;
    let is_larger = weight.saturating_mul(pods.all) < pods.new.saturating_mul(100);
    if pods.is_settled || pods.stable == 0 || !is_larger {
        return None;
    }
    let (is_a, them) = if pods.new == 1 {
        ("is a canary", "it")
    } else {
        ("are canaries", "them")
    };
    let without = without(cx, &pods.canaries);
    let is_same = without.replicas == cx.facts.current();
    let mut sentences = vec![format!(
        "An update is running: {} of {} {is_a} with {weight}% of the traffic, which lowers the average of {}.",
        pods.new,
        count(pods.all, "pod"),
        winner.in_prose()
    )];
    sentences.push(format!("Without {them}: {}.", without.calculated));
    if !is_same {
        sentences
            .push("Wait until the update ends: then one version has all the traffic.".to_owned());
    }
    Some(Situation {
        place: if is_same { Place::Aside } else { Place::After },
        words: None,
        sentences,
        command: None,
    })
}

/// The pods matched by the selector, by version.
struct Versions<'a> {
    all: usize,
    stable: usize,
    new: usize,
    canaries: Vec<&'a Pod>,
    /// Whether there is one version only.
    is_settled: bool,
}

fn versions<'a>(cx: &ExplainContext<'a>, rollout: &Rollout) -> Option<Versions<'a>> {
    let stable = rollout.stable_hash.as_deref()?;
    let current = rollout.current_hash.as_deref().unwrap_or(stable);
    let selector = &cx.facts.observation.scale.read()?.selector;
    let version = cx.facts.observation.controller.version.value;
    let selector = Selector::parse(selector, Wording::of(version)).ok()?;
    let pods = cx.facts.observation.pods.read()?;
    let mut selected = pods.iter().collect::<Vec<_>>();
    selected.retain(|pod| selector.matches(&pod.labels));
    let with = |hash: &str| -> Vec<&'a Pod> {
        let is_own = |pod: &&&Pod| pod.labels.get(HASH).is_some_and(|own| own == hash);
        selected.iter().filter(is_own).copied().collect()
    };
    let canaries = with(current);
    Some(Versions {
        all: selected.len(),
        stable: with(stable).len(),
        new: canaries.len(),
        canaries,
        is_settled: current == stable,
    })
}

/// `6 of the 8 pods are stable (5c7d), 2 are canary (9f31)`.
fn split(cx: &ExplainContext<'_>, rollout: &Rollout) -> Option<NoteView> {
    let stable = rollout.stable_hash.as_deref()?;
    let current = rollout.current_hash.as_deref().unwrap_or(stable);
    let Versions {
        all,
        stable: stable_pods,
        new: new_pods,
        is_settled,
        ..
    } = versions(cx, rollout)?;
    let is_blue_green = rollout.strategy.as_deref() == Some("blueGreen");
    let new = if is_blue_green { "preview" } else { "canary" };
    if is_settled {
        let text = format!(
            "all of {} run one version ({stable}): no update is running.",
            count(stable_pods, "pod")
        );
        return Some(NoteTopic::Autoscalers.note("Argo", NoteWeight::Detail, text));
    }
    let others = all.saturating_sub(stable_pods).saturating_sub(new_pods);
    let others = match others {
        0 => String::new(),
        others => format!(", {others} neither"),
    };
    let traffic = match rollout.weight {
        Some(weight) => format!(", and {weight}% of the traffic goes to {new}"),
        None => String::new(),
    };
    let phase = match rollout.phase.as_deref() {
        Some(phase) => format!(" ({phase})"),
        None => String::new(),
    };
    let mut text = format!(
        "update running{phase}: of the {} that the selector matches, {stable_pods} {} stable ({stable}), {new_pods} {} \
         {new} ({current}){others}{traffic}.",
        count(all, "pod"),
        are(stable_pods),
        are(new_pods)
    );
    if new_pods == 0 {
        text.push_str(" Only the stable ones count.");
    } else if stable_pods > 0 {
        text.push_str(" The metrics are averages over both");
        if is_blue_green || rollout.has_traffic_routing {
            text.push_str(", so pods without their share of the traffic pull them down");
        }
        text.push('.');
    }
    Some(NoteTopic::Autoscalers.note("Argo", NoteWeight::Normal, text))
}

fn are(number: usize) -> &'static str {
    if number == 1 { "is" } else { "are" }
}

/// Where the pod template of a Rollout is.
fn template(cx: &ExplainContext<'_>, rollout: &Rollout) -> Option<NoteView> {
    let workload = rollout.workload.as_ref()?;
    Some(NoteTopic::Autoscalers.note(
        "Argo",
        NoteWeight::Detail,
        format!(
            "{} has its pod template from {}/{} (workloadRef); replicas are those of the Rollout.",
            cx.target(),
            workload.kind,
            workload.name
        ),
    ))
}

/// The HPA scales the workload that only provides the Rollout's template.
fn lends_its_template(cx: &ExplainContext<'_>, rollout: &Autoscaler) -> NoteView {
    let name = &rollout.name;
    let what = match rollout.mode.as_deref() {
        Some("onsuccess" | "progressively") => "which scales it to 0".to_owned(),
        _ => format!("and the pods with the traffic are those of Rollout/{name}"),
    };
    NoteTopic::Autoscalers.note(
        "Argo",
        NoteWeight::Warning,
        format!(
            "{} only lends its pod template to Rollout/{name} (workloadRef), {what}. Point scaleTargetRef at \
             Rollout/{name} ({}).",
            cx.target(),
            rollout.api_version
        ),
    )
}

fn canary(cx: &ExplainContext<'_>, canary: &Autoscaler) -> NoteView {
    let phase = match canary.mode.as_deref() {
        Some(phase) => format!(", phase {phase}"),
        None => String::new(),
    };
    let name = &canary.name;
    let source = canary.scale_target.as_deref().unwrap_or_default();
    let own = cx.target();
    let text = if own == source {
        format!(
            "{own} is the new version that Canary {name} of Flagger tries out{phase}: outside of an analysis Flagger \
             keeps it at 0 replicas, where this HPA is off. The traffic is with {own}-primary and its own HPA."
        )
    } else {
        format!(
            "{own} is the released copy of {source} that Canary {name} of Flagger made{phase}: Flagger writes it and \
             its HPA at each promotion, so change those of {source}."
        )
    };
    NoteTopic::Autoscalers.note("Flagger", NoteWeight::Normal, text)
}

/// The label by which Argo Rollouts distinguishes the pods of a version.
const HASH: &str = "rollouts-pod-template-hash";
