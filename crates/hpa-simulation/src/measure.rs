//! How a load relates to the targets: the yardstick for a run.

use hpa_engine::{
    engine::{Tolerances, pod_request},
    model::{MetricSpec, MetricTarget, Observation, Quantity, Switches},
};

use crate::{DemandSource, Millis, Scenario, observe::total, pods::SimulatedPod, usage::Backlogs};

/// The yardstick for runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// The target of the first metric, in the unit of the value per pod. None: it has no target.
    pub goal: Option<f64>,
    /// The range of values within tolerance.
    pub tolerated: Option<(f64, f64)>,
    /// The value per pod above which seconds are counted. Infinite: the first metric has no target.
    pub above: f64,
    /// The highest possible value per pod. None: the capacity of a pod is unknown.
    pub most_per_pod: Option<f64>,
    /// Whether enough replicas can bring the value per pod below the target.
    pub is_reachable: bool,
}

impl Scenario {
    /// The yardstick for runs.
    pub fn measured(&self) -> Measured {
        let measure = Measure::new(self);
        let most = self.demands.first().and_then(|demand| match demand.source {
            DemandSource::Cpu { capacity, .. } => capacity,
            _ => None,
        });
        Measured {
            is_reachable: measure.per_replica.iter().all(|most| *most != Some(0.0)),
            goal: measure.goal,
            tolerated: measure.tolerated,
            above: measure.above,
            most_per_pod: most.map(|most| match measure.request {
                Some(request) if request > 0.0 => most / request * 100.0,
                _ => most,
            }),
        }
    }
}

/// How the load relates to the targets.
pub(crate) struct Measure {
    /// How much of each load a pod may take at its metric's target. None: the target does not define it.
    per_replica: Vec<Option<f64>>,
    /// A pod's request, if the first metric is a percentage of it.
    request: Option<f64>,
    /// The value per pod above which seconds are counted.
    pub(crate) above: f64,
    /// The target of the first metric, in the unit of the value per pod.
    goal: Option<f64>,
    /// The range of values within tolerance.
    tolerated: Option<(f64, f64)>,
    /// Whether pods have no request of which a target is a percentage: then nothing says how many replicas a load needs.
    lacks_request: bool,
}

/// The range of values within tolerance of the target `goal`.
pub fn tolerated(observation: &Observation, goal: f64) -> (f64, f64) {
    let controller = &observation.controller;
    let switches = Switches::of(controller.version.value, &controller.feature_gates);
    let behavior = observation.hpa.spec.behavior.as_ref();
    let tolerances = Tolerances::new(controller, &switches, behavior);
    let (down, up) = (tolerances.scale_down().value, tolerances.scale_up().value);
    (goal * (1.0 - down), goal * (1.0 + up))
}

