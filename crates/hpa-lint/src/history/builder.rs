//! Builds a history from a recording.

use hpa_analysis::{Follower, ReplicaRead, ReplicaTracker, selected_pods};
use hpa_diagnosis::startup_cpu::NEW;
use hpa_engine::{
    model::{Observation, ReplicaWriter},
    trace::{MetricEvaluation, MetricOutcome, MetricStep, Milli, PodClass, Trace},
};
use hpa_objects::recording::{InvalidField, Snapshot};
use jiff::Timestamp;

use super::{History, HistorySample};

/// Builds the history of one HPA, snapshot by snapshot. Keeps only what rules need.
#[derive(Debug, Default)]
pub struct HistoryBuilder {
    follower: Follower,
    history: History,
    replicas: Option<ReplicaTracker>,
}

impl HistoryBuilder {
    /// Adds the next snapshot.
    pub fn push(&mut self, snapshot: &Snapshot) -> Result<(), InvalidField> {
        let observation = snapshot.observation()?;
        let context = snapshot.context();
        let followed = self.follower.follow(
            &observation,
            &context,
            snapshot.controller_started,
            snapshot.time,
        );
        let trace = followed.trace;
        let period = observation.sync_period().value;
        self.history.sync_period = period;
        let metrics = observation.hpa.spec.metrics.iter();
        self.history.metrics = metrics.map(|one| one.short_name().to_owned()).collect();
        let read = ReplicaRead {
            at: snapshot.time,
            observation: &observation,
            context: &context,
            trace: &trace,
        };
        let replicas = trace.current().filter(|_| !context.is_torn);
        let writes = ReplicaTracker::follow(&mut self.replicas, &read);
        let (young_cpu, steady_cpu) = cpu_by_age(&observation, &trace, snapshot.time);
        self.history.push(HistorySample {
            at: snapshot.time,
            lasts: period,
            replicas,
            proposal: trace.stabilize().map(|stabilize| stabilize.recommendation),
            min: observation.hpa.spec.min_replicas(),
            max: observation.hpa.spec.max_replicas,
            ready: ready(&observation),
            is_changed_by_another: false,
            invalid: invalid(&trace),
            request: request(&observation, &trace),
            young_cpu,
            steady_cpu,
            least_memory: least_memory(&observation, &trace),
        });
        for write in writes {
            if let ReplicaWriter::Other(by) = write.by {
                self.history.changed_by_another(write.at, by);
            }
        }
        Ok(())
    }

    /// Returns the history.
    pub fn finish(self) -> History {
        self.history
    }
}

fn ready(observation: &Observation) -> i32 {
    let ready = selected_pods(observation)
        .into_iter()
        .filter(|pod| pod.deleted.is_none() && pod.is_ready())
        .count();
    i32::try_from(ready).unwrap_or(i32::MAX)
}

fn invalid(trace: &Trace) -> u64 {
    trace
        .metrics()
        .filter(|metric| matches!(metric.outcome, MetricOutcome::Invalid(_)))
        .filter_map(|metric| 1_u64.checked_shl(metric.index.try_into().ok()?))
        .fold(0, |bits, bit| bits | bit)
}

/// The mean request of the pods for the first metric in percent of requests, and its target.
fn request(observation: &Observation, trace: &Trace) -> Option<(i64, i32)> {
    trace.metrics().find_map(|metric| {
        let (_, target) = resource(observation, metric)?;
        let target = target?;
        let requests = metric.steps.iter().find_map(|step| match step {
            MetricStep::SumRequests(sum) => Some(&sum.requests),
            _ => None,
        })?;
        let sum: i64 = requests.iter().map(|one| one.request.0).sum();
        let number = i64::try_from(requests.len()).ok()?;
        Some((sum.checked_div(number)?, target))
    })
}

/// Name of the resource of a metric, and its target in percent.
fn resource<'a>(
    observation: &'a Observation,
    metric: &MetricEvaluation,
) -> Option<(&'a str, Option<i32>)> {
    let spec = observation.hpa.spec.metrics.get(metric.index)?;
    Some((spec.resource()?, spec.percent()))
}

/// Mean CPU usage of counted pods in their first minutes, and of older ones.
fn cpu_by_age(
    observation: &Observation,
    trace: &Trace,
    now: Timestamp,
) -> (Option<i64>, Option<i64>) {
    let (mut young, mut steady) = (Mean::default(), Mean::default());
    let metric = trace
        .metrics()
        .find(|metric| resource(observation, metric).is_some_and(|(name, _)| name == "cpu"));
    let pods = observation.pods.read().map(|pods| pods.as_slice());
    for (index, usage) in metric.map(counted).unwrap_or_default() {
        let started = pods
            .and_then(|pods| pods.get(index))
            .and_then(|pod| pod.started);
        match started.map(|started| now.duration_since(started)) {
            Some(age) if age < NEW => young.add(usage),
            Some(_) => steady.add(usage),
            None => {}
        }
    }
    (young.value(), steady.value())
}

