//! The initial state of a variant: every parameter and its source.

mod demands;
mod pods;

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    Assumption, Demand, DemandSource, Event, Load, LoadUnit, Millis, NotModeled, Parameter,
    PerPodUnit, Pipeline, SYNC_LENGTH, Scenario, Workload,
    amounts::amount,
    budget::{MOST_PODS, too_many_because},
    given_load::ReadFile,
    options::{KUBELET, ModelOptions, RESOLUTION},
};
use anyhow::{Context as _, anyhow, bail};
use hpa_analysis::{foreign_pods, own_pods};
use hpa_engine::model::{
    Container, Context, Input, KnownKind, Labels, Memory, MetricSpec, Observation, Pod, PodPhase,
    Provenance, Reading, SyncInput,
};
use hpa_explain::Problem;
use hpa_words::program::typed;
use jiff::{SignedDuration, Timestamp};

/// A scenario, and the notes on it.
pub struct Model {
    /// The name of its variant.
    pub name: String,
    /// Whether the recommendation history is empty at the start.
    pub is_new: bool,
    /// The initial state of runs.
    pub scenario: Scenario,
    /// The context of the HPA, for the pages of its decisions.
    pub context: Context,
    /// All parameters and their sources.
    pub assumptions: Vec<Assumption>,
    /// What is left out.
    pub not_modeled: Vec<NotModeled>,
    /// What `explain` says is wrong at the start, whatever the load.
    pub problem: Option<Problem>,
}

/// What a model starts from.
pub struct ModelStart<'a> {
    /// The name of its spec.
    pub name: String,
    /// The HPA with that spec, and its context.
    pub input: SyncInput,
    /// The controller's recommendation history.
    pub memory: &'a Input<Memory>,
    /// A pod from the target's template, if there are only manifests: all pods are like it.
    pub template: Option<Pod>,
    /// Whether it is running, and not just manifests.
    pub is_running: bool,
    /// The past load of each metric.
    pub past: &'a BTreeMap<String, Load>,
    /// How long pods of the past took from creation to ready.
    pub past_startups: &'a [Millis],
    /// What `explain` says is wrong at the start.
    pub problem: Option<Problem>,
}

impl Model {
    /// Builds the model. `known` are the metrics of all variants. `read_file` reads a load from a file.
    pub fn build(
        options: &ModelOptions,
        start: ModelStart<'_>,
        known: &[String],
        read_file: &ReadFile<'_>,
    ) -> anyhow::Result<Self> {
        let model = Builder::new(options, start, known, read_file)?.build()?;
        if !model.scenario.measured().is_reachable {
            bail!(
                "a pod without load is at the target already, so no number of replicas brings it below: {}",
                if options.base.is_empty() {
                    "idle pods use more memory than the target (inferred). Use a higher target or request, or give --base if they can use less"
                } else {
                    "use a smaller --base"
                }
            );
        }
        Ok(model)
    }

