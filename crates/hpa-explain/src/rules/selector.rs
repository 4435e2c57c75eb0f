//! The selector is missing or invalid, or other HPAs select the same pods.

use std::collections::BTreeSet;

use hpa_analysis::AlterationKind;
use hpa_engine::trace::SelectorVerdict;
use hpa_words::amount::{names, names_within};

use super::{NOT_SCALING, RuleWords};
use crate::{ExplainContext, Facts, StepKind, command::ShellCommand};

pub(super) const MISSING: RuleWords = RuleWords {
    held_by: Some("the selector is missing or wrong"),
    needed_first: Some("after the scale of the target has a selector"),
    failed: NOT_SCALING,
    label: |_| "selector_invalid",
    short: |_, _| Some("scale has no selector".into()),
    sentences: |cx, _| sentences(cx),
    recovers: |_| false,
    why_nothing: |_| "",
    advice: |_| None,
    command: |_| None,
    before_command: |_| None,
    steps: |_| &[(StepKind::Pods, false)],
    what_ifs: &[],
};

pub(super) const INVALID: RuleWords = RuleWords {
    needed_first: Some("after the selector of the target can be parsed"),
    short: |_, _| Some("selector is invalid".into()),
    ..MISSING
};

pub(super) const AMBIGUOUS: RuleWords = RuleWords {
    held_by: Some("two HPAs select the same pods"),
    needed_first: Some("after only one HPA selects these pods"),
    failed: "BLOCKED, stays at",
    label: |_| "shares_pods",
    short: |cx, _| Some(format!("shares pods with {}", others(&cx.facts)).into()),
    command: |cx| Some(get_hpas(cx)),
    what_ifs: &[AlterationKind::OtherHpas],
    ..MISSING
};

fn sentences(cx: &ExplainContext<'_>) -> Vec<String> {
    let target = &cx.facts.observation.hpa.spec.scale_target;
    match cx.facts.selector.map(|selector| &selector.verdict) {
        Some(SelectorVerdict::Ambiguous { hpas }) => {
            let short = names_within(hpas, &cx.facts.observation.hpa.namespace);
            let short: Vec<&str> = short.collect();
            let named = match short.len() {
                2 => short.join(" and "),
                _ => names(&short, MOST_NAMED),
            };
            let neither = if hpas.len() == 2 {
                "neither"
            } else {
                "none of them"
            };
            let others = others_of(cx, &short);
            let (what, remedy) = if others.unknown.is_empty() && others.elsewhere == 0 {
                let what = if hpas.len() == 2 {
                    format!("both target {target}")
                } else {
                    format!("all target {target}")
                };
                let remedy = "Keep one, and move the metrics of the rest into it.";
                (what, remedy.to_owned())
            } else {
                let remedy = match others.unknown.as_slice() {
                    [] => "Their targets differ: give the targets selectors that do not overlap."
                        .to_owned(),
                    unknown => format!(
                        "The target of {} is not known here. If it is {target}, keep one HPA. If not, give the targets \
                         selectors that do not overlap.",
                        names(unknown, MOST_NAMED)
                    ),
                };
                ("select the same pods".to_owned(), remedy)
            };
            vec![
                format!(
                    "HPAs {named} {what}, so the controller scales by {neither} (AmbiguousSelector)."
                ),
                remedy,
            ]
        }
        Some(SelectorVerdict::Unparsable(error)) => vec![
            format!("The selector in the scale of {target} cannot be parsed: {error}."),
            "The HPA cannot scale until that is fixed.".to_owned(),
        ],
        _ => vec![
            format!("The scale of {target} has no selector, so the HPA cannot find its pods."),
            "A CRD needs labelSelectorPath in its scale subresource, and a selector at that path."
                .to_owned(),
        ],
    }
}

/// Other HPAs that select the same pods, without those that have the same target.
struct OthersOfPods<'a> {
    /// HPAs whose target was not read.
    unknown: Vec<&'a str>,
    /// How many HPAs have another target.
    elsewhere: usize,
}

fn others_of<'a>(cx: &ExplainContext<'_>, hpas: &[&'a str]) -> OthersOfPods<'a> {
    let own = cx.facts.observation.hpa.name.as_str();
    let surroundings = &cx.context.surroundings;
    let rivals = surroundings.autoscalers.hpas();
    let rivals: BTreeSet<&str> = rivals.map(|other| other.name.as_str()).collect();
    let has_same_target = |name: &str| rivals.contains(name);
    let others = hpas.iter().copied();
    let others: Vec<&str> = others
        .filter(|name| *name != own && !has_same_target(name))
        .collect();
    // With permission to list HPAs, all HPAs with this target are known.
    match surroundings.hpas_of_namespace {
        Some(_) => OthersOfPods {
            elsewhere: others.len(),
            unknown: Vec::new(),
        },
        None => OthersOfPods {
            elsewhere: 0,
            unknown: others,
        },
    }
}

/// At most this many HPAs are named, the others are counted.
const MOST_NAMED: usize = 5;

/// The other HPAs that select the pods: `dual-b`, `2 HPAs`.
fn others(facts: &Facts<'_>) -> String {
    let Some(SelectorVerdict::Ambiguous { hpas }) = facts.selector.map(|one| &one.verdict) else {
        return "another HPA".to_owned();
    };
    if 2 < hpas.len() {
        return format!("{} HPAs", hpas.len() - 1);
    }
    let hpa = &facts.observation.hpa;
    let others = names_within(hpas, &hpa.namespace);
    let others: Vec<&str> = others.filter(|name| *name != hpa.name).collect();
    names(&others, 1)
}

/// The HPAs that select the same pods, with their targets.
fn get_hpas(cx: &ExplainContext<'_>) -> ShellCommand {
    let mut command = ShellCommand::new("kubectl get hpa");
    if let Some(SelectorVerdict::Ambiguous { hpas }) = cx.facts.selector.map(|one| &one.verdict) {
        for name in names_within(hpas, &cx.facts.observation.hpa.namespace) {
            command = command.arg(name);
        }
    }
    command.in_namespace(cx)
}
