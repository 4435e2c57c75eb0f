//! HPA507 `grace-too-long`.

use crate::{
    Check, ConfigurableNumber, Cx, HpaSubject, Needs, Rule, RuleOutcome, Severity, ThresholdUnit,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA507",
    name: "grace-too-long",
    summary: "removed pods run on for a long time after a fast scale-down",
    severity: Severity::Info,
    needs: Needs::Related,
    is_opt_in: true,
    thresholds: &[ConfigurableNumber {
        name: "grace",
        default: 600.0,
        unit: ThresholdUnit::Seconds,
        summary: "grace period from which this is reported",
    }],
    check: Check::Hpa(check),
    docs: include_str!("grace_too_long.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let workload = cx.template_workload()?;
    let Some(grace) = workload.pod_template()?.termination_grace_period else {
        return Ok(Vec::new());
    };
    let behavior = cx.subject.spec.behavior.as_ref();
    let window = behavior
        .and_then(|behavior| behavior.scale_down.as_ref()?.stabilization_window_seconds)
        .map_or_else(
            || cx.config.downscale_stabilization.value.as_secs(),
            i64::from,
        );
    #[expect(clippy::cast_possible_truncation, reason = "seconds of a grace period")]
    let least = cx.threshold("grace") as i64;
    if grace < least || grace <= window {
        return Ok(Vec::new());
    }
    Ok(vec![
        cx.finding("spec.behavior.scaleDown")
            .message(format!(
                "terminationGracePeriodSeconds {grace} is longer than the scale-down window of {window} s, so removed pods can \
                 pile up"
            ))
            .help("lower terminationGracePeriodSeconds, or raise spec.behavior.scaleDown.stabilizationWindowSeconds (at most 3600)")
            .related(
                workload.object.clone(),
                "spec.template.spec.terminationGracePeriodSeconds",
                "removed pods can run this long",
            ),
    ])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{findings, hpa_and_workload};

    #[test]
    fn a_window_as_long_as_the_grace_is_no_fast_scale_down() {
        let spec = "  template: {spec: {terminationGracePeriodSeconds: 600}}";
        let behavior = "  behavior: {scaleDown: {stabilizationWindowSeconds: 600}}";
        assert!(findings(&RULE, &hpa_and_workload("Deployment", behavior, spec)).is_empty());
        assert_eq!(
            findings(&RULE, &hpa_and_workload("Deployment", "", spec)).len(),
            1
        );
        let shorter = "  template: {spec: {terminationGracePeriodSeconds: 599}}";
        assert!(findings(&RULE, &hpa_and_workload("Deployment", "", shorter)).is_empty());
    }
}
