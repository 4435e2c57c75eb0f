//! HPA604 `keda-zero-cpu-only`.

use hpa_engine::model::KnownKind;

use crate::{Check, Cx, Needs, Rule, RuleOutcome, ScaledObjectSubject, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA604",
    name: "keda-zero-cpu-only",
    summary: "a ScaledObject cannot scale to 0 on CPU and memory alone",
    severity: Severity::Error,
    needs: Needs::Related,
    check: Check::ScaledObject(check),
    docs: include_str!("keda_zero_cpu_only.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, ScaledObjectSubject>) -> RuleOutcome {
    let scaled = &cx.subject.scaled_object;
    let measures_pods = scaled
        .keda
        .triggers
        .iter()
        .all(|trigger| matches!(&*trigger.trigger_type, "cpu" | "memory"));
    if scaled.min_replicas.unwrap_or(0) != 0 || scaled.keda.triggers.is_empty() || !measures_pods {
        return Ok(Vec::new());
    }
    let path = if scaled.min_replicas.is_some() {
        "spec.minReplicaCount"
    } else {
        "spec.triggers"
    };
    let finding = cx
        .finding(path)
        .message(format!(
            "ScaledObject {} has minReplicaCount 0 but only cpu and memory triggers, so KEDA never scales it to 0",
            scaled.object.name
        ))
        .help("set minReplicaCount: 1, or add a trigger that has a value without pods, such as the length of a queue");
    let kind = KnownKind::in_group(&scaled.target_group, &scaled.target_kind);
    Ok(vec![if kind.is_usual_target() {
        finding
    } else {
        finding.severity(Severity::Warning)
    }])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{SCALED_OBJECT, table};

    #[test]
    fn one_other_trigger_is_enough_and_zero_is_the_default() {
        table(
            &RULE,
            |[triggers]| format!("{SCALED_OBJECT}  triggers: [{triggers}]\n"),
            "
two of resources |{type: memory}, {type: cpu} => error spec.triggers: ScaledObject web has minReplicaCount 0 but only cpu and memory triggers, so KEDA never scales it to 0
another one |{type: cpu}, {type: cron}
none |
",
        );
    }
}
