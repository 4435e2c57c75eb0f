//! HPA103 `min-unset`.

use crate::{Check, Cx, FixStep, HpaSubject, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA103",
    name: "min-unset",
    summary: "minReplicas is not set",
    severity: Severity::Info,
    is_opt_in: true,
    is_fixable: true,
    check: Check::Hpa(check),
    docs: include_str!("min_unset.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    if cx.subject.is_written("spec.minReplicas") {
        return Ok(Vec::new());
    }
    let finding = cx
        .finding("spec.minReplicas")
        .message(
            "minReplicas is not set and defaults to 1, so an idle workload scales down to 1 pod",
        )
        .help("set minReplicas, even if 1 is intended");
    let is_null = cx
        .subject
        .manifest
        .at("spec")
        .is_some_and(|spec| spec.entry("minReplicas").is_some());
    Ok(vec![if is_null {
        // The field already has a line.
        finding.fix(FixStep::SetScalar {
            path: "spec.minReplicas".to_owned(),
            text: "1".to_owned(),
        })
    } else {
        finding.fix(FixStep::Insert {
            path: "spec".to_owned(),
            key: "minReplicas".to_owned(),
            text: "1".to_owned(),
        })
    }])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{HPA_V1, table};

    #[test]
    fn null_is_not_set() {
        table(
            &RULE,
            |[min]| format!("{HPA_V1}  minReplicas: {min}\n  maxReplicas: 3\n"),
            "nothing | => info spec.minReplicas: minReplicas is not set and defaults to 1, so an idle workload scales down to 1 pod",
        );
    }
}
