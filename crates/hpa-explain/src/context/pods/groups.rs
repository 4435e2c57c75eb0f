//! A replica that is a group of pods: the HPA multiplies by the pods, not by the replicas.

use hpa_analysis::{foreign_pods, selected_pods};
use hpa_diagnosis::effect::Effect;
use hpa_engine::{model::KnownKind, trace::ProposalRule};
use hpa_words::amount::{count, replicas};

use crate::{
    Decider, ExplainContext,
    situation::{MeasuredProblem, Place, Situation, within_a_cell},
};

/// Replicas that have several pods each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PodGroups {
    /// Replicas, by the scale.
    replicas: i32,
    /// Pods that the selector matches.
    pods: i32,
}

impl PodGroups {
    /// The groups, if the deciding metric multiplies by more pods than there are replicas. None where a replica is one pod:
    /// other pods then belong to other owners or to a rollout.
    pub(crate) fn of(cx: &ExplainContext<'_>) -> Option<Self> {
        let observation = cx.facts.observation;
        let kind = KnownKind::of(&observation.hpa.spec.scale_target.kind);
        if kind.has_replicas() {
            return None;
        }
        let multiplied = match cx.facts.winner()?.proposal.map(|one| one.rule) {
            Some(ProposalRule::CeilRatioTimesReady { ready, .. }) => ready,
            Some(ProposalRule::CeilAdjustedRatioTimesPods { pods, .. }) => pods,
            _ => cx.facts.winner()?.adjustment?.pods,
        };
        let scale = observation.scale.read()?;
        let pods = selected_pods(observation);
        let pods = pods.iter().filter(|pod| pod.is_active());
        let pods = i32::try_from(pods.count()).ok()?;
        let replicas = scale.status_replicas;
        let is_settled = replicas == scale.spec_replicas && 0 < replicas;
        let are_several = replicas.checked_mul(2).is_some_and(|double| double <= pods);
        let counts_more = usize::try_from(replicas).is_ok_and(|replicas| replicas < multiplied);
        let are_own = foreign_pods(observation, cx.context).is_empty();
        (is_settled && are_several && counts_more && are_own).then_some(Self { replicas, pods })
    }

    /// `6 pods for each replica`, or both numbers if they do not divide.
    fn in_words(self) -> String {
        match (
            self.pods.checked_div(self.replicas),
            self.pods.checked_rem(self.replicas),
        ) {
            (Some(each), Some(0)) => format!("{each} pods for each replica"),
            _ => format!("{} pods for {}", self.pods, replicas(self.replicas)),
        }
    }

    /// What it changes that each replica is several pods: the same ratio times the replicas asks for fewer. Which pods a replica
    /// has is not known, so the engine cannot decide with one for each.
    fn effect(self, cx: &ExplainContext<'_>) -> Option<Effect> {
        let Self { replicas, pods } = self;
        if cx.rule.decider() == Decider::UncountedPods {
            return Some(Effect::Replicas(0));
        }
        let asks = i64::from(cx.facts.proposal()?);
        let times = asks
            .saturating_mul(replicas.into())
            .saturating_add(i64::from(pods) - 1);
        let alone = times.checked_div(pods.into())?;
        let beyond_max = |asks: i64| (asks - i64::from(cx.facts.max())).max(0);
        let lacking = i32::try_from(beyond_max(asks) - beyond_max(alone)).ok()?;
        // A policy may allow less than the metric asks for.
        let decided = i64::from(cx.facts.trace.decision.replicas()?);
        let fewer = decided.min(asks) - alone;
        let fewer = i32::try_from(fewer).ok().filter(|fewer| 0 < *fewer);
        Effect::lacking(lacking).or(fewer.map(Effect::Replicas))
    }
}

/// Problem: the metrics ask for more replicas, or are held, because each replica is a group of pods.
pub(crate) fn problem(cx: &ExplainContext<'_>) -> Option<MeasuredProblem> {
    let groups = PodGroups::of(cx)?;
    let winner = cx.facts.winner()?;
    let current = cx.facts.current()?;
    let is_guarded = cx.rule.decider() == Decider::UncountedPods;
    let proposal = cx.facts.proposal()?;
    if proposal <= current && !is_guarded {
        return None;
    }
    let PodGroups { pods, .. } = groups;
    let is_below = winner.ratio?.usage_ratio < 1.0;
    let mut sentences = vec![format!(
        "The HPA multiplies by the {} that the selector matches, not by the {}: {}.",
        count(usize::try_from(pods).ok()?, "pod"),
        replicas(groups.replicas),
        groups.in_words()
    )];
    if !is_guarded {
        let although = if is_below {
            ", although the load is below the target"
        } else {
            ""
        };
        sentences.push(format!(
            "{} and asks for {}{although}, and each new replica adds more pods.",
            winner.is_at(),
            replicas(proposal)
        ));
    }
    sentences.push("Fix: let the selector of the scale match one pod for each replica, for example only the leaders.".to_owned());
    sentences.push("Or use an External or Object metric with AverageValue.".to_owned());
    let situation = Situation {
        place: if is_guarded {
            Place::Before
        } else {
            Place::Instead
        },
        words: Some(within_a_cell(groups.in_words(), || {
            "replicas are pod groups".to_owned()
        })),
        sentences,
        command: None,
    };
    situation.measured(groups.effect(cx))
}
