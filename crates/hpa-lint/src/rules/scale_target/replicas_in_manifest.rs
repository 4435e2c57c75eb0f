//! HPA406 `replicas-in-manifest`.

use crate::{
    Applied, Check, Cx, Finding, HpaSubject, Needs, ObjectRef, PatchFit, Rule, RuleOutcome,
    world::{ArgoApplication, Workload},
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA406",
    name: "replicas-in-manifest",
    summary: "the manifest of the target sets spec.replicas",
    needs: Needs::Related,
    check: Check::Hpa(check),
    docs: include_str!("replicas_in_manifest.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    // In a cluster the field is always set; HPA408 checks who sets it.
    if cx.world.is_live() {
        return Ok(Vec::new());
    }
    let workload = cx.workload()?;
    if workload.is_stored || is_left_alone_by_flux(workload) {
        return Ok(Vec::new());
    }
    let applications = cx.world.argo_applications.iter();
    let ignoring: Vec<&ArgoApplication> = applications
        .filter(|application| application.ignores_replicas(&workload.group, &workload.object))
        .collect();
    if ignoring
        .iter()
        .any(|application| application.respects_on_sync)
    {
        return Ok(Vec::new());
    }
    let writers = [in_manifest(cx, workload), in_patches(cx, workload)];
    let writers = writers.into_iter().filter(|one| !one.places.is_empty());
    let together = writers.reduce(|mut manifest, patches| {
        manifest.message = format!("{}, and {}", manifest.message, patches.message);
        manifest.places.extend(patches.places);
        manifest
    });
    let found = together.map(|together| finding(cx, &together, ignoring.first().copied()));
    Ok(found.into_iter().collect())
}

/// Who sets the replicas, and where: objects and fields.
struct Writers {
    message: String,
    places: Vec<(ObjectRef, String)>,
}

fn in_manifest(cx: &Cx<'_, HpaSubject>, workload: &Workload) -> Writers {
    let replicas = workload.replicas.filter(|replicas| *replicas != 0);
    let kustomize = &cx.world.kustomize;
    let patches = kustomize.patches_for(&workload.object, &workload.group);
    let is_removal = |one: &Applied<'_>| {
        let change = one.patch.replicas();
        one.patch.is_deletion || change.is_some_and(|change| change.is_removal)
    };
    // The output of Kustomize then has none.
    let replicas = replicas.filter(|_| !patches.iter().any(is_removal));
    let written = replicas.map(|replicas| {
        (
            format!("{} sets spec.replicas {replicas}", workload.object),
            (workload.object.clone(), "spec.replicas".to_owned()),
        )
    });
    let (message, place) = written.unzip();
    Writers {
        message: message.unwrap_or_default(),
        places: place.into_iter().collect(),
    }
}

/// Patches of kustomizations that also build the HPA, and other manifests of the workload that look like patches.
fn in_patches(cx: &Cx<'_, HpaSubject>, workload: &Workload) -> Writers {
    let kustomize = &cx.world.kustomize;
    let mut folders: Vec<&str> = Vec::new();
    let mut places: Vec<(ObjectRef, String, i32)> = Vec::new();
    for applied in kustomize.patches_for(&workload.object, &workload.group) {
        if applied.fit == PatchFit::Yes
            && let Some(change) = applied.patch.replicas()
            && let Some(replicas) = change.number.filter(|replicas| *replicas != 0)
            && kustomize.has_beside(&applied, &cx.subject.manifest.object)
        {
            folders.push(&applied.kustomization.folder);
            places.push((applied.patch.place.clone(), change.path.clone(), replicas));
        }
    }
    folders.dedup();
    for partial in cx.world.partial_manifests(workload) {
        if let Some(replicas) = partial.replicas.filter(|replicas| *replicas != 0) {
            places.push((partial.object.clone(), "spec.replicas".to_owned(), replicas));
        }
    }
    let target = &workload.object;
    let message = match (&folders[..], &places[..]) {
        ([folder], [(.., replicas)]) => {
            format!("the Kustomize folder {folder} sets spec.replicas {replicas} of {target}")
        }
        ([], [(.., replicas)]) => format!("a patch sets spec.replicas {replicas} of {target}"),
        ([], places) => format!("{} patches set spec.replicas of {target}", places.len()),
        (folders, _) => {
            let (noun, verb) = match folders {
                [_] => ("folder", "sets"),
                _ => ("folders", "set"),
            };
            let named = folders.join(", ");
            format!("the Kustomize {noun} {named} {verb} spec.replicas of {target}")
        }
    };
    let places = places.into_iter().map(|(object, path, _)| (object, path));
    Writers {
        message,
        places: places.collect(),
    }
}

