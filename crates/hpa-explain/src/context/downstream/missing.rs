//! Wanted pods that do not exist: the HPA cannot create them, and what it asks for depends on those that exist.

use hpa_analysis::{FailedCreation, RefusalState};
use hpa_diagnosis::pods_not_running::{
    MissingPods, NotCreated, is_ordered, may_pods_follow, missing_pods, not_created,
};
use hpa_engine::{model::KnownKind, trace::Decision};
use hpa_words::amount::{replicas, upper_first};

use super::{
    creation::refused,
    own_pods,
    quotas::{self, Quotas, heading},
};
use crate::{
    ExplainContext,
    command::{ShellCommand, of_target},
    situation::{MeasuredProblem, Place, Situation, within_a_cell},
};

/// The wanted pods that do not exist, if any are known to be missing. After a scale-down they may not be wanted any longer.
pub(crate) fn missing(cx: &ExplainContext<'_>) -> Option<MissingPods> {
    let missing = missing_pods(cx.facts.observation, cx.context)?;
    let is_wanted = match cx.facts.trace.decision {
        Decision::Rescale { to, .. } => missing.existing < to,
        _ => true,
    };
    is_wanted.then_some(missing)
}

/// Whether pods are missing for another reason than that they are just being created.
pub(super) fn is_stuck(cx: &ExplainContext<'_>) -> bool {
    stuck(cx).is_some()
}

fn stuck<'a>(cx: &ExplainContext<'a>) -> Option<NotCreated<'a>> {
    let missing = missing(cx).and_then(|_| not_created(cx.facts.observation, cx.context))?;
    (missing.refusal.is_some() || !is_settling(cx)).then_some(missing)
}

/// `Only 3 of 6 wanted pods exist`.
pub(crate) fn few_exist(missing: MissingPods) -> String {
    let MissingPods { wanted, existing } = missing;
    match (existing, wanted) {
        (_, 1) => "The wanted pod does not exist".to_owned(),
        (0, _) => format!("None of the {wanted} wanted pods exists"),
        (1, _) => format!("Only 1 of {wanted} wanted pods exists"),
        _ => format!("Only {existing} of {wanted} wanted pods exist"),
    }
}

/// Problem: wanted pods do not exist, and the HPA can do no more about it.
pub(crate) fn problem(cx: &ExplainContext<'_>) -> Option<MeasuredProblem> {
    let not_created = stuck(cx)?;
    let effect = not_created.effect();
    let NotCreated {
        pods: missing,
        refusal,
        over,
        ..
    } = not_created;
    let MissingPods { wanted, existing } = missing;
    let target = &cx.facts.observation.hpa.spec.scale_target;
    let quotas = Quotas::of(cx).filter(|_| {
        refusal.is_some_and(|refusal| refusal.is_by_quota() && refusal.state == RefusalState::Holds)
    });
    let by_quota = quotas.and_then(|quotas| {
        let wanted = heading(cx).max(Some(wanted))?;
        Some((quotas.tightest()?, quotas.raise(wanted)?))
    });
    let few = few_exist(missing);
    let mut sentences = match (&by_quota, refusal) {
        (Some(((quota, allowed), _)), _) => {
            let allowed = replicas(*allowed);
            vec![format!("{few}: quota {quota} allows only {allowed}.")]
        }
        (None, Some(refusal)) => vec![
            format!("{few}."),
            format!("{}/{} {}.", refusal.kind, refusal.name, refused(&refusal)),
        ],
        (None, None) => vec![format!("{few}.")],
    };
    sentences.push(if let Some((_, raise)) = by_quota {
        format!("{}.", upper_first(&raise))
    } else if refusal.is_some_and(|refusal| refusal.is_by_quota()) {
        "Raise the quota.".to_owned()
    } else if refusal.is_some() {
        "Fix that first.".to_owned()
    } else if let Some(over) = over {
        format!(
            "A quota refused the others and has room now: {}/{} tries again by itself.",
            over.kind, over.name
        )
    } else if KnownKind::of(&target.kind).has_replicas() {
        format!("The HPA is not the problem: find what stops the other pods of {target}.")
    } else {
        format!(
            "The HPA is not the problem: check the operator of {target}, which has created only {existing}."
        )
    });
    let situation = Situation {
        place: Place::Before,
        words: Some(within_a_cell(
            format!("{} of {wanted} pods missing", missing.number()),
            || "pods missing".to_owned(),
        )),
        sentences,
        command: Some(command(cx, refusal)),
    };
    situation.measured(effect)
}

/// Whether others may follow. A StatefulSet may create its pods one after the other.
pub(crate) fn is_settling(cx: &ExplainContext<'_>) -> bool {
    may_pods_follow(cx.facts.observation, cx.context, cx.clock.now)
        || is_ordered(cx.context)
            && own_pods::of(cx).is_some_and(|own| own.ready() < own.active.len())
}

fn command(cx: &ExplainContext<'_>, refusal: Option<FailedCreation<'_>>) -> ShellCommand {
    let is_quota = refusal.is_some_and(|refusal| refusal.is_by_quota());
    if is_quota {
        quotas::command(cx)
    } else {
        of_target(cx, "kubectl describe")
    }
}
