//! HPA423 `shared-volume`.

use crate::{
    Check, Cx, ForScaledObject, HpaSubject, Missing, Needs, Rule, RuleOutcome, world::Claim,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA423",
    name: "shared-volume",
    summary: "all pods mount a volume that only one node can mount",
    needs: Needs::Related,
    check: Check::Hpa(check),
    for_scaled_object: ForScaledObject::ItsHpa,
    docs: include_str!("shared_volume.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let max = cx.subject.spec.max_replicas;
    let workload = match cx.template_workload() {
        Ok(workload) if 1 < max => workload,
        // Most workloads have no claims, so only a workload that is known is worth a note.
        _ => return Ok(Vec::new()),
    };
    let Ok(template) = workload.pod_template() else {
        return Ok(Vec::new());
    };
    let is_on_one_node = template.node_selector.contains_key(HOST_NAME);
    let mut findings = Vec::new();
    for name in &template.claims {
        let claim = claim(cx, name)?;
        let (more, stay) = match max {
            2 => ("pod 2".to_owned(), "stays"),
            _ => (format!("pods 2 to {max}"), "stay"),
        };
        let (problem, mode) = match claim.exclusive_mode() {
            Some(mode @ "ReadWriteOncePod") => {
                (format!("only 1 pod can run: {more} cannot mount it"), mode)
            }
            Some(mode) if !is_on_one_node => (
                format!("{more} {stay} in ContainerCreating on other nodes (Multi-Attach)"),
                mode,
            ),
            _ => continue,
        };
        findings.push(
            cx.finding("spec.maxReplicas")
                .message(format!("all pods mount the {mode} claim {name}, so {problem}"))
                .help("use a ReadWriteMany claim, an object store, or a StatefulSet with volumeClaimTemplates")
                .related(claim.object.clone(), "spec.accessModes", format!("{mode} only"))
                .related(
                    workload.object.clone(),
                    "spec.template.spec.volumes",
                    "all pods mount it",
                ),
        );
    }
    Ok(findings)
}

/// The claim of the target's namespace.
fn claim<'a>(cx: &Cx<'a, HpaSubject>, name: &str) -> Result<&'a Claim, Missing> {
    let claim = cx.world.claim_beside(name, cx.subject.object());
    claim.ok_or_else(|| {
        if cx.world.is_live() {
            Missing::Because("claims of a cluster are not read".to_owned())
        } else {
            Missing::NotGiven {
                object: format!("PersistentVolumeClaim/{name}"),
            }
        }
    })
}

/// The label that selects one node.
const HOST_NAME: &str = "kubernetes.io/hostname";

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{hpa_and_workload, report, texts};

    fn found(kind: &str, max: i32, volume: &str, modes: &str) -> Vec<String> {
        let workload = format!(
            "  template:
    metadata: {{labels: {{app: web}}}}
    spec:
      containers: [{{name: main}}]
{volume}"
        );
        let yaml = hpa_and_workload(kind, "", &workload).replace(
            "maxReplicas: 8",
            &format!("minReplicas: 1\n  maxReplicas: {max}"),
        );
        let claim = format!(
            "{yaml}---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {{name: files}}
spec: {{accessModes: [{modes}]}}
"
        );
        texts(&report(&RULE, &claim))
    }

    const SHARED: &str = "      volumes: [{name: f, persistentVolumeClaim: {claimName: files}}]\n";

    #[test]
    fn a_claim_of_one_node_or_pod_is_reported_unless_one_pod_is_enough() {
        let two = found("Deployment", 2, SHARED, "ReadWriteOnce");
        assert!(two[0].contains("so pod 2 stays in"), "{two:?}");
        assert_eq!(
            found("Deployment", 8, SHARED, "ReadWriteOnce"),
            [
                "warning spec.maxReplicas: all pods mount the ReadWriteOnce claim files, so pods 2 to 8 stay in \
                 ContainerCreating on other nodes (Multi-Attach)"
            ]
        );
        assert_eq!(
            found("Deployment", 2, SHARED, "ReadWriteOncePod"),
            [
                "warning spec.maxReplicas: all pods mount the ReadWriteOncePod claim files, so only 1 pod can run: pod 2 \
                 cannot mount it"
            ]
        );
        assert_eq!(found("StatefulSet", 8, SHARED, "ReadWriteOnce").len(), 1);
        for modes in [
            "ReadWriteMany",
            "ReadOnlyMany",
            "ReadWriteOnce, ReadWriteMany",
        ] {
            assert!(found("Deployment", 8, SHARED, modes).is_empty(), "{modes}");
        }
        assert!(found("Deployment", 1, SHARED, "ReadWriteOnce").is_empty());
        let own = "  volumeClaimTemplates: [{metadata: {name: files}, spec: {accessModes: [ReadWriteOnce]}}]\n";
        assert!(found("StatefulSet", 8, own, "ReadWriteOnce").is_empty());
        let pinned = format!("{SHARED}      nodeSelector: {{kubernetes.io/hostname: a}}\n");
        assert!(found("Deployment", 8, &pinned, "ReadWriteOnce").is_empty());
        assert_eq!(found("Deployment", 8, &pinned, "ReadWriteOncePod").len(), 1);
    }

    #[test]
    fn a_claim_that_is_not_given_is_a_note() {
        let workload =
            format!("  template:\n    spec:\n      containers: [{{name: main}}]\n{SHARED}");
        let report = report(&RULE, &hpa_and_workload("Deployment", "", &workload));
        assert_eq!(
            report.notes[0].message,
            "HPA423 not checked: PersistentVolumeClaim/files is not in the given files"
        );
    }
}
