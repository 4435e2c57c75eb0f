//! Unknown fields that stand for the metrics of an HPA.

use super::{
    fields,
    unknown_field::{Intended, unknown_fields},
};
use crate::{FixStep, Manifest};

/// The unknown field that stands for the metrics of an HPA without any.
pub(in crate::rules) fn meant_metrics(manifest: &Manifest) -> Option<String> {
    if manifest.at("spec.metrics").is_some() {
        return None;
    }
    let version = manifest.version();
    let fields = fields::of_version(version)?;
    let unknown = unknown_fields(&manifest.source.node, fields);
    let mut of_spec = unknown
        .into_iter()
        .filter(|one| one.path.strip_prefix("spec.") == Some(one.key));
    let meant = of_spec.find(|one| match one.intended(fields, version) {
        Intended::Renamed(key) => METRICS.contains(&key),
        Intended::Words(_) => METRICS.contains(&one.key),
    });
    meant.map(|one| one.path)
}

/// Fields of a spec that are its metrics, in some version.
const METRICS: [&str; 3] = [
    "metrics",
    "targetCPUUtilizationPercentage",
    "targetMemoryUtilizationPercentage",
];

/// The metric for a field such as `targetCPUUtilizationPercentage`, in place of it.
pub(super) fn of_one_resource(manifest: &Manifest, path: &str) -> Option<[FixStep; 2]> {
    let resource = match path {
        "spec.targetCPUUtilizationPercentage" => "cpu",
        "spec.targetMemoryUtilizationPercentage" => "memory",
        _ => return None,
    };
    let target = manifest.source.node.at(path)?.as_i32()?;
    let has_list = manifest.source.node.at("spec")?.entry("metrics").is_some();
    let is_v2 = matches!(manifest.version(), "v2" | "v2beta2");
    (0 < target && is_v2 && !has_list).then(|| {
        let text = format!(
            "[{{type: Resource, resource: {{name: {resource}, target: {{type: Utilization, averageUtilization: \
             {target}}}}}}}]"
        );
        let (path, key) = (path.to_owned(), "metrics".to_owned());
        let metric = FixStep::Insert {
            path: "spec".to_owned(),
            key,
            text,
        };
        [FixStep::Remove { path }, metric]
    })
}
