//! HPA308 `both-disabled`.

use super::side::Side;
use crate::lint::{Check, Cx, HpaSubject, RuleOutcome, Severity};

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags an HPA whose scale-up and scale-down are both `Disabled`.
    ///
    /// ## Why is this bad?
    /// The HPA only moves replicas that are outside its bounds. Between 2 and 10 it does nothing, however high or low
    /// the metrics are, and yet it looks healthy: `ScalingActive` is True.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: autoscaling/v2
    /// kind: HorizontalPodAutoscaler
    /// metadata:
    ///   name: web
    /// spec:
    ///   scaleTargetRef:
    ///     apiVersion: apps/v1
    ///     kind: Deployment
    ///     name: web
    ///   minReplicas: 2
    ///   maxReplicas: 10
    ///   behavior:
    ///     scaleUp:
    ///       selectPolicy: Disabled
    ///     scaleDown:
    ///       selectPolicy: Disabled
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// @@
    ///      scaleUp:
    /// -      selectPolicy: Disabled
    /// +      selectPolicy: Max
    ///      scaleDown:
    /// -      selectPolicy: Disabled
    /// +      selectPolicy: Min
    /// ```
    ///
    /// ## Fix
    /// Delete the HPA, or let it scale in one direction at least.
    ///
    /// ## References
    /// - docs/dev/controller.md, 2.3 and 7.4
    pub(crate) static RULE = {
        code: "HPA308",
        name: "both-disabled",
        summary: "scale-up and scale-down are both disabled",
        severity: Severity::Warning,
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let disabled: Vec<Side<'_>> = Side::both(cx).filter(Side::is_disabled).collect();
    if disabled.len() < 2 {
        return Ok(Vec::new());
    }
    let finding = cx
        .finding("spec.behavior")
        .message("scale-up and scale-down are both disabled")
        .help("delete the HPA, or let it scale in one direction at least");
    Ok(vec![disabled.iter().fold(finding, |finding, side| {
        finding.label(side.field("selectPolicy"), format!("no {}", side.name))
    })])
}

#[cfg(test)]
mod tests {
    use super::super::{RULES, scaledown_disabled, scaleup_disabled};
    use crate::{
        lint::testing::{report_with, texts},
        rules::behavior::testing::hpa,
    };

    #[test]
    fn what_is_disabled_is_said_once() {
        let found = |behavior: &str| {
            let report = report_with(&super::RULE, &hpa(1, 9, behavior), |settings| {
                settings.enabled = RULES.iter().map(|rule| rule.code).collect();
            });
            texts(&report)
        };
        let both = "{scaleUp: {selectPolicy: Disabled}, scaleDown: {selectPolicy: Disabled}}";
        assert_eq!(
            found(both),
            ["warning spec.behavior: scale-up and scale-down are both disabled"]
        );
        let up = "{scaleUp: {selectPolicy: Disabled}, scaleDown: {}}";
        assert_eq!(
            found(up),
            ["warning spec.behavior.scaleUp.selectPolicy: scale-up is disabled"]
        );
        let codes = [
            scaleup_disabled::RULE.yields_to,
            scaledown_disabled::RULE.yields_to,
        ];
        assert_eq!(codes, [["HPA308"], ["HPA308"]]);
    }
}
