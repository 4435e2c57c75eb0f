//! How pods start, share a load and end.

use std::collections::BTreeMap;

use crate::{
    Amount, Burst, Demand, DemandSource, Millis, Nodes, Parameter, PodModel, Spread, StartTimes,
    Startup, parse_span,
};
use anyhow::{anyhow, bail};
use hpa_analysis::FailedCreation;
use hpa_diagnosis::pods_not_running::not_created;
use hpa_engine::model::{Pod, PodMetrics, Provenance};
use jiff::Timestamp;

use super::Builder;
use crate::given_load::usage;

/// The time from the deletion of a pod to its end.
const TERMINATION: Millis = 2_000;

/// A longer step belongs to a pod that got ready again later, and does not show how long startup took.
const LONGEST: Millis = 15 * 60_000;

impl Builder<'_> {
    pub(super) fn pods(&mut self, demands: &[Demand]) -> anyhow::Result<PodModel> {
        let options = self.options;
        let (startup, provenance) = self.startup()?;
        self.add(Parameter::Startup(startup.clone()), provenance);
        let burst = options.start_cpu.as_deref().map(parse_burst).transpose()?;
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
        let given = options.nodes.as_deref().map(parse_nodes).transpose()?;
        let full = self.full_nodes();
        let provenance = match (given, full) {
            (Some(_), _) => Provenance::Given,
            (None, Some(_)) => Provenance::Inferred,
            (None, None) => Provenance::Assumed,
        };
        let nodes = given.or(full);
        self.add(Parameter::Nodes(nodes), provenance);
        self.add(Parameter::Termination(TERMINATION), Provenance::Assumed);
        Ok(PodModel {
            containers: self.containers(),
            template: self.template.clone(),
            startup,
            burst,
            spread,
            nodes,
            most: self.refused().map(|(existing, _)| existing),
            termination: TERMINATION,
        })
    }

    /// The pods of the target, as far as pods could be read.
    pub(super) fn own_pods(&self) -> impl Iterator<Item = &Pod> {
        let pods = self.observation.pods.read();
        self.own.iter().filter_map(move |index| pods?.get(*index))
    }

    /// Own pods for which the scheduler has found no node.
    pub(super) fn waiting_pods(&self) -> usize {
        let waiting = self.own_pods().filter(|pod| pod.scheduled == Some(false));
        waiting.count()
    }

    /// How many pods exist, and why no more are created; none: nothing refuses them now, or `--nodes` says how many have room.
    pub(super) fn refused(&self) -> Option<(usize, FailedCreation<'_>)> {
        let missing = not_created(&self.observation, &self.context)?;
        let existing = usize::try_from(missing.pods.existing).ok()?;
        let refusal = missing.refusal.filter(|_| self.options.nodes.is_none())?;
        Some((existing, refusal))
    }

    /// Nodes that have room for no more pods than now: the scheduler has found none for some.
    fn full_nodes(&self) -> Option<Nodes> {
        let room = self.own_pods().filter(|pod| pod.has_node()).count();
        let is_full = 0 < self.waiting_pods();
        is_full.then(|| Nodes {
            room: u32::try_from(room).unwrap_or(u32::MAX),
            wait: None,
        })
    }

    fn startup(&self) -> anyhow::Result<(Startup, Provenance)> {
        let of_past = self.past_startups;
        let observed: Vec<StartTimes> = if of_past.is_empty() {
            self.own_pods().filter_map(start_times).collect()
        } else {
            of_past.iter().copied().map(StartTimes::in_halves).collect()
        };
        match self.options.start.as_deref() {
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
            .flatten()
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
        let (sigma, provenance) = match (self.options.uneven, observed) {
            (Some(given), _) => (given, Provenance::Given),
            (None, Some(observed)) => (observed, Provenance::Observed),
            (None, None) => (0.1, Provenance::Assumed),
        };
        self.add(Parameter::Spread(sigma), provenance);
        Spread {
            observed: match self.options.uneven {
                Some(_) => Vec::new(),
                // A pod that is not ready gets an even share once it is.
                None => shares
                    .into_iter()
                    .map(|share| share.unwrap_or(1.0))
                    .collect(),
            },
            sigma,
        }
    }

    /// The share of each own pod in a usage, relative to an even one; `None` for pods that are not ready. Empty if not
    /// all ready pods have samples.
    fn shares(&self, resource: &str, base: f64) -> Vec<Option<f64>> {
        let Some(pods) = self.observation.pods.read() else {
            return Vec::new();
        };
        let mut shares = Vec::with_capacity(self.own.len());
        for (index, usage) in self.own.iter().zip(self.own_usages(resource)) {
            let is_ready = pods.get(*index).is_some_and(Pod::is_ready);
            match usage {
                _ if !is_ready => shares.push(None),
                Some(usage) => shares.push(Some((usage - base).max(0.0))),
                None => return Vec::new(),
            }
        }
        let ready: Vec<f64> = shares.iter().flatten().copied().collect();
        let mean = ready.iter().sum::<f64>() / ready.len().max(1) as f64;
        if mean <= 0.0 {
            return Vec::new();
        }
        for share in shares.iter_mut().flatten() {
            *share = (*share / mean).max(0.01);
        }
        shares
    }

    /// The usage of each own pod for a resource; `None` if it has no sample.
    pub(super) fn own_usages(&self, resource: &str) -> Vec<Option<f64>> {
        let (Some(pods), Some(items)) = (
            self.observation.pods.read(),
            self.observation.pod_metrics.read(),
        ) else {
            return vec![None; self.own.len()];
        };
        let items: BTreeMap<&str, &PodMetrics> = items
            .iter()
            .map(|item| (item.name.as_str(), item))
            .collect();
        let usage_of = |index: &usize| {
            let item = items.get(pods.get(*index)?.name.as_str())?;
            Some(usage(&item.containers, resource).unwrap_or_default())
        };
        self.own.iter().map(usage_of).collect()
    }

    /// The usage of each own pod that is ready; of all if none is. What the others use is not load: they serve none.
    pub(super) fn serving_usages(&self, resource: &str) -> Vec<Option<f64>> {
        let usages = self.own_usages(resource);
        let of_pods = self.own_pods().zip(&usages);
        let ready = of_pods.filter(|(pod, _)| pod.is_ready());
        let ready: Vec<Option<f64>> = ready.map(|(_, usage)| *usage).collect();
        if ready.is_empty() { usages } else { ready }
    }

    /// The share of each container in the usage: as observed, else by request.
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
        let used = |name: &str| -> f64 {
            let containers = items.iter().flat_map(|item| &item.containers);
            let of_name = containers.filter(|container| container.name == name);
            usage(of_name, "cpu").unwrap_or_default()
        };
        let request = |name: &str| -> f64 {
            let container = self
                .template
                .containers
                .iter()
                .find(|container| container.name == name);
            container
                .and_then(|container| container.request("cpu"))
                .map_or(0.0, hpa_engine::model::Quantity::approximate_f64)
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
        weigh(&used)
            .or_else(|| weigh(&request))
            .or_else(|| weigh(&|_| 1.0))
            .unwrap_or_default()
    }
}

