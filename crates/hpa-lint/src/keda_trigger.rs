//! The target that KEDA makes of a trigger: its type, and the entry of `metadata` with its value.

use hpa_engine::model::Trigger;

/// The target of a trigger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TriggerTarget<'a> {
    /// The key in `metadata`.
    pub key: &'static str,
    /// Its value, as written.
    pub value: &'a str,
}

impl<'a> TriggerTarget<'a> {
    /// Whether a trigger measures the pods' own CPU or memory.
    pub fn is_of_pods(trigger: &Trigger) -> bool {
        matches!(&*trigger.trigger_type, "cpu" | "memory")
    }

    /// The type of the target. None: KEDA has no default for CPU and memory.
    // Upstream: `GetMetricTargetType`, `parseResourceMetadata`.
    pub fn type_of(trigger: &'a Trigger) -> Option<&'a str> {
        let written = trigger.metric_type.as_deref();
        let written = written.filter(|text| !text.is_empty());
        if Self::is_of_pods(trigger) {
            // Before KEDA 2.18, `metadata` could have it.
            let old = trigger.metadata.get("type").map(String::as_str);
            written.or(old)
        } else {
            Some(written.unwrap_or("AverageValue"))
        }
    }

    /// The target of a trigger, if its scaler is known and the target is written.
    pub fn of(trigger: &'a Trigger) -> Option<Self> {
        let known = KEYS
            .iter()
            .filter(|(scalers, _)| scalers.contains(&&*trigger.trigger_type));
        known.flat_map(|(_, keys)| keys.iter()).find_map(|key| {
            let value = trigger.metadata.get(*key)?;
            Some(Self { key, value })
        })
    }
}

/// The entry of `metadata` that becomes the target, for each scaler with exactly one.
// A target of `cron` is always 1: `desiredReplicas` is its value.
static KEYS: &[(&[&str], &[&str])] = &[
    (&["cpu", "memory"], &["value"]),
    (
        &[
            "azure-log-analytics",
            "dynatrace",
            "graphite",
            "loki",
            "new-relic",
            "predictkube",
            "prometheus",
        ],
        &["threshold"],
    ),
    (
        &["apache-kafka", "kafka", "liiklus", "nats-jetstream", "stan"],
        &["lagThreshold"],
    ),
    (&["aws-sqs-queue", "azure-queue"], &["queueLength"]),
    (
        &["aws-cloudwatch", "huawei-cloudeye"],
        &["targetMetricValue"],
    ),
    (
        &[
            "aws-dynamodb",
            "azure-monitor",
            "elasticsearch",
            "gcp-stackdriver",
            "metrics-api",
            "mssql",
            "splunk",
        ],
        &["targetValue"],
    ),
    (&["aws-kinesis-stream"], &["shardCount"]),
    (&["azure-blob"], &["blobCount"]),
    (&["azure-eventhub"], &["unprocessedEventThreshold"]),
    (&["azure-servicebus"], &["messageCount"]),
    (&["cassandra", "postgresql", "solr"], &["targetQueryValue"]),
    (&["couchdb", "datadog", "mongodb", "mysql"], &["queryValue"]),
    (
        &["gcp-pubsub", "kubernetes-workload", "rabbitmq"],
        &["value"],
    ),
    (&["gcp-storage"], &["targetObjectCount"]),
    (&["ibmmq"], &["queueDepth"]),
    (&["influxdb"], &["thresholdValue"]),
    (&["pulsar"], &["msgBacklogThreshold"]),
    (
        &["redis", "redis-cluster", "redis-sentinel"],
        &["listLength"],
    ),
    (&["activemq"], &["targetQueueSize"]),
];

/// The scalers of KEDA 2.21. Upstream: `buildScaler`.
pub(crate) static SCALERS: &[&str] = &[
    "activemq",
    "apache-kafka",
    "arangodb",
    "artemis-queue",
    "aws-cloudwatch",
    "aws-dynamodb",
    "aws-dynamodb-streams",
    "aws-kinesis-stream",
    "aws-sqs-queue",
    "azure-app-insights",
    "azure-blob",
    "azure-cosmosdb",
    "azure-data-explorer",
    "azure-eventhub",
    "azure-log-analytics",
    "azure-monitor",
    "azure-pipelines",
    "azure-queue",
    "azure-servicebus",
    "beanstalkd",
    "cassandra",
    "clickhouse",
    "couchdb",
    "cpu",
    "cron",
    "datadog",
    "dynatrace",
    "elastic-forecast",
    "elasticsearch",
    "etcd",
    "external",
    "external-mock",
    "external-push",
    "forgejo-runner",
    "gcp-cloudtasks",
    "gcp-pubsub",
    "gcp-spanner",
    "gcp-stackdriver",
    "gcp-storage",
    "github-runner",
    "graphite",
    "huawei-cloudeye",
    "ibmmq",
    "influxdb",
    "kafka",
    "kubernetes-resource",
    "kubernetes-workload",
    "liiklus",
    "loki",
    "memory",
    "metrics-api",
    "mongodb",
    "mssql",
    "mysql",
    "nats-jetstream",
    "new-relic",
    "nsq",
    "opensearch",
    "openstack-metric",
    "openstack-swift",
    "postgresql",
    "predictkube",
    "prometheus",
    "pulsar",
    "rabbitmq",
    "redis",
    "redis-cluster",
    "redis-cluster-streams",
    "redis-sentinel",
    "redis-sentinel-streams",
    "redis-streams",
    "selenium-grid",
    "solace-direct-messaging",
    "solace-event-queue",
    "solarwinds",
    "solr",
    "splunk",
    "splunk-observability",
    "stan",
    "sumologic",
    "temporal",
];
