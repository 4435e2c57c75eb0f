//! Splits the API server's violations among the rules that report them. Each violation belongs to one rule.

use std::collections::BTreeSet;

use hpa_objects::manifest::validation::Violation;

use crate::{Cx, Manifest};

/// The rule that reports a violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rules) enum Reporter {
    /// HPA004: violations that no other rule reports.
    Any,
    /// HPA011: the version does not have the feature.
    Feature,
    /// HPA005: the sources and numbers of a metric.
    MetricShape,
    /// HPA101: `minReplicas` is above `maxReplicas`.
    MinAboveMax,
    /// HPA105: `minReplicas: 0` without a metric that can be measured without pods.
    ZeroWithoutMetric,
}

/// The violations that `reporter` reports, at most one for each field: the first in the API server's order.
///
/// Empty if the manifest cannot be decoded, which HPA012 reports.
pub(in crate::rules) fn refused(cx: &Cx<'_, Manifest>, reporter: Reporter) -> Vec<Violation> {
    let refused = cx.refused;
    let mut found: Vec<Violation> = Vec::new();
    let mut fields = BTreeSet::new();
    for violation in &refused.violations {
        let belongs_to = if refused.depends_on_gate(violation) {
            Reporter::Feature
        } else {
            reporter_of(violation)
        };
        if belongs_to == Reporter::MinAboveMax && is_wrong_alone(cx, violation) {
            continue;
        }
        if belongs_to == reporter && fields.insert(&violation.field) {
            found.push(violation.clone());
        }
    }
    found
}

/// Whether a bound is already wrong by itself, whatever the other one is.
fn is_wrong_alone(cx: &Cx<'_, Manifest>, violation: &Violation) -> bool {
    let mut same = cx
        .refused
        .violations
        .iter()
        .filter(|one| one.field == violation.field);
    same.any(|one| reporter_of(one) != Reporter::MinAboveMax)
}

fn reporter_of(violation: &Violation) -> Reporter {
    match violation.field.as_str() {
        "spec.maxReplicas" if violation.rule.contains("`minReplicas`") => Reporter::MinAboveMax,
        "spec.metrics" => Reporter::ZeroWithoutMetric,
        field if is_shape_of_metric(field) => Reporter::MetricShape,
        _ => Reporter::Any,
    }
}

/// Whether a path is a metric source, such as `spec.metrics[0].pods`, or its target.
fn is_shape_of_metric(field: &str) -> bool {
    let Some((_, below)) = field
        .strip_prefix("spec.metrics[")
        .and_then(|rest| rest.split_once("]."))
    else {
        return false;
    };
    let mut steps = below.split('.');
    match (steps.next(), steps.next()) {
        (Some("type"), _) => false,
        (Some(_), None | Some("target")) => true,
        _ => false,
    }
}
