//! HPA422 `cross-namespace-ref`.

use kubectl_hpa_yaml::YamlNode;

use super::reference::{scale_error, target_name};
use crate::{Basis, Check, Cx, HpaSubject, Rule, RuleOutcome, Severity, same_namespace};

pub(crate) static RULE: Rule = Rule {
    code: "HPA422",
    name: "cross-namespace-ref",
    summary: "scaleTargetRef points to another namespace",
    severity: Severity::Error,
    check: Check::Hpa(check),
    docs: include_str!("cross_namespace_ref.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let path = "spec.scaleTargetRef.namespace";
    if let Some(namespace) = cx.subject.manifest.at(path).and_then(YamlNode::as_str) {
        return Ok(vec![
            cx.finding(path)
                .message(format!(
                    "scaleTargetRef has namespace {namespace}, but an HPA scales only objects of its own namespace"
                ))
                .help("remove spec.scaleTargetRef.namespace, and put the HPA into the namespace of its target"),
        ]);
    }
    let target = &cx.subject.spec.scale_target;
    let namespace = cx.subject.hpa.namespace();
    let is_read = cx
        .subject
        .hpa
        .live
        .as_ref()
        .is_some_and(|live| live.observation.scale.read().is_some());
    let is_other_error = scale_error(cx).is_some_and(|error| error.code != 404);
    if cx.workload().is_ok() || is_read || is_other_error {
        return Ok(Vec::new());
    }
    let group = cx.subject.target_group();
    let elsewhere = cx.world.workloads_called(&target.name).find(|workload| {
        workload.group == group
            && workload.object.kind == target.kind
            && !same_namespace(&workload.object.namespace, namespace)
            && !cx
                .world
                .kustomize
                .are_apart(&workload.object, cx.subject.object())
    });
    Ok(elsewhere
        .map(|workload| {
            let other = &workload.object.namespace;
            cx.finding("spec.scaleTargetRef")
                .severity(cx.severity_of_missing())
                .basis(if cx.world.is_live() {
                    Basis::Live
                } else {
                    Basis::RelatedManifest
                })
                .message(format!(
                    "{} is in namespace {other}, so the HPA in namespace {namespace} cannot scale it",
                    target_name(cx)
                ))
                .help(format!("put the HPA into namespace {other}"))
                .related(workload.object.clone(), "", "probably the intended target")
        })
        .into_iter()
        .collect())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{report_with, table_of};

    #[test]
    fn a_target_in_another_namespace_only_is_found() {
        table_of(
            |[complete, namespaces]| {
                let deployment = |namespace: &str| {
                    format!(
                        "---\n{{apiVersion: apps/v1, kind: Deployment, metadata: {{name: web, namespace: {namespace}}}}}\n"
                    )
                };
                let yaml = "
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web, namespace: shop}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  maxReplicas: 4
"
                .to_owned();
                let yaml = yaml + &namespaces.split(' ').map(deployment).collect::<String>();
                report_with(&RULE, &yaml, |settings| {
                    settings.is_complete = complete == "complete";
                })
            },
            r"
there may be more files | some | store => warning spec.scaleTargetRef: Deployment/web is in namespace store, so the HPA in namespace shop cannot scale it
these are all files | complete | store => error spec.scaleTargetRef: Deployment/web is in namespace store, so the HPA in namespace shop cannot scale it
its namespace also has one | some | store shop
",
        );
    }
}
