//! HPA102 `min-equals-max`.

use crate::{Check, Cx, ForScaledObject, HpaSubject, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA102",
    name: "min-equals-max",
    summary: "minReplicas equals maxReplicas",
    severity: Severity::Info,
    worst: Some(Severity::Warning),
    check: Check::Hpa(check),
    for_scaled_object: ForScaledObject::ItsHpa,
    docs: include_str!("min_equals_max.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let spec = &cx.subject.spec;
    let (min, max) = (spec.min_replicas(), spec.max_replicas);
    if min != max {
        return Ok(Vec::new());
    }
    let finding = cx
        .finding("spec.maxReplicas")
        .message(format!("minReplicas and maxReplicas are both {min}, so no metric changes the replicas"))
        .help(format!(
            "raise maxReplicas above {min}, or delete the HPA; if the freeze is intended, suppress this with a reason"
        ))
        .label("spec.minReplicas", "the same");
    Ok(vec![if cx.is_strict {
        finding.severity(Severity::Warning)
    } else {
        finding
    }])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{HPA, table};

    #[test]
    fn a_minimum_that_is_not_written_is_one() {
        table(
            &RULE,
            |[max]| format!("{HPA}  maxReplicas: {max}\n"),
            "one |1 => info spec.maxReplicas: minReplicas and maxReplicas are both 1, so no metric changes the replicas",
        );
    }
}
