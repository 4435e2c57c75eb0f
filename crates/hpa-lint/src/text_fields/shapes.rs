//! Which fields are strings, for each kind.

use Shape::{List, Parts, Text, Values};
use hpa_engine::model::KnownKind;

/// What is a string in a value.
pub(super) enum Shape {
    /// The value itself.
    Text,
    /// Every value of a mapping.
    Values,
    /// What is a string in each item of a list.
    List(&'static Self),
    /// What is a string in some of its fields.
    Parts(Fields),
}

/// Fields of an object.
pub(super) type Fields = &'static [(&'static str, Shape)];

/// The strings of a kind. None: they are not known.
pub(super) fn shape_of(group: &str, kind: &str) -> Option<Fields> {
    let group = if group == "extensions" { "apps" } else { group };
    let known = KnownKind::in_group(group, kind);
    Some(match (group, kind) {
        ("autoscaling", "HorizontalPodAutoscaler") => HPA,
        ("keda.sh", "ScaledObject") => SCALED_OBJECT,
        ("autoscaling.k8s.io", "VerticalPodAutoscaler") => VERTICAL,
        ("", "Pod") => LONE_POD,
        _ if known.has_plain_selector() => REPLICATION_CONTROLLER,
        _ if known.is_nested() => CRON_JOB,
        _ if known.has_template() => WORKLOAD,
        _ => return None,
    })
}

const TEXTS: Shape = List(&Text);
const METADATA: Fields = &[
    ("annotations", Values),
    ("finalizers", TEXTS),
    ("generateName", Text),
    ("labels", Values),
    ("name", Text),
    ("namespace", Text),
];
const REFERENCE: Fields = &[("apiVersion", Text), ("kind", Text), ("name", Text)];
const EXPRESSIONS: Shape = List(&Parts(&[
    ("key", Text),
    ("operator", Text),
    ("values", TEXTS),
]));
const SELECTOR: Shape = Parts(&[("matchExpressions", EXPRESSIONS), ("matchLabels", Values)]);

const HPA: Fields = &[
    ("metadata", Parts(METADATA)),
    (
        "spec",
        Parts(&[
            ("behavior", BEHAVIOR),
            ("metrics", List(&Parts(METRIC))),
            ("scaleTargetRef", Parts(REFERENCE)),
        ]),
    ),
];
const BEHAVIOR: Shape = Parts(&[("scaleDown", SIDE), ("scaleUp", SIDE)]);
const SIDE: Shape = Parts(&[
    ("policies", List(&Parts(&[("type", Text)]))),
    ("selectPolicy", Text),
]);
/// Of every version: the first two had other names.
const METRIC: Fields = &[
    ("containerResource", Parts(SOURCE)),
    ("external", Parts(SOURCE)),
    ("object", Parts(SOURCE)),
    ("pods", Parts(SOURCE)),
    ("resource", Parts(SOURCE)),
    ("type", Text),
];
const SOURCE: Fields = &[
    ("container", Text),
    ("describedObject", Parts(REFERENCE)),
    ("metric", Parts(&[("name", Text), ("selector", SELECTOR)])),
    ("metricName", Text),
    ("metricSelector", SELECTOR),
    ("name", Text),
    ("selector", SELECTOR),
    (
        "target",
        Parts(&[
            ("apiVersion", Text),
            ("kind", Text),
            ("name", Text),
            ("type", Text),
        ]),
    ),
];

const SCALED_OBJECT: Fields = &[
    ("metadata", Parts(METADATA)),
    (
        "spec",
        Parts(&[
            (
                "advanced",
                Parts(&[
                    (
                        "horizontalPodAutoscalerConfig",
                        Parts(&[("behavior", BEHAVIOR), ("name", Text)]),
                    ),
                    (
                        "scalingModifiers",
                        Parts(&[
                            ("activationTarget", Text),
                            ("formula", Text),
                            ("metricType", Text),
                            ("target", Text),
                        ]),
                    ),
                ]),
            ),
            ("fallback", Parts(&[("behavior", Text)])),
            (
                "scaleTargetRef",
                Parts(&[
                    ("apiVersion", Text),
                    ("envSourceContainerName", Text),
                    ("kind", Text),
                    ("name", Text),
                ]),
            ),
            (
                "triggers",
                List(&Parts(&[
                    (
                        "authenticationRef",
                        Parts(&[("kind", Text), ("name", Text)]),
                    ),
                    ("metadata", Values),
                    ("metricType", Text),
                    ("name", Text),
                    ("type", Text),
                ])),
            ),
        ]),
    ),
];

