//! HPA215 `memory-present`.

use super::entry::MetricEntry;
use crate::{Check, Cx, HpaSubject, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA215",
    name: "memory-present",
    summary: "memory is one of several metrics",
    severity: Severity::Info,
    is_opt_in: true,
    check: Check::Hpa(check),
    docs: include_str!("memory_present.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let spec = &cx.subject.spec;
    let n = spec.metrics.len();
    let is_memory =
        |entry: &MetricEntry<'_>| entry.resource().is_some_and(|(name, _)| name == "memory");
    let memory: Vec<MetricEntry<'_>> = MetricEntry::all(spec).filter(is_memory).collect();
    if memory.len() == n {
        return Ok(Vec::new());
    }
    Ok(memory
        .into_iter()
        .map(|entry| {
            cx.finding(entry.path())
                .message(format!(
                    "memory is one of {n} metrics and seldom falls, so it can block scale-down"
                ))
                .help(format!(
                    "set its target well above what idle pods keep, or remove {}",
                    entry.path()
                ))
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{HPA, findings};

    #[test]
    fn memory_alone_is_for_another_rule() {
        let yaml = &format!(
            "{HPA}  maxReplicas: 3
  metrics:
  - type: Resource
    resource: {{name: memory, target: {{type: AverageValue, averageValue: 1Gi}}}}
"
        );
        assert!(findings(&RULE, yaml).is_empty());
    }
}
