//! What a run takes, so that its caller can bound it: pods need memory, and each second of each pod needs time.

use std::ops::ControlFlow;

use crate::{Event, Millis, Scenario, scenario::WARM_UP};

/// What a run takes, as far as it got.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// The simulated time.
    pub at: Millis,
    /// Pods that exist, with those that it is about to create, and those of other owners.
    pub pods: usize,
    /// Changes of the replicas so far.
    pub rescales: usize,
    /// The work since the last report: about a nanosecond of a slow core each.
    pub work: u64,
}

/// Receives the effort before each second, and before pods are created. It decides whether the run goes on.
pub type Guard<'a> = dyn Fn(Effort) -> ControlFlow<()> + 'a;

/// The guard of a run that may take whatever it needs.
pub fn unguarded(_: Effort) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

impl Scenario {
    /// Pods that it has for certain, at its start or soon after it, with those of other owners: they exist, or
    /// `spec.replicas`, `minReplicas` or an event wants them.
    pub fn certain_pods(&self) -> usize {
        let replicas = |count: i32| usize::try_from(count).unwrap_or_default();
        let scale = self.observation.scale.read();
        let wanted = scale.map_or(0, |scale| scale.spec_replicas);
        let spec = &self.observation.hpa.spec;
        // At 0 the HPA is off.
        let least = if wanted == 0 {
            0
        } else {
            spec.min_replicas().min(spec.max_replicas)
        };
        let set = self.events.iter().filter_map(|event| match event.event {
            Event::Scale(count) => Some(replicas(count)),
            _ => None,
        });
        let known = [self.own.len(), replicas(wanted), replicas(least)];
        let own = known.into_iter().chain(set).max().unwrap_or_default();
        own.saturating_add(self.others())
    }

    /// Pods of other owners, which the controller reads as well.
    fn others(&self) -> usize {
        let pods = self.observation.pods.read().map_or(0, |pods| pods.len());
        pods.saturating_sub(self.own.len())
    }

    /// The work of a run that has this many pods all the time.
    pub fn work(&self, pods: usize) -> u64 {
        let length = u64::try_from(self.length + WARM_UP).unwrap_or_default();
        let times = |period: Millis| length / u64::try_from(period.max(1000)).unwrap_or(1000);
        let period = self.observation.sync_period().value.as_millis() as Millis;
        [
            times(1000).saturating_mul(self.of_second(pods)),
            times(self.pipeline.resolution).saturating_mul(self.of_scrape(pods)),
            times(period).saturating_mul(self.of_sync(pods)),
        ]
        .into_iter()
        .fold(0, u64::saturating_add)
    }

    /// The work of a second of load.
    pub(crate) fn of_second(&self, pods: usize) -> u64 {
        self.of_all(pods, SECOND, SECOND_OF_POD)
    }

    /// The work of a scrape.
    pub(crate) fn of_scrape(&self, pods: usize) -> u64 {
        self.of_all(pods, SCRAPE, SCRAPE_OF_POD)
    }

    /// The work of a sync.
    pub(crate) fn of_sync(&self, pods: usize) -> u64 {
        self.of_all(pods, SYNC, SYNC_OF_POD)
    }

    fn of_all(&self, pods: usize, once: u64, for_each: u64) -> u64 {
        let pods = pods as u64;
        let metrics = self.observation.hpa.spec.metrics.len().max(1) as u64;
        pods.saturating_mul(for_each)
            .saturating_add(once)
            .saturating_mul(metrics)
    }
}

/// The work of a second without pods. These are what was measured with 20,000 pods; fewer take a third.
const SECOND: u64 = 400;
/// The work of a second for each pod.
const SECOND_OF_POD: u64 = 40;
/// The work of a scrape without pods.
const SCRAPE: u64 = 2_000;
/// The work of a scrape for each pod.
const SCRAPE_OF_POD: u64 = 300;
/// The work of a sync without pods.
const SYNC: u64 = 20_000;
/// The work of a sync for each pod.
const SYNC_OF_POD: u64 = 900;
