//! Situations drawn by a seed, and how they are made in a namespace.

use proptest::{
    collection::vec,
    option,
    prelude::*,
    strategy::{Strategy, ValueTree as _},
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};
use serde_json::{Value, json};

use crate::{
    manifest::{Hpa, Workload, average, deployment, hpa, value},
    namespace::Namespace,
    releases::version,
};

/// What a metric counts, and its kind of target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Measure {
    CpuUtilization,
    CpuAverage,
    MemoryUtilization,
    ContainerCpu,
    PodsAverage,
    ObjectValue,
    ObjectAverage,
    ExternalValue,
    ExternalAverage,
    Broken,
}

/// What a pod is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PodClass {
    Ready,
    NeverReady,
    /// Soon after its start, when it does not count as ready.
    NoLongerReady,
    /// Long after its start: what it uses counts.
    NotReadyButOld,
    JustReady,
    WithoutSample,
    Crashing,
}

/// One of a few rules of `behavior` for one direction. No time is one that ends during the test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    Window(i32),
    Policy(&'static str, i32),
    NoTolerance,
    Disabled,
}

/// All that is drawn.
#[derive(Clone, Debug)]
pub(crate) struct Situation {
    pods: Vec<PodClass>,
    /// The load of each, in percent of its target.
    metrics: Vec<(Measure, i64)>,
    /// The load of all metrics while the controller syncs before it is asked about, in percent of the targets.
    load_before: i64,
    bounds: (i32, i32),
    scale_up: Option<Rule>,
    scale_down: Option<Rule>,
    syncs_before: u32,
    /// So many of the first pods find no node, and none of the later ones.
    without_node: Option<usize>,
    /// A quota that allows no more pods than there are.
    has_quota: bool,
    /// A second container without requests.
    lacks_request: bool,
    /// What `kubectl scale` adds.
    scaled_by: Option<i32>,
}

/// The situations of a seed. The first ones are the same for every number.
pub(crate) fn situations(seed: u64, number: usize) -> Vec<Situation> {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(Config::default(), random);
    let strategy = situation();
    let draw = |_| strategy.new_tree(&mut runner).unwrap().current();
    (0..number).map(draw).collect()
}

fn situation() -> impl Strategy<Value = Situation> {
    let class = prop_oneof![
        5 => Just(PodClass::Ready),
        2 => prop::sample::select(CLASSES.to_vec()),
    ];
    // Percent of the target.
    let load = prop_oneof![1..60_i64, 85..115_i64, 110..250_i64, 300..1000_i64];
    let measure = prop::sample::select(MEASURES.to_vec());
    let bounds = (1..5_i32, prop_oneof![4 => 8..16_i32, 1 => 2..8_i32]);
    let rules = || option::weighted(0.3, rule());
    let around = (
        1..3_u32,
        option::weighted(0.15, 1..3_usize),
        prop::bool::weighted(0.1),
        prop::bool::weighted(0.06),
        option::weighted(0.2, prop::sample::select(vec![-2, -1, 1, 2])),
    );
    (
        vec(class, 1..9),
        vec((measure, load), 1..3),
        prop_oneof![2 => Just(100_i64), 1 => 30..220_i64],
        bounds,
        rules(),
        rules(),
        around,
    )
        .prop_map(|(pods, metrics, load_before, bounds, up, down, around)| {
            let (syncs_before, without_node, has_quota, lacks_request, scaled_by) = around;
            Situation {
                pods,
                metrics,
                load_before,
                bounds: (bounds.0.min(bounds.1), bounds.1),
                scale_up: up,
                scale_down: down,
                syncs_before,
                without_node,
                has_quota,
                lacks_request,
                scaled_by,
            }
        })
}

fn rule() -> impl Strategy<Value = Rule> {
    prop_oneof![
        prop::sample::select(vec![0, 300, 600]).prop_map(Rule::Window),
        (1..3_i32).prop_map(|pods| Rule::Policy("Pods", pods)),
        prop::sample::select(vec![10, 50, 100]).prop_map(|all| Rule::Policy("Percent", all)),
        Just(Rule::NoTolerance),
        Just(Rule::Disabled),
    ]
}

