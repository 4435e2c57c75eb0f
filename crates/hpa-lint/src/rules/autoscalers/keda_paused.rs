//! HPA606 `keda-paused`.

use hpa_engine::model::ScaledObject;

use crate::{Check, Cx, Needs, Rule, RuleOutcome, ScaledObjectSubject, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA606",
    name: "keda-paused",
    summary: "a ScaledObject is paused",
    severity: Severity::Warning,
    needs: Needs::Related,
    yields_to: &["HPA012"],
    check: Check::ScaledObject(check),
    docs: include_str!("keda_paused.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, ScaledObjectSubject>) -> RuleOutcome {
    let scaled = &cx.subject.scaled_object;
    let pauses = |name: &&str| scaled.is_paused_by(name);
    let name = &scaled.object.name;
    let finding = |annotation: &str, message: String| {
        cx.finding(format!(
            "metadata.annotations[{}{annotation}]",
            ScaledObject::PAUSING
        ))
        .message(message)
        .help("remove the annotation; if the pause is intended, suppress the finding with a reason")
    };
    if let Some(annotation) = ["paused-replicas", "paused"]
        .into_iter()
        .find(|one| pauses(one))
    {
        return Ok(vec![finding(
            annotation,
            format!("ScaledObject {name} is paused, so KEDA does not scale its target"),
        )]);
    }
    let directions = [("paused-scale-in", "down"), ("paused-scale-out", "up")];
    Ok(directions
        .into_iter()
        .filter(|(annotation, _)| pauses(annotation))
        .map(|(annotation, direction)| {
            finding(
                annotation,
                format!(
                    "ScaledObject {name} is paused in one direction, so it never scales {direction}"
                ),
            )
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::table;

    #[test]
    fn each_annotation_pauses_what_it_says() {
        table(
            &RULE,
            |[annotation]| {
                format!(
                    "
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {{name: web, annotations: {{autoscaling.keda.sh/{annotation}}}}}
spec: {{scaleTargetRef: {{name: web}}}}
"
                )
            },
            r"
all | paused-replicas: '0' => warning metadata.annotations[autoscaling.keda.sh/paused-replicas]: ScaledObject web is paused, so KEDA does not scale its target
one direction | paused-scale-in: 'true' => warning metadata.annotations[autoscaling.keda.sh/paused-scale-in]: ScaledObject web is paused in one direction, so it never scales down
nothing | paused-scale-out: 'false'
",
        );
    }
}
