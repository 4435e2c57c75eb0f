//! Changes rules: removes a policy, window, tolerance, bound, disabled direction or second HPA.

use std::collections::BTreeSet;

use hpa_engine::{
    engine,
    model::{
        Direction, Observation, Provenance, Quantity, Recommendation, ScalingRules,
        quantity::Format,
    },
    trace::{SelectorVerdict, Stabilize, Step},
};

use super::{Alteration, AlterationKind, Today};

/// Every rule that is set and could hold the replicas.
pub(super) fn alterations(
    today: Today<'_>,
    includes: &impl Fn(AlterationKind) -> bool,
) -> Vec<Alteration> {
    let mut found = Vec::new();
    if includes(AlterationKind::OtherHpas) {
        found.extend(other_hpas(today));
    }
    for side in Direction::BOTH {
        if includes(AlterationKind::SelectPolicy(side)) {
            found.extend(enabled(today, side));
        }
        if includes(AlterationKind::Window(side)) {
            found.extend(window(today, side));
        }
        if includes(AlterationKind::Policy(side)) {
            found.extend(policies(today, side));
        }
    }
    if includes(AlterationKind::Tolerance) {
        found.extend(tolerances(today));
    }
    if includes(AlterationKind::MaxReplicas) {
        found.extend(max_replicas(today));
    }
    if includes(AlterationKind::MinReplicas) {
        found.extend(min_replicas(today));
    }
    found
}

/// Removes a policy. If none is left, the API server's defaults apply.
pub(super) fn remove_policy(rules: &mut ScalingRules, index: usize) {
    if let Some(policies) = &mut rules.policies {
        if index < policies.len() {
            policies.remove(index);
        }
        if policies.is_empty() {
            rules.policies = None;
        }
    }
}

/// A tolerance of 0.
pub(super) fn no_tolerance() -> Quantity {
    Quantity::from_value(0, Format::DecimalSI)
}

fn other_hpas(today: Today<'_>) -> Option<Alteration> {
    let verdict = today
        .analysis
        .trace
        .steps
        .iter()
        .find_map(|step| match step {
            Step::SelectorCheck(check) => Some(&check.verdict),
            _ => None,
        })?;
    let SelectorVerdict::Ambiguous { hpas } = verdict else {
        return None;
    };
    let others = &today.observation.other_hpas;
    let named: BTreeSet<&str> = hpas
        .iter()
        .filter_map(|hpa| hpa.rsplit('/').next())
        .collect();
    let is_named = |name: &String| named.contains(name.as_str());
    let hpas = others
        .iter()
        .map(|other| other.name.clone())
        .filter(is_named)
        .collect();
    Some(Alteration::WithoutOtherHpas { hpas })
}

fn enabled(today: Today<'_>, side: Direction) -> Option<Alteration> {
    let rules = today.observation.hpa.spec.rules(side)?;
    rules.is_disabled().then_some(Alteration::Enabled { side })
}

fn window(today: Today<'_>, side: Direction) -> Option<Alteration> {
    let window = today.observation.window(side);
    window
        .is_positive()
        .then_some(Alteration::WithoutWindow { side, window })
}

fn policies(today: Today<'_>, side: Direction) -> Vec<Alteration> {
    let policies = today
        .observation
        .hpa
        .spec
        .rules(side)
        .and_then(|rules| rules.policies.as_deref())
        .unwrap_or_default();
    policies
        .iter()
        .enumerate()
        .map(|(index, policy)| Alteration::WithoutPolicy {
            side,
            index,
            policy: *policy,
            is_only: policies.len() == 1,
        })
        .collect()
}

fn tolerances(today: Today<'_>) -> Vec<Alteration> {
    let flag = today.observation.controller.tolerance.value;
    if !today.analysis.trace.switches.per_hpa_tolerance {
        let is_set = flag != 0.0;
        return is_set
            .then_some(Alteration::WithoutToleranceFlag)
            .into_iter()
            .collect();
    }
    let is_set = |side: &Direction| {
        let own = today
            .observation
            .hpa
            .spec
            .rules(*side)
            .and_then(|rules| rules.tolerance.as_ref());
        own.map_or(flag, Quantity::approximate_f64) != 0.0
    };
    Direction::BOTH
        .into_iter()
        .filter(is_set)
        .map(|side| Alteration::WithoutTolerance { side })
        .collect()
}

/// The recommendation, if it is larger than `maxReplicas`.
fn max_replicas(today: Today<'_>) -> Option<Alteration> {
    let stabilize = stabilize(today, |observation| {
        observation.hpa.spec.max_replicas = i32::MAX;
    })?;
    // Only a known recommendation sets the new bound, not a lower estimate.
    let is_bound = |one: &Recommendation| {
        one.replicas == stabilize.stabilized && one.provenance == Provenance::AtLeast
    };
    let to = if stabilize.considered.iter().any(is_bound) {
        stabilize.recommendation
    } else {
        stabilize.stabilized.max(stabilize.recommendation)
    }
    .max(stabilize.current);
    (today.observation.hpa.spec.max_replicas < to).then_some(Alteration::MaxReplicas { to })
}

/// The recommendation, if it is smaller than `minReplicas` but not zero.
fn min_replicas(today: Today<'_>) -> Option<Alteration> {
    let stabilize = stabilize(today, |observation| {
        observation.hpa.spec.min_replicas = Some(1);
    })?;
    let least = stabilize.stabilized.min(stabilize.recommendation);
    let to = least.min(stabilize.current).max(1);
    (to < today.observation.hpa.spec.min_replicas()).then_some(Alteration::MinReplicas { to })
}

/// Stabilization of the recommendation, with another bound.
fn stabilize(today: Today<'_>, set_bound: impl Fn(&mut Observation)) -> Option<Stabilize> {
    let mut observation = today.observation.clone();
    set_bound(&mut observation);
    let mut memory = today.analysis.memory.clone();
    let trace = engine::decide(&observation, &mut memory, today.analysis.trace.at);
    trace.stabilize().cloned()
}
