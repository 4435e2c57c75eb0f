//! What a variant starts from: every parameter with where it comes from.

use std::collections::BTreeMap;

use anyhow::{anyhow, bail};
use jiff::{SignedDuration, Timestamp};

use super::{
    Variant,
    load::{self, WrittenLoad, by_metric},
};
use crate::{
    assessing::assessment_input,
    cli::SimulateArgs,
    inference::{AssessmentInput, Belonging, ownership},
    model::{Container, Context, MetricSpec, Observation, Pod, Provenance, Shared},
    recording::{Converted, Snapshot},
    render::simulate::{Assumption, LoadUnit, NotModeled, Parameter, PerPodUnit},
    simulation::{
        Amount, Burst, Demand, DemandSource, Event, Load, Millis, Nodes, Pipeline, PodModel,
        Scenario, Service, Spread, StartTimes, Startup, Workload, parse_span,
    },
};

/// A scenario, and what is to be said of it.
pub(super) struct Model {
    /// The name of its variant.
    pub(super) name: String,
    /// What the lines of its recording have beside their sync.
    pub(super) line: Snapshot,
    /// Whether the controller remembers nothing at the start.
    pub(super) is_new: bool,
    /// What runs start from.
    pub(super) scenario: Scenario,
    /// What is known around the HPA, for the pages of its decisions.
    pub(super) context: Context,
    /// Everything that was taken from somewhere.
    pub(super) assumptions: Vec<Assumption>,
    /// What is left out.
    pub(super) not_modeled: Vec<NotModeled>,
}

impl Model {
    /// Builds the model of a variant. `known` are the metrics of all variants.
    pub(super) fn build(
        args: &SimulateArgs,
        variant: &Variant<'_>,
        known: &[String],
    ) -> anyhow::Result<Self> {
        let input = assessment_input(&variant.snapshot, &mut Converted::default())?;
        let model = Builder::new(args, variant, input, known)?.build()?;
        if !model.scenario.measured().is_reachable {
            bail!(
                "a pod without load is at the target already, so no number of replicas brings it below: use a smaller --base"
            );
        }
        Ok(model)
    }

    /// Whether it is known how much a pod can do.
    pub(super) fn has_capacity(&self) -> bool {
        let demands = self.scenario.demands.iter();
        demands.map(|demand| &demand.source).any(|source| {
            matches!(
                source,
                DemandSource::Cpu {
                    capacity: Some(_),
                    ..
                }
            )
        })
    }

    /// The first metric, as a load has it, and its unit.
    pub(super) fn first_metric(&self) -> (String, LoadUnit) {
        let metrics = &self.scenario.observation.hpa.spec.metrics;
        match metrics.first() {
            Some(metric) => (metric.short_name().to_owned(), unit_of(metric)),
            None => (String::new(), LoadUnit::Number),
        }
    }

    /// What the value per pod is.
    pub(super) fn per_pod_unit(&self) -> PerPodUnit {
        match self.scenario.observation.hpa.spec.metrics.first() {
            Some(MetricSpec::Resource(source))
                if source.metric_target.average_utilization.is_some() =>
            {
                PerPodUnit::PercentOfRequest
            }
            Some(MetricSpec::ContainerResource(source))
                if source.metric_target.average_utilization.is_some() =>
            {
                PerPodUnit::PercentOfRequest
            }
            Some(metric) => PerPodUnit::Value(unit_of(metric)),
            None => PerPodUnit::Value(LoadUnit::Number),
        }
    }
}

fn unit_of(metric: &MetricSpec) -> LoadUnit {
    match (metric.is_resource("cpu"), metric.is_resource("memory")) {
        (true, _) => LoadUnit::Cores,
        (_, true) => LoadUnit::Bytes,
        _ => LoadUnit::Number,
    }
}

struct Builder<'a> {
    args: &'a SimulateArgs,
    /// The metrics of all variants.
    known: &'a [String],
    variant: &'a Variant<'a>,
    observation: Observation,
    context: Context,
    now: Timestamp,
    /// Indices of the target's own pods.
    own: Vec<usize>,
    template: Pod,
    assumptions: Vec<Assumption>,
    not_modeled: Vec<NotModeled>,
}

