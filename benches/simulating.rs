//! Simulations, without reading and printing: `cargo bench --bench simulating`.
//!
//! The goals: a day of 20 pods in half a second, a week in three, an hour of 10,000 pods in five, at most 100 MiB; and a cost
//! that is linear in time, and in pods.

use divan::Bencher;
use hpa_simulation::{
    Demand, DemandSource, Load, Pipeline, PodModel, Scenario, Spread, Startup, Workload, simulate,
};
use jiff::{SignedDuration, Timestamp};
use kubectl_hpa::model::{
    ControllerConfig, Hpa, HpaSpec, Input, KubeVersion, Memory, MetricSpec, Observation, Pod,
    Quantity, Reading, Scale, ScaleTargetRef,
};

fn main() {
    divan::main();
}

/// Twenty pods whose load goes up and down once a day.
#[divan::bench(args = [6, 24, 168], sample_count = 3, sample_size = 1)]
fn hours_of_20_pods(bencher: Bencher<'_, '_>, hours: i64) {
    let scenario = scenario(20, hours);
    bencher.bench_local(|| simulate(&scenario, 1, 60_000, &[], None, &|| false));
}

/// An hour of many pods.
#[divan::bench(args = [100, 1_000, 10_000], sample_count = 3, sample_size = 1)]
fn hour_of_pods(bencher: Bencher<'_, '_>, pods: usize) {
    let scenario = scenario(pods, 1);
    bencher.bench_local(|| simulate(&scenario, 1, 60_000, &[], None, &|| false));
}

fn scenario(pods: usize, hours: i64) -> Scenario {
    let start = Timestamp::constant(1_772_000_000, 0);
    let since = start - SignedDuration::from_hours(1);
    let quantity = |text: &str| Quantity::parse(text).expect("a quantity");
    let pod = |index: usize| {
        Pod::ready(format!("web-{index}"), [("app", "web")], since)
            .requesting("cpu", quantity("200m"))
    };
    let replicas = i32::try_from(pods).expect("fewer pods than fit an int32");
    let mut spec = HpaSpec::new(
        ScaleTargetRef::deployment("web"),
        2 * replicas,
        vec![MetricSpec::utilization("cpu", 60)],
    );
    spec.min_replicas = Some(2);
    let newest = Input::given(KubeVersion {
        minor: 37,
        patch: None,
    });
    let mut observation = Observation::new(
        ControllerConfig::defaults(newest),
        Hpa::new("shop", "web", spec),
    );
    observation.scale = Reading::Read(Scale::new(replicas, "app=web"));
    observation.pods = Reading::Read((0..pods).map(pod).collect());
    let even = f64::from(replicas) * 0.12;
    let sine = format!("sine:{}..{}/24h", even * 0.5, even * 1.5);
    Scenario {
        observation,
        memory: Memory::default(),
        start,
        length: hours * 3_600_000,
        own: (0..pods).collect(),
        demands: vec![Demand {
            source: DemandSource::Cpu {
                base: 0.0,
                capacity: None,
                is_queued: false,
            },
            load: Load::parse(&sine).expect("a load"),
            before: even,
        }],
        pods: PodModel {
            template: pod(0),
            startup: Startup::Between(10_000, 40_000),
            burst: None,
            spread: Spread {
                observed: Vec::new(),
                sigma: 0.1,
            },
            nodes: None,
            termination: 2_000,
            containers: vec![("main".to_owned(), 1.0)],
        },
        pipeline: Pipeline {
            housekeeping: (10_000, 20_000),
            resolution: 15_000,
        },
        workload: Workload::Deployment {
            surge: 25,
            unavailable: 25,
        },
        events: Vec::new(),
        above: None,
    }
}
