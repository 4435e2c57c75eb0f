//! HPA214 `memory-only`.

use super::entry::MetricEntry;
use crate::{Check, Cx, HpaSubject, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA214",
    name: "memory-only",
    summary: "memory is the only metric",
    severity: Severity::Warning,
    check: Check::Hpa(check),
    docs: include_str!("memory_only.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let spec = &cx.subject.spec;
    let is_memory =
        |entry: MetricEntry<'_>| entry.resource().is_some_and(|(name, _)| name == "memory");
    if spec.metrics.is_empty() || !MetricEntry::all(spec).all(is_memory) {
        return Ok(Vec::new());
    }
    Ok(vec![
        cx.finding("spec.metrics")
            .message(
                "memory is the only metric and seldom falls, so the replicas rise but rarely fall",
            )
            .help("scale on CPU or on the request rate, and keep memory at most as a safety net"),
    ])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::table;

    #[test]
    fn memory_in_an_annotation_is_not_alone_beside_the_cpu_target() {
        table(
            &RULE,
            |[spec]| format!(
            "
apiVersion: autoscaling/v1
kind: HorizontalPodAutoscaler
metadata:
  name: web
  annotations:
    autoscaling.alpha.kubernetes.io/metrics: >-
      [{{\"type\":\"Resource\",\"resource\":{{\"name\":\"memory\",\"targetAverageUtilization\":60}}}}]
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}
  {spec}"
            ),
            "
alone |maxReplicas: 3 => warning spec.metrics: memory is the only metric and seldom falls, so the replicas rise but rarely fall
with CPU |maxReplicas: 3\\n  targetCPUUtilizationPercentage: 80
",
        );
    }
}
