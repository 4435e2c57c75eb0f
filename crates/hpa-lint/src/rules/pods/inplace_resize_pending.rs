//! HPA508 `inplace-resize-pending`.

use hpa_analysis::selected_pods;

use crate::{Check, Cx, HpaSubject, Missing, Needs, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA508",
    name: "inplace-resize-pending",
    summary: "a pod has a resize that is not in effect yet",
    severity: Severity::Info,
    needs: Needs::Live,
    check: Check::Hpa(check),
    docs: include_str!("inplace_resize_pending.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let mut metrics = cx.subject.spec.metrics.iter();
    let Some(index) = metrics.position(|metric| metric.percent().is_some()) else {
        return Ok(Vec::new());
    };
    let live = cx.live()?;
    if live.observation.pods.read().is_none() {
        return Err(Missing::Because("the pods could not be read".to_owned()));
    }
    let pods = selected_pods(&live.observation);
    let mut resized = pods.iter().filter(|pod| pod.resize.is_some());
    let Some(first) = resized.next() else {
        return Ok(Vec::new());
    };
    let (name, reason) = (&first.name, first.resize.as_deref().unwrap_or_default());
    let who = match resized.count() {
        0 => format!("pod {name} has a pending resize ({reason})"),
        more => format!("pod {name} and {more} more have a pending resize ({reason})"),
    };
    Ok(vec![
        cx.finding(format!("spec.metrics[{index}]"))
            .message(format!(
                "{who}, so utilization is computed from requests that are not in effect yet"
            ))
            .help("wait until the resize is done; if the node has no room for it, set the old requests again"),
    ])
}
