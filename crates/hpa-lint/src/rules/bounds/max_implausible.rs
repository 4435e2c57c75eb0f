//! HPA116 `max-implausible`.

use crate::{
    Check, ConfigurableNumber, Cx, ForScaledObject, HpaSubject, Rule, RuleOutcome, Severity,
    ThresholdUnit,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA116",
    name: "max-implausible",
    summary: "a maxReplicas that is too high to stop a wrong metric",
    severity: Severity::Info,
    is_opt_in: true,
    thresholds: &[ConfigurableNumber {
        name: "replicas",
        default: 1000.0,
        unit: ThresholdUnit::Count,
        summary: "the smallest maxReplicas that is reported",
    }],
    check: Check::Hpa(check),
    for_scaled_object: ForScaledObject::ItsHpa,
    docs: include_str!("max_implausible.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let max = cx.subject.spec.max_replicas;
    if f64::from(max) < cx.threshold("replicas") {
        return Ok(Vec::new());
    }
    Ok(vec![
        cx.finding("spec.maxReplicas")
            .message(format!(
                "maxReplicas {max} is so high that it barely limits a wrong metric"
            ))
            .help("set maxReplicas to what the cluster can run"),
    ])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{HPA_V1, table};

    #[test]
    fn a_thousand_is_not_believed() {
        let hpa = |[max]: [&str; 1]| format!("{HPA_V1}  maxReplicas: {max}\n");
        table(&RULE, hpa, "a thousand |1000 => …\nless |999");
    }
}
