//! Other names for fields: from other tools, from other versions, from proposals, or from memory.

/// Other names for fields of the same mapping, from other tools or from memory.
pub(super) const RENAMED: [(&str, &str); 20] = [
    ("averageUtilisation", "averageUtilization"),
    ("behaviour", "behavior"),
    ("maxReplicaCount", "maxReplicas"),
    ("maxReplicas", "maxReplicaCount"),
    ("minReplicaCount", "minReplicas"),
    ("minReplicas", "minReplicaCount"),
    ("period", "periodSeconds"),
    ("scaleIn", "scaleDown"),
    ("scaleOut", "scaleUp"),
    ("selectionPolicy", "selectPolicy"),
    ("scaleRef", "scaleTargetRef"),
    ("scaleTarget", "scaleTargetRef"),
    ("scaleTargetReference", "scaleTargetRef"),
    ("stabilisationWindowSeconds", "stabilizationWindowSeconds"),
    ("stabilizationWindow", "stabilizationWindowSeconds"),
    ("stabilizationWindowSecs", "stabilizationWindowSeconds"),
    ("targetCPUUtilization", "targetCPUUtilizationPercentage"),
    ("targetRef", "scaleTargetRef"),
    ("utilization", "averageUtilization"),
    ("window", "stabilizationWindowSeconds"),
];

/// Fields of other versions that are elsewhere in v2.
pub(super) const MOVED: [(&str, &str); 7] = [
    ("metricName", "metric.name"),
    ("metricSelector", "metric.selector"),
    ("targetAverageUtilization", "target.averageUtilization"),
    ("targetAverageValue", "target.averageValue"),
    (
        "targetCPUUtilizationPercentage",
        "a Resource metric for cpu with target.averageUtilization",
    ),
    (
        "targetMemoryUtilizationPercentage",
        "a Resource metric for memory with target.averageUtilization",
    ),
    ("targetValue", "target.value"),
];

/// Fields that exist only in a proposal.
pub(super) const OF_PROPOSALS: [(&str, &str); 2] = [
    ("fallback", "remove it: no released API has it (KEP-5679)"),
    (
        "selectionStrategy",
        "remove it: no released API has it (KEP-5325)",
    ),
];
