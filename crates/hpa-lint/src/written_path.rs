//! Where a field of `autoscaling/v2` is in a manifest of an older version.

use kubectl_hpa_yaml::YamlNode;

use super::Manifest;

/// The path in the manifest's text that corresponds to `path` of `autoscaling/v2`, or that of its nearest parent.
pub(super) fn written_path(manifest: &Manifest, path: &str) -> String {
    match manifest.version() {
        "v1" => in_v1(manifest, path),
        "v2beta1" => in_v2beta1(path),
        _ => path.to_owned(),
    }
}

/// Metrics of the annotation come first, then the metric of the field.
fn in_v1(manifest: &Manifest, path: &str) -> String {
    if path.starts_with("spec.behavior") {
        return annotation("behavior");
    }
    let Some(rest) = path.strip_prefix("spec.metrics") else {
        return path.to_owned();
    };
    let node = &manifest.source.node;
    let annotated = node
        .at(&annotation("metrics"))
        .and_then(YamlNode::as_str)
        .and_then(|text| serde_json::from_str::<Vec<serde_json::Value>>(text).ok())
        .map_or(0, |metrics| metrics.len());
    let index = rest
        .strip_prefix('[')
        .and_then(|rest| rest.split(']').next())
        .and_then(|index| index.parse::<usize>().ok());
    if index.unwrap_or(0) < annotated {
        annotation("metrics")
    } else {
        CPU.to_owned()
    }
}

/// There, targets were fields of the source, with names that start with `target`.
fn in_v2beta1(path: &str) -> String {
    if path.starts_with("spec.behavior") {
        return annotation("behavior");
    }
    let Some((metric, field)) = path
        .strip_prefix("spec.metrics[")
        .and_then(|rest| rest.split_once("]."))
    else {
        return path.to_owned();
    };
    let old = match field {
        "resource.target.averageUtilization" => "resource.targetAverageUtilization",
        "resource.target.averageValue" => "resource.targetAverageValue",
        "containerResource.target.averageUtilization" => {
            "containerResource.targetAverageUtilization"
        }
        "containerResource.target.averageValue" => "containerResource.targetAverageValue",
        "pods.metric" | "pods.metric.name" => "pods.metricName",
        "pods.metric.selector" => "pods.selector",
        "pods.target.averageValue" => "pods.targetAverageValue",
        "object.describedObject" => "object.target",
        "object.metric" | "object.metric.name" => "object.metricName",
        "object.metric.selector" => "object.selector",
        "object.target" | "object.target.value" => "object.targetValue",
        "object.target.averageValue" => "object.averageValue",
        "external.metric" | "external.metric.name" => "external.metricName",
        "external.metric.selector" => "external.metricSelector",
        "external.target.value" => "external.targetValue",
        "external.target.averageValue" => "external.targetAverageValue",
        other => match other.strip_prefix("object.describedObject.") {
            Some(rest) => return format!("spec.metrics[{metric}].object.target.{rest}"),
            None => other,
        },
    };
    format!("spec.metrics[{metric}].{old}")
}

fn annotation(name: &str) -> String {
    format!("metadata.annotations[autoscaling.alpha.kubernetes.io/{name}]")
}

const CPU: &str = "spec.targetCPUUtilizationPercentage";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_of_the_first_beta_is_a_field_of_its_source() {
        assert_eq!(
            in_v2beta1("spec.metrics[1].resource.target.averageUtilization"),
            "spec.metrics[1].resource.targetAverageUtilization"
        );
        assert_eq!(
            in_v2beta1("spec.metrics[0].object.describedObject.kind"),
            "spec.metrics[0].object.target.kind"
        );
        assert_eq!(in_v2beta1("spec.maxReplicas"), "spec.maxReplicas");
    }
}