/// The lowest memory usage of a counted pod, if the HPA has a memory metric.
fn least_memory(observation: &Observation, trace: &Trace) -> Option<i64> {
    let metric = trace
        .metrics()
        .find(|metric| resource(observation, metric).is_some_and(|(name, _)| name == "memory"))?;
    counted(metric).into_iter().map(|(_, usage)| usage.0).min()
}

/// The pods that a metric counts, with their usage.
fn counted(metric: &MetricEvaluation) -> Vec<(usize, Milli)> {
    let groups = metric.steps.iter().find_map(|step| match step {
        MetricStep::GroupPods(groups) => Some(&groups.pods),
        _ => None,
    });
    groups
        .into_iter()
        .flatten()
        .filter(|pod| pod.class == PodClass::Ready)
        .filter_map(|pod| Some((pod.pod, pod.usage?)))
        .collect()
}

#[derive(Default)]
struct Mean {
    sum: i64,
    number: i64,
}

impl Mean {
    fn add(&mut self, Milli(value): Milli) {
        self.sum = self.sum.saturating_add(value);
        self.number += 1;
    }

    fn value(&self) -> Option<i64> {
        self.sum.checked_div(self.number)
    }
}

#[cfg(test)]
mod tests {
    use hpa_objects::manifest;

    use super::*;

    /// For each snapshot, one per sync: the replicas; current and desired replicas in the status, and the sync of its last
    /// rescale. The metrics always recommend three.
    fn history(snapshots: &[(i32, i32, i32, i64)]) -> History {
        let mut builder = HistoryBuilder::default();
        let at = |sync: i64| Timestamp::from_second(1_800_000_000 + sync * 15).unwrap();
        for ((replicas, current, desired, last_scale), sync) in snapshots.iter().zip(100..) {
            let text = format!(
                "apiVersion: kubectl-hpa/v1
kind: Snapshot
metadata: {{name: shop/web}}
time: {}
controller: {{version: '1.36'}}
hpa:
  metadata: {{name: web, namespace: shop}}
  spec:
    scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}
    minReplicas: 1
    maxReplicas: 9
    metrics:
    - {{type: External, external: {{metric: {{name: queue}}, target: {{type: AverageValue, averageValue: 1}}}}}}
  status: {{currentReplicas: {current}, desiredReplicas: {desired}, lastScaleTime: {}}}
scale: {{spec: {{replicas: {replicas}}}, status: {{replicas: {replicas}, selector: app=web}}}}
externalMetrics:
- {{index: 0, items: [{{metricName: queue, timestamp: {}, value: 3}}]}}
",
                at(sync),
                at(*last_scale),
                at(sync),
            );
            let read = manifest::read(text.as_bytes(), "snapshot.yaml", at(sync)).unwrap();
            builder.push(&read[0]).unwrap();
        }
        builder.finish()
    }

    fn changed_by_another(snapshots: &[(i32, i32, i32, i64)]) -> Vec<bool> {
        let samples = history(snapshots).samples.into_iter();
        samples.map(|one| one.is_changed_by_another).collect()
    }

    #[test]
    fn what_the_controller_wrote_before_its_status_is_not_taken_for_that_of_another() {
        let (before, read_between) = ((2, 2, 2, 0), (5, 2, 2, 0));
        // The replicas are 5, which no metric recommends; a later status shows that it was the controller.
        let late = [before, read_between, (5, 2, 5, 101), (5, 5, 5, 101)];
        assert_eq!(changed_by_another(&late), [false; 4]);
        // The status has no rescale, or the controller corrects the replicas.
        let foreign = [before, read_between, (5, 5, 5, 0)];
        assert_eq!(changed_by_another(&foreign), [false, true, false]);
        let undone = [before, read_between, (3, 5, 3, 102), (3, 3, 3, 102)];
        assert_eq!(changed_by_another(&undone), [false, true, false, false]);
        // If another writer scales up and the HPA back down, the HPA has not changed direction.
        assert!(history(&undone).turns().is_empty());
        // No later snapshot decides.
        assert_eq!(changed_by_another(&late[..2]), [false; 2]);
    }
}