/// The startup times of a pod, if its status has all of them.
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
    let is_plausible = [times.schedule, times.start, times.readiness]
        .iter()
        .all(|part| (0..=LONGEST).contains(part));
    (is_plausible && pod.start.restarts == 0).then_some(times)
}

/// `800m/30s`.
fn parse_burst(text: &str) -> anyhow::Result<Burst> {
    let wrong = || anyhow!("--start-cpu {text}: use CPU/TIME, such as 800m/30s");
    let (cores, length) = text.split_once('/').ok_or_else(wrong)?;
    match (Amount::parse_cores(cores), parse_span(length)) {
        (Ok(Amount::Absolute(cores)), Ok(length)) => Ok(Burst { cores, length }),
        _ => Err(wrong()),
    }
}

/// `12,+90s`.
fn parse_nodes(text: &str) -> anyhow::Result<Nodes> {
    let wrong = || anyhow!("--nodes {text}: use COUNT or COUNT,+WAIT, such as 12,+90s");
    let (room, wait) = match text.split_once(',') {
        Some((room, wait)) => (room, Some(wait.strip_prefix('+').ok_or_else(wrong)?)),
        None => (text, None),
    };
    Ok(Nodes {
        room: room.trim().parse().map_err(|_| wrong())?,
        wait: wait.map(parse_span).transpose().map_err(|_| wrong())?,
    })
}