impl<'a> Builder<'a> {
    fn new(
        args: &'a SimulateArgs,
        variant: &'a Variant<'a>,
        input: AssessmentInput,
        known: &'a [String],
    ) -> anyhow::Result<Self> {
        let AssessmentInput {
            observation,
            context,
            now,
            ..
        } = input;
        let pods = observation
            .pods
            .read()
            .map_or(&[][..], |pods| pods.as_slice());
        let is_own = |pod: &Pod| {
            ownership(pod, &observation, &context).belonging != Belonging::Other
                && !matches!(
                    pod.phase,
                    crate::model::PodPhase::Failed | crate::model::PodPhase::Succeeded
                )
        };
        let own: Vec<usize> = (0..pods.len())
            .filter(|index| is_own(&pods[*index]))
            .collect();
        let newest = own
            .iter()
            .map(|index| &pods[*index])
            .max_by_key(|pod| (pod.is_ready(), pod.created));
        let planned = variant
            .start
            .template
            .as_ref()
            .map(|template| template.to_model())
            .transpose()?;
        let template = match (newest, planned) {
            (Some(pod), _) => pod.clone(),
            (None, Some(planned)) => planned,
            (None, None) => bare_pod(&observation)?,
        };
        Ok(Self {
            args,
            known,
            variant,
            own,
            template,
            assumptions: Vec::new(),
            not_modeled: Vec::new(),
            now,
            context,
            observation,
        })
    }

    fn build(mut self) -> anyhow::Result<Model> {
        let args = self.args;
        let scale = self.observation.scale.read().ok_or_else(|| {
            anyhow!("the scale of the target could not be read: `kubectl hpa explain` says why")
        })?;
        let replicas = scale.spec_replicas;
        let demands = self.demands()?;
        self.add(
            Parameter::Replicas(replicas),
            if self.variant.start.is_running {
                Provenance::Observed
            } else {
                Provenance::Given
            },
        );
        let pods = self.pods(&demands)?;
        let pipeline = Pipeline {
            housekeeping: args.kubelet_interval,
            resolution: args.metrics_resolution,
        };
        if demands.iter().any(|demand| {
            matches!(
                demand.source,
                DemandSource::Cpu { .. } | DemandSource::Memory { .. }
            )
        }) {
            let (low, high) = args.kubelet_interval;
            let provenance = if (low, high) == (10_000, 20_000) {
                Provenance::Assumed
            } else {
                Provenance::Given
            };
            self.add(Parameter::Housekeeping(low, high), provenance);
        }
        let is_default = args.metrics_resolution == 15_000;
        self.add(
            Parameter::Resolution(args.metrics_resolution),
            if is_default {
                Provenance::Assumed
            } else {
                Provenance::Given
            },
        );
        let workload = self.workload();
        self.controller();
        self.left_out(&demands);
        let mut events = args.events.clone();
        events.sort_by_key(|event| event.at);
        if let Some(late) = events.last().filter(|event| args.length <= event.at) {
            bail!(
                "--event at {} s lies behind the end of the simulation: use a longer --for",
                late.at / 1000
            );
        }
        let mut observation = self.observation;
        observation.scale_write_error = None;
        observation.status_write_error = None;
        let mut line = Snapshot::clone(&self.variant.snapshot);
        line.pods = Shared::default();
        line.pod_metrics = None;
        Ok(Model {
            name: self.variant.name.clone(),
            line,
            is_new: self.variant.start.memory.provenance == Provenance::Assumed,
            scenario: Scenario {
                memory: self.variant.start.memory.value.clone(),
                start: self.now,
                length: args.length,
                own: self.own,
                demands,
                pods,
                pipeline,
                workload,
                events,
                above: args.above,
                observation,
            },
            context: self.context,
            assumptions: self.assumptions,
            not_modeled: self.not_modeled,
        })
    }

    fn add(&mut self, parameter: Parameter, provenance: Provenance) {
        self.assumptions.push(Assumption {
            parameter,
            provenance,
        });
    }

