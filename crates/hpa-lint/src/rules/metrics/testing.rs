//! Helpers for tests of the rules about targets and limits.

use hpa_engine::model::{self, ControllerConfig, KubeVersion};

use crate::{
    Rule,
    testing::{DEPLOYMENT, HPA, report_with, texts},
};

/// A rule's findings for a utilization target of a resource with request = limit, in a version.
pub(super) fn of_target(
    rule: &'static Rule,
    resource: &str,
    minor: u32,
    target: i32,
    change: impl FnOnce(&mut ControllerConfig),
) -> Vec<String> {
    texts(&report_with(
        rule,
        &with_target(resource, target),
        |settings| {
            settings.configs[0].version = model::Input::given(KubeVersion { minor, patch: None });
            change(&mut settings.configs[0]);
        },
    ))
}

/// The advice in the rule's only finding for such a target.
pub(super) fn help_of_target(rule: &'static Rule, resource: &str, target: i32) -> String {
    let report = report_with(rule, &with_target(resource, target), |_| {});
    report.findings[0].finding.help.to_string()
}

/// An HPA with such a target, and its Deployment.
pub(super) fn with_target(resource: &str, target: i32) -> String {
    format!(
        "{HPA}  maxReplicas: 3
  metrics:
  - type: Resource
    resource: {{name: {resource}, target: {{type: Utilization, averageUtilization: {target}}}}}
{DEPLOYMENT}spec: {{template: {{spec: {{containers: [{{name: app, resources: {{limits: {{{resource}: 1}}}}}}]}}}}}}
"
    )
}