    /// Whether the capacity of a pod is known.
    pub fn has_capacity(&self) -> bool {
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
    pub fn first_metric(&self) -> (String, LoadUnit) {
        let metrics = &self.scenario.observation.hpa.spec.metrics;
        match metrics.first() {
            Some(metric) => (metric.short_name().to_owned(), unit_of(metric)),
            None => (String::new(), LoadUnit::Number),
        }
    }

    /// The unit of the value per pod.
    pub fn per_pod_unit(&self) -> PerPodUnit {
        let metric = self.scenario.observation.hpa.spec.metrics.first();
        metric.map_or(PerPodUnit::Value(LoadUnit::Number), per_pod_unit)
    }
}

/// The unit of a metric's value.
pub fn per_pod_unit(metric: &MetricSpec) -> PerPodUnit {
    match metric
        .target()
        .and_then(|target| target.average_utilization)
    {
        Some(_) => PerPodUnit::PercentOfRequest,
        None => PerPodUnit::Value(unit_of(metric)),
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
    options: &'a ModelOptions,
    /// The metrics of all variants.
    known: &'a [String],
    read_file: &'a ReadFile<'a>,
    name: String,
    memory: &'a Input<Memory>,
    is_running: bool,
    past: &'a BTreeMap<String, Load>,
    past_startups: &'a [Millis],
    observation: Observation,
    context: Context,
    now: Timestamp,
    /// Indexes of the target's own pods.
    own: Vec<usize>,
    template: Pod,
    assumptions: Vec<Assumption>,
    not_modeled: Vec<NotModeled>,
    problem: Option<Problem>,
}

impl<'a> Builder<'a> {
    fn new(
        options: &'a ModelOptions,
        start: ModelStart<'a>,
        known: &'a [String],
        read_file: &'a ReadFile<'a>,
    ) -> anyhow::Result<Self> {
        let SyncInput {
            mut observation,
            context,
            now,
            ..
        } = start.input;
        if let (false, Some(pod)) = (start.is_running, &start.template) {
            // Created here and not in the snapshot, where ten thousand of them take twice the memory.
            let replicas = observation
                .scale
                .read()
                .map_or(0, |scale| scale.spec_replicas);
            if usize::try_from(replicas).is_ok_and(|replicas| MOST_PODS < replicas) {
                bail!(too_many_because(&format!(
                    "the target has {replicas} replicas"
                )));
            }
            let pods = (0..replicas.max(0)).map(|index| Pod {
                name: format!("{}-{index}", pod.name),
                ..pod.clone()
            });
            observation.pods = Reading::Read(pods.collect());
        }
        let pods = observation
            .pods
            .read()
            .map_or(&[][..], |pods| pods.as_slice());
        // A recording from inside the controller has no owners at all: then the pods are assumed to be the target's.
        let lacks_owners = !pods.is_empty()
            && context.target.is_none()
            && pods.iter().all(|pod| pod.owner.is_none());
        let mut assumptions = Vec::new();
        if lacks_owners {
            assumptions.push(Assumption {
                parameter: Parameter::Owner(observation.hpa.spec.scale_target.to_string()),
                provenance: Provenance::Assumed,
            });
        }
        let of_target: BTreeSet<&str> = own_pods(&observation, &context)
            .iter()
            .map(|pod| pod.name.as_str())
            .collect();
        let is_own = |pod: &Pod| {
            of_target.contains(pod.name.as_str())
                && !matches!(pod.phase, PodPhase::Failed | PodPhase::Succeeded)
        };
        let own: Vec<usize> = (0..pods.len())
            .filter(|index| is_own(&pods[*index]))
            .collect();
        let newest = own
            .iter()
            .map(|index| &pods[*index])
            .max_by_key(|pod| (pod.is_ready(), pod.created));
        let template = match (newest, start.template) {
            (Some(pod), _) => pod.clone(),
            (None, Some(planned)) => planned,
            (None, None) => bare_pod(&observation)?,
        };
        Ok(Self {
            options,
            known,
            read_file,
            name: start.name,
            memory: start.memory,
            is_running: start.is_running,
            past: start.past,
            past_startups: start.past_startups,
            own,
            template,
            assumptions,
            not_modeled: Vec::new(),
            problem: start.problem,
            now,
            context,
            observation,
        })
    }

    fn build(mut self) -> anyhow::Result<Model> {
        let options = self.options;
        let scale = self.observation.scale.read().ok_or_else(|| {
            anyhow!(
                "the scale of the target could not be read: `{}` says why",
                typed("explain")
            )
        })?;
        let replicas = scale.spec_replicas;
        let demands = self.demands()?;
        self.add(
            Parameter::Replicas(replicas),
            if self.is_running {
                Provenance::Observed
            } else {
                Provenance::Given
            },
        );
        let pods = self.pods(&demands)?;
        let pipeline = Pipeline {
            housekeeping: options.kubelet_interval,
            resolution: options.metrics_resolution,
        };
        if demands.iter().any(|demand| {
            matches!(
                demand.source,
                DemandSource::Cpu { .. } | DemandSource::Memory { .. }
            )
        }) {
            let (low, high) = options.kubelet_interval;
            let provenance = if (low, high) == KUBELET {
                Provenance::Assumed
            } else {
                Provenance::Given
            };
            self.add(Parameter::Housekeeping(low, high), provenance);
        }
        let is_default = options.metrics_resolution == RESOLUTION;
        self.add(
            Parameter::Resolution(options.metrics_resolution),
            if is_default {
                Provenance::Assumed
            } else {
                Provenance::Given
            },
        );
        let workload = self.workload();
        self.controller();
        self.left_out(&demands);
        let mut events = options.events.clone();
        events.sort_by_key(|event| event.at);
        if let Some(late) = events.last().filter(|event| options.length <= event.at) {
            bail!(
                "--event at {} s is after the end of the simulation: use a longer --for",
                late.at / 1000
            );
        }
        let first = self.observation.hpa.spec.metrics.first();
        let above = options.above.as_deref().zip(first).map(|(text, metric)| {
            amount(text, metric.short_name(), per_pod_unit(metric))
                .with_context(|| format!("--above {text}"))
        });
        let above = above.transpose()?;
        let mut observation = self.observation;
        observation.scale_write_error = None;
        observation.status_write_error = None;
        Ok(Model {
            name: self.name,
            is_new: self.memory.provenance == Provenance::Assumed,
            scenario: Scenario {
                memory: self.memory.value.clone(),
                start: self.now,
                length: options.length,
                own: self.own,
                demands,
                pods,
                pipeline,
                workload,
                events,
                above,
                observation,
            },
            context: self.context,
            assumptions: self.assumptions,
            not_modeled: self.not_modeled,
            problem: self.problem,
        })
    }

    fn add(&mut self, parameter: Parameter, provenance: Provenance) {
        self.assumptions.push(Assumption {
            parameter,
            provenance,
        });
    }

    fn workload(&mut self) -> Workload {
        let kind = self.observation.hpa.spec.scale_target.kind.clone();
        let known = KnownKind::of(&kind);
        if known.is_ordered() {
            let policy = self
                .context
                .target
                .as_ref()
                .and_then(|target| target.pod_management_policy.clone());
            return Workload::StatefulSet {
                is_parallel: policy.as_deref() == Some("Parallel"),
            };
        }
        if !known.is_deployment() && !known.is_replica_set() {
            self.not_modeled.push(NotModeled::TargetKind(kind));
        }
        let has_rollout = self
            .options
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
        self.add(Parameter::Memory, self.memory.provenance);
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
        let (shortest, longest) = SYNC_LENGTH;
        self.add(
            Parameter::SyncLength(shortest, longest),
            Provenance::Assumed,
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
        let others = foreign_pods(&self.observation, &self.context).len();
        if 0 < others {
            self.not_modeled.push(NotModeled::StrangerPods(others));
        }
        let waiting = self.waiting_pods();
        if 0 < waiting && self.options.nodes.is_none() {
            self.not_modeled.push(NotModeled::WaitingPods(waiting));
        }
        for autoscaler in self.context.surroundings.autoscalers.iter() {
            let name = format!("{} {}", autoscaler.kind, autoscaler.name);
            self.not_modeled.push(NotModeled::OtherAutoscaler(name));
        }
        let quotas = self.context.surroundings.downstream.quotas.as_deref();
        let refused = self
            .refused()
            .map(|(existing, refusal)| NotModeled::RefusedPods {
                existing,
                refusal: refusal.message.trim_end_matches('.').to_owned(),
            });
        let has_quota = quotas.is_some_and(|quotas| !quotas.is_empty());
        let quota = refused.or(has_quota.then_some(NotModeled::Quota));
        self.not_modeled.extend(quota);
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

/// A pod that the selector matches, if no pod is known.
fn bare_pod(observation: &Observation) -> anyhow::Result<Pod> {
    let mut metrics = observation.hpa.spec.metrics.iter();
    let needs_requests = metrics.any(|metric| metric.resource().is_some());
    let target = &observation.hpa.spec.scale_target;
    if needs_requests {
        let pods = observation.pods.read().map_or(0, |pods| pods.len());
        let whose = if pods == 0 {
            format!("{target} has no pods")
        } else {
            format!("none of the {pods} pods is owned by {target}")
        };
        bail!(
            "{whose}, so what a pod requests is not known: add the manifest of the {} with -f",
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
        labels: Labels::new(
            labels
                .map(|(key, value)| (key.to_owned(), value.trim_start_matches('=').to_owned()))
                .collect(),
        ),
        owner: Some(hpa_engine::model::Owner {
            kind: target.kind.clone(),
            name: target.name.clone(),
        }),
        containers: vec![Container {
            name: "main".to_owned(),
            ..Container::default()
        }]
        .into(),
        ..Pod::default()
    })
}