const VERTICAL: Fields = &[
    ("metadata", Parts(METADATA)),
    (
        "spec",
        Parts(&[
            ("recommenders", List(&Parts(&[("name", Text)]))),
            (
                "resourcePolicy",
                Parts(&[(
                    "containerPolicies",
                    List(&Parts(&[
                        ("containerName", Text),
                        ("controlledResources", TEXTS),
                        ("controlledValues", Text),
                        ("mode", Text),
                    ])),
                )]),
            ),
            ("targetRef", Parts(REFERENCE)),
            ("updatePolicy", Parts(&[("updateMode", Text)])),
        ]),
    ),
];

const WORKLOAD: Fields = &[
    ("metadata", Parts(METADATA)),
    (
        "spec",
        Parts(&[
            ("podManagementPolicy", Text),
            ("selector", SELECTOR),
            ("serviceName", Text),
            ("strategy", Parts(&[("type", Text)])),
            ("template", TEMPLATE),
            ("updateStrategy", Parts(&[("type", Text)])),
            (
                "volumeClaimTemplates",
                List(&Parts(&[
                    ("metadata", Parts(METADATA)),
                    (
                        "spec",
                        Parts(&[
                            ("accessModes", TEXTS),
                            ("storageClassName", Text),
                            ("volumeMode", Text),
                            ("volumeName", Text),
                        ]),
                    ),
                ])),
            ),
            ("workloadRef", Parts(REFERENCE)),
        ]),
    ),
];
const REPLICATION_CONTROLLER: Fields = &[
    ("metadata", Parts(METADATA)),
    (
        "spec",
        Parts(&[("selector", Values), ("template", TEMPLATE)]),
    ),
];
const CRON_JOB: Fields = &[
    ("metadata", Parts(METADATA)),
    (
        "spec",
        Parts(&[
            ("concurrencyPolicy", Text),
            ("jobTemplate", Parts(WORKLOAD)),
            ("schedule", Text),
            ("timeZone", Text),
        ]),
    ),
];
const LONE_POD: Fields = &[("metadata", Parts(METADATA)), ("spec", Parts(POD))];
const TEMPLATE: Shape = Parts(&[("metadata", Parts(METADATA)), ("spec", Parts(POD))]);
const POD: Fields = &[
    ("affinity", AFFINITY),
    ("containers", List(&Parts(CONTAINER))),
    (
        "dnsConfig",
        Parts(&[
            ("nameservers", TEXTS),
            ("options", NAMES_AND_VALUES),
            ("searches", TEXTS),
        ]),
    ),
    ("dnsPolicy", Text),
    (
        "hostAliases",
        List(&Parts(&[("hostnames", TEXTS), ("ip", Text)])),
    ),
    ("hostname", Text),
    ("imagePullSecrets", List(&Parts(&[("name", Text)]))),
    ("initContainers", List(&Parts(CONTAINER))),
    ("nodeName", Text),
    ("nodeSelector", Values),
    ("preemptionPolicy", Text),
    ("priorityClassName", Text),
    ("restartPolicy", Text),
    ("runtimeClassName", Text),
    ("schedulerName", Text),
    (
        "securityContext",
        Parts(&[
            ("fsGroupChangePolicy", Text),
            ("seccompProfile", SECCOMP),
            ("sysctls", NAMES_AND_VALUES),
        ]),
    ),
    ("serviceAccount", Text),
    ("serviceAccountName", Text),
    ("subdomain", Text),
    (
        "tolerations",
        List(&Parts(&[
            ("effect", Text),
            ("key", Text),
            ("operator", Text),
            ("value", Text),
        ])),
    ),
    (
        "topologySpreadConstraints",
        List(&Parts(&[
            ("labelSelector", SELECTOR),
            ("matchLabelKeys", TEXTS),
            ("nodeAffinityPolicy", Text),
            ("nodeTaintsPolicy", Text),
            ("topologyKey", Text),
            ("whenUnsatisfiable", Text),
        ])),
    ),
    ("volumes", List(&Parts(VOLUME))),
];
const NAMES_AND_VALUES: Shape = List(&Parts(&[("name", Text), ("value", Text)]));
const SECCOMP: Shape = Parts(&[("localhostProfile", Text), ("type", Text)]);

