//! HPA419 `no-pdb`.

use super::reference::target_name;
use crate::{Check, Cx, HpaSubject, Needs, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA419",
    name: "no-pdb",
    summary: "no PodDisruptionBudget selects the pods of the target",
    severity: Severity::Info,
    needs: Needs::Related,
    is_opt_in: true,
    check: Check::Hpa(check),
    docs: include_str!("no_pdb.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    if cx.subject.spec.min_replicas() < 2 {
        return Ok(Vec::new());
    }
    let labels = cx.pod_labels()?;
    cx.world.require("PodDisruptionBudget")?;
    let (own, target) = (cx.subject.object(), cx.workload()?);
    let mut budgets = cx.world.budgets_selecting(own, target, labels);
    if budgets.next().is_some() {
        return Ok(Vec::new());
    }
    let given = if cx.is_complete {
        ""
    } else {
        " in the given files"
    };
    Ok(vec![
        cx.finding("spec.scaleTargetRef")
            .message(format!(
                "no PodDisruptionBudget{given} selects the pods of {}; without one, drains can evict all of them together",
                target_name(cx)
            ))
            .help("add a PodDisruptionBudget with maxUnavailable: 1"),
    ])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{hpa_and_workload, table};

    #[test]
    fn one_pod_needs_no_budget() {
        table(
            &RULE,
            |[min]| {
                let spec = "  template: {metadata: {labels: {app: web}}}";
                hpa_and_workload("Deployment", &format!("  minReplicas: {min}"), spec)
            },
            r"
one pod | 1
two pods | 2 => info spec.scaleTargetRef: no PodDisruptionBudget in the given files selects the pods of Deployment/web; without one, drains can evict all of them together
",
        );
    }
}
