//! Pods that the selector matches although they do not belong to the scale target.

use std::collections::BTreeMap;

use hpa_analysis::{Belonging, Ownership, foreign_pods, ownership, selected_pods};
use hpa_diagnosis::effect::Effect;
use hpa_engine::model::{KnownKind, Owner, Pod};
use hpa_words::amount::{count, names};

use super::without::without;
use crate::{
    ExplainContext, NoteTopic, NoteView, NoteWeight,
    command::of_pods,
    situation::{MeasuredProblem, Place, Situation},
};

/// The pods of other owners, by name and owner, and the decision without them. All pods by owner are a detail.
pub(super) fn notes(cx: &ExplainContext<'_>) -> Vec<NoteView> {
    let pods = selected_pods(cx.facts.observation);
    let others = foreign_pods(cx.facts.observation, cx.context);
    let mut notes = Vec::new();
    if !others.is_empty() {
        notes.extend(foreign(cx, &pods, &others));
    }
    if !pods.is_empty() {
        notes.push(NoteTopic::Pods.note("owners", NoteWeight::Detail, by_owner(cx, &pods)));
    }
    notes
}

/// Problem: the selector matches pods of other owners, and counting them changes something.
pub(crate) fn problem(cx: &ExplainContext<'_>) -> Option<MeasuredProblem> {
    let others = foreign_pods(cx.facts.observation, cx.context);
    if others.is_empty() {
        return None;
    }
    let without = without(cx, &others);
    let effect = Effect::sooner_or_later(cx.today(), &without.trace)?;
    let target = &cx.facts.observation.hpa.spec.scale_target;
    let pods = selected_pods(cx.facts.observation).len();
    let (do_not, them) = if others.len() == 1 {
        ("does not", "it")
    } else {
        ("do not", "them")
    };
    let situation = Situation {
        place: Place::Before,
        words: Some(match others.len() {
            1 => "1 pod of another owner".to_owned(),
            number => format!("{number} pods of other owners"),
        }),
        sentences: vec![
            format!(
                "{} of {} {do_not} belong to {target}, and the HPA counts {them}. Without {them}: {}.",
                others.len(),
                count(pods, "pod"),
                without.calculated,
            ),
            format!("Fix: give {them} other labels."),
        ],
        command: of_pods(cx, "kubectl get pods").map(|command| command.arg("--show-labels")),
    };
    situation.measured(Some(effect))
}

fn is_and_them(others: &[&Pod]) -> (&'static str, &'static str) {
    if others.len() == 1 {
        ("is", "it")
    } else {
        ("are", "them")
    }
}

fn foreign(cx: &ExplainContext<'_>, pods: &[&Pod], others: &[&Pod]) -> Vec<NoteView> {
    let target = &cx.facts.observation.hpa.spec.scale_target;
    let selector = cx
        .facts
        .observation
        .scale
        .read()
        .map_or("", |scale| scale.selector.as_str());
    let named: Vec<String> = others
        .iter()
        .map(|pod| format!("{} ({})", pod.name, whose(cx, pod)))
        .collect();
    let (is, them) = is_and_them(others);
    let without = without(cx, others);
    let then = if without.weight == NoteWeight::Detail {
        format!(" Without {them} the decision is the same.")
    } else {
        format!(" Without {them}: {}.", without.text)
    };
    let view = |text: String, weight| NoteTopic::Pods.note("other pods", weight, text);
    vec![
        view(
            format!(
                "{} of the {} that match {selector} {is} not of {target}: {}. The HPA looks at all pods \
                 that match.{then}",
                others.len(),
                count(pods.len(), "pod"),
                names(&named, 3),
            ),
            match without.weight {
                NoteWeight::Warning => NoteWeight::Warning,
                NoteWeight::Normal | NoteWeight::Detail => NoteWeight::Normal,
            },
        ),
        view(
            format!(
                "to keep {them} out, give {them} labels that {selector} does not match, or the target a \
                 narrower selector. autoscaling/v2 has no field that looks at owners \
                 (selectionStrategy of KEP-5325 is only proposed)."
            ),
            NoteWeight::Detail,
        ),
    ]
}

