//! Where the samples come from.

use crate::{
    learn::{
        case::{Case, average, case, container, pod, value},
        example::{asks, groups, outcomes, ratio, table},
        picture,
        topic::{Chapter, Difference, Shown, Since, Topic, input},
    },
    model::MetricTarget,
    trace::{MetricOutcome, Pass, RatioFormula, Trace, Upstream},
};

pub(super) static TOPICS: &[Topic] = &[
    PODS_METRIC,
    OBJECT_METRIC,
    EXTERNAL_METRIC,
    READ_RESOURCE_METRICS,
];

const PODS_METRIC: Topic = Topic {
    id: "pods-metric",
    title: "Pods metrics: a value for each pod",
    answers: "What does the custom metrics API say of each pod?",
    chapter: Chapter::Metric,
    functions: &[
        Upstream::horizontal("computeStatusForPodsMetric"),
        Upstream::metrics_client("GetRawMetric"),
    ],
    part_of: &[],
    inputs: &[
        input("metric name and selector", "text", "the spec of the metric"),
        input(
            "averageValue",
            "quantity for each pod",
            "the target in the spec",
        ),
        input("value of each pod", "quantity", "custom.metrics.k8s.io"),
    ],
    formula: "\
GET …/namespaces/NS/pods/*/METRIC?labelSelector=…&metricLabelSelector=…
no item                      the metric fails
then                         average-value-replicas",
    remarks: &[
        "The readiness rules for cpu don't apply: a pod counts as soon as the adapter has a value of it.",
        "A pod without a value is missing, and is added back cautiously ([second-look](second-look.md)).",
        "If an item names the same pod twice, the later one counts.",
    ],
    picture: || {
        let rows: Vec<(String, i64, String)> = [("web-1", 30), ("web-2", 10), ("web-3", 26)]
            .map(|(name, reads)| (name.to_owned(), reads, reads.to_string()))
            .to_vec();
        let trace = requests(&["30", "10", "26"]).decide();
        let mut out = picture::bars(&rows);
        out.push_str(&format!(
            "\naverage 22 of a target of 15: asks for {}\n",
            asks(&trace)
        ));
        out
    },
    worked: || {
        outcomes(
            "3 replicas, target 15 for each pod; the pods read",
            [
                ("30, 10, 26", requests(&["30", "10", "26"])),
                ("14, 15, 16", requests(&["14", "15", "16"])),
                (
                    "30, 26, and the third has no value",
                    requests(&["30", "26"]).pods([pod()]),
                ),
                ("nothing at all", requests(&[]).pods([pod(), pod(), pod()])),
            ],
        )
    },
    differences: &[Difference {
        since: Since::Switch(|switches| switches.plain_missing_untouched_at_one),
        text: "with a ratio of exactly 1 missing pods are left out; before, they counted as 0 \
               ([second-look](second-look.md)).",
        numbers: None,
    }],
    beliefs: &[(
        "The value is a rate.",
        "It is whatever the adapter serves; a counter that only grows leads up to maxReplicas.",
    )],
    shown: Shown::Of("average-ratio", || requests(&["30", "10", "26"])),
    rules: &[
        ("HPA227", "pods-metric-is-counter"),
        ("HPA505", "non-cpu-startup"),
        ("HPA702", "metric-not-served"),
    ],
};