    /// One demand for each resource and for each other metric.
    fn demands(&mut self) -> anyhow::Result<Vec<Demand>> {
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
        let loads: BTreeMap<String, WrittenLoad> =
            load::read(self.args, &all)?.into_iter().collect();
        let rates: BTreeMap<&str, &str> =
            by_metric(&self.args.service_rate, "--service-rate", &all)?
                .into_iter()
                .collect();
        let bases: BTreeMap<&str, &str> = by_metric(&self.args.base, "--base", &all)?
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
        let base_of = |text: Option<&str>| match text.map(Amount::parse) {
            None => Ok(0.0),
            Some(Ok(Amount::Absolute(value))) => Ok(value),
            Some(Ok(Amount::Times(_))) => Err(anyhow!("--base {name}: use an amount, such as 50m")),
            Some(Err(error)) => Err(anyhow!("--base {name}: {error}")),
        };
        let provenance = if base.is_some() {
            Provenance::Given
        } else {
            Provenance::Assumed
        };
        if metric.is_resource("cpu") {
            let value = base_of(base)?;
            self.add(
                Parameter::Base {
                    resource: "CPU",
                    value,
                    unit: LoadUnit::Cores,
                },
                provenance,
            );
            let capacity = match self.args.capacity {
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
                is_queued: self.args.queue,
            });
        }
        if metric.is_resource("memory") {
            let value = base_of(base)?;
            self.add(
                Parameter::Base {
                    resource: "memory",
                    value,
                    unit: LoadUnit::Bytes,
                },
                provenance,
            );
            self.not_modeled.push(NotModeled::OutOfMemory);
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
                let target = match metric {
                    MetricSpec::Object(source) => &source.metric_target,
                    MetricSpec::External(source) => &source.metric_target,
                    _ => unreachable!("matched above"),
                };
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
                if service.is_none() && target.average_value.is_none() {
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

    /// The load before the start; none: no part of the load needs it.
    fn before(
        &self,
        metric: &MetricSpec,
        source: &DemandSource,
        written: Option<&WrittenLoad>,
    ) -> anyhow::Result<Option<(f64, Provenance)>> {
        let name = metric.short_name();
        let is_own = |pod: &str| {
            let pods = self.observation.pods.read();
            pods.is_some_and(|pods| self.own.iter().any(|index| pods[*index].name == pod))
        };
        let own_usage = |resource: &str| {
            let items = self.observation.pod_metrics.read()?;
            let own: Vec<f64> = items
                .iter()
                .filter(|item| is_own(&item.name))
                .map(|item| {
                    let usage = item
                        .containers
                        .iter()
                        .flat_map(|container| &container.usage);
                    usage
                        .filter(|(name, _)| name == resource)
                        .map(|(_, value)| value.approximate_f64())
                        .sum()
                })
                .collect();
            (!own.is_empty()).then(|| (own.iter().sum::<f64>(), own.len() as f64))
        };
        let observed = match source {
            DemandSource::Cpu { base, .. } => {
                own_usage("cpu").map(|(sum, pods)| (sum - base * pods).max(0.0))
            }
            DemandSource::Memory { base } => {
                own_usage("memory").map(|(sum, pods)| (sum - base * pods).max(0.0))
            }
            DemandSource::Total {
                service: Some(_), ..
            } => None,
            DemandSource::Pods { .. } | DemandSource::Total { .. } => {
                load::total(&self.observation, name)
            }
        };
        if let Some(observed) = observed {
            return Ok(Some((observed, Provenance::Observed)));
        }
        match written {
            Some(written) if !written.load.is_relative() => {
                // Nothing is known of before: it is as at the start.
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

    fn pods(&mut self, demands: &[Demand]) -> anyhow::Result<PodModel> {
        let args = self.args;
        let (startup, provenance) = self.startup()?;
        self.add(Parameter::Startup(startup.clone()), provenance);
        let burst = args.start_cpu.as_deref().map(parse_burst).transpose()?;
        if demands
            .iter()
            .any(|demand| matches!(demand.source, DemandSource::Cpu { .. }))
        {
            let provenance = if burst.is_some() {
                Provenance::Given
            } else {
                Provenance::Assumed
            };
            self.add(Parameter::Burst(burst), provenance);
        }
        let spread = self.spread(demands);
        let nodes = args.nodes.as_deref().map(parse_nodes).transpose()?;
        let provenance = if nodes.is_some() {
            Provenance::Given
        } else {
            Provenance::Assumed
        };
        self.add(Parameter::Nodes(nodes), provenance);
        const TERMINATION: Millis = 2_000;
        self.add(Parameter::Termination(TERMINATION), Provenance::Assumed);
        Ok(PodModel {
            containers: self.containers(),
            template: self.template.clone(),
            startup,
            burst,
            spread,
            nodes,
            termination: TERMINATION,
        })
    }

    fn startup(&self) -> anyhow::Result<(Startup, Provenance)> {
        let pods = self.observation.pods.read();
        let own = self.own.iter().filter_map(|index| pods?.get(*index));
        let observed: Vec<StartTimes> = own.filter_map(start_times).collect();
        match self.args.start.as_deref() {
            Some("observed") if observed.is_empty() => {
                bail!(
                    "--start observed: no pod of the target shows how it started. Give a range, such as --start 20s..60s"
                )
            }
            None | Some("observed") => {}
            Some(text) => {
                let (low, high) = text.split_once("..").unwrap_or((text, text));
                let parse = |text: &str| {
                    parse_span(text).map_err(|error| anyhow!("--start {text}: {error}"))
                };
                let (low, high) = (parse(low)?, parse(high)?);
                if high < low {
                    bail!("--start {text}: the first time is longer than the second");
                }
                return Ok((Startup::Between(low, high), Provenance::Given));
            }
        }
        if observed.is_empty() {
            let probe = self
                .template
                .containers
                .iter()
                .filter_map(|container| container.readiness_probe);
            let delay = probe
                .map(|probe| i64::from(probe.initial_delay_seconds.max(0)))
                .max()
                .unwrap_or(0)
                * 1000;
            return Ok((
                Startup::Between(10_000 + delay, 40_000 + delay),
                Provenance::Assumed,
            ));
        }
        Ok((Startup::Observed(observed), Provenance::Observed))
    }

    fn spread(&mut self, demands: &[Demand]) -> Spread {
        let shares = match demands.first().map(|demand| &demand.source) {
            Some(DemandSource::Cpu { base, .. }) => self.shares("cpu", *base),
            Some(DemandSource::Memory { base }) => self.shares("memory", *base),
            _ => Vec::new(),
        };
        let logarithms: Vec<f64> = shares
            .iter()
            .filter(|share| 0.01 < **share)
            .map(|share| share.ln())
            .collect();
        let count = logarithms.len() as f64;
        let observed = (3.0 <= count).then(|| {
            let mean = logarithms.iter().sum::<f64>() / count;
            let variance = logarithms
                .iter()
                .map(|value| (value - mean).powi(2))
                .sum::<f64>()
                / (count - 1.0);
            // Platforms differ in the last digits of a logarithm.
            (variance.sqrt().min(1.0) * 1e4).round() / 1e4
        });
        let (sigma, provenance) = match (self.args.uneven, observed) {
            (Some(given), _) => (given, Provenance::Given),
            (None, Some(observed)) => (observed, Provenance::Observed),
            (None, None) => (0.1, Provenance::Assumed),
        };
        self.add(Parameter::Spread(sigma), provenance);
        Spread {
            observed: if self.args.uneven.is_some() || shares.len() != self.own.len() {
                Vec::new()
            } else {
                shares
            },
            sigma,
        }
    }

    /// Share of each own pod of a usage, relative to an even one; empty: not all have samples.
    fn shares(&self, resource: &str, base: f64) -> Vec<f64> {
        let (Some(pods), Some(items)) = (
            self.observation.pods.read(),
            self.observation.pod_metrics.read(),
        ) else {
            return Vec::new();
        };
        let usage = |index: &usize| {
            let pod = pods.get(*index)?;
            if !pod.is_ready() {
                return Some(1.0);
            }
            let item = items.iter().find(|item| item.name == pod.name)?;
            let usage = item
                .containers
                .iter()
                .flat_map(|container| &container.usage);
            let value: f64 = usage
                .filter(|(name, _)| name == resource)
                .map(|(_, value)| value.approximate_f64())
                .sum();
            Some((value - base).max(0.0))
        };
        let Some(usages) = self.own.iter().map(usage).collect::<Option<Vec<f64>>>() else {
            return Vec::new();
        };
        let mean = usages.iter().sum::<f64>() / usages.len().max(1) as f64;
        if mean <= 0.0 {
            return Vec::new();
        }
        usages
            .iter()
            .map(|usage| (usage / mean).max(0.01))
            .collect()
    }

    /// Share of the usage of each container: as observed, else by request.
    fn containers(&self) -> Vec<(String, f64)> {
        let names: Vec<&str> = self
            .template
            .containers
            .iter()
            .chain(
                self.template
                    .init_containers
                    .iter()
                    .filter(|container| container.is_restartable),
            )
            .map(|container| container.name.as_str())
            .collect();
        let items = self
            .observation
            .pod_metrics
            .read()
            .map_or(&[][..], |items| items.as_slice());
        let usage = |name: &str| -> f64 {
            let containers = items.iter().flat_map(|item| &item.containers);
            let usage = containers
                .filter(|container| container.name == name)
                .flat_map(|container| &container.usage);
            usage
                .filter(|(resource, _)| resource == "cpu")
                .map(|(_, value)| value.approximate_f64())
                .sum()
        };
        let request = |name: &str| -> f64 {
            let container = self
                .template
                .containers
                .iter()
                .find(|container| container.name == name);
            container
                .and_then(|container| container.request("cpu"))
                .map_or(0.0, |request| request.approximate_f64())
        };
        let weigh = |weight: &dyn Fn(&str) -> f64| {
            let sum: f64 = names.iter().map(|name| weight(name)).sum();
            (sum > 0.0).then(|| {
                names
                    .iter()
                    .map(|name| ((*name).to_owned(), weight(name) / sum))
                    .collect()
            })
        };
        weigh(&usage)
            .or_else(|| weigh(&request))
            .or_else(|| weigh(&|_| 1.0))
            .unwrap_or_default()
    }

    fn workload(&mut self) -> Workload {
        let kind = self.observation.hpa.spec.scale_target.kind.clone();
        if kind == "StatefulSet" {
            let policy = self
                .context
                .target
                .as_ref()
                .and_then(|target| target.pod_management_policy.clone());
            return Workload::StatefulSet {
                is_parallel: policy.as_deref() == Some("Parallel"),
            };
        }
        if kind != "Deployment" && kind != "ReplicaSet" {
            self.not_modeled.push(NotModeled::TargetKind(kind));
        }
        let has_rollout = self
            .args
            .events
            .iter()
            .any(|event| event.event == Event::Rollout);
        if has_rollout {
            self.add(Parameter::RollingUpdate(25, 25), Provenance::Assumed);
        }
        Workload::Deployment {
            surge: 25,
            unavailable: 25,
        }
    }

    fn controller(&mut self) {
        let controller = self.observation.controller.clone();
        let millis = |duration: SignedDuration| duration.as_millis() as Millis;
        let memory = &self.variant.start.memory;
        self.add(Parameter::Memory, memory.provenance);
        let version = controller.version;
        self.add(
            Parameter::Version(version.value.to_string()),
            version.provenance,
        );
        let period = self.observation.sync_period();
        self.add(
            Parameter::SyncPeriod(millis(period.value)),
            period.provenance,
        );
        self.add(
            Parameter::Tolerance(controller.tolerance.value),
            controller.tolerance.provenance,
        );
        let window = controller.downscale_stabilization;
        self.add(
            Parameter::DownscaleStabilization(millis(window.value)),
            window.provenance,
        );
        let initialization = controller.cpu_initialization_period;
        self.add(
            Parameter::CpuInitialization(millis(initialization.value)),
            initialization.provenance,
        );
        let delay = controller.initial_readiness_delay;
        self.add(
            Parameter::ReadinessDelay(millis(delay.value)),
            delay.provenance,
        );
    }

    fn left_out(&mut self, demands: &[Demand]) {
        let pods = self.observation.pods.read().map_or(0, |pods| pods.len());
        if self.own.len() < pods {
            self.not_modeled
                .push(NotModeled::StrangerPods(pods - self.own.len()));
        }
        for autoscaler in &self.context.surroundings.autoscalers {
            let name = format!("{} {}", autoscaler.kind, autoscaler.name);
            self.not_modeled.push(NotModeled::OtherAutoscaler(name));
        }
        let quotas = self.context.surroundings.downstream.quotas.as_deref();
        if quotas.is_some_and(|quotas| !quotas.is_empty()) {
            self.not_modeled.push(NotModeled::Quota);
        }
        let is_lossy = |demand: &Demand| {
            matches!(
                demand.source,
                DemandSource::Cpu {
                    capacity: Some(_),
                    is_queued: false,
                    ..
                }
            )
        };
        if demands.iter().any(is_lossy) {
            self.not_modeled.push(NotModeled::Retries);
        }
        self.not_modeled.push(NotModeled::Nodes);
        self.not_modeled.dedup();
    }
}

/// How a pod started, if its status shows all of it.
fn start_times(pod: &Pod) -> Option<StartTimes> {
    let (created, scheduled, running) = (
        pod.created?,
        pod.start.scheduled?,
        pod.start.containers_started?,
    );
    let ready = pod.ready.filter(|_| pod.is_ready())?.last_transition?;
    let between = |from: Timestamp, to: Timestamp| to.duration_since(from).as_millis() as Millis;
    let times = StartTimes {
        schedule: between(created, scheduled),
        start: between(scheduled, running),
        readiness: between(running, ready),
    };
    // One that got ready again later does not show how long its start took.
    const LONGEST: Millis = 15 * 60_000;
    let is_plausible = [times.schedule, times.start, times.readiness]
        .iter()
        .all(|part| (0..=LONGEST).contains(part));
    (is_plausible && pod.start.restarts == 0).then_some(times)
}

/// The CPU limits of all containers together; none: one of them has none.
fn cpu_limit(pod: &Pod) -> Option<f64> {
    let limits = pod
        .containers
        .iter()
        .map(|container: &Container| Some(container.limit("cpu")?.approximate_f64()));
    let limits = limits.collect::<Option<Vec<f64>>>()?;
    (!limits.is_empty()).then(|| limits.iter().sum())
}

/// A pod that the selector matches, where nothing else is known of one.
fn bare_pod(observation: &Observation) -> anyhow::Result<Pod> {
    let needs_requests = observation.hpa.spec.metrics.iter().any(|metric| {
        matches!(
            metric,
            MetricSpec::Resource(_) | MetricSpec::ContainerResource(_)
        )
    });
    let target = &observation.hpa.spec.scale_target;
    if needs_requests {
        bail!(
            "{target} has no pods, so what a pod requests is not known: add the manifest of the {} with -f",
            target.kind
        );
    }
    let selector = observation
        .scale
        .read()
        .map_or("", |scale| scale.selector.as_str());
    let labels = selector.split(',').filter_map(|term| term.split_once('='));
    Ok(Pod {
        name: target.name.clone(),
        labels: labels
            .map(|(key, value)| (key.to_owned(), value.trim_start_matches('=').to_owned()))
            .collect(),
        owner: Some(crate::model::Owner {
            kind: target.kind.clone(),
            name: target.name.clone(),
        }),
        containers: vec![Container {
            name: "main".to_owned(),
            ..Container::default()
        }],
        ..Pod::default()
    })
}

/// `800m/30s`.
fn parse_burst(text: &str) -> anyhow::Result<Burst> {
    let wanted = || anyhow!("--start-cpu {text}: use CPU/TIME, such as 800m/30s");
    let (cores, length) = text.split_once('/').ok_or_else(wanted)?;
    match (Amount::parse(cores), parse_span(length)) {
        (Ok(Amount::Absolute(cores)), Ok(length)) => Ok(Burst { cores, length }),
        _ => Err(wanted()),
    }
}

/// `12,+90s`.
fn parse_nodes(text: &str) -> anyhow::Result<Nodes> {
    let wanted = || anyhow!("--nodes {text}: use COUNT or COUNT,+WAIT, such as 12,+90s");
    let (room, wait) = match text.split_once(',') {
        Some((room, wait)) => (room, Some(wait.strip_prefix('+').ok_or_else(wanted)?)),
        None => (text, None),
    };
    Ok(Nodes {
        room: room.trim().parse().map_err(|_| wanted())?,
        wait: wait.map(parse_span).transpose().map_err(|_| wanted())?,
    })
}
