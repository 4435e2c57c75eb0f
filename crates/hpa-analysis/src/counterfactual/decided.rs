//! Evaluates counterfactual decisions one by one.

use hpa_engine::{
    engine,
    model::{Memory, Observation},
    trace::{Decision, Trace},
};

use super::{Alteration, AlterationKind, Today, metrics, pods, rules, usage};
use crate::{
    MemoryBasis, ReplicaChange,
    analysis::{changes_ahead, range_of},
    memory_from_outside,
};

/// A decision by the same controller, with the same history at the same time, if one thing were different.
#[derive(Clone, Debug)]
pub struct Counterfactual {
    /// The change.
    pub alteration: Alteration,
    /// What the controller would read.
    pub observation: Observation,
    /// The trace of its next sync on that.
    pub trace: Trace,
    /// The fewest and the most replicas that it can decide, if that depends on unknown recommendation history.
    pub range: Option<(i32, i32)>,
    memory_after: Memory,
}

impl Counterfactual {
    /// Replicas after the next sync. None if the controller cannot decide.
    pub fn replicas(&self) -> Option<i32> {
        self.trace.decision.replicas()
    }

    /// Whether the replicas differ from `today`, or only one of both can be decided.
    pub fn differs_from(&self, today: &Trace) -> bool {
        self.replicas() != today.decision.replicas()
    }

    /// The coming changes if the alteration persists: windows and periods end.
    pub fn changes_ahead(&self) -> Vec<ReplicaChange> {
        changes_ahead(&self.observation, &self.trace, &self.memory_after)
    }
}

/// All counterfactuals of the families that `includes` accepts, evaluated lazily.
///
/// Empty if a read that the decision needs is missing.
pub fn counterfactuals(
    today: Today<'_>,
    includes: impl Fn(AlterationKind) -> bool,
) -> impl Iterator<Item = Counterfactual> {
    let alterations = match today.analysis.trace.decision {
        Decision::Unknown { .. } => Vec::new(),
        _ => alterations(today, includes),
    };
    let ends: Vec<Memory> = match today.analysis.memory_basis {
        MemoryBasis::Inferred | MemoryBasis::WatchedSince(_) | MemoryBasis::WatchedWithGaps(_)
            if !alterations.is_empty() =>
        {
            let outside =
                memory_from_outside(today.observation, today.context, today.analysis.trace.at);
            outside.ends().cloned().collect()
        }
        _ => Vec::new(),
    };
    alterations
        .into_iter()
        .map(move |alteration| decided(today, alteration, &ends))
}

fn alterations(today: Today<'_>, includes: impl Fn(AlterationKind) -> bool) -> Vec<Alteration> {
    let mut all = Vec::new();
    if includes(AlterationKind::Usage) {
        all.extend(usage::alterations(today));
    }
    all.extend(pods::alterations(today, &includes));
    all.extend(metrics::alterations(today, &includes));
    all.extend(rules::alterations(today, &includes));
    all
}

fn decided(today: Today<'_>, alteration: Alteration, ends: &[Memory]) -> Counterfactual {
    let now = today.analysis.trace.at;
    let observation = alteration.applied_to(today.observation, &today.analysis.trace);
    let mut memory_after = today.analysis.memory.clone();
    let trace = engine::decide(&observation, &mut memory_after, now);
    let ends: Vec<&Memory> = ends.iter().collect();
    let range = range_of(&observation, &trace, &today.analysis.memory, &ends);
    Counterfactual {
        alteration,
        observation,
        trace,
        range,
        memory_after,
    }
}
