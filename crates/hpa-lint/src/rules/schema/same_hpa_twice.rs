//! HPA015 `same-hpa-twice`.

use crate::{Check, Cx, Manifest, Needs, Rule, RuleOutcome, Severity, world::TargetingHpa};

pub(crate) static RULE: Rule = Rule {
    code: "HPA015",
    name: "same-hpa-twice",
    summary: "two documents define one HPA, and the last one wins",
    severity: Severity::Error,
    needs: Needs::Related,
    check: Check::Manifest(check),
    docs: include_str!("same_hpa_twice.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, Manifest>) -> RuleOutcome {
    let own = &cx.subject.object;
    let Some(origin) = own.origin.filter(|_| !own.name.is_empty()) else {
        return Ok(Vec::new());
    };
    let is_later = |other: &&TargetingHpa| other.object.origin.is_some_and(|other| origin < other);
    let is_equal =
        |other: &TargetingHpa| other.content == TargetingHpa::of(&cx.subject.source).content;
    let is_applied_too = |other: &&TargetingHpa| {
        let file = other.object.origin.map(|origin| origin.file);
        let kustomize = &cx.world.kustomize;
        file.is_some_and(|file| kustomize.are_applied_together(origin.file, file))
    };
    let in_file = cx.world.last_document_in_file(own).filter(is_later);
    let in_folder = cx.world.last_document_in_folder(own).filter(is_later);
    let (other, place, severity) = match (in_file, in_folder.filter(is_applied_too)) {
        (Some(other), _) if is_equal(other) => (other, "this file", Severity::Info),
        (Some(other), _) => (other, "this file", Severity::Error),
        (None, Some(other)) if !is_equal(other) => (other, "this folder", Severity::Warning),
        _ => return Ok(Vec::new()),
    };
    Ok(vec![
        cx.finding("metadata.name")
            .severity(severity)
            .message(format!(
                "{own} appears again in {place}, and kubectl apply keeps the last one, so this one has no effect"
            ))
            .help("rename one of the two, or remove it")
            .related(other.object.clone(), "", "the last one"),
    ])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::table;

    #[test]
    fn only_the_last_of_one_name_counts() {
        table(
            &RULE,
            |[hpas]| {
                // An HPA is its maximum, with its namespace behind it.
                let hpa = |text: &str| {
                    let (max, metadata) = text.split_once(' ').unwrap_or((text, ""));
                    format!(
                        "---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{name: web, {metadata}}}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}
  maxReplicas: {max}
"
                    )
                };
                hpas.split(", ").map(hpa).collect()
            },
            r"
three that differ | 3, 4, 5 => error metadata.name: HorizontalPodAutoscaler/web appears again in this file, and kubectl apply keeps the last one, so this one has no effect
  error metadata.name: HorizontalPodAutoscaler/web appears again in this file, and kubectl apply keeps the last one, so this one has no effect
two that are equal | 3, 3 => info metadata.name: HorizontalPodAutoscaler/web appears again in this file, and kubectl apply keeps the last one, so this one has no effect
two namespaces | 3 namespace: dev, 4 namespace: prod
one without a namespace | 3 namespace: dev, 4
",
        );
    }
}
