//! The fields of an HPA in every API version.

use FieldKind::{Anything, List, Object};
use kubectl_hpa_yaml::YamlNode;

macro_rules! hpa {
    ($spec:ident) => {
        &[
            ("apiVersion", Anything),
            ("kind", Anything),
            ("metadata", Object(METADATA)),
            ("spec", Object($spec)),
            ("status", Anything),
        ]
    };
}

/// Fields by name.
pub(super) type FieldKinds = &'static [(&'static str, FieldKind)];

/// The type of a field.
#[derive(Clone, Copy, Debug)]
pub(super) enum FieldKind {
    /// Not checked further: scalars, maps of labels, fields that only servers write.
    Anything,
    /// A list of objects with these fields.
    List(FieldKinds),
    /// An object with these fields.
    Object(FieldKinds),
}

/// The fields of an HPA in an API version. None for an unknown version.
pub(super) fn of_version(version: &str) -> Option<FieldKinds> {
    Some(match version {
        "v1" => HPA_V1,
        "v2beta1" => HPA_V2BETA1,
        "v2beta2" => HPA_V2BETA2,
        "v2" => HPA_V2,
        _ => return None,
    })
}

/// The fields of a ScaledObject.
pub(super) const SCALED_OBJECT: FieldKinds = hpa!(SPEC_OF_SCALED_OBJECT);

/// Whether the spec of an HPA has entries that the API version has no fields for.
pub(super) fn has_unknown(hpa: &YamlNode, version: &str) -> bool {
    let known = of_version(version).unwrap_or_default().iter();
    let known: Vec<&str> = known
        .filter(|(name, _)| *name == "spec")
        .filter_map(|(_, kind)| match kind {
            Object(fields) => Some(*fields),
            Anything | List(_) => None,
        })
        .flatten()
        .map(|(name, _)| *name)
        .collect();
    let spec = hpa.at("spec").map(YamlNode::entries).unwrap_or_default();
    spec.iter().any(|entry| !known.contains(&&*entry.key))
}

/// Paths of all fields named `name` in any case, below `spec`. Of objects and lists only, if there are any.
pub(super) fn paths_of(fields: FieldKinds, name: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (field, kind) in fields.iter().filter(|(field, _)| *field == "spec") {
        search(*kind, field, name, &mut found);
    }
    let is_object = |(_, kind): &(String, FieldKind)| !matches!(kind, Anything);
    if found.iter().any(is_object) {
        found.retain(is_object);
    }
    found.into_iter().map(|(path, _)| path).collect()
}

fn search(kind: FieldKind, path: &str, name: &str, found: &mut Vec<(String, FieldKind)>) {
    let (fields, path) = match kind {
        Anything => return,
        List(fields) => (fields, format!("{path}[]")),
        Object(fields) => (fields, path.to_owned()),
    };
    for (field, kind) in fields {
        let path = format!("{path}.{field}");
        if field.eq_ignore_ascii_case(name) {
            found.push((path.clone(), *kind));
        }
        search(*kind, &path, name, found);
    }
}

const HPA_V1: FieldKinds = hpa!(SPEC_V1);
const HPA_V2BETA1: FieldKinds = hpa!(SPEC_V2BETA1);
const HPA_V2BETA2: FieldKinds = hpa!(SPEC_V2BETA2);
const HPA_V2: FieldKinds = hpa!(SPEC_V2);

const METADATA: FieldKinds = &[
    ("annotations", Anything),
    ("creationTimestamp", Anything),
    ("deletionGracePeriodSeconds", Anything),
    ("deletionTimestamp", Anything),
    ("finalizers", Anything),
    ("generateName", Anything),
    ("generation", Anything),
    ("labels", Anything),
    ("managedFields", Anything),
    ("name", Anything),
    ("namespace", Anything),
    ("ownerReferences", List(OWNER)),
    ("resourceVersion", Anything),
    ("selfLink", Anything),
    ("uid", Anything),
];

const OWNER: FieldKinds = &[
    ("apiVersion", Anything),
    ("blockOwnerDeletion", Anything),
    ("controller", Anything),
    ("kind", Anything),
    ("name", Anything),
    ("uid", Anything),
];

const SPEC_V1: FieldKinds = &[
    ("maxReplicas", Anything),
    ("minReplicas", Anything),
    ("scaleTargetRef", Object(REFERENCE)),
    ("targetCPUUtilizationPercentage", Anything),
];

const SPEC_V2BETA1: FieldKinds = &[
    ("maxReplicas", Anything),
    ("metrics", List(OLD_METRIC)),
    ("minReplicas", Anything),
    ("scaleTargetRef", Object(REFERENCE)),
];

const SPEC_V2BETA2: FieldKinds = &[
    ("behavior", Object(OLD_BEHAVIOR)),
    ("maxReplicas", Anything),
    ("metrics", List(METRIC)),
    ("minReplicas", Anything),
    ("scaleTargetRef", Object(REFERENCE)),
];

const SPEC_V2: FieldKinds = &[
    ("behavior", Object(BEHAVIOR)),
    ("maxReplicas", Anything),
    ("metrics", List(METRIC)),
    ("minReplicas", Anything),
    ("scaleTargetRef", Object(REFERENCE)),
];

