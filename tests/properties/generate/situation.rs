//! Situations that operators know: an HPA with its pods, metrics and rules of `behavior`, all of them drawn.

use hpa_engine::model::{ConditionStatus, FieldManager, SelectPolicy, Target};
use hpa_testing::{PodFixture, World, average, down, hpa, pod, up, utilization, value};
use jiff::SignedDuration;
use proptest::{collection::vec, option, prelude::*};

/// What a metric counts, and its kind of target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
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
    NoLongerReady,
    NotReadyButOld,
    Pending,
    JustReady,
    WithoutSample,
    Crashing,
}

const PODS: [PodClass; 8] = [
    PodClass::Ready,
    PodClass::NeverReady,
    PodClass::NoLongerReady,
    PodClass::NotReadyButOld,
    PodClass::Pending,
    PodClass::JustReady,
    PodClass::WithoutSample,
    PodClass::Crashing,
];

const MEASURES: [Measure; 9] = [
    Measure::CpuUtilization,
    Measure::CpuAverage,
    Measure::MemoryUtilization,
    Measure::ContainerCpu,
    Measure::PodsAverage,
    Measure::ObjectValue,
    Measure::ObjectAverage,
    Measure::ExternalValue,
    Measure::ExternalAverage,
];

/// One of a few rules of `behavior` for one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    Window(i32),
    Pods(i32, i32),
    Percent(i32, i32),
    NoTolerance,
    Disabled,
}

fn rule() -> impl Strategy<Value = Rule> {
    prop_oneof![
        prop::sample::select(vec![0, 60, 300]).prop_map(Rule::Window),
        (1..3_i32, prop::sample::select(vec![15, 60, 240])).prop_map(|(n, s)| Rule::Pods(n, s)),
        (
            prop::sample::select(vec![10, 50, 100]),
            prop::sample::select(vec![15, 60, 240])
        )
            .prop_map(|(n, s)| Rule::Percent(n, s)),
        Just(Rule::NoTolerance),
        Just(Rule::Disabled),
    ]
}

fn with_rule(rules: hpa_testing::Rules, rule: Rule) -> hpa_testing::Rules {
    match rule {
        Rule::Window(seconds) => rules.window(seconds),
        Rule::Pods(pods, period) => rules.pods(pods, period),
        Rule::Percent(percent, period) => rules.percent(percent, period),
        Rule::NoTolerance => rules.tolerance("0"),
        Rule::Disabled => rules.select(SelectPolicy::Disabled),
    }
}

/// The status that the controller has written, and what was edited since.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Written {
    /// Nothing was edited, as far as known.
    Status,
    /// The spec has a later generation than the status.
    Generation,
    /// The spec was edited so many seconds ago, and the status written two seconds before.
    Edited(i64),
}

