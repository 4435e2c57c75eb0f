//! The answers of the metrics APIs.

use std::{collections::BTreeSet, mem};

use hpa_engine::model::{
    ApiError, ContainerUsage, ExternalMetricValue, IndexedAnswer, MetricSpec, MetricValue,
    Observation, Pod, PodMetrics, Quantity, Reading, Shared, quantity::Format,
};
use jiff::SignedDuration;

use crate::{
    CounterPoint, Demand, DemandSource, Millis, Scenario,
    pods::{SimulatedPod, whole_second},
    usage::{Backlogs, Shares, load_at},
};

/// The result of the last scrape.
#[derive(Default)]
pub(crate) struct Scraped {
    pod_metrics: Shared<PodMetrics>,
    custom: Vec<IndexedAnswer<MetricValue>>,
    external: Vec<IndexedAnswer<ExternalMetricValue>>,
}

/// Metrics of pods of other owners; they never change.
pub(crate) struct Strangers(Vec<PodMetrics>);

impl Strangers {
    pub(crate) fn new(observation: &Observation, own: &[SimulatedPod]) -> Self {
        let metrics = observation.pod_metrics.read();
        let own: BTreeSet<&str> = own.iter().map(|pod| pod.name.as_str()).collect();
        let strangers = metrics.into_iter().flat_map(|metrics| metrics.iter());
        Self(
            strangers
                .filter(|item| !own.contains(item.name.as_str()))
                .cloned()
                .collect(),
        )
    }
}

/// Scrapes all pods at `now` and reads all other metrics.
pub(crate) fn scrape(
    scenario: &Scenario,
    pods: &mut [SimulatedPod],
    strangers: &Strangers,
    backlogs: &Backlogs,
    now: Millis,
    scraped: &mut Scraped,
) {
    let at = |time: Millis| whole_second(scenario.start, time);
    let has = |is_of: fn(&DemandSource) -> bool| {
        scenario.demands.iter().any(|demand| is_of(&demand.source))
    };
    let has_cpu = has(|source| matches!(source, DemandSource::Cpu { .. }));
    let has_memory = has(|source| matches!(source, DemandSource::Memory { .. }));
    if has_cpu || has_memory {
        let mut items = Vec::with_capacity(pods.len() + strangers.0.len());
        for pod in pods.iter_mut() {
            let reading = newest(&pod.meter.readings, now).filter(|_| pod.runs());
            let store = &mut pod.meter.store;
            store.store(reading, scenario.pipeline.resolution, store.is_complete());
            let Some(usage) = pod.meter.store.usage() else {
                continue;
            };
            let of_container = |(name, share): &(String, f64)| {
                let mut list = Vec::with_capacity(2);
                if has_cpu {
                    let nanos = (usage.cpu_nanos as f64 * share) as u64;
                    list.push(("cpu".to_owned(), nanocores(nanos)));
                }
                if has_memory {
                    let bytes = (usage.memory as f64 * share) as i64;
                    list.push((
                        "memory".to_owned(),
                        Quantity::from_value(bytes, Format::BinarySI),
                    ));
                }
                ContainerUsage {
                    name: name.clone(),
                    usage: list,
                }
            };
            items.push(PodMetrics {
                name: pod.name.clone(),
                labels: None,
                timestamp: Some(at(usage.time)),
                window: SignedDuration::from_millis(usage.window),
                containers: scenario.pods.containers.iter().map(of_container).collect(),
            });
        }
        items.extend(strangers.0.iter().map(|item| PodMetrics {
            timestamp: Some(at(now)),
            ..item.clone()
        }));
        scraped.pod_metrics = items.into();
    }
    scraped.custom.clear();
    scraped.external.clear();
    let shares = Shares::of(pods);
    for (index, demand) in scenario.demands.iter().enumerate() {
        match demand.source {
            DemandSource::Cpu { .. } | DemandSource::Memory { .. } => {}
            DemandSource::Pods { metric } => {
                let load = load_at(demand, now);
                let value = |pod: &SimulatedPod| MetricValue {
                    object: pod.name.clone(),
                    timestamp: Some(at(now)),
                    window_seconds: None,
                    value: milli(shares.of_pod(load, pod)),
                };
                let running = pods
                    .iter()
                    .filter(|pod| pod.runs() && pod.deleted.is_none());
                let items: Vec<MetricValue> = running.map(value).collect();
                scraped.custom.push(IndexedAnswer {
                    index: metric,
                    answer: Reading::Read(items.into()),
                });
            }
            DemandSource::Total { metric, .. } => {
                let value = milli(total(demand, index, backlogs, now));
                let metrics = &scenario.observation.hpa.spec.metrics;
                match metrics.get(metric).and_then(MetricSpec::object) {
                    Some(source) => scraped.custom.push(IndexedAnswer {
                        index: metric,
                        answer: Reading::Read(
                            vec![MetricValue {
                                object: source.described_object.name.clone(),
                                timestamp: Some(at(now)),
                                window_seconds: None,
                                value,
                            }]
                            .into(),
                        ),
                    }),
                    None => scraped.external.push(IndexedAnswer {
                        index: metric,
                        answer: Reading::Read(
                            vec![ExternalMetricValue {
                                labels: Vec::new(),
                                timestamp: Some(at(now)),
                                value,
                            }]
                            .into(),
                        ),
                    }),
                }
            }
        }
    }
}

