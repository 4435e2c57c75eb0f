//! The load of each metric, and its source.

use std::collections::BTreeMap;

use crate::{
    Amount, Demand, DemandSource, Load, LoadUnit, NotModeled, Parameter, ParseAmount, Service,
};
use anyhow::{anyhow, bail};
use hpa_analysis::{do_others_ask_for_fewer, usage_floor};
use hpa_engine::{
    engine,
    model::{Container, Memory, MetricSpec, Pod, Provenance, Quantity, quantity::Format},
    trace::Milli,
};

use super::{Builder, unit_of};
use crate::given_load::{self as load, WrittenLoad, by_metric};

impl Builder<'_> {
    /// One demand for each resource and for each other metric.
    pub(super) fn demands(&mut self) -> anyhow::Result<Vec<Demand>> {
        let metrics = self.observation.hpa.spec.metrics.clone();
        let mut names: Vec<&str> = Vec::new();
        for metric in &metrics {
            if let MetricSpec::Unknown { metric_type } = metric {
                bail!(
                    "a metric of the type {metric_type:?} has no model: remove it with --set 'metrics[…]-'"
                );
            }
            if !names.contains(&metric.short_name()) {
                names.push(metric.short_name());
            }
        }
        // A load may be for a metric that only another variant has.
        let mut all = names.clone();
        all.extend(
            self.known
                .iter()
                .map(String::as_str)
                .filter(|name| !names.contains(name)),
        );
        // A metric of another type can also have the name cpu.
        let amount_of = |name: &str| -> ParseAmount {
            let is = |resource| {
                let mut named = metrics.iter().filter(|metric| metric.short_name() == name);
                names.contains(&name) && named.all(|metric| metric.is_resource(resource))
            };
            match (is("cpu"), is("memory")) {
                (true, _) => Amount::parse_cores,
                (_, true) => Amount::parse_bytes,
                _ => Amount::parse,
            }
        };
        let mut loads: BTreeMap<String, WrittenLoad> = load::read(
            &self.options.loads,
            &all,
            (&amount_of, self.read_file),
            self.past,
        )?
        .into_iter()
        .collect();
        for (metric, load) in self.past {
            loads
                .entry(metric.clone())
                .or_insert_with(|| WrittenLoad::of_the_past(load.clone()));
        }
        let rates: BTreeMap<&str, &str> =
            by_metric(&self.options.service_rate, "--service-rate", &all)?
                .into_iter()
                .collect();
        let bases: BTreeMap<&str, &str> = by_metric(&self.options.base, "--base", &all)?
            .into_iter()
            .collect();
        let mut demands: Vec<Demand> = Vec::new();
        for (index, metric) in metrics.iter().enumerate() {
            let name = metric.short_name();
            let is_known = demands.iter().any(|demand| match demand.source {
                DemandSource::Cpu { .. } => metric.is_resource("cpu"),
                DemandSource::Memory { .. } => metric.is_resource("memory"),
                _ => false,
            });
            if is_known {
                continue;
            }
            let written = loads.get(name);
            let base = bases.get(name).copied();
            let source = self.source(index, metric, base, rates.get(name).copied())?;
            let before = self.before(metric, &source, written)?;
            let unit = unit_of(metric);
            self.add(
                Parameter::Load {
                    metric: name.to_owned(),
                    written: written.map(|written| written.text.clone()),
                },
                if written.is_some() {
                    Provenance::Given
                } else {
                    Provenance::Assumed
                },
            );
            if let Some((value, provenance)) = before {
                self.add(
                    Parameter::LoadBefore {
                        metric: name.to_owned(),
                        value,
                        unit,
                    },
                    provenance,
                );
            }
            demands.push(Demand {
                source,
                load: written.map_or(Load::Constant(Amount::Times(1.0)), |written| {
                    written.load.clone()
                }),
                before: before.map_or(0.0, |(value, _)| value),
            });
        }
        Ok(demands)
    }

    fn source(
        &mut self,
        index: usize,
        metric: &MetricSpec,
        base: Option<&str>,
        rate: Option<&str>,
    ) -> anyhow::Result<DemandSource> {
        let name = metric.short_name();
        let base_of = |text: Option<&str>, amount: ParseAmount| match text.map(amount) {
            None => Ok(0.0),
            Some(Ok(Amount::Absolute(value))) => Ok(value),
            Some(Ok(Amount::Times(_))) => {
                let such = if name == "memory" { "200Mi" } else { "50m" };
                Err(anyhow!("--base {name}: use an amount, such as {such}"))
            }
            Some(Err(error)) => Err(anyhow!("--base {name}: {error}")),
        };
        let provenance = if base.is_some() {
            Provenance::Given
        } else {
            Provenance::Assumed
        };
        if metric.is_resource("cpu") {
            let value = base_of(base, Amount::parse_cores)?;
            self.add(
                Parameter::Base {
                    resource: "CPU",
                    value,
                    unit: LoadUnit::Cores,
                },
                provenance,
            );
            let capacity = match self.options.capacity {
                Some(given) => Some((given, Provenance::Given)),
                None => cpu_limit(&self.template).map(|limit| (limit, Provenance::Observed)),
            };
            if let Some((cores, provenance)) = capacity {
                if cores <= value {
                    bail!(
                        "a pod uses {value} cores without load and cannot use more than {cores}: it would serve nothing"
                    );
                }
                self.add(Parameter::Capacity(cores), provenance);
            } else {
                self.not_modeled.push(NotModeled::NoCapacity);
            }
            return Ok(DemandSource::Cpu {
                base: value,
                capacity: capacity.map(|(cores, _)| cores),
                is_queued: self.options.is_queued,
            });
        }
        if metric.is_resource("memory") {
            let (value, provenance) = match self.idle_memory(index).filter(|_| base.is_none()) {
                Some(idle) => (idle, Provenance::Inferred),
                None => (base_of(base, Amount::parse_bytes)?, provenance),
            };
            self.add(
                Parameter::Base {
                    resource: "memory",
                    value,
                    unit: LoadUnit::Bytes,
                },
                provenance,
            );
            self.not_modeled.push(NotModeled::OutOfMemory);
            self.not_modeled.push(NotModeled::FreedMemory);
            return Ok(DemandSource::Memory { base: value });
        }
        match metric {
            MetricSpec::Resource(_) | MetricSpec::ContainerResource(_) => {
                bail!(
                    "the resource {name} has no model: only cpu and memory have one. Remove it with --set 'metrics[name={name}]-'"
                )
            }
            MetricSpec::Pods(_) => Ok(DemandSource::Pods { metric: index }),
            MetricSpec::Object(_) | MetricSpec::External(_) => {
                let service = match rate {
                    Some(text) => match Amount::parse(text) {
                        Ok(Amount::Absolute(rate)) if 0.0 < rate => {
                            self.add(
                                Parameter::ServiceRate {
                                    metric: name.to_owned(),
                                    rate,
                                },
                                Provenance::Given,
                            );
                            Some(Service {
                                rate,
                                waiting: load::total(&self.observation, name).unwrap_or_default(),
                            })
                        }
                        _ => bail!(
                            "--service-rate {name}={text}: use a number above 0, such as {name}=5"
                        ),
                    },
                    None => None,
                };
                let target = metric.target();
                let is_average = target.is_some_and(|target| target.average_value.is_some());
                if service.is_none() && !is_average {
                    bail!(
                        "{name} has a Value target, so the metric must react to the replicas, and nothing says how: give --service-rate {name}=N, what one ready pod takes from the queue each second"
                    );
                }
                self.not_modeled.push(NotModeled::AdapterWindow);
                Ok(DemandSource::Total {
                    metric: index,
                    service,
                })
            }
            MetricSpec::Unknown { .. } => bail!("the metric {name} has no model"),
        }
    }

    /// What idle pods use, if that is above the target of the memory metric at `index` and all other metrics ask for fewer
    /// replicas: this memory does not fall with the load.
    fn idle_memory(&self, index: usize) -> Option<f64> {
        let observation = &self.observation;
        let trace = engine::decide(observation, &mut Memory::default(), self.now);
        let is_quiet = do_others_ask_for_fewer(&trace, index, trace.current()?) == Some(true);
        let floor =
            usage_floor(observation, &trace, index).filter(|floor| floor.is_above_target)?;
        let Milli(milli) = floor.floor;
        is_quiet.then(|| Quantity::from_milli(milli, Format::BinarySI).approximate_f64())
    }

    /// The load before the start; `None` if no part of the load needs it.
    fn before(
        &self,
        metric: &MetricSpec,
        source: &DemandSource,
        written: Option<&WrittenLoad>,
    ) -> anyhow::Result<Option<(f64, Provenance)>> {
        let name = metric.short_name();
        let own_usage = |resource: &str, base: f64| {
            let usages = self.serving_usages(resource);
            let measured: Vec<f64> = usages.iter().flatten().copied().collect();
            let provenance = if measured.len() < usages.len() {
                Provenance::AtLeast
            } else if base != 0.0 {
                Provenance::Inferred
            } else {
                Provenance::Observed
            };
            let sum = measured.iter().sum::<f64>() - base * measured.len() as f64;
            (!measured.is_empty()).then(|| (sum.max(0.0), provenance))
        };
        let read = match source {
            DemandSource::Cpu { base, .. } => own_usage("cpu", *base),
            DemandSource::Memory { base } => own_usage("memory", *base),
            DemandSource::Total {
                service: Some(_), ..
            } => None,
            DemandSource::Pods { .. } | DemandSource::Total { .. } => {
                load::total(&self.observation, name).map(|total| (total, Provenance::Observed))
            }
        };
        if read.is_some() {
            return Ok(read);
        }
        match written {
            Some(written) if !written.load.is_relative() => {
                // Nothing is known about before: it is assumed to be as at the start.
                Ok(Some((written.load.at(0, 0.0), Provenance::Assumed)))
            }
            _ => bail!(
                "the load of {name} now is not known: give --load {name}=LOAD as an amount, such as --load {name}={}",
                match unit_of(metric) {
                    LoadUnit::Cores => "2cores..6cores/5m",
                    LoadUnit::Bytes => "2Gi..6Gi/5m",
                    LoadUnit::Number => "100..300/5m",
                }
            ),
        }
    }
}

/// The total CPU limit of all containers; `None` if one of them has none.
fn cpu_limit(pod: &Pod) -> Option<f64> {
    let limits = pod
        .containers
        .iter()
        .map(|container: &Container| Some(container.limit("cpu")?.approximate_f64()));
    let limits = limits.collect::<Option<Vec<f64>>>()?;
    (!limits.is_empty()).then(|| limits.iter().sum())
}