/// All that is drawn.
#[derive(Clone, Debug)]
pub(crate) struct Situation {
    pub(crate) pods: Vec<(PodClass, i64)>,
    pub(crate) metrics: Vec<(Measure, i64)>,
    bounds: (i32, i32),
    extra: i32,
    scale_up: Option<Rule>,
    scale_down: Option<Rule>,
    remembered: Option<Vec<(i32, i64)>>,
    minor: u32,
    /// How many more pods than there are a quota allows.
    quota: Option<usize>,
    /// How many more replicas the last sync wanted, and the CPU that it read.
    written: Option<(Written, i32, i32)>,
    /// Another writer that has set the replicas since the last sync, and how many more the HPA had set.
    writer: Option<(&'static str, i32)>,
}

/// Other writers by their names as field managers.
const WRITERS: [&str; 4] = ["kubectl", "kubectl-edit", "helm", "argocd-controller"];

/// A situation.
pub(crate) fn situation() -> impl Strategy<Value = Situation> {
    let class = prop_oneof![
        6 => Just(PodClass::Ready),
        2 => prop::sample::select(PODS.to_vec()),
    ];
    let pods = vec((class, 80..120_i64), 1..9);
    // Percent of the target.
    let load = prop_oneof![1..60_i64, 85..115_i64, 110..250_i64, 300..1200_i64];
    let measure = prop_oneof![
        12 => prop::sample::select(MEASURES.to_vec()),
        1 => Just(Measure::Broken),
    ];
    let metrics = vec((measure, load), 1..3);
    let written = prop_oneof![
        Just(Written::Status),
        Just(Written::Generation),
        prop::sample::select(vec![3, 20, 400]).prop_map(Written::Edited),
    ];
    let bounds = (1..5_i32, prop_oneof![4 => 8..21_i32, 1 => 1..8_i32]);
    (
        pods,
        metrics,
        bounds,
        prop_oneof![12 => Just(0), 1 => -2..3_i32],
        option::weighted(0.3, rule()),
        option::weighted(0.3, rule()),
        option::weighted(0.5, vec((0..20_i32, 0..400_i64), 0..3)),
        (
            prop::sample::select(vec![30, 34, 36, 37]),
            option::weighted(0.25, 0..3_usize),
        ),
        option::weighted(0.3, (written, -3..4_i32, 1..200_i32)),
        option::weighted(0.3, (prop::sample::select(WRITERS.to_vec()), -3..4_i32)),
    )
        .prop_map(
            |(
                pods,
                metrics,
                (min, max),
                extra,
                scale_up,
                scale_down,
                remembered,
                (minor, quota),
                written,
                writer,
            )| {
                Situation {
                    pods,
                    metrics,
                    bounds: (min.min(max), max),
                    extra,
                    scale_up,
                    scale_down,
                    remembered,
                    minor,
                    quota,
                    written,
                    writer,
                }
            },
        )
}

impl Situation {
    /// The world of it.
    pub(crate) fn world(&self) -> World {
        let number = i32::try_from(self.pods.len()).unwrap();
        let replicas = (number + self.extra).max(1);
        let (min, max) = self.bounds;
        let mut world = hpa("web")
            .kube(self.minor)
            .bounds(min, max)
            .with_replicas(replicas);
        for &(measure, load) in &self.metrics {
            world = with_metric(world, measure, load, replicas);
        }
        let pods = self.pods.iter().enumerate();
        world = world.pods(pods.map(|(index, (class, share))| self.pod(index, *class, *share)));
        if let Some(allowed) = self.allowed() {
            let used = self.pods.len().to_string();
            world = world.quota("few", "pods", &allowed.to_string(), &used);
        }
        if let Some(rule) = self.scale_up {
            world = world.behavior(with_rule(up(), rule));
        }
        if let Some(rule) = self.scale_down {
            world = world.behavior(with_rule(down(), rule));
        }
        match &self.remembered {
            None => world.memory = None,
            Some(all) => {
                let ages: Vec<(i32, String)> = all
                    .iter()
                    .map(|(number, age)| (*number, format!("{age}s")))
                    .collect();
                let ages: Vec<(i32, &str)> = ages
                    .iter()
                    .map(|(number, age)| (*number, age.as_str()))
                    .collect();
                world = world.remembering(&ages);
            }
        }
        match self.written {
            Some(written) => with_status(world, written, replicas),
            None => match self.writer {
                Some(writer) => with_writer(world, writer, replicas),
                None => world,
            },
        }
    }

    /// The pods that the quota allows.
    pub(crate) fn allowed(&self) -> Option<usize> {
        Some(self.pods.len() + self.quota?)
    }

