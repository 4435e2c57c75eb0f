//! HPA706 `unschedulable`.

use hpa_analysis::seconds;
use hpa_diagnosis::pods_not_running::{FINDING_NO_NODE, Unscheduled, unscheduled};
use hpa_engine::model::Reading;

use crate::{
    Check, ConfigurableNumber, Cx, HpaSubject, Missing, Needs, Rule, RuleOutcome, Severity,
    ThresholdUnit,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA706",
    name: "unschedulable",
    summary: "pods of the target cannot be scheduled",
    severity: Severity::Error,
    needs: Needs::Live,
    thresholds: &[ConfigurableNumber {
        name: "duration",
        default: FINDING_NO_NODE,
        unit: ThresholdUnit::Seconds,
        summary: "how long a pod must wait",
    }],
    check: Check::Hpa(check),
    docs: include_str!("unschedulable.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let live = cx.live()?;
    let observation = &live.observation;
    if let Reading::NotRead(reason) = &observation.pods {
        return Err(Missing::from(reason));
    }
    let Some(scale) = observation.scale.read() else {
        return Ok(Vec::new());
    };
    let takes = seconds(cx.threshold("duration"));
    let found = unscheduled(observation, &live.context, live.now, takes);
    let Some(Unscheduled {
        mut waiting, ready, ..
    }) = found
    else {
        return Ok(Vec::new());
    };
    // Of exactly that age it has not waited longer.
    waiting.retain(|pod| pod.created.is_some_and(|at| takes < live.since(at)));
    let is_short = ready < usize::try_from(scale.spec_replicas).unwrap_or(0);
    if !is_short || waiting.is_empty() {
        return Ok(Vec::new());
    }
    let message = waiting.iter().find_map(|pod| pod.waiting.as_deref());
    let number = waiting.len();
    let pods = if number == 1 { "pod" } else { "pods" };
    Ok(vec![
        cx.finding("spec.scaleTargetRef")
            .message(format!(
                "{number} {pods} cannot be scheduled, so the load stays on fewer pods. {}",
                message
                    .unwrap_or("no reason is given")
                    .trim_end_matches('.')
            ))
            .help("add nodes, lower the requests, or lower maxReplicas to what the nodes can run"),
    ])
}
