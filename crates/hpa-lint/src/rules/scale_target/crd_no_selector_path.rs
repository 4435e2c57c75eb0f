//! HPA405 `crd-no-selector-path`.

use hpa_engine::model::Reading;

use super::reference::{TargetKind, target_name};
use crate::{
    Basis, Check, Cx, Finding, ForScaledObject, HpaSubject, Missing, Needs, Rule, RuleOutcome,
    Severity,
    world::{Crd, ScalePaths, SchemaType},
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA405",
    name: "crd-no-selector-path",
    summary: "the scale subresource of the target has no selector",
    severity: Severity::Error,
    needs: Needs::Related,
    check: Check::Hpa(check),
    for_scaled_object: ForScaledObject::ItsHpa,
    docs: include_str!("crd_no_selector_path.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let finding = |subject: &str| {
        cx.finding("spec.scaleTargetRef").message(format!(
            "the scale subresource of {subject} has no selector, so the HPA computes no metric"
        ))
    };
    if let Some(live) = &cx.subject.hpa.live
        && let Reading::Read(scale) = &live.observation.scale
    {
        let findings = scale.selector.is_empty().then(|| {
            finding(&target_name(cx)).basis(Basis::Live).help(
                "make its operator write the selector of the pods to the field that labelSelectorPath of the \
                 CustomResourceDefinition names",
            )
        });
        return Ok(findings.into_iter().collect());
    }
    match TargetKind::intended(cx) {
        TargetKind::Custom(crd) => Ok(crd
            .scale
            .iter()
            .filter_map(|scale| without_selector(cx, crd, scale))
            .collect()),
        TargetKind::BuiltIn(_) | TargetKind::Nothing => Ok(Vec::new()),
        TargetKind::Unknown if cx.subject.spec.scale_target.kind.is_empty() => {
            Err(cx.world.target_not_found(cx.subject))
        }
        TargetKind::Unknown => {
            cx.world.require("CustomResourceDefinition")?;
            Err(Missing::NotGiven {
                object: format!(
                    "the CustomResourceDefinition of {}",
                    cx.subject.spec.scale_target.kind
                ),
            })
        }
    }
}

/// The finding if no object of this definition can have a selector for the HPA.
fn without_selector(cx: &Cx<'_, HpaSubject>, crd: &Crd, scale: &ScalePaths) -> Option<Finding> {
    let (name, path) = (&crd.object.name, &scale.label_selector);
    let finding = |message: String| cx.finding("spec.scaleTargetRef").message(message);
    let because = |problem: &str| {
        finding(format!(
            "labelSelectorPath {path} of {name} {problem}, so the HPA computes no metric"
        ))
        .help("name a field of type string, where the operator writes the selector of the pods as text")
        .related(crd.object.clone(), "spec.versions", "the path of the selector")
    };
    match &scale.selector_type {
        _ if path.is_empty() => Some(
            finding(format!(
                "the scale subresource of {name} has no selector, so the HPA computes no metric"
            ))
            .help("add labelSelectorPath: .status.selector, and make the operator write the selector of the pods there")
            .related(crd.object.clone(), "spec.versions", "labelSelectorPath is missing"),
        ),
        Some(SchemaType::Absent) => {
            Some(because("is not in its schema, so the API server drops that field"))
        }
        Some(SchemaType::Of(kind)) if kind != "string" => {
            Some(because(&format!("is of type {kind}, and a selector must be text")))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::table;

    fn hpa(target: &str) -> String {
        format!(
            "
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{name: web}}
spec:
  scaleTargetRef: {{apiVersion: {target}, name: web}}
  maxReplicas: 4
---
"
        )
    }

    #[test]
    fn built_in_kinds_have_a_selector_and_unknown_ones_are_not_checked() {
        table(
            &RULE,
            |[target]| hpa(target),
            r"
a built-in kind | apps/v1, kind: Deployment
an unknown kind | example.com/v1, kind: Widget => note HPA405 not checked: the CustomResourceDefinition of Widget is not in the given files
no kind | example.com/v1, kind: '' => note HPA405 not checked: spec.scaleTargetRef has no kind or no name
",
        );
    }

    #[test]
    fn the_path_of_the_selector_must_be_a_text_of_the_schema() {
        table(
            &RULE,
            |[path, status]| {
                let definition = format!(
                    "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: widgets.example.com}}
spec:
  group: example.com
  names: {{kind: Widget, plural: widgets}}
  versions:
  - name: v1
    served: true
    schema: {{openAPIV3Schema: {{type: object, properties: {{status: {{type: object, {status}}}}}}}}}
    subresources: {{scale: {{specReplicasPath: .spec.replicas, labelSelectorPath: {path}}}}}
"
                );
                hpa("example.com/v1, kind: Widget") + &definition
            },
            r"
a text | .status.selector | properties: {selector: {type: string}}
another path | .status.labelSelector | properties: {selector: {type: string}}
  …: labelSelectorPath .status.labelSelector of widgets.example.com is not in its schema, so the API server drops that field, so the HPA computes no metric
an object | .status.selector | properties: {selector: {type: object}}
  …: labelSelectorPath .status.selector of widgets.example.com is of type object, and a selector must be text, so the HPA computes no metric
an open schema | .status.selector | x-kubernetes-preserve-unknown-fields: true
",
        );
    }
}
