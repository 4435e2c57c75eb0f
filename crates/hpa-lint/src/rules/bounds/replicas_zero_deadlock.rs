//! HPA108 `replicas-zero-deadlock`.

use hpa_analysis::without_metrics;
use hpa_engine::{
    engine,
    model::{Memory, Reading, Scale},
    trace::{BoundsBranch, Step, Trace},
};
use jiff::Timestamp;

use crate::{Basis, Check, Cx, HpaSubject, Needs, Rule, RuleOutcome, leave_zero};

pub(crate) static RULE: Rule = Rule {
    code: "HPA108",
    name: "replicas-zero-deadlock",
    summary: "a target at 0 replicas that the HPA never scales up",
    needs: Needs::Related,
    check: Check::Hpa(check),
    docs: include_str!("replicas_zero_deadlock.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let target = &cx.subject.spec.scale_target;
    let finding = cx
        .finding("spec.scaleTargetRef")
        .message(format!(
            "{}/{} has 0 replicas, which turns this HPA off, so it never scales up",
            target.kind, target.name
        ))
        .help("start it with at least 1 replica; if it is paused on purpose, suppress this with a reason");
    if let Ok(live) = cx.live() {
        let is_disabled = is_disabled(&live.analysis.trace);
        let found = is_disabled.then(|| finding.help(leave_zero(cx)).basis(Basis::Live));
        return Ok(found.into_iter().collect());
    }
    let workload = cx.workload()?;
    if workload.replicas != Some(0) {
        return Ok(Vec::new());
    }
    let mut observation = without_metrics(&cx.subject.spec, cx.config);
    observation.hpa.spec = cx.subject.spec.clone();
    observation.scale = Reading::Read(Scale::default());
    let trace = engine::decide(&observation, &mut Memory::default(), Timestamp::UNIX_EPOCH);
    if !is_disabled(&trace) {
        return Ok(Vec::new());
    }
    Ok(vec![finding.related(
        workload.object.clone(),
        "spec.replicas",
        "starts with 0",
    )])
}

/// Whether the controller reads no metrics because there are no replicas.
fn is_disabled(trace: &Trace) -> bool {
    trace.steps.iter().any(|step| {
        matches!(step, Step::CompareBounds(bounds) if matches!(bounds.branch, BoundsBranch::Disabled(_)))
    })
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{DEPLOYMENT, HPA, report_at, table_of};

    #[test]
    fn a_workload_at_zero_is_woken_before_1_36_if_the_minimum_is_zero() {
        table_of(
            |[minor, min, replicas]| {
                let yaml = format!(
                    "{HPA}  minReplicas: {min}
  maxReplicas: 3
  metrics: [{{type: External, external: {{metric: {{name: q}}, target: {{type: AverageValue, averageValue: 1}}}}}}]
{DEPLOYMENT}spec: {{replicas: {replicas}}}
"
                );
                report_at(&RULE, minor, &yaml)
            },
            r"
the minimum is one | 35 | 1 | 0 => warning spec.scaleTargetRef: Deployment/web has 0 replicas, which turns this HPA off, so it never scales up
the minimum is zero | 35 | 0 | 0
the minimum is zero later | 37 | 0 | 0 => warning spec.scaleTargetRef: Deployment/web has 0 replicas, which turns this HPA off, so it never scales up
it has a replica | 37 | 0 | 1
",
        );
    }
}