const SPEC_OF_SCALED_OBJECT: FieldKinds = &[
    (
        "advanced",
        Object(&[
            (
                "horizontalPodAutoscalerConfig",
                Object(&[("behavior", Object(BEHAVIOR)), ("name", Anything)]),
            ),
            ("restoreToOriginalReplicaCount", Anything),
            (
                "scalingModifiers",
                Object(&[
                    ("activationTarget", Anything),
                    ("formula", Anything),
                    ("metricType", Anything),
                    ("target", Anything),
                ]),
            ),
        ]),
    ),
    ("cooldownPeriod", Anything),
    (
        "fallback",
        Object(&[
            ("behavior", Anything),
            ("failureThreshold", Anything),
            ("replicas", Anything),
        ]),
    ),
    ("idleReplicaCount", Anything),
    ("initialCooldownPeriod", Anything),
    ("maxReplicaCount", Anything),
    ("minReplicaCount", Anything),
    ("pollingInterval", Anything),
    (
        "scaleTargetRef",
        Object(&[
            ("apiVersion", Anything),
            ("envSourceContainerName", Anything),
            ("kind", Anything),
            ("name", Anything),
        ]),
    ),
    (
        "triggers",
        List(&[
            (
                "authenticationRef",
                Object(&[("kind", Anything), ("name", Anything)]),
            ),
            ("metadata", Anything),
            ("metricType", Anything),
            ("name", Anything),
            ("type", Anything),
            ("useCachedMetrics", Anything),
        ]),
    ),
];

const REFERENCE: FieldKinds = &[
    ("apiVersion", Anything),
    ("kind", Anything),
    ("name", Anything),
];

const OLD_BEHAVIOR: FieldKinds = &[
    ("scaleDown", Object(OLD_RULES)),
    ("scaleUp", Object(OLD_RULES)),
];

const BEHAVIOR: FieldKinds = &[("scaleDown", Object(RULES)), ("scaleUp", Object(RULES))];

const OLD_RULES: FieldKinds = &[
    ("policies", List(POLICY)),
    ("selectPolicy", Anything),
    ("stabilizationWindowSeconds", Anything),
];

const RULES: FieldKinds = &[
    ("policies", List(POLICY)),
    ("selectPolicy", Anything),
    ("stabilizationWindowSeconds", Anything),
    ("tolerance", Anything),
];

const POLICY: FieldKinds = &[
    ("periodSeconds", Anything),
    ("type", Anything),
    ("value", Anything),
];

const METRIC: FieldKinds = &[
    (
        "containerResource",
        Object(&[
            ("container", Anything),
            ("name", Anything),
            ("target", Object(TARGET)),
        ]),
    ),
    (
        "external",
        Object(&[("metric", Object(IDENTIFIER)), ("target", Object(TARGET))]),
    ),
    (
        "object",
        Object(&[
            ("describedObject", Object(REFERENCE)),
            ("metric", Object(IDENTIFIER)),
            ("target", Object(TARGET)),
        ]),
    ),
    (
        "pods",
        Object(&[("metric", Object(IDENTIFIER)), ("target", Object(TARGET))]),
    ),
    (
        "resource",
        Object(&[("name", Anything), ("target", Object(TARGET))]),
    ),
    ("type", Anything),
];

const IDENTIFIER: FieldKinds = &[("name", Anything), ("selector", Object(SELECTOR))];

const SELECTOR: FieldKinds = &[
    (
        "matchExpressions",
        List(&[
            ("key", Anything),
            ("operator", Anything),
            ("values", Anything),
        ]),
    ),
    ("matchLabels", Anything),
];

const TARGET: FieldKinds = &[
    ("averageUtilization", Anything),
    ("averageValue", Anything),
    ("type", Anything),
    ("value", Anything),
];

const OLD_METRIC: FieldKinds = &[
    (
        "containerResource",
        Object(&[
            ("container", Anything),
            ("name", Anything),
            ("targetAverageUtilization", Anything),
            ("targetAverageValue", Anything),
        ]),
    ),
    (
        "external",
        Object(&[
            ("metricName", Anything),
            ("metricSelector", Object(SELECTOR)),
            ("targetAverageValue", Anything),
            ("targetValue", Anything),
        ]),
    ),
    (
        "object",
        Object(&[
            ("averageValue", Anything),
            ("metricName", Anything),
            ("selector", Object(SELECTOR)),
            ("target", Object(REFERENCE)),
            ("targetValue", Anything),
        ]),
    ),
    (
        "pods",
        Object(&[
            ("metricName", Anything),
            ("selector", Object(SELECTOR)),
            ("targetAverageValue", Anything),
        ]),
    ),
    (
        "resource",
        Object(&[
            ("name", Anything),
            ("targetAverageUtilization", Anything),
            ("targetAverageValue", Anything),
        ]),
    ),
    ("type", Anything),
];

#[cfg(test)]
mod tests {
    use hpa_objects::manifest::known_fields::{self, SchemaPlace};

    use super::*;

    /// Names of all fields, in a form common to both.
    fn of_fields(fields: FieldKinds, path: &str, into: &mut Vec<String>) {
        for (name, kind) in fields {
            let path = format!("{path}.{name}");
            into.push(path.clone());
            if let List(fields) | Object(fields) = kind {
                of_fields(fields, &path, into);
            }
        }
    }

    fn of_place(place: SchemaPlace, path: &str, into: &mut Vec<String>) {
        let place = match place.kind() {
            known_fields::PlaceKind::List => place.items().expect("a list has items"),
            _ => place,
        };
        for name in place.names() {
            let path = format!("{path}.{name}");
            into.push(path.clone());
            of_place(place.field(name).expect("it is one of them"), &path, into);
        }
    }

    #[test]
    fn fields_of_v2_are_those_that_are_decoded() {
        let (mut ours, mut decoded) = (Vec::new(), Vec::new());
        of_fields(SPEC_V2, "spec", &mut ours);
        of_place(SchemaPlace::spec(), "spec", &mut decoded);
        decoded.sort();
        ours.sort();
        assert_eq!(ours, decoded);
    }
}
