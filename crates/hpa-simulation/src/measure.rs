//! How a load and the targets compare: what a course is measured by.

use hpa_engine::{
    engine::pod_request,
    model::{Direction, MetricSpec, MetricTarget, Quantity, Switches},
};

use crate::{DemandSource, Millis, Scenario, observe::total, pods::SimulatedPod, usage::Backlogs};

/// What courses are measured by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// The value per pod above which seconds are counted; infinite: the first metric has no target.
    pub above: f64,
    /// The most that the value per pod can be; none: nothing says how much a pod can do.
    pub most_per_pod: Option<f64>,
    /// Whether enough replicas bring the value per pod below the target.
    pub is_reachable: bool,
}

impl Scenario {
    /// What courses are measured by.
    pub fn measured(&self) -> Measured {
        let measure = Measure::new(self);
        let most = self.demands.first().and_then(|demand| match demand.source {
            DemandSource::Cpu { capacity, .. } => capacity,
            _ => None,
        });
        Measured {
            is_reachable: measure.per_replica.iter().all(|most| *most != Some(0.0)),
            above: measure.above,
            most_per_pod: most.map(|most| match measure.request {
                Some(request) if request > 0.0 => most / request * 100.0,
                _ => most,
            }),
        }
    }
}

/// How the load and the targets compare.
pub(crate) struct Measure {
    /// What a pod may use of each load, by the target of its metric; none: a target that says nothing of it.
    per_replica: Vec<Option<f64>>,
    /// What a pod requests: of which the first metric is a percentage.
    request: Option<f64>,
    /// The value per pod above which seconds are counted.
    pub(crate) above: f64,
    /// The target of the first metric, with the tolerance on the way up.
    tolerated: f64,
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
        let average =
            |target: &MetricTarget| target.average_value.as_ref().map(Quantity::approximate_f64);
        let metrics = &observation.hpa.spec.metrics;
        let least = |found: Vec<f64>| found.into_iter().reduce(f64::min);
        let per_replica = scenario
            .demands
            .iter()
            .map(|demand| match &demand.source {
                DemandSource::Cpu { .. } | DemandSource::Memory { .. } => {
                    let wanted = if matches!(demand.source, DemandSource::Cpu { .. }) {
                        "cpu"
                    } else {
                        "memory"
                    };
                    least(
                        metrics
                            .iter()
                            .filter_map(|metric| match metric {
                                MetricSpec::Resource(source) if source.name == wanted => {
                                    of_resource(wanted, None, &source.metric_target)
                                }
                                MetricSpec::ContainerResource(source) if source.name == wanted => {
                                    let share = scenario
                                        .pods
                                        .containers
                                        .iter()
                                        .find(|(name, _)| *name == source.container);
                                    let share = share.map_or(1.0, |(_, share)| share.max(1e-9));
                                    of_resource(
                                        wanted,
                                        Some(&source.container),
                                        &source.metric_target,
                                    )
                                    .map(|value| value / share)
                                }
                                _ => None,
                            })
                            .collect(),
                    )
                }
                DemandSource::Pods { metric } | DemandSource::Total { metric, .. } => {
                    match metrics.get(*metric) {
                        Some(MetricSpec::Pods(source) | MetricSpec::External(source)) => {
                            average(&source.metric_target)
                        }
                        Some(MetricSpec::Object(source)) => average(&source.metric_target),
                        _ => None,
                    }
                }
            })
            .collect();
        let (first_target, first_request) = match metrics.first() {
            Some(MetricSpec::Resource(source)) => {
                (Some(&source.metric_target), request(&source.name, None))
            }
            Some(MetricSpec::ContainerResource(source)) => (
                Some(&source.metric_target),
                request(&source.name, Some(&source.container)),
            ),
            Some(MetricSpec::Pods(source) | MetricSpec::External(source)) => {
                (Some(&source.metric_target), None)
            }
            Some(MetricSpec::Object(source)) => (Some(&source.metric_target), None),
            _ => (None, None),
        };
        let goal = first_target.map_or(f64::INFINITY, |target| {
            let value = target.average_value.as_ref().or(target.value.as_ref());
            match (target.average_utilization, value) {
                (Some(percent), _) => f64::from(percent),
                (None, Some(value)) => value.approximate_f64(),
                (None, None) => f64::INFINITY,
            }
        });
        let rules = observation.hpa.spec.rules(Direction::Up);
        let own = rules
            .and_then(|rules| rules.tolerance.as_ref())
            .map(Quantity::approximate_f64);
        let tolerated = goal * (1.0 + own.unwrap_or(observation.controller.tolerance.value));
        Self {
            per_replica,
            request: first_request.filter(|_| {
                first_target.is_some_and(|target| target.average_utilization.is_some())
            }),
            above: scenario.above.unwrap_or(tolerated),
            tolerated,
        }
    }

    /// From where on a second counts as one in which the load is not met, and the bounds.
    pub(crate) fn limit(&self, scenario: &Scenario) -> (f64, i32) {
        (self.tolerated, scenario.observation.hpa.spec.max_replicas)
    }

    pub(crate) fn needed(&self, scenario: &Scenario, backlogs: &Backlogs, now: Millis) -> i32 {
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
        self.per_replica
            .iter()
            .enumerate()
            .filter_map(needed)
            .max()
            .unwrap_or_default()
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
