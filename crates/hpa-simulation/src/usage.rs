//! Distributes the load over the pods, second by second.

use crate::{
    CounterPoint, Demand, DemandSource, Millis, Scenario, chance::Chance, pods::SimulatedPod,
};

/// The result of one second of load.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Served {
    /// Load that could be lost, as offered: core-seconds, or arrivals.
    pub(crate) offered: f64,
    /// The part that was neither served nor queued.
    pub(crate) lost: f64,
}

/// Queued work for each load.
#[derive(Clone, Debug, Default)]
pub(crate) struct Backlogs(Vec<f64>);

impl Backlogs {
    pub(crate) fn new(scenario: &Scenario) -> Self {
        let waiting = |demand: &Demand| match demand.source {
            DemandSource::Total {
                service: Some(service),
                ..
            } => service.waiting,
            _ => 0.0,
        };
        Self(scenario.demands.iter().map(waiting).collect())
    }

    pub(crate) fn of(&self, demand: usize) -> f64 {
        self.0.get(demand).copied().unwrap_or_default()
    }
}

/// How the pods that serve divide a load: by their weights.
pub(crate) struct Shares {
    weight: f64,
}

impl Shares {
    pub(crate) fn of(pods: &[SimulatedPod]) -> Self {
        let serving = pods.iter().filter(|pod| pod.serves());
        Self {
            weight: serving.map(|pod| pod.weight).sum(),
        }
    }

    /// What `pod` has to do of a load: nothing if it does not serve.
    pub(crate) fn of_pod(&self, load: f64, pod: &SimulatedPod) -> f64 {
        if pod.serves() {
            load * pod.weight / self.weight
        } else {
            0.0
        }
    }
}

/// Runs one second of load: sets what each pod uses and what the kubelet reads in that second.
pub(crate) fn pass_second(
    scenario: &Scenario,
    pods: &mut [SimulatedPod],
    backlogs: &mut Backlogs,
    now: Millis,
    chance: &mut Chance,
) -> Served {
    let mut served = Served::default();
    let shares = Shares::of(pods);
    let ready = pods.iter().filter(|pod| pod.serves()).count() as f64;
    for (index, demand) in scenario.demands.iter().enumerate() {
        let load = load_at(demand, now + 500);
        match &demand.source {
            DemandSource::Cpu {
                base,
                capacity,
                is_queued,
            } => {
                let backlog = backlogs.0[index];
                let offered = load + backlog;
                let mut done = 0.0;
                for pod in pods.iter_mut() {
                    if !pod.runs() || pod.deleted.is_some() {
                        pod.meter.cores = 0.0;
                        continue;
                    }
                    let burst = scenario
                        .pods
                        .burst
                        .filter(|burst| now < pod.runs_at + burst.length);
                    let idle = base + burst.map_or(0.0, |burst| burst.cores);
                    let share = shares.of_pod(offered, pod);
                    let cores = capacity.map_or(idle + share, |most| (idle + share).min(most));
                    done += (cores - idle).max(0.0).min(share);
                    pod.meter.cores = cores;
                }
                if capacity.is_some() {
                    served.offered += load;
                    if !is_queued {
                        served.lost += (load - done).max(0.0);
                    }
                } else if ready == 0.0 {
                    served.offered += load;
                    served.lost += load;
                }
                if *is_queued {
                    backlogs.0[index] = (offered - done).max(0.0);
                }
            }
            DemandSource::Memory { base } => {
                for pod in pods
                    .iter_mut()
                    .filter(|pod| pod.runs() && pod.deleted.is_none())
                {
                    let used = base + shares.of_pod(load, pod);
                    pod.meter.memory = pod.meter.memory.max(used);
                }
            }
            // Before the start the queue keeps its initial length.
            DemandSource::Total {
                service: Some(service),
                ..
            } if 0 <= now => {
                let waiting = backlogs.0[index] + load;
                backlogs.0[index] = (waiting - ready * service.rate).max(0.0);
            }
            DemandSource::Pods { .. } | DemandSource::Total { .. } => {}
        }
    }
    for pod in pods.iter_mut().filter(|pod| pod.runs()) {
        let meter = &mut pod.meter;
        let nanos_per_milli = meter.cores * 1e6;
        while meter.next_reading < now + 1000 {
            let at = meter.next_reading;
            if now <= at {
                let cpu = meter.cpu + nanos_per_milli * (at - now) as f64;
                meter.readings[1] = meter.readings[0];
                meter.readings[0] = Some(CounterPoint {
                    start: meter.start,
                    time: at,
                    cpu_nanos: cpu as u64,
                    memory: meter.memory as u64,
                });
            }
            let (shortest, longest) = scenario.pipeline.housekeeping;
            meter.next_reading = at.max(now) + chance.between(shortest.max(1), longest);
        }
        meter.cpu += nanos_per_milli * 1000.0;
    }
    served
}

/// The load at a time. Before the start, it is the load before.
pub(crate) fn load_at(demand: &Demand, time: Millis) -> f64 {
    if time < 0 {
        return demand.load.before().unwrap_or(demand.before);
    }
    demand.load.at(time, demand.before)
}
