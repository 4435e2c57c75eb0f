//! HPA217 `same-resource-two-forms`.

use hpa_words::amount::resource_in_prose;

use super::entry::MetricEntry;
use crate::{Check, Cx, ForScaledObject, HpaSubject, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA217",
    name: "same-resource-two-forms",
    summary: "two metrics act on the same resource in different forms",
    severity: Severity::Info,
    check: Check::Hpa(check),
    for_scaled_object: ForScaledObject::ItsHpa,
    docs: include_str!("same_resource_two_forms.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let entries: Vec<MetricEntry<'_>> = MetricEntry::all(&cx.subject.spec).collect();
    let mut findings = Vec::new();
    for (place, other) in entries.iter().enumerate() {
        for one in &entries[..place] {
            let (Some((resource, container)), Some((same, second))) =
                (one.resource(), other.resource())
            else {
                continue;
            };
            let overlap = container.is_none() || second.is_none() || container == second;
            let is_percent = |entry: &MetricEntry<'_>| entry.utilization().is_some();
            let is_duplicate = container == second && is_percent(one) == is_percent(other);
            if resource != same || !overlap || is_duplicate {
                continue;
            }
            let resource = resource_in_prose(resource);
            findings.push(
                cx.finding(other.path())
                    .message(format!(
                        "{} and {} both act on {resource}, so it is not clear which one decides",
                        one.path(),
                        other.path()
                    ))
                    .help("remove one of them")
                    .label(one.path(), format!("also acts on {resource}")),
            );
        }
    }
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{HPA, table};

    #[test]
    fn two_containers_are_two_things() {
        table(
            &RULE,
            |containers: [&str; 2]| {
                let target = "target: {type: AverageValue, averageValue: 1}";
                let [first, second] = containers.map(|container| match container {
                    "" => format!("{{type: Resource, resource: {{name: cpu, {target}}}}}"),
                    name => format!("{{type: ContainerResource, containerResource: {{name: cpu, container: {name}, {target}}}}}"),
                });
                format!("{HPA}  maxReplicas: 3\n  metrics: [{first}, {second}]\n")
            },
            r"
two containers | app | proxy
the same, which is for HPA216 | app | app
the pod and a container | | proxy => info spec.metrics[1]: spec.metrics[0] and spec.metrics[1] both act on CPU, so it is not clear which one decides
",
        );
    }
}
