//! Decides whether another autoscaler affects an HPA, and reads it.

use serde_json::Value;

use super::{AutoscalerKind, ScaleTarget, pointer::at, redacted, scaled_object, vertical};
use crate::recording::{
    group_of,
    wire::{Autoscaler, Hpa, Relation},
};

/// An object of a supported kind.
pub struct Related {
    /// Its kind.
    pub known: &'static AutoscalerKind,
    /// Namespace.
    pub namespace: String,
    /// The whole object.
    pub value: Value,
}

/// The object as an autoscaler next to `hpa`, if it affects it.
pub fn autoscaler(object: &Related, hpa: &Hpa) -> Option<Autoscaler> {
    let known = object.known;
    if hpa.metadata.namespace.as_deref().unwrap_or_default() != object.namespace {
        return None;
    }
    let name: String = at(&object.value, "/metadata/name")?;
    let target = ScaleTarget::of(known, &object.value);
    let is_owner = hpa
        .metadata
        .owner_references
        .iter()
        .any(|owner| owner.kind == known.kind && owner.name == name)
        || at::<String>(&object.value, "/status/hpaName").as_ref() == Some(&hpa.metadata.name);
    let relation = if is_owner {
        Relation::Owner
    } else {
        relation(known, target.as_ref()?, hpa)?
    };
    Some(Autoscaler {
        api_version: at(&object.value, "/apiVersion")
            .unwrap_or_else(|| format!("{}/{}", known.group, known.versions[0])),
        kind: known.kind.to_owned(),
        name,
        relation,
        scale_target: target.map(|target| format!("{}/{}", target.kind(), target.name)),
        min_replicas: at(&object.value, known.min),
        max_replicas: at(&object.value, known.max),
        desired_replicas: None,
        last_scale: None,
        mode: at(&object.value, known.mode),
        scaled_object: (known.kind == "ScaledObject")
            .then(|| redacted(scaled_object(&object.value))),
        vertical: (known.kind == "VerticalPodAutoscaler").then(|| vertical(&object.value)),
    })
}

/// Another HPA with the same target.
pub fn of_hpa(other: &Hpa) -> Autoscaler {
    let target = &other.spec.scale_target_ref;
    let was_reconciled = !other.status.conditions.is_empty();
    Autoscaler {
        api_version: "autoscaling/v2".to_owned(),
        kind: "HorizontalPodAutoscaler".to_owned(),
        name: other.metadata.name.clone(),
        relation: Relation::SameTarget,
        scale_target: Some(format!("{}/{}", target.kind, target.name)),
        min_replicas: Some(other.spec.min_replicas.unwrap_or(1)),
        max_replicas: Some(other.spec.max_replicas),
        desired_replicas: was_reconciled.then_some(other.status.desired_replicas),
        last_scale: other.status.last_scale_time,
        ..Autoscaler::default()
    }
}

fn relation(known: &AutoscalerKind, target: &ScaleTarget, hpa: &Hpa) -> Option<Relation> {
    let reference = &hpa.spec.scale_target_ref;
    if target.kind() == "HorizontalPodAutoscaler" {
        return (target.name == hpa.metadata.name).then_some(Relation::ScalesHpa);
    }
    // Flagger keeps the released pods in a copy of the workload.
    let name = if known.kind == "Canary" {
        reference
            .name
            .strip_suffix("-primary")
            .filter(|name| *name == target.name)
            .unwrap_or(&reference.name)
    } else {
        &reference.name
    };
    let group = reference.api_version.as_deref().map(group_of);
    target
        .is(group, &reference.kind, name)
        .then_some(Relation::SameTarget)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn hpa(target: &str) -> Hpa {
        serde_json::from_value(json!({
            "metadata": {"name": "web", "namespace": "shop"},
            "spec": {
                "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": target},
                "maxReplicas": 4,
            },
        }))
        .unwrap()
    }

    fn relation_of(group: &str, kind: &str, spec: &Value, target: &str) -> Option<Relation> {
        let object = Related {
            known: AutoscalerKind::of(group, kind).unwrap(),
            namespace: "shop".to_owned(),
            value: json!({"metadata": {"name": "other"}, "spec": spec}),
        };
        autoscaler(&object, &hpa(target)).map(|found| found.relation)
    }

    #[test]
    fn autoscaler_is_related_by_group_kind_and_name_of_its_target() {
        let keda = |spec: Value| relation_of("keda.sh", "ScaledObject", &spec, "web");
        let same = Some(Relation::SameTarget);
        assert_eq!(keda(json!({"scaleTargetRef": {"name": "web"}})), same);
        assert_eq!(keda(json!({"scaleTargetRef": {"name": "api"}})), None);
        let reference = |api_version: &str, kind: &str| {
            let target = json!({"apiVersion": api_version, "kind": kind, "name": "web"});
            keda(json!({"scaleTargetRef": target}))
        };
        assert_eq!(reference("apps/v1beta1", "Deployment"), same);
        assert_eq!(reference("argoproj.io/v1alpha1", "Rollout"), None);
        assert_eq!(reference("example.com/v1", "Deployment"), None);
        let group = "autoscaling.alibabacloud.com";
        let target = json!({"kind": "HorizontalPodAutoscaler", "name": "web"});
        assert_eq!(
            relation_of(
                group,
                "CronHorizontalPodAutoscaler",
                &json!({"scaleTargetRef": target}),
                "web"
            ),
            Some(Relation::ScalesHpa)
        );
        let target = json!({"kind": "Deployment", "name": "web"});
        for name in ["web", "web-primary"] {
            let spec = json!({"targetRef": target});
            assert_eq!(relation_of("flagger.app", "Canary", &spec, name), same);
        }
    }
}
