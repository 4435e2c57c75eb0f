//! HPA803 `ambiguous-selector`.

use hpa_analysis::Assessment;
use hpa_engine::trace::{SelectorVerdict, Step};

use crate::{Check, Cx, HpaSubject, Needs, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA803",
    name: "ambiguous-selector",
    summary: "other HPAs also select the pods",
    severity: Severity::Error,
    needs: Needs::Live,
    yields_to: &["HPA410", "HPA411"],
    check: Check::Hpa(check),
    docs: include_str!("ambiguous_selector.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let live = cx.live()?;
    let Some(condition) = live
        .condition("ScalingActive", "False")
        .filter(|condition| condition.reason == "AmbiguousSelector")
    else {
        return Ok(Vec::new());
    };
    let own = format!("{}/{}", cx.subject.hpa.namespace(), cx.subject.hpa.name());
    let mut names = selecting(live).unwrap_or_else(|| named_in(&condition.message));
    names.retain(|name| *name != own);
    let others = match &names[..] {
        [] => "other HPAs also select".to_owned(),
        [name] => format!("HPA {name} also selects"),
        names => format!("HPAs {} also select", names.join(", ")),
    };
    Ok(vec![
        cx.finding("spec.scaleTargetRef")
            .message(format!(
                "{others} these pods, so the controller computes no metric for any of the HPAs"
            ))
            .help("keep one HPA for these pods, or give the targets selectors that do not overlap"),
    ])
}

/// `namespace/name` of the HPAs that currently select the pods.
fn selecting(live: &Assessment) -> Option<Vec<String>> {
    live.analysis
        .trace
        .steps
        .iter()
        .find_map(|step| match step {
            Step::SelectorCheck(check) => match &check.verdict {
                SelectorVerdict::Ambiguous { hpas } => Some(hpas.to_vec()),
                _ => None,
            },
            _ => None,
        })
}

/// The HPAs that the message names: `… multiple HPAs: [shop/api shop/web]`.
fn named_in(message: &str) -> Vec<String> {
    let list = message
        .rsplit_once('[')
        .and_then(|(_, list)| list.split_once(']'));
    let names = list.map(|(names, _)| names).unwrap_or_default();
    names.split_whitespace().map(str::to_owned).collect()
}
