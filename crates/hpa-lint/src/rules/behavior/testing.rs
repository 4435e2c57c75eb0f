//! Helpers for tests of rules: HPAs that differ in bounds and behavior.

use std::fmt::Display;

use crate::{
    Rule,
    testing::{HPA, findings, table},
};

/// An HPA with these bounds; `behavior` is a YAML flow mapping.
pub(in crate::rules) fn hpa(min: impl Display, max: impl Display, behavior: &str) -> String {
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

/// Checks a rule on each row of a table ([`table`]): minReplicas, maxReplicas and `behavior` of such an HPA.
pub(in crate::rules) fn behaviors(rule: &'static Rule, cases: &str) {
    table(rule, |[min, max, behavior]| hpa(min, max, behavior), cases);
}
