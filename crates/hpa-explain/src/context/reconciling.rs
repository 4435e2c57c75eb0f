//! A controller that does not sync the HPA.

use hpa_diagnosis::not_reconciled::not_reconciled;

use crate::{
    ExplainContext,
    command::ShellCommand,
    situation::{Place, Situation},
};

/// Situation: the replicas were changed several syncs ago, and the status still has those before.
pub(crate) fn situation(cx: &ExplainContext<'_>) -> Option<Situation> {
    let observation = cx.facts.observation;
    let found = not_reconciled(observation, cx.context, cx.facts.trace, cx.clock.now)?;
    Some(Situation {
        place: Place::Before,
        words: Some("not synced".to_owned()),
        sentences: vec![
            format!(
                "The controller has not synced this HPA for {}: {}.",
                cx.clock.ago(found.since),
                found.why
            ),
            "Check that kube-controller-manager runs. If other HPAs are synced, look for errors of this one in its log."
                .to_owned(),
        ],
        command: Some(ShellCommand::new(
            "kubectl get lease kube-controller-manager -n kube-system",
        )),
    })
}