impl Measure {
    pub(crate) fn new(scenario: &Scenario) -> Self {
        let observation = &scenario.observation;
        let switches = Switches::of(
            observation.controller.version.value,
            &observation.controller.feature_gates,
        );
        let request = |resource: &str, container: Option<&str>| {
            let request =
                pod_request(&switches, &scenario.pods.template, resource, container).ok()?;
            Some(request.milli as f64 / 1000.0)
        };
        let of_resource = |name: &str, container: Option<&str>, target: &MetricTarget| {
            let base = scenario
                .demands
                .iter()
                .find_map(|demand| match &demand.source {
                    DemandSource::Cpu { base, .. } if name == "cpu" => Some(*base),
                    DemandSource::Memory { base } if name == "memory" => Some(*base),
                    _ => None,
                });
            let value = match (target.average_utilization, &target.average_value) {
                (Some(percent), _) => request(name, container)? * f64::from(percent) / 100.0,
                (None, Some(value)) => value.approximate_f64(),
                (None, None) => return None,
            };
            Some((value - base.unwrap_or_default()).max(0.0))
        };
        let metrics = &observation.hpa.spec.metrics;
        let least = |found: Vec<f64>| found.into_iter().reduce(f64::min);
        let per_replica = scenario
            .demands
            .iter()
            .map(|demand| match &demand.source {
                DemandSource::Cpu { .. } | DemandSource::Memory { .. } => {
                    let resource = if matches!(demand.source, DemandSource::Cpu { .. }) {
                        "cpu"
                    } else {
                        "memory"
                    };
                    least(
                        metrics
                            .iter()
                            .filter(|metric| metric.is_resource(resource))
                            .filter_map(|metric| {
                                let container = metric.container();
                                let value = of_resource(resource, container, metric.target()?)?;
                                let mut shares = scenario.pods.containers.iter();
                                let share = shares.find(|(name, _)| Some(&**name) == container);
                                Some(value / share.map_or(1.0, |(_, share)| share.max(1e-9)))
                            })
                            .collect(),
                    )
                }
                DemandSource::Pods { metric } | DemandSource::Total { metric, .. } => {
                    let target = metrics.get(*metric)?.target()?;
                    target.average_value.as_ref().map(Quantity::approximate_f64)
                }
            })
            .collect();
        let first = metrics.first();
        let target = first.and_then(MetricSpec::target);
        let request_of = |metric: &MetricSpec| request(metric.resource()?, metric.container());
        let goal = target.and_then(MetricTarget::approximate_f64);
        let tolerated = goal.map(|goal| tolerated(observation, goal));
        let is_percent = |metric: &&MetricSpec| {
            let target = metric.target();
            target.is_some_and(|target| target.average_utilization.is_some())
        };
        let mut percentages = metrics.iter().filter(is_percent);
        Self {
            lacks_request: percentages.any(|metric| request_of(metric).is_none()),
            per_replica,
            request: first.filter(is_percent).and_then(request_of),
            goal,
            tolerated,
            above: scenario
                .above
                .or(tolerated.map(|(_, high)| high))
                .unwrap_or(f64::INFINITY),
        }
    }

    /// The value per pod above which the load counts as not met for a second, and `maxReplicas`.
    pub(crate) fn limit(&self, scenario: &Scenario) -> (f64, i32) {
        let tolerated = self.tolerated.map_or(f64::INFINITY, |(_, high)| high);
        (tolerated, scenario.observation.hpa.spec.max_replicas)
    }

    /// The replicas that the load needs at the target. None: that cannot be computed.
    pub(crate) fn needed(
        &self,
        scenario: &Scenario,
        backlogs: &Backlogs,
        now: Millis,
    ) -> Option<i32> {
        if self.lacks_request {
            return None;
        }
        let needed = |(index, per_replica): (usize, &Option<f64>)| {
            let demand = &scenario.demands[index];
            let value = total(demand, index, backlogs, now);
            let replicas = (value / (*per_replica)?).ceil();
            Some(if replicas.is_finite() {
                replicas.min(1e9) as i32
            } else {
                0
            })
        };
        let all = self.per_replica.iter().enumerate().filter_map(needed);
        Some(all.max().unwrap_or_default())
    }

    pub(crate) fn per_pod(
        &self,
        scenario: &Scenario,
        pods: &[SimulatedPod],
        backlogs: &Backlogs,
        now: Millis,
    ) -> f64 {
        let mut serving = 0.0;
        let (mut cores, mut memory) = (0.0, 0.0);
        for pod in pods.iter().filter(|pod| pod.serves()) {
            serving += 1.0;
            cores += pod.meter.cores;
            memory += pod.meter.memory;
        }
        let Some(demand) = scenario.demands.first() else {
            return 0.0;
        };
        let sum = match demand.source {
            DemandSource::Cpu { .. } => cores,
            DemandSource::Memory { .. } => memory,
            _ => total(demand, 0, backlogs, now),
        };
        let is_value = matches!(demand.source, DemandSource::Total { .. })
            && self.per_replica.first() == Some(&None);
        let average = if is_value {
            sum
        } else if serving > 0.0 {
            sum / serving
        } else {
            0.0
        };
        match self.request {
            Some(request) if request > 0.0 => average / request * 100.0,
            _ => average,
        }
    }
}