    fn pod(&self, index: usize, class: PodClass, share: i64) -> PodFixture {
        let load = |of: fn(&Measure) -> bool| {
            self.metrics
                .iter()
                .find(|(measure, _)| of(measure))
                .map(|(_, load)| *load)
        };
        let cpu = load(|one| {
            matches!(
                one,
                Measure::CpuUtilization | Measure::CpuAverage | Measure::ContainerCpu
            )
        });
        let memory = load(|one| *one == Measure::MemoryUtilization);
        let requests = load(|one| *one == Measure::PodsAverage);
        let pod = pod(&format!("web-7f5fbdc4d6-2br{index:02}"))
            .of_replica_set("web-7f9c")
            .requesting("100m");
        let pod = match class {
            PodClass::Ready | PodClass::WithoutSample => pod,
            PodClass::NeverReady => pod
                .created("-12m")
                .started("-12m")
                .ready(ConditionStatus::False, "-12m"),
            PodClass::NoLongerReady => pod
                .created("-3m")
                .started("-3m")
                .ready(ConditionStatus::False, "-40s"),
            PodClass::NotReadyButOld => pod
                .created("-20m")
                .started("-20m")
                .ready(ConditionStatus::False, "-80s"),
            PodClass::Pending => pod
                .pending()
                .created("-3m")
                .waiting("0/3 nodes are available: 3 Insufficient cpu."),
            PodClass::JustReady => pod
                .created("-50s")
                .started("-45s")
                .ready(ConditionStatus::True, "-20s")
                .sampled("10s", "30s"),
            PodClass::Crashing => pod
                .ready(ConditionStatus::False, "-12m")
                .waiting("CrashLoopBackOff"),
        };
        if matches!(class, PodClass::WithoutSample | PodClass::Pending) {
            return pod;
        }
        let idle = matches!(
            class,
            PodClass::NeverReady | PodClass::NoLongerReady | PodClass::Crashing
        );
        let share = if idle { 2 } else { share };
        let percent = |load: Option<i64>, on_target: i64, otherwise: i64| {
            load.map_or(otherwise, |load| on_target * load * share / 10_000)
        };
        // The targets are 60m and 512Mi.
        let pod = pod.using(&[
            ("cpu", &format!("{}m", percent(cpu, 60, 10))),
            ("memory", &format!("{}Mi", percent(memory, 512, 100))),
        ]);
        match requests {
            Some(load) => pod.value(&format!("{}", load * share / 100)),
            None => pod,
        }
    }
}

fn with_metric(world: World, measure: Measure, load: i64, replicas: i32) -> World {
    let total = load * i64::from(replicas);
    match measure {
        Measure::CpuUtilization => world.cpu(60),
        Measure::CpuAverage => world.average("cpu", "60m"),
        Measure::MemoryUtilization => world.resource("memory", utilization(50)),
        Measure::ContainerCpu => world.container_cpu("app", 60),
        Measure::PodsAverage => world.requests("100"),
        Measure::ObjectValue => world.object(value("100")).hits(&load.to_string()),
        Measure::ObjectAverage => world.object(average("100")).hits(&total.to_string()),
        Measure::ExternalValue => world.external(value("100")).series(&[&load.to_string()]),
        Measure::ExternalAverage => world.external(average("100")).series(&[&total.to_string()]),
        Measure::Broken => world.broken_external(),
    }
}

fn with_status(world: World, (written, more, cpu): (Written, i32, i32), replicas: i32) -> World {
    let desired = (replicas + more).max(1);
    let mut world = world.status(
        replicas,
        desired,
        cpu,
        "ReadyForNewScale",
        "DesiredWithinRange",
    );
    match written {
        Written::Status => {}
        Written::Generation => {
            world.observation.hpa.generation = Some(4);
            world.observation.hpa.status.observed_generation = Some(3);
        }
        Written::Edited(ago) => {
            let before = |seconds| Some(world.now - SignedDuration::from_secs(seconds));
            world.context.hpa_edited_by = Some(FieldManager {
                manager: "kubectl-edit".to_owned(),
                time: before(ago),
                ..FieldManager::default()
            });
            world.context.hpa_status_written = before(ago + 2);
        }
    }
    world
}

/// The HPA scaled a minute ago, and another writer has set the replicas since.
fn with_writer(world: World, (name, more): (&str, i32), replicas: i32) -> World {
    let spec = &world.observation.hpa.spec;
    let had = (replicas + more).clamp(spec.min_replicas(), spec.max_replicas);
    if had == replicas {
        return world;
    }
    let mut world = world.status(replicas, had, 60, "ReadyForNewScale", "DesiredWithinRange");
    // What it read then is not known, nor what it remembers.
    world.memory = None;
    world.observation.hpa.status.current_metrics.clear();
    world.observation.hpa.status.last_scale_time = Some(world.now - SignedDuration::from_mins(1));
    let is_scale = name == "kubectl";
    let writer = FieldManager {
        manager: name.to_owned(),
        operation: "Update".to_owned(),
        subresource: is_scale.then(|| "scale".to_owned()),
        time: (!is_scale).then(|| world.now - SignedDuration::from_secs(5)),
    };
    world.context.target = Some(Target {
        kind: "Deployment".to_owned(),
        name: "web".to_owned(),
        created: Some(world.now - SignedDuration::from_hours(1)),
        replicas_written_by: vec![writer],
        ..Target::default()
    });
    world
}
