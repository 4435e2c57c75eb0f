//! Labels and annotations that name an object's manager. Neither name nor value of any other is kept.

use std::collections::BTreeMap;

use serde_json::Value;

/// The labels and annotations that name an object's manager.
pub(super) fn of(
    labels: &BTreeMap<String, String>,
    annotations: &BTreeMap<String, String>,
) -> BTreeMap<String, String> {
    labels
        .iter()
        .chain(annotations)
        .filter(|(name, _)| is_mark(name))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

/// Like [`of`], for an object of any kind.
pub(super) fn of_object(object: &Value) -> BTreeMap<String, String> {
    ["/metadata/labels", "/metadata/annotations"]
        .into_iter()
        .filter_map(|pointer| object.pointer(pointer)?.as_object())
        .flatten()
        .filter(|(name, _)| is_mark(name))
        .filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())))
        .collect()
}

/// Whether a label or annotation names an object's manager.
pub(super) fn is_mark(name: &str) -> bool {
    MARKS.contains(&name) || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

const MARKS: [&str; 15] = [
    "app.kubernetes.io/instance",
    "app.kubernetes.io/managed-by",
    "argocd.argoproj.io/instance",
    "argocd.argoproj.io/tracking-id",
    "downscaler/original-replicas",
    "helm.toolkit.fluxcd.io/name",
    "helm.toolkit.fluxcd.io/namespace",
    "kustomize.toolkit.fluxcd.io/name",
    "kustomize.toolkit.fluxcd.io/namespace",
    "meta.helm.sh/release-name",
    "meta.helm.sh/release-namespace",
    "scaledobject.keda.sh/name",
    "scaledobject.keda.sh/transfer-hpa-ownership",
    "serving.knative.dev/revision",
    "validations.keda.sh/hpa-ownership",
];

/// KEDA uses annotations to pause, and copies them to its HPA.
const PREFIXES: [&str; 1] = ["autoscaling.keda.sh/"];
