//! HPA502 `finished-pods-selected`.

use hpa_analysis::selected_pods;
use hpa_engine::{
    engine::why_ignored,
    model::{Pod, PodPhase},
};
use hpa_words::amount::{count, names};

use super::missing_request::missing_request;
use crate::{Check, Cx, HpaSubject, Missing, Needs, Rule, RuleOutcome};

pub(crate) static RULE: Rule = Rule {
    code: "HPA502",
    name: "finished-pods-selected",
    summary: "finished pods match the selector of the target",
    needs: Needs::Live,
    check: Check::Hpa(check),
    docs: include_str!("finished_pods_selected.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let live = cx.live()?;
    let not_read = live.observation.scale.not_read();
    if let Some(not_read) = live.observation.pods.not_read().or(not_read) {
        return Err(Missing::NotRead {
            what: not_read.what.to_string(),
            why: not_read.why.clone(),
        });
    }
    let finished: Vec<&Pod> = selected_pods(&live.observation)
        .into_iter()
        .filter(|pod| pod.deleted.is_none())
        .filter(|pod| matches!(pod.phase, PodPhase::Failed | PodPhase::Succeeded))
        .collect();
    let Some(message) = fails_a_metric(cx, &finished).or_else(|| counts(cx, &finished)) else {
        return Ok(Vec::new());
    };
    Ok(vec![
        cx.finding("spec.scaleTargetRef").message(message).help(
            "delete the finished pods; set ttlSecondsAfterFinished on Jobs, and give their pods other labels",
        ),
    ])
}

/// Finished pods whose missing request fails a metric, whether the controller ignores them otherwise or not.
fn fails_a_metric(cx: &Cx<'_, HpaSubject>, finished: &[&Pod]) -> Option<String> {
    let missing = finished.iter().find_map(|pod| missing_request(cx, pod))?;
    let lacks = |pod: &&&Pod| missing_request(cx, pod).as_ref() == Some(&missing);
    let lacking: Vec<&Pod> = finished.iter().filter(lacks).copied().collect();
    let has = if lacking.len() == 1 { "has" } else { "have" };
    Some(format!(
        "{} and {has} no {}, so {} cannot be computed",
        matches_selector(cx, &lacking),
        missing.what(),
        missing.metric()
    ))
}

/// Finished pods that the controller does not ignore.
fn counts(cx: &Cx<'_, HpaSubject>, finished: &[&Pod]) -> Option<String> {
    let switches = cx.switches();
    let is_counted = |pod: &&&Pod| why_ignored(&switches, pod).is_none();
    let counted: Vec<&Pod> = finished.iter().filter(is_counted).copied().collect();
    let them = if counted.len() == 1 { "it" } else { "them" };
    (!counted.is_empty()).then(|| {
        let matches = matches_selector(cx, &counted);
        format!("{matches}, so metrics still count {them}")
    })
}

/// `2 finished pods (report-1 and report-2) match the selector of Deployment/web`.
fn matches_selector(cx: &Cx<'_, HpaSubject>, finished: &[&Pod]) -> String {
    let target = &cx.subject.spec.scale_target;
    let named: Vec<&str> = finished.iter().map(|pod| pod.name.as_str()).collect();
    format!(
        "{} ({}) {} the selector of {}/{}",
        count(finished.len(), "finished pod"),
        names(&named, 3),
        if finished.len() == 1 {
            "matches"
        } else {
            "match"
        },
        target.kind,
        target.name
    )
}
