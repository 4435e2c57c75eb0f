//! Counterfactual decisions, one after another.

use super::{Alteration, AlterationKind, metrics, pods, rules, usage};
use crate::{
    engine,
    inference::{
        Analysis, MemoryBasis, ReplicaChange,
        analysis::{changes_ahead, range_of},
        memory_from_outside,
    },
    model::{Context, Memory, Observation},
    trace::{Decision, Trace},
};

/// What is, to be compared with what might be.
#[derive(Clone, Copy, Debug)]
pub struct Today<'a> {
    /// What the controller reads.
    pub observation: &'a Observation,
    /// What is known beside it.
    pub context: &'a Context,
    /// What was worked out from them.
    pub analysis: &'a Analysis,
}

/// A decision of the same controller, with the same memory at the same moment, if one thing were different.
#[derive(Clone, Debug)]
pub struct Counterfactual {
    /// What is different.
    pub alteration: Alteration,
    /// What the controller would read.
    pub observation: Observation,
    /// What it would make of that in its next reconcile.
    pub trace: Trace,
    /// The least and the most replicas that it may come to, if what the controller remembers matters and is not known.
    pub range: Option<(i32, i32)>,
    memory_after: Memory,
}

impl Counterfactual {
    /// Replicas after the next reconcile; none if it cannot decide.
    pub fn replicas(&self) -> Option<i32> {
        self.trace.decision.replicas()
    }

    /// Whether it comes to another number than `today`, or only one of both can decide at all.
    pub fn differs_from(&self, today: &Trace) -> bool {
        self.replicas() != today.decision.replicas()
    }

    /// The changes that follow if it stays like that: the end of windows and periods.
    pub fn changes_ahead(&self) -> Vec<ReplicaChange> {
        changes_ahead(&self.observation, &self.trace, &self.memory_after)
    }
}

/// All counterfactuals of the `includes` families, each worked out when it is asked for.
///
/// There are none if something that decides could not be read.
pub fn counterfactuals(
    today: Today<'_>,
    includes: impl Fn(AlterationKind) -> bool,
) -> impl Iterator<Item = Counterfactual> {
    let alterations = match today.analysis.trace.decision {
        Decision::Unknown { .. } => Vec::new(),
        _ => alterations(today, includes),
    };
    let ends = match today.analysis.memory_basis {
        MemoryBasis::Inferred | MemoryBasis::WatchedSince(_) | MemoryBasis::WatchedWithGaps(_)
            if !alterations.is_empty() =>
        {
            let outside =
                memory_from_outside(today.observation, today.context, today.analysis.trace.at);
            Some((outside.least, outside.most)).filter(|(least, most)| least != most)
        }
        _ => None,
    };
    alterations
        .into_iter()
        .map(move |alteration| decided(today, alteration, ends.as_ref()))
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

fn decided(
    today: Today<'_>,
    alteration: Alteration,
    ends: Option<&(Memory, Memory)>,
) -> Counterfactual {
    let now = today.analysis.trace.at;
    let observation = alteration.applied_to(today.observation, &today.analysis.trace);
    let mut memory_after = today.analysis.memory.clone();
    let trace = engine::decide(&observation, &mut memory_after, now);
    let range = ends.and_then(|(least, most)| {
        range_of(&observation, &trace, &today.analysis.memory, &[least, most])
    });
    Counterfactual {
        alteration,
        observation,
        trace,
        range,
        memory_after,
    }
}