impl Situation {
    /// Makes it, with the controller's syncs before. Returns the names of the pods that were changed, and what they are.
    pub(crate) fn make(&self, namespace: &Namespace) -> Vec<(String, PodClass)> {
        let replicas = i32::try_from(self.pods.len()).unwrap();
        if self.has_quota {
            let hard = json!({"pods": self.pods.len().to_string()});
            namespace.apply([object("v1", "ResourceQuota", "few", json!({"hard": hard}))]);
            namespace.wait_for_quota("few");
            namespace.stop_settling();
        }
        let ports = json!({"selector": {"app": "web"}, "ports": [{"port": 80}]});
        namespace.metrics(&self.answers(|_| self.load_before));
        namespace.apply([
            object("v1", "Service", "web", ports),
            self.workload(replicas).object(),
            self.hpa().object(),
        ]);
        for _ in 0..self.syncs_before {
            namespace.pass();
            namespace.wait_until_still();
        }
        if let Some(more) = self.scaled_by {
            let now = namespace.get("deployment", "web")["spec"]["replicas"].as_i64();
            let now = i32::try_from(now.unwrap()).unwrap();
            namespace.scale("web", (now + more).max(1));
        }
        let changed = self.change_pods(namespace);
        namespace.metrics(&self.answers(|load| load));
        namespace.wait_until_still();
        changed
    }

    fn workload(&self, replicas: i32) -> Workload {
        let mut web = deployment("web", replicas);
        if let Some(without) = self.without_node {
            let room = self.pods.len().saturating_sub(without);
            web = web.pods("room", &room.to_string());
        }
        if self.lacks_request {
            web = web.container("proxy", json!({}));
        }
        web
    }

    fn hpa(&self) -> Hpa {
        let mut web = hpa("web").bounds(self.bounds.0, self.bounds.1);
        for (index, (measure, _)) in self.metrics.iter().enumerate() {
            web = with_metric(web, *measure, index);
        }
        let mut behavior = json!({});
        for (direction, rule) in [("scaleUp", self.scale_up), ("scaleDown", self.scale_down)] {
            if let Some(rule) = rule.and_then(written) {
                behavior[direction] = rule;
            }
        }
        if behavior == json!({}) {
            web
        } else {
            web.behavior(behavior)
        }
    }

    /// What the metrics APIs answer at a load, in percent of the target, that may depend on the drawn one. Idle pods have usages of
    /// their own.
    fn answers(&self, load: impl Fn(i64) -> i64) -> Value {
        let drawn = |is: &dyn Fn(Measure) -> bool| {
            let found = self.metrics.iter().find(|(measure, _)| is(*measure));
            found.map(|(_, drawn)| load(*drawn))
        };
        let is_cpu = |measure| {
            use Measure::{ContainerCpu, CpuAverage, CpuUtilization};
            matches!(measure, CpuUtilization | CpuAverage | ContainerCpu)
        };
        // The targets are 60m and 100Mi.
        let cpu = drawn(&is_cpu).map_or(10, |load| 60 * load / 100);
        let memory = drawn(&|measure| measure == Measure::MemoryUtilization).unwrap_or(20);
        let mut answers = json!({
            "resource": [{"selector": BUSY, "cpu": format!("{cpu}m"), "memory": format!("{memory}Mi")}],
            "custom": [],
            "external": [],
        });
        let pods = i64::try_from(self.pods.len()).unwrap();
        for (index, (measure, drawn)) in self.metrics.iter().enumerate() {
            let load = load(*drawn);
            let total = load * pods;
            let (api, mut row) = match measure {
                Measure::PodsAverage => ("custom", json!({"selector": BUSY, "value": load})),
                Measure::ObjectValue => ("custom", json!({"object": SERVICE, "value": load})),
                Measure::ObjectAverage => ("custom", json!({"object": SERVICE, "value": total})),
                Measure::ExternalValue => ("external", json!({"value": load})),
                Measure::ExternalAverage => ("external", json!({"value": total})),
                _ => continue,
            };
            row["metric"] = json!(metric_name(*measure, index));
            row["value"] = json!(row["value"].to_string());
            answers[api].as_array_mut().unwrap().push(row);
        }
        answers
    }

    /// Makes the pods that have a node what was drawn, as far as there are so many.
    fn change_pods(&self, namespace: &Namespace) -> Vec<(String, PodClass)> {
        let pods = namespace.list("pods").into_iter();
        let pods = pods.filter(|pod| pod["spec"]["nodeName"].is_string());
        let names = pods.map(|pod| pod["metadata"]["name"].as_str().unwrap().to_owned());
        let all = names.zip(self.pods.iter().copied());
        let changed: Vec<_> = all.filter(|(_, class)| *class != PodClass::Ready).collect();
        let object = |(name, class): &(String, PodClass)| {
            let mut metadata = class.metadata(&self.metrics);
            metadata["name"] = json!(name);
            metadata["namespace"] = json!(namespace.name());
            json!({"apiVersion": "v1", "kind": "Pod", "metadata": metadata})
        };
        if !changed.is_empty() {
            let items: Vec<Value> = changed.iter().map(object).collect();
            namespace.apply([json!({"apiVersion": "v1", "kind": "List", "items": items})]);
        }
        changed
    }
}

