//! HPA603 `keda-owned-edited`.

use hpa_diagnosis::other_writer::is_autoscaler;

use super::beside::{is_owned_by, owners, scaled_objects};
use crate::{Check, Cx, HpaSubject, Needs, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA603",
    name: "keda-owned-edited",
    summary: "a manifest or an edit of an HPA that KEDA owns",
    severity: Severity::Warning,
    needs: Needs::Related,
    check: Check::Hpa(check),
    docs: include_str!("keda_owned_edited.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let found = scaled_objects(cx);
    let made_by = found.maker(cx);
    let labels = cx.subject.manifest.labels();
    let name = made_by
        .as_ref()
        .map(|keda| &*keda.object.name)
        .or_else(|| owners(cx).find_map(|(kind, name)| (kind == "ScaledObject").then_some(name)))
        .or_else(|| labels.get("scaledobject.keda.sh/name").map(String::as_str));
    let Some(name) = name else {
        return Ok(Vec::new());
    };
    let edits = match &cx.subject.hpa.live {
        None => "edits".to_owned(),
        Some(live) => match &live.context.hpa_edited_by {
            Some(by) if !is_autoscaler(by) => format!("the edits of {}", by.manager),
            _ => return Ok(Vec::new()),
        },
    };
    let finding = cx
        .finding("metadata.name")
        .message(format!(
            "ScaledObject {name} owns this HPA, so KEDA reverts {edits}"
        ))
        .help("edit the ScaledObject instead: minReplicaCount, maxReplicaCount, spec.advanced.horizontalPodAutoscalerConfig");
    let keda = made_by
        .as_ref()
        .filter(|keda| !is_owned_by(cx, "ScaledObject", &keda.object.name));
    Ok(vec![match keda {
        Some(keda) => finding.related(keda.object.clone(), "", "KEDA creates the HPA for it"),
        None => finding,
    }])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::table;

    #[test]
    fn an_owner_reference_is_enough() {
        table(
            &RULE,
            |[owner]| {
                format!(
                    "
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{name: web, ownerReferences: [{{{owner}}}]}}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}
  maxReplicas: 4
"
                )
            },
            r"
a ScaledObject | apiVersion: keda.sh/v1alpha1, kind: ScaledObject, name: web => warning metadata.name: ScaledObject web owns this HPA, so KEDA reverts edits
another owner | kind: Release, name: web
",
        );
    }
}
