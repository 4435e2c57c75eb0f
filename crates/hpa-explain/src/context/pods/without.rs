//! The decision without some pods, in words.

use std::collections::BTreeSet;

use hpa_analysis::without_pods;
use hpa_engine::{
    model::Pod,
    trace::{Decision, Trace},
};

use crate::{ExplainContext, Facts, NoteWeight, ladder::by_pods};

/// The decision without some pods.
pub(crate) struct Without {
    /// `CPU at 90% asks for 6, so it would scale 4 → 6`.
    pub(crate) text: String,
    /// The same text with the calculation, if pods enter it: `CPU at 70% asks for 4 (70 / 60 × 3 pods = 3.5 → 4), so
    /// it would stay at 4`.
    pub(crate) calculated: String,
    /// A warning if the decision differs, a detail if the metrics do not even ask for another number.
    pub(crate) weight: NoteWeight,
    /// The desired replicas in that case.
    pub(crate) replicas: Option<i32>,
    /// The decision.
    pub(crate) trace: Trace,
}

/// What the controller would decide without `pods`, with the same recommendation history at the same instant.
pub(crate) fn without(cx: &ExplainContext<'_>, pods: &[&Pod]) -> Without {
    let names: BTreeSet<&str> = pods.iter().map(|pod| pod.name.as_str()).collect();
    let trace = without_pods(
        cx.facts.observation,
        &cx.analysis.memory,
        cx.facts.trace.at,
        &names,
    );
    let facts = Facts::new(cx.facts.observation, &trace);
    let goes = match trace.decision {
        Decision::Rescale { from, to, .. } => format!("it would scale {from} → {to}"),
        Decision::Hold { current } => format!("it would stay at {current}"),
        Decision::Disabled => "it would stay at 0".to_owned(),
        Decision::Failed { .. } => "no metric could be computed".to_owned(),
        Decision::Unknown { .. } => "the decision is unknown".to_owned(),
    };
    let metric = facts.winner().and_then(|winner| {
        let current = winner.current_text()?;
        let proposal = facts.proposal()?;
        let recommendation = format!("{} at {current} asks for {proposal}", winner.in_prose());
        Some((
            recommendation,
            winner.proposal.and_then(|step| by_pods(winner, step)),
        ))
    });
    let (text, calculated) = match &metric {
        None => (goes.clone(), goes),
        Some((recommendation, None)) => (
            format!("{recommendation}, so {goes}"),
            format!("{recommendation}, so {goes}"),
        ),
        Some((recommendation, Some(calculation))) => (
            format!("{recommendation}, so {goes}"),
            format!("{recommendation} ({calculation}), so {goes}"),
        ),
    };
    Without {
        text,
        calculated,
        weight: if replicas(&trace.decision) != replicas(&cx.facts.trace.decision) {
            NoteWeight::Warning
        } else if facts.proposal() != cx.facts.proposal() {
            NoteWeight::Normal
        } else {
            NoteWeight::Detail
        },
        replicas: replicas(&trace.decision),
        trace,
    }
}

fn replicas(decision: &Decision) -> Option<i32> {
    match *decision {
        Decision::Hold { current } => Some(current),
        Decision::Rescale { to, .. } => Some(to),
        _ => None,
    }
}
