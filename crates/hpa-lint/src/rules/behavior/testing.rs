//! Helpers for tests of rules: HPAs that differ in bounds and behavior.

use crate::{
    Rule,
    testing::{HPA, findings},
};

/// An HPA with these bounds; `behavior` is a YAML flow mapping.
pub(in crate::rules) fn hpa(min: i32, max: i32, behavior: &str) -> String {
    format!(
        "{HPA}  minReplicas: {min}
  maxReplicas: {max}
  behavior: {behavior}
"
    )
}

/// `severity path: message` of each finding of one rule on such an HPA.
pub(in crate::rules) fn findings_of(
    rule: &'static Rule,
    min: i32,
    max: i32,
    behavior: &str,
) -> Vec<String> {
    findings(rule, &hpa(min, max, behavior))
}
