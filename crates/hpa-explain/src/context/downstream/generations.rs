//! Pods of several templates at the same time: a rollout, whose surge the metrics count.

use hpa_engine::{
    model::{KnownKind, Pod},
    trace::ProposalRule,
};
use hpa_words::amount::count;

use super::own_pods::{self, OwnPods};
use crate::{
    ExplainContext,
    command::of_target,
    note::{NoteTopic, NoteView, NoteWeight},
    situation::{Place, Situation},
};

/// The ReplicaSets of a rollout with their pods, and how the surge enters the formula.
pub(super) fn notes(cx: &ExplainContext<'_>, own: &OwnPods<'_>) -> Vec<NoteView> {
    let mut generations = generations(cx, own);
    if generations.len() < 2 {
        return Vec::new();
    }
    // The newest first; ReplicaSets without a revision by the age of their youngest pod.
    generations.sort_by_key(|one| {
        let youngest = one.pods.iter().map(|pod| pod.created).max();
        std::cmp::Reverse((one.revision, youngest))
    });
    let is_known = generations.iter().all(|one| one.revision.is_some());
    let parts: Vec<String> = generations
        .iter()
        .enumerate()
        .map(|(place, one)| {
            let age = match (is_known, place) {
                (false, _) => "",
                (true, 0) => " (new)",
                (true, _) => " (old)",
            };
            let ready = one.pods.iter().filter(|pod| pod.is_ready()).count();
            let pods = count(one.pods.len(), "pod");
            format!("{}{age} {pods}, {ready} ready", one.name)
        })
        .collect();
    let mut text = format!(
        "{}: {} in all, spec.replicas is {}",
        parts.join("; "),
        own.active.len(),
        own.desired
    );
    if let Some(counted) = counted(cx) {
        text += &format!(". {counted}");
    }
    vec![NoteTopic::Downstream.note("rollout", NoteWeight::Normal, text)]
}

/// Situation: a rollout has more pods than replicas, and these pods ask for more replicas; it goes back after the
/// rollout.
pub(crate) fn situation(cx: &ExplainContext<'_>) -> Option<Situation> {
    let own = own_pods::of(cx)?;
    let surge = usize::try_from(own.desired)
        .ok()
        .filter(|desired| *desired < own.active.len())?;
    let winner = cx.facts.winner()?;
    let scales_up = cx.facts.current()? < cx.facts.proposal()?;
    if !scales_up || generations(cx, &own).len() < 2 {
        return None;
    }
    let proposal = winner.proposal?;
    let (ratio, pods) = match proposal.rule {
        ProposalRule::CeilRatioTimesReady { ready, usage_ratio } => {
            (usage_ratio, count(ready, "ready pod"))
        }
        ProposalRule::CeilAdjustedRatioTimesPods {
            pods,
            adjusted_usage_ratio,
        } => (adjusted_usage_ratio, count(pods, "pod")),
        _ => return None,
    };
    let alone = (ratio * f64::from(own.desired)).ceil();
    Some(Situation {
        place: Place::After,
        words: None,
        sentences: vec![
            format!(
                "A rollout is running, and the HPA multiplies by the {pods} of both versions (by the {surge} replicas it \
                 would be {alone}).",
            ),
            "Wait until the rollout ends: then the HPA scales down again if the load allows."
                .to_owned(),
        ],
        command: Some(of_target(cx, "kubectl rollout status")),
    })
}

/// Whether pods of several templates run.
pub(crate) fn are_several(cx: &ExplainContext<'_>) -> bool {
    own_pods::of(cx).is_some_and(|own| 2 <= generations(cx, &own).len())
}

struct Generation<'a> {
    name: &'a str,
    revision: Option<i64>,
    pods: Vec<&'a Pod>,
}

fn generations<'a>(cx: &ExplainContext<'a>, own: &OwnPods<'a>) -> Vec<Generation<'a>> {
    let mut generations: Vec<Generation<'a>> = Vec::new();
    for pod in &own.active {
        let Some(owner) = pod
            .owner
            .as_ref()
            .filter(|owner| KnownKind::of(&owner.kind).is_replica_set())
        else {
            continue;
        };
        match generations.iter_mut().find(|one| one.name == owner.name) {
            Some(one) => one.pods.push(pod),
            None => generations.push(Generation {
                name: &owner.name,
                revision: revision(cx, &owner.name),
                pods: vec![pod],
            }),
        }
    }
    generations
}

fn revision(cx: &ExplainContext<'_>, name: &str) -> Option<i64> {
    let target = cx.context.target.as_ref()?;
    let mut sets = target.intermediate_owners.iter();
    sets.find(|set| set.name == name)?.revision
}

/// The number of pods that the winning metric multiplies by, if it does.
fn counted(cx: &ExplainContext<'_>) -> Option<String> {
    let winner = cx.facts.winner()?;
    let pods = match winner.proposal?.rule {
        ProposalRule::CeilAdjustedRatioTimesPods { pods, .. } => pods,
        ProposalRule::CeilRatioTimesReady { ready, .. } => ready,
        ProposalRule::KeepStatusReplicas => {
            return Some(format!(
                "{} keeps status.replicas, surge included, not spec.replicas",
                winner.full_name()
            ));
        }
        _ => {
            winner.groups?;
            return Some(format!(
                "{} is measured over the pods of both, surge included",
                winner.full_name()
            ));
        }
    };
    Some(format!(
        "{} multiplies its ratio by the {} that count, surge included, not by spec.replicas",
        winner.full_name(),
        count(pods, "pod")
    ))
}
