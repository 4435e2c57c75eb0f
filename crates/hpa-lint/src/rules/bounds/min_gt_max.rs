//! HPA101 `min-gt-max`.

use crate::{
    Check, Cx, ForScaledObject, Manifest, Rule, RuleOutcome, Severity,
    rules::schema::refused::{Reporter, refused},
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA101",
    name: "min-gt-max",
    summary: "minReplicas is greater than maxReplicas",
    severity: Severity::Error,
    reports_rejections: true,
    check: Check::Manifest(check),
    for_scaled_object: ForScaledObject::ItsHpa,
    docs: include_str!("min_gt_max.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, Manifest>) -> RuleOutcome {
    let Some(spec) = &cx.subject.defaulted else {
        return Ok(Vec::new());
    };
    // The API server's default is 1.
    let (min, max) = (spec.min_replicas.unwrap_or(1), spec.max_replicas);
    let is_absent = |field: &str| cx.subject.at(field).is_none();
    if max < 1 && (is_absent("spec.minReplicas") || is_absent("spec.maxReplicas")) {
        // maxReplicas itself is invalid or missing, which HPA004 reports.
        return Ok(Vec::new());
    }
    let violations = refused(cx, Reporter::MinAboveMax);
    Ok(violations
        .into_iter()
        .map(|violation| {
            cx.finding(violation.field)
                .message(format!(
                    "minReplicas {min} is greater than maxReplicas {max}, so the API server rejects this HPA"
                ))
                .help(format!(
                    "raise maxReplicas to {min} or more, or lower minReplicas"
                ))
                .label("spec.minReplicas", "greater than maxReplicas")
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{HPA_V1, table};

    #[test]
    fn only_bounds_that_are_there_are_compared() {
        table(
            &RULE,
            |[bounds]| format!("{HPA_V1}  {bounds}\n"),
            r"
a missing maximum is not compared | minReplicas: 2\n  maxReplica: 10 => error spec.maxReplicas: document 1 cannot be read …: missing field
an old version has the same bounds | minReplicas: 2\n  maxReplicas: 1 => error spec.maxReplicas: minReplicas 2 is greater than maxReplicas 1, so the API server rejects this HPA
equal bounds | minReplicas: 2\n  maxReplicas: 2
a maximum of zero | maxReplicas: 0
",
        );
    }
}
