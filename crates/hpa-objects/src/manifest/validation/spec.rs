//! Validates the whole spec: bounds and the scale target.

use super::{
    Rules, Violation,
    behavior::behavior,
    metric::metrics,
    names::path_segment_problems,
    rules::{VersionCheck, version},
};
use crate::recording::wire::{HpaSpec, ObjectReference};

/// Validates a spec with defaults applied. Upstream: `validateHorizontalPodAutoscalerSpec`. From 1.37 on, declarative
/// validation (`Validate_HorizontalPodAutoscalerSpec`) checks each bound alone, after everything else.
pub fn validate(spec: &HpaSpec, rules: Rules<'_>) -> Vec<Violation> {
    let target = &spec.scale_target_ref;
    let mut others = object_reference(target, "spec.scaleTargetRef", rules.target_version(target));
    others.extend(metrics(spec, rules));
    others.extend(spec.behavior.as_deref().into_iter().flat_map(behavior));
    let found = if rules.is_since(37) {
        [order_of_bounds(spec), others, bounds(spec, rules)]
    } else {
        [bounds(spec, rules), order_of_bounds(spec), others]
    };
    found.into_iter().flatten().collect()
}

/// Checks each bound alone.
fn bounds(spec: &HpaSpec, rules: Rules<'_>) -> Vec<Violation> {
    let mut found = Vec::new();
    let field = |name: &str| format!("spec.{name}");
    let (min, max) = (spec.min_replicas, spec.max_replicas);
    let least = rules.least_replicas();
    if let Some(min) = min.filter(|min| *min < least) {
        let detail = format!("must be greater than or equal to {least}");
        found.push(Violation::number(field("minReplicas"), min, &detail));
    }
    // Since 1.36, absent and negative values get different errors.
    match (rules.is_since(36), max) {
        (_, 1..) => {}
        (false, _) => found.push(Violation::number(
            field("maxReplicas"),
            max,
            "must be greater than 0",
        )),
        (true, 0) => {
            let detail = if rules.is_since(37) {
                ""
            } else {
                "must be set and greater than 0"
            };
            found.push(Violation::required(field("maxReplicas"), detail));
        }
        (true, _) => found.push(Violation::number(
            field("maxReplicas"),
            max,
            "must be greater than or equal to 1",
        )),
    }
    found
}

/// Checks the bounds against each other.
fn order_of_bounds(spec: &HpaSpec) -> Vec<Violation> {
    let max = spec.max_replicas;
    let is_below = spec.min_replicas.is_some_and(|min| max < min);
    let detail = "must be greater than or equal to `minReplicas`";
    is_below
        .then(|| Violation::number("spec.maxReplicas".to_owned(), max, detail))
        .into_iter()
        .collect()
}

/// Upstream: `ValidateCrossVersionObjectReference`.
pub(super) fn object_reference(
    reference: &ObjectReference,
    path: &str,
    check: VersionCheck,
) -> Vec<Violation> {
    let mut found = Vec::new();
    for (name, value) in [("kind", &reference.kind), ("name", &reference.name)] {
        let field = || format!("{path}.{name}");
        if value.is_empty() {
            found.push(Violation::required(field(), ""));
        }
        for problem in path_segment_problems(value) {
            found.push(Violation::text(field(), value, &problem));
        }
    }
    found.extend(check.problem(reference).map(|problem| {
        Violation::text(format!("{path}.apiVersion"), version(reference), &problem)
    }));
    found
}