fn finding(
    cx: &Cx<'_, HpaSubject>,
    writers: &Writers,
    ignoring: Option<&ArgoApplication>,
) -> Finding {
    let mut finding = cx.finding("spec.scaleTargetRef").message(format!(
        "{}, so each apply overwrites the HPA",
        writers.message
    ));
    for (object, path) in &writers.places {
        finding = finding.related(object.clone(), path.clone(), "each apply writes it");
    }
    match ignoring {
        Some(application) => finding
            .help(
                "add RespectIgnoreDifferences=true to spec.syncPolicy.syncOptions of the Application. Without it Argo CD \
                 ignores the field only when it compares, and each sync applies it",
            )
            .related(application.object.clone(), "spec.syncPolicy", "has no RespectIgnoreDifferences=true"),
        None => finding.help(
            "remove spec.replicas from the last applied configuration first (kubectl apply edit-last-applied), then from \
             the manifest. In the other order the next apply sets 1 replica. Or make the deployer ignore the field",
        ),
    }
}

/// Whether Flux applies the object only if it does not exist, or not at all.
fn is_left_alone_by_flux(workload: &Workload) -> bool {
    let is = |name: &str, value: &str| {
        let name = format!("kustomize.toolkit.fluxcd.io/{name}");
        let annotation = workload.annotations.get(&name);
        annotation.is_some_and(|annotation| annotation.eq_ignore_ascii_case(value))
    };
    is("ssa", "IfNotPresent") || is("ssa", "Ignore") || is("reconcile", "disabled")
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{HPA, table};

    fn yaml(metadata: &str, replicas: &str, application: &str) -> String {
        format!(
            "{HPA}  maxReplicas: 4
---
apiVersion: apps/v1
kind: Deployment
metadata: {{name: web{metadata}}}
spec: {{{replicas}selector: {{matchLabels: {{app: web}}}}}}
{application}"
        )
    }

    #[test]
    fn replicas_are_found_unless_a_deployer_leaves_them() {
        table(
            &RULE,
            |[metadata, replicas, more]| yaml(metadata, replicas, more),
            r"
three | | replicas: 3, | => warning spec.scaleTargetRef: Deployment/web sets spec.replicas 3, so each apply overwrites the HPA
  help: remove spec.replicas from the last applied configuration first (kubectl apply edit-last-applied), then from the manifest…
zero | | replicas: 0, |
none | | |
what a cluster has | , uid: 1a2b | replicas: 3, |
Flux leaves them | , annotations: {kustomize.toolkit.fluxcd.io/ssa: IfNotPresent} | replicas: 3, |
a manifest and a patch are one finding | | replicas: 3, | ---\n{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 5}}
  warning spec.scaleTargetRef: Deployment/web sets spec.replicas 3, and a patch sets spec.replicas 5 of Deployment/web, so each apply overwrites the HPA
",
        );
        table(
            &RULE,
            |[kind, option]| {
                let application = format!(
                    "---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {{name: shop}}
spec:
  ignoreDifferences: [{{group: apps, kind: {kind}, jsonPointers: [/spec/replicas]}}]
  syncPolicy: {{syncOptions: [CreateNamespace=true{option}]}}
"
                );
                yaml("", "replicas: 3, ", &application)
            },
            r"
Argo CD leaves them | Deployment | , RespectIgnoreDifferences=true
Argo CD leaves those of another kind | StatefulSet | , RespectIgnoreDifferences=true => warning spec.scaleTargetRef: Deployment/web sets spec.replicas 3, so each apply overwrites the HPA
Argo CD only shows no difference | Deployment | => warning spec.scaleTargetRef: Deployment/web sets spec.replicas 3, so each apply overwrites the HPA
",
        );
    }

    #[test]
    fn a_patch_counts_wherever_it_is_and_does_not_hide_the_base() {
        let base = yaml("", "", "");
        let (hpa, deployment) = base.split_once("---").unwrap();
        let patch = "\n{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 3}}\n";
        table(
            &RULE,
            |[place]| match place {
                "first" => [patch, hpa, deployment].join("---"),
                _ => [hpa, deployment, patch].join("---"),
            },
            r"
it is the last | last => warning spec.scaleTargetRef: a patch sets spec.replicas 3 of Deployment/web, so each apply overwrites the HPA
it is the first | first => warning spec.scaleTargetRef: a patch sets spec.replicas 3 of Deployment/web, so each apply overwrites the HPA
",
        );
    }
}
