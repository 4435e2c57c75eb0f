//! Names of writers, and how to stop each.

use hpa_engine::model::{FieldManager, Target};

use super::belongs::{argo_cd, helm};

/// The writer in words.
pub fn name(manager: &FieldManager) -> String {
    let is_scale = manager.subresource.as_deref() == Some("scale");
    let is_apply = manager.operation == "Apply";
    match manager.manager.as_str() {
        "kubectl" if is_scale => "kubectl scale".to_owned(),
        "kubectl" if is_apply => "kubectl apply --server-side".to_owned(),
        "kubectl-client-side-apply" => "kubectl apply".to_owned(),
        "kubectl-create" => "kubectl create".to_owned(),
        "kubectl-edit" => "kubectl edit".to_owned(),
        "kubectl-patch" => "kubectl patch".to_owned(),
        "kubectl-replace" => "kubectl replace".to_owned(),
        other if is_argo_cd(other) => format!("Argo CD ({other})"),
        other if is_flux(other) => format!("Flux ({other})"),
        other => other.to_owned(),
    }
}

/// Who that is, without how: `Argo CD`, `kubectl`.
pub(super) fn short_name(manager: &FieldManager) -> &str {
    match manager.manager.as_str() {
        other if other.starts_with("kubectl") => "kubectl",
        other if is_argo_cd(other) => "Argo CD",
        other if is_flux(other) => "Flux",
        other => other,
    }
}

/// Whether a person wrote, with kubectl.
pub(super) fn is_manual(manager: &FieldManager) -> bool {
    let by_hand = ["kubectl", "kubectl-edit", "kubectl-patch"];
    by_hand.contains(&manager.manager.as_str()) && manager.operation != "Apply"
}

/// How to stop a writer that is no person.
pub(super) fn fix(manager: &FieldManager, target: Option<&Target>) -> String {
    let origin = target.map(|target| &target.origin);
    let is_scale = manager.subresource.as_deref() == Some("scale");
    match manager.manager.as_str() {
        other if is_argo_cd(other) => {
            let application = origin.and_then(argo_cd).unwrap_or_default();
            format!(
                "Have the application{} ignore spec.replicas (ignoreDifferences, RespectIgnoreDifferences=true): \
                 removing it can set 1 replica.",
                with_blank(&application)
            )
        }
        other if other.to_lowercase().starts_with("helm") => {
            let release = origin.and_then(helm).unwrap_or_default();
            format!(
                "Remove spec.replicas from the chart{}, or each upgrade sets it again. The upgrade that removes it can set \
                 1 replica.",
                of(&release)
            )
        }
        "kubectl-client-side-apply" => {
            "Remove spec.replicas from the last applied configuration first (kubectl apply edit-last-applied), then from \
             the manifest: in the other order the next apply sets 1 replica."
                .to_owned()
        }
        other if is_flux(other) || manager.operation == "Apply" => {
            "Remove spec.replicas from the manifest right after the HPA has set it: otherwise the next apply sets 1 \
             replica."
                .to_owned()
        }
        other if other.starts_with("kubectl") => {
            "Remove spec.replicas from the manifest.".to_owned()
        }
        other if is_scale => format!("Only one of {other} and the HPA can scale it: stop one."),
        other => format!("Keep {other} from writing spec.replicas."),
    }
}

fn is_argo_cd(manager: &str) -> bool {
    manager.starts_with("argocd")
}

fn is_flux(manager: &str) -> bool {
    matches!(manager, "kustomize-controller" | "helm-controller") || manager.starts_with("flux")
}

fn with_blank(name: &str) -> String {
    if name.is_empty() {
        String::new()
    } else {
        format!(" {name}")
    }
}

fn of(release: &str) -> String {
    if release.is_empty() {
        String::new()
    } else {
        format!(" of release {release}")
    }
}
