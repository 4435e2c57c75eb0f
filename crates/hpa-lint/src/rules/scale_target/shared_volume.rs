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
    use crate::testing::{hpa_and_workload, table};

    #[test]
    fn a_claim_of_one_node_or_pod_is_reported_unless_one_pod_is_enough() {
        table(
            &RULE,
            |[kind, max, modes, volume]| {
                let shared =
                    "      volumes: [{name: f, persistentVolumeClaim: {claimName: files}}]\n";
                let volume = match volume {
                    "shared" => shared.to_owned(),
                    "pinned" => format!("{shared}      nodeSelector: {{kubernetes.io/hostname: a}}\n"),
                    _ => "  volumeClaimTemplates: [{metadata: {name: files}, spec: {accessModes: [ReadWriteOnce]}}]\n".to_owned(),
                };
                let workload = format!(
                    "  template:
    metadata: {{labels: {{app: web}}}}
    spec:
      containers: [{{name: main}}]
{volume}"
                );
                let max = format!("minReplicas: 1\n  maxReplicas: {max}");
                let yaml = hpa_and_workload(kind, "", &workload).replace("maxReplicas: 8", &max);
                if modes.is_empty() {
                    return yaml;
                }
                format!(
                    "{yaml}---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {{name: files}}
spec: {{accessModes: [{modes}]}}
"
                )
            },
            r"
two pods | Deployment | 2 | ReadWriteOnce | shared => …so pod 2 stays in…
eight pods | Deployment | 8 | ReadWriteOnce | shared
  warning spec.maxReplicas: all pods mount the ReadWriteOnce claim files, so pods 2 to 8 stay in ContainerCreating on other nodes (Multi-Attach)
a claim of one pod | Deployment | 2 | ReadWriteOncePod | shared => warning spec.maxReplicas: all pods mount the ReadWriteOncePod claim files, so only 1 pod can run: pod 2 cannot mount it
a StatefulSet | StatefulSet | 8 | ReadWriteOnce | shared => warning …
many may write | Deployment | 8 | ReadWriteMany | shared
many may read | Deployment | 8 | ReadOnlyMany | shared
one or many may write | Deployment | 8 | ReadWriteOnce, ReadWriteMany | shared
one pod is enough | Deployment | 1 | ReadWriteOnce | shared
each pod has its own | StatefulSet | 8 | ReadWriteOnce | own
all pods are on one node | Deployment | 8 | ReadWriteOnce | pinned
one node does not help a claim of one pod | Deployment | 8 | ReadWriteOncePod | pinned => warning …
a claim that is not given | Deployment | 8 | | shared => note HPA423 not checked: PersistentVolumeClaim/files is not in the given files
",
        );
    }
}
