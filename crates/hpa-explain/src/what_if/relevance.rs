//! Which counterfactuals concern the rule that decides.

use hpa_analysis::AlterationKind;
use hpa_engine::{
    model::PodPhase,
    trace::{ClassifiedPod, PodClass},
};

use crate::{Decider, ExplainContext, context::writers};

/// Whether counterfactuals of a family concern the rule that decides, and are not elsewhere on the page.
pub(super) fn is_about(cx: &ExplainContext<'_>, kind: AlterationKind) -> bool {
    // The note on pods of other owners and the lines `up` and `down` cover the others. An idle workload at `minReplicas`
    // is normal and needs no advice.
    cx.rule.words().what_ifs.contains(&kind)
        && match kind {
            AlterationKind::PodsReady => {
                let if_ready = cx.tipping_points().if_ready.as_ref();
                if_ready.map(|if_ready| if_ready.replicas) <= cx.facts.current()
            }
            // What a person set needs no other bound than the one that the answer names.
            AlterationKind::MaxReplicas | AlterationKind::MinReplicas => {
                cx.rule.decider() != Decider::NoMetric || writers::in_short(cx).is_none()
            }
            AlterationKind::AbsentPods => !has_note_about_absent_pods(cx),
            _ => true,
        }
}

/// The order on the page: first what is wrong, then what is set.
pub(super) fn order(kind: AlterationKind) -> u8 {
    match kind {
        AlterationKind::OtherHpas | AlterationKind::FailingMetrics => 0,
        AlterationKind::PodsReady => 2,
        AlterationKind::AbsentPods => 3,
        AlterationKind::SelectPolicy(_)
        | AlterationKind::MaxReplicas
        | AlterationKind::MinReplicas => 4,
        AlterationKind::Window(_) | AlterationKind::Policy(_) => 5,
        AlterationKind::WinningMetrics => 6,
        AlterationKind::Tolerance => 7,
        AlterationKind::ForeignPods | AlterationKind::Usage => 8,
    }
}

/// Whether the notes on startup and on finished pods already give the decision without those pods.
fn has_note_about_absent_pods(cx: &ExplainContext<'_>) -> bool {
    let Some((metric, groups)) = cx
        .facts
        .winner()
        .and_then(|winner| Some((winner, winner.groups?)))
    else {
        return false;
    };
    let adds_unready = metric.add_back.is_some_and(|step| step.adds_unready);
    let is_finished = |pod: &ClassifiedPod| {
        let pod = cx.facts.pod(pod.pod);
        pod.is_some_and(|pod| pod.phase == PodPhase::Succeeded)
    };
    let mut missing = groups
        .pods
        .iter()
        .filter(|pod| pod.class == PodClass::Missing);
    (adds_unready && 0 < groups.unready) || missing.any(is_finished)
}
