//! What a sync decides under everything that the controller may have read and remembered.

use hpa_engine::{
    engine::{self, AfterMetrics},
    model::{Memory, Observation, Recommendation},
    trace::{Decision, Trace},
};
use jiff::Timestamp;

/// The decision of a sync.
#[derive(Clone)]
pub(crate) struct Decided {
    pub(crate) decision: Decision,
    /// What the controller remembers after it.
    pub(crate) memory: Memory,
}

impl Decided {
    /// Whether the decision equals the controller's.
    pub(crate) fn comes_to(&self, desired: i32) -> bool {
        self.decision.replicas() == Some(desired)
    }

    /// What the metrics recommended.
    pub(crate) fn recommended(&self) -> Option<i32> {
        newest(&self.memory).map(|one| one.replicas)
    }
}

/// The newest recommendation that the controller remembers.
pub(crate) fn newest(memory: &Memory) -> Option<&Recommendation> {
    let list = memory.recommendations.iter().flatten();
    list.max_by_key(|one| one.at)
}

/// For each memory, the decision on each observation; and the trace of the first observation with the first memory.
pub(crate) fn decide_all(
    observations: &[Observation],
    memories: &[&Memory],
    now: Timestamp,
) -> (Option<Trace>, Vec<Vec<Decided>>) {
    let mut first = None;
    let mut by_memory: Vec<Vec<Decided>> = vec![Vec::new(); memories.len()];
    for observation in observations {
        let mut of_metrics = None;
        for (index, memory) in memories.iter().enumerate() {
            let same = memories[..index].iter().position(|one| one == memory);
            let decided = match (same, of_metrics) {
                (Some(same), _) => by_memory[same].last().cloned(),
                (None, Some((current, recommendation))) => Some(after_metrics(
                    observation,
                    memory,
                    (current, recommendation),
                    now,
                )),
                (None, None) => {
                    let mut after = (*memory).clone();
                    let trace = engine::decide(observation, &mut after, now);
                    of_metrics = trace
                        .stabilize()
                        .filter(|one| 0 < one.current)
                        .map(|one| (one.current, one.recommendation));
                    let decision = trace.decision.clone();
                    first.get_or_insert(trace);
                    Some(Decided {
                        decision,
                        memory: after,
                    })
                }
            };
            by_memory[index].extend(decided);
        }
    }
    (first, by_memory)
}

/// The recommendation does not depend on what the controller remembers.
fn after_metrics(
    observation: &Observation,
    memory: &Memory,
    (current, recommendation): (i32, i32),
    now: Timestamp,
) -> Decided {
    let mut memory = memory.clone();
    let engine = AfterMetrics::of(observation);
    let to = engine.reconcile(&mut memory, current, recommendation, now);
    let decision = if to == current {
        Decision::Hold { current }
    } else {
        Decision::Rescale {
            from: current,
            to,
            succeeds: true,
        }
    };
    Decided { decision, memory }
}

/// Whether a sync with `recommendation` would have scaled down.
pub(crate) fn falls(
    observation: &Observation,
    memory: &Memory,
    (replicas, recommendation): (i32, i32),
    at: Timestamp,
) -> bool {
    let spec = &observation.hpa.spec;
    let bounds = spec.min_replicas.unwrap_or(1).max(1)..=spec.max_replicas;
    bounds.contains(&replicas) && {
        let engine = AfterMetrics::of(observation);
        engine.reconcile(&mut memory.clone(), replicas, recommendation, at) < replicas
    }
}
