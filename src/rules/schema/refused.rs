//! What the API server refuses, split among the rules that report it: each violation belongs to one of them.

use crate::{
    lint::{Cx, Manifest, world::text_map},
    manifest::validation::{
        Metadata, Rules, Violation, drop_disabled_fields, validate, validate_metadata,
    },
};

/// The rule that reports a violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rules) enum Reporter {
    /// HPA004: whatever no other rule reports.
    Any,
    /// HPA011: the feature is not there in that version.
    Feature,
    /// HPA005: the sources and numbers of a metric.
    MetricShape,
    /// HPA101: the minimum is above the maximum.
    MinAboveMax,
    /// HPA105: zero without a metric that can be measured without pods.
    ZeroWithoutMetric,
}

/// The violations that `reporter` reports, at most one per field: the first that the API server names.
///
/// None if the manifest cannot be decoded, which HPA012 says.
pub(in crate::rules) fn refused(cx: &Cx<'_, Manifest>, reporter: Reporter) -> Vec<Violation> {
    let Some(written) = &cx.subject.defaulted else {
        return Vec::new();
    };
    let mut spec = written.clone();
    let is_stored = cx.subject.object.origin.is_none();
    let rules = Rules {
        // What a cluster has was accepted once, and some rules spare what was there before.
        old: is_stored.then_some(written),
        ..cx.api_rules()
    };
    let dropped = drop_disabled_fields(&mut spec, rules);
    let is_dropped = |field: &str| dropped.iter().any(|one| one.field == field);
    let mut found = if is_stored {
        Vec::new()
    } else {
        validate_metadata(&metadata(cx), rules)
    };
    found.extend(validate(&spec, rules));
    found.retain(|violation| {
        let belongs_to = if is_dropped(&violation.field) {
            Reporter::Feature
        } else {
            reporter_of(violation, spec.min_replicas)
        };
        belongs_to == reporter
    });
    let mut fields = Vec::new();
    found.retain(|violation| {
        let is_new = !fields.contains(&violation.field);
        fields.push(violation.field.clone());
        is_new
    });
    found
}

fn metadata(cx: &Cx<'_, Manifest>) -> Metadata {
    let object = &cx.subject.source;
    Metadata {
        name: object.name().to_owned(),
        generate_name: object.text("metadata.generateName").to_owned(),
        labels: text_map(object.node.at("metadata.labels")),
        annotations: text_map(object.node.at("metadata.annotations")),
    }
}

fn reporter_of(violation: &Violation, min_replicas: Option<i32>) -> Reporter {
    match violation.field.as_str() {
        "spec.minReplicas" if min_replicas == Some(0) => Reporter::Feature,
        "spec.maxReplicas" if violation.rule.contains("`minReplicas`") => Reporter::MinAboveMax,
        "spec.metrics" => Reporter::ZeroWithoutMetric,
        field if is_shape_of_metric(field) => Reporter::MetricShape,
        _ => Reporter::Any,
    }
}

/// Whether a path is that of a source, such as `spec.metrics[0].pods`, or of its target.
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