impl PodClass {
    /// Labels and annotations.
    fn metadata(self, metrics: &[(Measure, i64)]) -> Value {
        let annotations = match self {
            Self::Ready => "",
            Self::NeverReady => "ready=false start-age=12m ready-since=12m",
            Self::Crashing => "ready=false start-age=12m ready-since=12m reason=CrashLoopBackOff",
            Self::NoLongerReady => "ready=false start-age=100s ready-since=40s",
            Self::NotReadyButOld => "ready=false start-age=20m ready-since=40s",
            Self::JustReady => "start-age=20s ready-since=0s metrics-window=90s",
            Self::WithoutSample => "no-metrics=true",
        };
        let mut annotations = annotations.to_owned();
        let mut metadata = json!({"labels": {}, "annotations": {}});
        if annotations.starts_with("ready") && self != Self::NotReadyButOld {
            metadata["labels"]["idle"] = json!("true");
            annotations += " cpu=2m memory=2Mi";
            for (index, (measure, _)) in metrics.iter().enumerate() {
                annotations += &format!(" metric.{}=1", metric_name(*measure, index));
            }
        }
        for annotation in annotations.split_whitespace() {
            let (name, value) = annotation.split_once('=').unwrap();
            metadata["annotations"][format!("testcluster/{name}")] = json!(value);
        }
        metadata
    }
}

fn with_metric(web: Hpa, measure: Measure, index: usize) -> Hpa {
    let name = metric_name(measure, index);
    let utilization = |percent: i32| json!({"type": "Utilization", "averageUtilization": percent});
    let object = |target: Value| {
        let described = json!({"apiVersion": "v1", "kind": "Service", "name": "web"});
        json!({"metric": {"name": name}, "describedObject": described, "target": target})
    };
    match measure {
        Measure::CpuUtilization => web.cpu(60),
        Measure::CpuAverage => web.resource("cpu", average("60m")),
        Measure::MemoryUtilization => web.resource("memory", utilization(50)),
        Measure::ContainerCpu => {
            let source = json!({"name": "cpu", "container": "main", "target": utilization(60)});
            web.metric("ContainerResource", "containerResource", source)
        }
        Measure::PodsAverage => {
            let source = json!({"metric": {"name": name}, "target": average("100")});
            web.metric("Pods", "pods", source)
        }
        Measure::ObjectValue => web.metric("Object", "object", object(value("100"))),
        Measure::ObjectAverage => web.metric("Object", "object", object(average("100"))),
        Measure::ExternalValue => web.external(&name, value("100")),
        Measure::ExternalAverage | Measure::Broken => web.external(&name, average("100")),
    }
}

/// Each metric of an HPA has a name of its own.
fn metric_name(measure: Measure, index: usize) -> String {
    let name = match measure {
        Measure::PodsAverage => "http_requests",
        Measure::ObjectValue | Measure::ObjectAverage => "hits",
        Measure::Broken => "nobody_knows",
        _ => "queue_depth",
    };
    if index == 0 {
        name.to_owned()
    } else {
        format!("{name}_{}", index + 1)
    }
}

/// It in `behavior`; none: the release has no such field.
fn written(rule: Rule) -> Option<Value> {
    Some(match rule {
        Rule::Window(seconds) => json!({"stabilizationWindowSeconds": seconds}),
        Rule::Policy(kind, value) => {
            json!({"policies": [{"type": kind, "value": value, "periodSeconds": 300}]})
        }
        Rule::NoTolerance if version().minor < 35 => return None,
        Rule::NoTolerance => json!({"tolerance": "0"}),
        Rule::Disabled => json!({"selectPolicy": "Disabled"}),
    })
}

fn object(api_version: &str, kind: &str, name: &str, spec: Value) -> Value {
    json!({"apiVersion": api_version, "kind": kind, "metadata": {"name": name}, "spec": spec})
}

const CLASSES: [PodClass; 6] = [
    PodClass::NeverReady,
    PodClass::NoLongerReady,
    PodClass::NotReadyButOld,
    PodClass::JustReady,
    PodClass::WithoutSample,
    PodClass::Crashing,
];

const MEASURES: [Measure; 10] = [
    Measure::CpuUtilization,
    Measure::CpuAverage,
    Measure::MemoryUtilization,
    Measure::ContainerCpu,
    Measure::PodsAverage,
    Measure::ObjectValue,
    Measure::ObjectAverage,
    Measure::ExternalValue,
    Measure::ExternalAverage,
    Measure::Broken,
];

const BUSY: &str = "app=web,!idle";
const SERVICE: &str = "services/web";