const AFFINITY: Shape = Parts(&[
    (
        "nodeAffinity",
        Parts(&[
            (
                "preferredDuringSchedulingIgnoredDuringExecution",
                List(&Parts(&[("preference", NODE_TERM)])),
            ),
            (
                "requiredDuringSchedulingIgnoredDuringExecution",
                Parts(&[("nodeSelectorTerms", List(&NODE_TERM))]),
            ),
        ]),
    ),
    ("podAffinity", POD_AFFINITY),
    ("podAntiAffinity", POD_AFFINITY),
]);
const NODE_TERM: Shape = Parts(&[
    ("matchExpressions", EXPRESSIONS),
    ("matchFields", EXPRESSIONS),
]);
const POD_AFFINITY: Shape = Parts(&[
    (
        "preferredDuringSchedulingIgnoredDuringExecution",
        List(&Parts(&[("podAffinityTerm", POD_TERM)])),
    ),
    (
        "requiredDuringSchedulingIgnoredDuringExecution",
        List(&POD_TERM),
    ),
]);
const POD_TERM: Shape = Parts(&[
    ("labelSelector", SELECTOR),
    ("namespaceSelector", SELECTOR),
    ("namespaces", TEXTS),
    ("topologyKey", Text),
]);

const CONTAINER: Fields = &[
    ("args", TEXTS),
    ("command", TEXTS),
    (
        "env",
        List(&Parts(&[
            ("name", Text),
            ("value", Text),
            (
                "valueFrom",
                Parts(&[
                    ("configMapKeyRef", Parts(KEY)),
                    (
                        "fieldRef",
                        Parts(&[("apiVersion", Text), ("fieldPath", Text)]),
                    ),
                    (
                        "resourceFieldRef",
                        Parts(&[("containerName", Text), ("resource", Text)]),
                    ),
                    ("secretKeyRef", Parts(KEY)),
                ]),
            ),
        ])),
    ),
    (
        "envFrom",
        List(&Parts(&[
            ("configMapRef", Parts(&[("name", Text)])),
            ("prefix", Text),
            ("secretRef", Parts(&[("name", Text)])),
        ])),
    ),
    ("image", Text),
    ("imagePullPolicy", Text),
    (
        "lifecycle",
        Parts(&[("postStart", HANDLER), ("preStop", HANDLER)]),
    ),
    ("livenessProbe", HANDLER),
    ("name", Text),
    (
        "ports",
        List(&Parts(&[
            ("hostIP", Text),
            ("name", Text),
            ("protocol", Text),
        ])),
    ),
    ("readinessProbe", HANDLER),
    (
        "resizePolicy",
        List(&Parts(&[("resourceName", Text), ("restartPolicy", Text)])),
    ),
    ("restartPolicy", Text),
    (
        "securityContext",
        Parts(&[
            ("capabilities", Parts(&[("add", TEXTS), ("drop", TEXTS)])),
            ("seccompProfile", SECCOMP),
        ]),
    ),
    ("startupProbe", HANDLER),
    ("terminationMessagePath", Text),
    ("terminationMessagePolicy", Text),
    (
        "volumeDevices",
        List(&Parts(&[("devicePath", Text), ("name", Text)])),
    ),
    (
        "volumeMounts",
        List(&Parts(&[
            ("mountPath", Text),
            ("mountPropagation", Text),
            ("name", Text),
            ("subPath", Text),
            ("subPathExpr", Text),
        ])),
    ),
    ("workingDir", Text),
];
const KEY: Fields = &[("key", Text), ("name", Text)];
const HANDLER: Shape = Parts(&[
    ("exec", Parts(&[("command", TEXTS)])),
    ("grpc", Parts(&[("service", Text)])),
    (
        "httpGet",
        Parts(&[
            ("host", Text),
            ("httpHeaders", NAMES_AND_VALUES),
            ("path", Text),
            ("scheme", Text),
        ]),
    ),
    ("tcpSocket", Parts(&[("host", Text)])),
]);

const VOLUME: Fields = &[
    (
        "configMap",
        Parts(&[("items", KEYS_AND_PATHS), ("name", Text)]),
    ),
    ("emptyDir", Parts(&[("medium", Text)])),
    ("hostPath", Parts(&[("path", Text), ("type", Text)])),
    ("name", Text),
    ("persistentVolumeClaim", Parts(&[("claimName", Text)])),
    (
        "secret",
        Parts(&[("items", KEYS_AND_PATHS), ("secretName", Text)]),
    ),
];
const KEYS_AND_PATHS: Shape = List(&Parts(&[("key", Text), ("path", Text)]));
