//! Who manages the HPA and its target.

use hpa_engine::model::{Origin, Target};
use hpa_words::amount::names;

use crate::{
    ExplainContext,
    context::{NoteView, NoteWeight},
    note::NoteTopic,
};

/// Who manages an object, by its labels and annotations: `Helm release shop/web`, `Argo CD application shop`.
pub(super) fn managers(origin: &Origin) -> Vec<String> {
    let flux = |kind: &str, group: &str| {
        let name = origin.mark(&format!("{group}.toolkit.fluxcd.io/name"))?;
        let namespace = origin.mark(&format!("{group}.toolkit.fluxcd.io/namespace"));
        Some(format!("Flux {kind} {}", joined(namespace, name)))
    };
    let found: Vec<String> = [
        flux("HelmRelease", "helm"),
        flux("Kustomization", "kustomize"),
        argo_cd(origin).map(|name| format!("Argo CD application {name}")),
        helm(origin).map(|name| format!("Helm release {name}")),
    ]
    .into_iter()
    .flatten()
    .collect();
    if !found.is_empty() {
        return found;
    }
    match origin.mark("app.kubernetes.io/managed-by") {
        Some("Helm") => vec![match origin.mark("app.kubernetes.io/instance") {
            Some(release) => format!("Helm release {release}"),
            None => "a Helm release".to_owned(),
        }],
        // KEDA's own HPAs have a note of their own.
        Some("keda-operator") | None => Vec::new(),
        Some(manager) => vec![manager.to_owned()],
    }
}

/// The Helm release, with its namespace.
pub(super) fn helm(origin: &Origin) -> Option<String> {
    let name = origin.mark("meta.helm.sh/release-name")?;
    let namespace = origin.mark("meta.helm.sh/release-namespace");
    Some(joined(namespace, name))
}

/// The Argo CD application: the first part of its tracking id, `shop:apps/Deployment:shop/web`.
pub(super) fn argo_cd(origin: &Origin) -> Option<String> {
    let tracked = origin
        .mark("argocd.argoproj.io/tracking-id")
        .and_then(|id| id.split(':').next());
    let name = tracked.or_else(|| origin.mark("argocd.argoproj.io/instance"))?;
    Some(name.to_owned())
}

/// Who manages the target.
pub(super) fn target(target: &Target, is_fought: bool) -> Option<NoteView> {
    let managers = managers(&target.origin);
    let weight = if is_fought {
        NoteWeight::Normal
    } else {
        NoteWeight::Detail
    };
    (!managers.is_empty()).then(|| {
        NoteTopic::Writers.note(
            "set by",
            weight,
            format!(
                "{}/{} belongs to {}.",
                target.kind,
                target.name,
                names(&managers, 3)
            ),
        )
    })
}

/// The object that controls the target: its operator may write the replicas.
pub(super) fn owner(target: &Target, is_fought: bool) -> Option<NoteView> {
    let owner = target.origin.owner.as_ref()?;
    // These leave the replicas to the autoscaler.
    let is_known = matches!(owner.kind.as_str(), "PodAutoscaler" | "Revision");
    let weight = if is_known && !is_fought {
        NoteWeight::Detail
    } else {
        NoteWeight::Normal
    };
    Some(NoteTopic::Writers.note("set by", 
        weight,
        format!(
            "{}/{} is controlled by {}/{}: if its operator also sets replicas, it undoes what the HPA does.",
            target.kind, target.name, owner.kind, owner.name
        ),
    ))
}

/// Who manages the HPA: the manager's next apply undoes an edit.
pub(super) fn hpa(cx: &ExplainContext<'_>) -> Option<NoteView> {
    let managers = managers(&cx.context.hpa_origin);
    (!managers.is_empty()).then(|| {
        NoteTopic::Writers.note(
            "set by",
            NoteWeight::Detail,
            format!(
                "the HPA belongs to {}: change it there.",
                names(&managers, 3)
            ),
        )
    })
}

fn joined(namespace: Option<&str>, name: &str) -> String {
    namespace.map_or_else(
        || name.to_owned(),
        |namespace| format!("{namespace}/{name}"),
    )
}
