//! The spec as a whole: bounds and the scale target.

use super::{
    Rules, Violation,
    behavior::behavior,
    metric::metrics,
    names::path_segment_problems,
    rules::{VersionCheck, version},
};
use crate::recording::wire::{HpaSpec, ObjectReference};

/// Checks a spec in which the defaults are filled in. Upstream: `validateHorizontalPodAutoscalerSpec`.
pub fn validate(spec: &HpaSpec, rules: Rules<'_>) -> Vec<Violation> {
    let mut found = bounds(spec, rules);
    let target = &spec.scale_target_ref;
    found.extend(object_reference(
        target,
        "spec.scaleTargetRef",
        rules.target_version(target),
    ));
    found.extend(metrics(spec, rules));
    found.extend(spec.behavior.iter().flat_map(behavior));
    found
}

fn bounds(spec: &HpaSpec, rules: Rules<'_>) -> Vec<Violation> {
    let mut found = Vec::new();
    let field = |name: &str| format!("spec.{name}");
    let (min, max) = (spec.min_replicas, spec.max_replicas);
    let least = rules.least_replicas();
    if let Some(min) = min.filter(|min| *min < least) {
        let detail = format!("must be greater than or equal to {least}");
        found.push(Violation::number(field("minReplicas"), min, &detail));
    }
    // Since 1.36 absent and negative are told apart.
    match (rules.is_since(36), max) {
        (_, 1..) => {}
        (false, _) => found.push(Violation::number(
            field("maxReplicas"),
            max,
            "must be greater than 0",
        )),
        (true, 0) => found.push(Violation::required(
            field("maxReplicas"),
            "must be set and greater than 0",
        )),
        (true, _) => found.push(Violation::number(
            field("maxReplicas"),
            max,
            "must be greater than or equal to 1",
        )),
    }
    if min.is_some_and(|min| max < min) {
        let detail = "must be greater than or equal to `minReplicas`";
        found.push(Violation::number(field("maxReplicas"), max, detail));
    }
    found
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