const OBJECT_METRIC: Topic = Topic {
    id: "object-metric",
    title: "Object metrics: one number of one object",
    answers: "What does the custom metrics API say of this object, and is that a total or an amount to be divided?",
    chapter: Chapter::Metric,
    functions: &[
        Upstream::horizontal("computeStatusForObjectMetric"),
        Upstream::metrics_client("GetObjectMetric"),
    ],
    part_of: &[],
    inputs: &[
        input(
            "describedObject",
            "group, kind, name",
            "the spec of the metric",
        ),
        input(
            "target.type",
            "Value or AverageValue",
            "the spec of the metric",
        ),
        input("the value", "quantity", "custom.metrics.k8s.io"),
    ],
    formula: "\
type Value, value set                 value-replicas
type AverageValue, averageValue set   average-per-replica
otherwise                             the metric fails",
    remarks: &[
        "Here alone `type` decides; both fields may be set.",
        "For a Namespace of the core group the described name is ignored: the metric is that of the HPA's namespace.",
        "With an average, conditions call it an *external metric*; that is upstream's wording.",
    ],
    picture: || {
        let both = |target_type: &str| MetricTarget {
            target_type: target_type.to_owned(),
            value: value("20").value,
            average_value: average("20").average_value,
            average_utilization: None,
        };
        picture::branches(&[
            (
                "type Value, both fields set",
                format!("asks for {}", asks(&object(both("Value")))),
            ),
            (
                "type AverageValue, both fields set",
                format!("asks for {}", asks(&object(both("AverageValue")))),
            ),
            (
                "type Value, averageValue alone",
                if fails(&object(MetricTarget {
                    value: None,
                    ..both("Value")
                })) {
                    "fails".to_owned()
                } else {
                    "asks".to_owned()
                },
            ),
        ])
    },
    worked: || {
        let rows = [
            ("Value 20", object(value("20"))),
            ("AverageValue 20", object(average("20"))),
        ]
        .map(|(what, trace)| {
            let shown = ratio(&trace, Pass::First).map(|ratio| ratio.usage_ratio);
            [
                what.to_owned(),
                crate::learn::example::short(shown.unwrap_or_default()),
                asks(&trace),
            ]
        });
        format!(
            "3 ready pods, 3 replicas, the object reads 50:\n\n{}\n\
             A total of 50 against 20 is two and a half times too much; 50 spread over 3 replicas is not.\n",
            table(["target", "ratio", "asks for"], rows)
        )
    },
    differences: &[
        Difference {
            since: Since::Minor(29),
            text: "a type that names a field which is not set is an error, also in 1.27.7, 1.28.3 and later patches of \
                   these; before, the controller crashed over it again and again.",
            numbers: None,
        },
        Difference {
            since: Since::Switch(|switches| switches.object_average_has_described_object),
            text: "the status of an average names the described object.",
            numbers: None,
        },
        Difference {
            since: Since::Minor(37),
            text: "the message of a failed read names metric, kind, namespace and object in the right order.",
            numbers: None,
        },
    ],
    beliefs: &[(
        "value and averageValue differ in how they are shown.",
        "They are two formulas: value scales the ready pods by a ratio, averageValue divides a total.",
    )],
    shown: Shown::Of("value-replicas", || {
        case(3).object(value("20"), "50").ready(3, "50m")
    }),
    rules: &[
        ("HPA006", "object-target-type-mismatch"),
        ("HPA008", "object-two-targets"),
        ("HPA220", "value-on-backlog"),
        ("HPA229", "object-ref-invalid"),
    ],
};

const EXTERNAL_METRIC: Topic = Topic {
    id: "external-metric",
    title: "External metrics: the sum of all series",
    answers: "What do all series of this external metric come to, and is that a total or an amount to be divided?",
    chapter: Chapter::Metric,
    functions: &[
        Upstream::horizontal("computeStatusForExternalMetric"),
        Upstream::metrics_client("GetExternalMetric"),
    ],
    part_of: &[],
    inputs: &[
        input("metric name and selector", "text", "the spec of the metric"),
        input(
            "averageValue or value",
            "quantity",
            "the target in the spec",
        ),
        input("series", "quantities", "external.metrics.k8s.io"),
    ],
    formula: "\
usage = sum of all series
averageValue set   average-per-replica
value set          value-replicas
neither            the metric fails",
    remarks: &[
        "`averageValue` is looked at first.",
        "Without a selector all series of that name are added up, those of other teams included.",
        "No series at all is an error, not 0: whether an empty queue is 0 or nothing is up to the adapter.",
    ],
    picture: || {
        let series = [("shard 1", 12), ("shard 2", 30), ("shard 3", 8)];
        let rows: Vec<(String, i64, String)> = series
            .map(|(name, reads)| (name.to_owned(), reads, reads.to_string()))
            .to_vec();
        let trace = case(3).external(average("10"), &["12", "30", "8"]).decide();
        let sum = match ratio(&trace, Pass::First).map(|ratio| ratio.formula) {
            Some(RatioFormula::AveragePerReplica { usage, .. }) => usage.0 / 1000,
            _ => 0,
        };
        let mut out = picture::bars(&rows);
        out.push_str(&format!(
            "\nsum {sum}, 10 for each replica: asks for {}\n",
            asks(&trace)
        ));
        out
    },
    worked: || {
        outcomes(
            "3 replicas, 3 ready pods",
            [
                (
                    "series 12, 30, 8; averageValue 10",
                    case(3).external(average("10"), &["12", "30", "8"]),
                ),
                (
                    "series 12, 30, 8; value 30",
                    case(3)
                        .external(value("30"), &["12", "30", "8"])
                        .ready(3, "50m"),
                ),
                (
                    "one series 0; averageValue 10",
                    case(3).external(average("10"), &["0"]),
                ),
                (
                    "no series; averageValue 10",
                    case(3).external(average("10"), &[]),
                ),
            ],
        )
    },
    differences: &[
        Difference {
            since: Since::Switch(|switches| switches.external_average_caps),
            text: "with averageValue a sum that overflows counts as the largest number; before, it wrapped to a negative one.",
            numbers: Some(|minor| {
                let trace = case(3)
                    .under(minor)
                    .external(average("1"), &["9000000000000000", "9000000000000000"])
                    .decide();
                format!("two series of 9e15 ask for {}", asks(&trace))
            }),
        },
        Difference {
            since: Since::Switch(|switches| switches.value_caps),
            text: "the same with value.",
            numbers: None,
        },
    ],
    beliefs: &[(
        "An empty answer means no load.",
        "It means that the metric fails, and a failing metric forbids scaling down ([choose-proposal](choose-proposal.md)).",
    )],
    shown: Shown::Of("average-per-replica", || {
        case(3).external(average("10"), &["12", "30", "8"])
    }),
    rules: &[
        ("HPA220", "value-on-backlog"),
        ("HPA222", "external-no-selector"),
        ("HPA218", "single-adapter-dependency"),
        ("HPA702", "metric-not-served"),
    ],
};