/// The owner of a pod, as short as possible: `Job/hook`, `ReplicaSet/web-canary-1a of Deployment/web-canary`, `helm
/// test`, `no owner`.
pub(super) fn whose(cx: &ExplainContext<'_>, pod: &Pod) -> String {
    let Ownership { chain, .. } = ownership(pod, cx.facts.observation, cx.context);
    let mut parts = Vec::new();
    match chain.as_slice() {
        [] => parts.push("no owner".to_owned()),
        [first, ..] => {
            let of = chain.last().filter(|last| *last != first);
            parts.push(of.unwrap_or(first).to_string());
            if KnownKind::of(&first.kind).runs_to_completion() && is_of_cron_job(&first.name) {
                parts.push("of a CronJob by its name".to_owned());
            }
        }
    }
    if let Some(hook) = &pod.helm_hook {
        let is_test = hook.split(',').any(|one| one.trim().starts_with("test"));
        let what = if is_test { "helm test" } else { "helm hook" };
        parts.push(what.to_owned());
    } else if let Some(release) = other_release(cx, pod) {
        parts.push(format!("release {release}"));
    }
    parts.join(", ")
}

/// The release of a pod, if the target's pods belong to another one.
fn other_release<'a>(cx: &ExplainContext<'_>, pod: &'a Pod) -> Option<&'a str> {
    const LABELS: [&str; 2] = ["app.kubernetes.io/instance", "release"];
    LABELS.into_iter().find_map(|label| {
        let release = pod.labels.get(label)?;
        let own = cx
            .facts
            .observation
            .pods
            .read()?
            .iter()
            .find(|pod| belonging(cx, pod) == Belonging::Target)?
            .labels
            .get(label)?;
        (own != release).then_some(release.as_str())
    })
}

/// A CronJob names its Jobs after the scheduled minute: `NAME-29012345`.
fn is_of_cron_job(job: &str) -> bool {
    job.rsplit_once('-').is_some_and(|(_, minute)| {
        (8..=9).contains(&minute.len()) && minute.chars().all(|digit| digit.is_ascii_digit())
    })
}

/// `6 of Deployment/web (ReplicaSet/web-1a 4, ReplicaSet/web-2b 2), 1 of Job/hook, 1 of no owner`.
fn by_owner(cx: &ExplainContext<'_>, pods: &[&Pod]) -> String {
    let mut by_top: BTreeMap<(Belonging, (bool, String)), BTreeMap<String, usize>> =
        BTreeMap::new();
    for pod in pods {
        let Ownership { chain, belonging } = ownership(pod, cx.facts.observation, cx.context);
        // Pods without an owner come last.
        let of = match chain.last() {
            Some(top) => (false, format!("of {top}")),
            None => (true, "with no owner".to_owned()),
        };
        let below = by_top.entry((belonging, of)).or_default();
        let key = chain
            .first()
            .filter(|_| 1 < chain.len())
            .map_or_else(String::new, Owner::to_string);
        *below.entry(key).or_default() += 1;
    }
    let parts: Vec<String> = by_top
        .iter()
        .map(|((_, (_, of)), below)| {
            let all: usize = below.values().sum();
            let below: Vec<String> = below
                .iter()
                .filter(|(name, _)| !name.is_empty())
                .map(|(name, number)| format!("{name} {number}"))
                .collect();
            if below.is_empty() {
                format!("{all} {of}")
            } else {
                format!("{all} {of} ({})", below.join(", "))
            }
        })
        .collect();
    parts.join("; ")
}

fn belonging(cx: &ExplainContext<'_>, pod: &Pod) -> Belonging {
    ownership(pod, cx.facts.observation, cx.context).belonging
}
