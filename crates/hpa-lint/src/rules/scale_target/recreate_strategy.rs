//! HPA415 `recreate-strategy`.

use crate::{Check, Cx, HpaSubject, Needs, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA415",
    name: "recreate-strategy",
    summary: "the strategy Recreate leaves no pods to measure in each rollout",
    severity: Severity::Info,
    needs: Needs::Related,
    check: Check::Hpa(check),
    docs: include_str!("recreate_strategy.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    if !cx.subject.target_kind().is_deployment() {
        return Ok(Vec::new());
    }
    let workload = cx.workload()?;
    if workload.strategy != "Recreate" {
        return Ok(Vec::new());
    }
    Ok(vec![
        cx.finding("spec.scaleTargetRef")
            .message("strategy Recreate deletes all pods before it starts new ones, so the HPA finds no pods to measure in each rollout")
            .help("set strategy.type: RollingUpdate, unless two versions must never run at the same time")
            .related(workload.object.clone(), "spec.strategy.type", "Recreate"),
    ])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{findings, hpa_and_workload};

    #[test]
    fn a_strategy_that_is_not_written_is_a_rolling_update() {
        assert!(findings(&RULE, &hpa_and_workload("Deployment", "", "")).is_empty());
        assert_eq!(
            findings(
                &RULE,
                &hpa_and_workload("Deployment", "", "  strategy: {type: Recreate}")
            )
            .len(),
            1
        );
    }
}