const READ_RESOURCE_METRICS: Topic = Topic {
    id: "read-resource-metrics",
    title: "The metrics API is read for cpu and memory",
    answers: "What does each pod use, as far as the metrics API knows?",
    chapter: Chapter::Metric,
    functions: &[
        Upstream::metrics_client("GetResourceMetric"),
        Upstream::metrics_client("getPodMetrics"),
    ],
    part_of: &[],
    inputs: &[
        input("selector", "the pods' own", "[selector](selector.md)"),
        input(
            "usage of each container",
            "quantity",
            "metrics.k8s.io, mostly metrics-server",
        ),
        input("timestamp, window", "time, seconds", "the same"),
    ],
    formula: "\
GET /apis/metrics.k8s.io/v1beta1/namespaces/NS/pods?labelSelector=…
sample of a pod = sum over its containers, each rounded up to thousandths
a container without that resource, or no container: the pod has no sample
no item at all: the metric fails",
    remarks: &[
        "How old a sample is, nobody asks; only for cpu of a pod that has just become ready its beginning matters \
         ([group-pods](group-pods.md)).",
        "metrics-server measures every 15 to 60 seconds, as it is set up, so a sample may be a minute old and covers a window \
         before that.",
        "Samples are matched with the pods of *now* by name: a sample of a pod that is gone stays in plain averages.",
    ],
    picture: || {
        let mut rows = vec![
            ["containers with a sample", "the pod's sample", "class"]
                .map(str::to_owned)
                .to_vec(),
        ];
        for (what, one) in [
            (
                "app 80m",
                two_containers()
                    .container_uses("app", "cpu", "80m")
                    .container_uses("proxy", "cpu", "5m"),
            ),
            (
                "app 80m, proxy memory only",
                two_containers()
                    .container_uses("app", "cpu", "80m")
                    .container_uses("proxy", "memory", "5Mi"),
            ),
            ("none", two_containers()),
        ] {
            let what = if rows.len() == 1 {
                "app 80m, proxy 5m"
            } else {
                what
            };
            let trace = case(2).cpu(50).pods([one, pod().uses("50m")]).decide();
            let first = groups(&trace).and_then(|groups| groups.pods.first().copied());
            rows.push(vec![
                what.to_owned(),
                first
                    .and_then(|first| first.usage)
                    .map_or_else(|| "none".to_owned(), |usage| format!("{}m", usage.0)),
                first.map_or("", |first| first.class.as_str()).to_owned(),
            ]);
        }
        picture::grid(&rows)
    },
    worked: || {
        let rows = ["1m", "1234567n", "999999n", "0.1005"].map(|usage| {
            let trace = case(1).cpu(50).pods([pod().uses(usage)]).decide();
            let first = groups(&trace).and_then(|groups| groups.pods.first().copied());
            [
                usage.to_owned(),
                first
                    .and_then(|first| first.usage)
                    .map_or_else(String::new, |usage| format!("{}m", usage.0)),
            ]
        });
        table(["usage that is served", "counted as"], rows)
    },
    differences: &[Difference {
        since: Since::Minor(38),
        text: "quantities that don't fit into 64 bits saturate instead of wrapping.",
        numbers: None,
    }],
    beliefs: &[(
        "The HPA sees the usage of now.",
        "It sees an average over a window that ended some seconds ago, of pods that may be gone.",
    )],
    shown: Shown::Own(|| case(3).cpu(50).ready(3, "80m")),
    rules: &[
        ("HPA701", "metrics-api-unavailable"),
        ("HPA703", "metrics-stale"),
        ("HPA510", "usage-outlier"),
    ],
};

fn requests(reads: &[&str]) -> Case {
    case(3)
        .requests("15")
        .pods(reads.iter().map(|value| pod().reads(value)))
}

fn fails(trace: &Trace) -> bool {
    trace
        .metrics()
        .any(|metric| matches!(metric.outcome, MetricOutcome::Invalid(_)))
}

fn object(target: MetricTarget) -> Trace {
    case(3).object(target, "50").ready(3, "50m").decide()
}

fn two_containers() -> crate::learn::case::PodCase {
    pod().containers(vec![
        container("app", Some("100m")),
        container("proxy", Some("10m")),
    ])
}