/// The value of an Object or External metric.
pub(crate) fn total(demand: &Demand, index: usize, backlogs: &Backlogs, now: Millis) -> f64 {
    match demand.source {
        DemandSource::Total {
            service: Some(_), ..
        } => backlogs.of(index),
        _ => load_at(demand, now),
    }
}

impl Scraped {
    /// Drops the samples of deleted pods: metrics-server and common adapters answer only for pods that exist at the
    /// request.
    pub(crate) fn forget_all_but(
        &mut self,
        own: &[SimulatedPod],
        others: &[Pod],
        scenario: &Scenario,
    ) {
        let own = own.iter().map(|pod| pod.name.as_str());
        let others = others.iter().map(|pod| pod.name.as_str());
        let names: BTreeSet<&str> = own.chain(others).collect();
        let mut items = mem::take(&mut self.pod_metrics).into_vec();
        items.retain(|item| names.contains(item.name.as_str()));
        self.pod_metrics = items.into();
        let is_of_pods = |index| {
            let mut demands = scenario.demands.iter();
            demands.any(|demand| demand.source == DemandSource::Pods { metric: index })
        };
        for indexed in &mut self.custom {
            if let (true, Reading::Read(items)) = (is_of_pods(indexed.index), &mut indexed.answer) {
                let mut kept = mem::take(items).into_vec();
                kept.retain(|item| names.contains(item.object.as_str()));
                *items = kept.into();
            }
        }
    }

    /// Writes the answers into the observation that the controller reads.
    pub(crate) fn answer(&self, observation: &mut Observation, is_failing: bool) {
        if is_failing {
            let metrics = &observation.hpa.spec.metrics;
            let refused = |group: &str| ApiError {
                message: format!(
                    "the server is currently unable to handle the request (get {group})"
                ),
                reason: "ServiceUnavailable".to_owned(),
                code: 503,
            };
            let (mut custom, mut external) = (Vec::new(), Vec::new());
            for (index, metric) in metrics.iter().enumerate() {
                let name = metric.short_name();
                let Some(group) = metric.identifier().and(metric.api_group()) else {
                    continue;
                };
                let error = refused(&format!("{name}.{group}"));
                if metric.is_external() {
                    let answer = Reading::Failed(error);
                    external.push(IndexedAnswer { index, answer });
                } else {
                    let answer = Reading::Failed(error);
                    custom.push(IndexedAnswer { index, answer });
                }
            }
            observation.pod_metrics = Reading::Failed(refused("pods.metrics.k8s.io"));
            observation.custom_metrics = custom;
            observation.external_metrics = external;
            return;
        }
        observation.pod_metrics = Reading::Read(self.pod_metrics.clone());
        observation.custom_metrics.clone_from(&self.custom);
        observation.external_metrics.clone_from(&self.external);
    }
}

/// The newest reading that existed at `now`.
fn newest(readings: &[Option<CounterPoint>; 2], now: Millis) -> Option<CounterPoint> {
    readings
        .iter()
        .flatten()
        .find(|reading| reading.time <= now)
        .copied()
}

fn nanocores(nanos: u64) -> Quantity {
    Quantity::from_nano(i64::try_from(nanos).unwrap_or(i64::MAX), Format::DecimalSI)
}

fn milli(value: f64) -> Quantity {
    Quantity::from_milli((value * 1000.0).round() as i64, Format::DecimalSI)
}
