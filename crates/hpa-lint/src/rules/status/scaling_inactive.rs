//! HPA802 `scaling-inactive`.

use hpa_diagnosis::failing_metric::Blocked;

use crate::{
    Check, Cx, HpaSubject, Needs, Rule, RuleOutcome, Severity, explain_command, leave_zero,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA802",
    name: "scaling-inactive",
    summary: "the controller cannot compute the desired replicas",
    severity: Severity::Error,
    needs: Needs::Live,
    yields_to: &[
        "HPA006", "HPA108", "HPA202", "HPA204", "HPA205", "HPA207", "HPA229", "HPA405", "HPA701",
        "HPA702",
    ],
    check: Check::Hpa(check),
    docs: include_str!("scaling_inactive.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let live = cx.live()?;
    let Some(condition) = live.condition("ScalingActive", "False") else {
        return Ok(Vec::new());
    };
    let is_disabled = condition.reason == "ScalingDisabled";
    if condition.reason == "AmbiguousSelector"
        || is_disabled && live.condition("ScaledToZero", "True").is_some()
    {
        return Ok(Vec::new());
    }
    let (path, help) = if is_disabled {
        ("spec.scaleTargetRef", leave_zero(cx))
    } else {
        (
            "spec.metrics",
            format!("run {} to see each metric", explain_command(cx)),
        )
    };
    let effect = match Blocked::of(&live.analysis.trace) {
        Some(Blocked::ScalingDown) if !is_disabled => "does not scale down",
        _ => "does not scale",
    };
    let finding = cx
        .finding(path)
        .message(format!(
            "ScalingActive is False, so the HPA {effect}. {}: {}",
            condition.reason,
            condition.message.trim_end_matches('.')
        ))
        .help(help);
    Ok(vec![if is_disabled {
        finding.severity(Severity::Warning)
    } else {
        finding
    }])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::{
        Report,
        testing::{report_observed, texts},
    };

    fn lint(scaled_to_zero: &str, namespace: &str) -> Report {
        let yaml = format!(
            "
    apiVersion: autoscaling/v2
    kind: HorizontalPodAutoscaler
    metadata: {{name: web{namespace}}}
    spec:
      scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}
      maxReplicas: 4
    status:
      conditions:
      - {{type: ScalingActive, status: 'False', reason: ScalingDisabled, message: scaling is disabled}}
      - {{type: ScaledToZero, status: '{scaled_to_zero}', reason: ScaledToZero}}
    "
        );
        report_observed(&RULE, &yaml)
    }

    fn findings(scaled_to_zero: &str) -> Vec<String> {
        texts(&lint(scaled_to_zero, ", namespace: shop"))
    }

    #[test]
    fn the_command_has_the_namespace_that_the_input_names() {
        let help = |namespace: &str| lint("False", namespace).findings[0].finding.help.clone();
        let command = "run kubectl scale deployment/web --replicas=1";
        assert!(help(", namespace: shop").starts_with(&format!("{command} -n shop; ")));
        assert!(help("").starts_with(&format!("{command}; ")));
    }

    #[test]
    fn zero_replicas_are_fine_if_the_hpa_itself_went_there() {
        assert_eq!(findings("True"), Vec::<String>::new());
        assert_eq!(
            findings("False"),
            [
                "warning spec.scaleTargetRef: ScalingActive is False, so the HPA does not scale. ScalingDisabled: scaling is disabled"
            ]
        );
    }
}
