//! An HPA with six pods that request 200m of CPU with a limit of 500m, at 60% of the request.

#![expect(clippy::unwrap_used, reason = "test code")]

use hpa_engine::model::{
    ControllerConfig, Hpa, HpaSpec, Input, Memory, MetricSpec, Observation, Owner, Pod, Quantity,
    Reading, Scale, ScaleTargetRef,
};
use hpa_simulation::{
    Amount, Demand, DemandSource, Load, Pipeline, PodModel, Scenario, Spread, Startup, Workload,
};
use jiff::Timestamp;

/// A run of 15 minutes, with a load of 0.72 cores before the start.
#[allow(dead_code, reason = "benches have other numbers of pods")]
pub(crate) fn scenario() -> Scenario {
    of_pods(6)
}

/// The same with `pods` pods.
pub(crate) fn of_pods(pods: usize) -> Scenario {
    let start: Timestamp = "2026-11-21T12:00:00Z".parse().unwrap();
    let since = start - jiff::SignedDuration::from_hours(1);
    let quantity = |text| Quantity::parse(text).unwrap();
    let pod = |index: usize| {
        let mut pod = Pod::ready(format!("web-{index}"), [("app", "web")], since)
            .requesting("cpu", quantity("200m"));
        pod.containers[0]
            .limits
            .push(("cpu".to_owned(), quantity("500m")));
        pod.owner = Some(Owner {
            kind: "Deployment".to_owned(),
            name: "web".to_owned(),
        });
        pod
    };
    let mut spec = HpaSpec::new(
        ScaleTargetRef::deployment("web"),
        20,
        vec![MetricSpec::utilization("cpu", 60)],
    );
    spec.min_replicas = Some(2);
    let controller = ControllerConfig::defaults(Input::given("1.37".parse().unwrap()));
    let mut observation = Observation::new(controller, Hpa::new("shop", "web", spec));
    observation.scale = Reading::Read(Scale::new(i32::try_from(pods).unwrap(), "app=web"));
    observation.pods = Reading::Read((0..pods).map(pod).collect());
    Scenario {
        observation,
        memory: Memory::default(),
        start,
        length: 900_000,
        own: (0..pods).collect(),
        demands: vec![Demand {
            source: DemandSource::Cpu {
                base: 0.0,
                capacity: Some(0.5),
                is_queued: false,
            },
            load: Load::Constant(Amount::Times(1.0)),
            before: 0.72,
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
            most: None,
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

/// The same with `load`.
pub(crate) fn with_load(mut scenario: Scenario, load: Load) -> Scenario {
    scenario.demands[0].load = load;
    scenario
}
