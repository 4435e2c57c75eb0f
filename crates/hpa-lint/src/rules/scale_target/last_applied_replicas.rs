//! HPA408 `last-applied-replicas`.

use hpa_explain::writer_name;
use hpa_words::shell_word;

use super::reference::target_name;
use crate::{Check, Cx, HpaSubject, Missing, Needs, Rule, RuleOutcome, namespace_flag};

pub(crate) static RULE: Rule = Rule {
    code: "HPA408",
    name: "last-applied-replicas",
    summary: "the last applied configuration of the target has spec.replicas",
    needs: Needs::Live,
    check: Check::Hpa(check),
    docs: include_str!("last_applied_replicas.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let live = cx.live()?;
    let Some(target) = &live.context.target else {
        // A target that does not exist has no configuration; HPA401 reports it.
        return match &live.observation.scale {
            hpa_engine::model::Reading::Failed(_) => Ok(Vec::new()),
            _ => Err(Missing::NotRead {
                what: target_name(cx),
                why: "the cluster returned none".to_owned(),
            }),
        };
    };
    let object = target_name(cx);
    let applier = target
        .replicas_written_by
        .iter()
        .find(|manager| manager.operation == "Apply");
    let (message, help) = match (target.applied_replicas, applier) {
        (Some(replicas), _) if replicas != 0 => (
            format!(
                "the last applied configuration of {object} contains spec.replicas {replicas}, so the next apply \
                 overwrites the HPA"
            ),
            format!(
                "remove spec.replicas from it first (kubectl apply edit-last-applied {}{}), then from the manifest. \
                 In the other order the next apply sets 1 replica",
                shell_word(&object.to_lowercase()),
                namespace_flag(cx)
            ),
        ),
        (_, Some(manager)) => (
            format!(
                "{} applies {object} with spec.replicas, so its next apply overwrites the HPA or conflicts with it",
                writer_name(manager)
            ),
            "once the HPA also owns spec.replicas, remove the field from what is applied"
                .to_owned(),
        ),
        _ => return Ok(Vec::new()),
    };
    let finding = cx
        .finding("spec.scaleTargetRef")
        .message(message)
        .help(help);
    Ok(vec![match cx.workload() {
        Ok(workload) => finding.related(
            workload.object.clone(),
            "spec.replicas",
            "each apply writes it",
        ),
        Err(_) => finding,
    }])
}
