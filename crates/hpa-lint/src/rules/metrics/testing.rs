//! Helpers for tests of the rules about targets and limits.

use crate::testing::{DEPLOYMENT, HPA};

/// An HPA with a utilization target of a resource, and its Deployment with request = limit.
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
