//! HPA012 `undecodable`.

use crate::lint::Severity;

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags a document that cannot be read: broken YAML, a Helm template, or an HPA with a field of the wrong type,
    /// such as a name that kubectl reads as a boolean (`on`, `yes`) or a number (`0777`).
    /// It warns of an HPA that is not read as it is written: a key that stands twice, or bytes that are not UTF-8.
    /// Broken documents in a directory that are not HPAs are only noted.
    ///
    /// ## Why is this bad?
    /// Nothing in it can be checked, and the API server will reject it. All other documents are still checked.
    /// Of a key that stands twice kubectl takes the last one without a word, while Kustomize refuses the document.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: autoscaling/v2
    /// kind: HorizontalPodAutoscaler
    /// metadata:
    ///   name: web
    /// spec:
    ///   scaleTargetRef: Deployment/web
    ///   maxReplicas: 10
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// apiVersion: autoscaling/v2
    /// kind: HorizontalPodAutoscaler
    /// metadata:
    ///   name: web
    /// spec:
    ///   scaleTargetRef:
    ///     apiVersion: apps/v1
    ///     kind: Deployment
    ///     name: web
    ///   maxReplicas: 10
    /// ```
    ///
    /// ## Fix
    /// Put the document right where the message says. Of a chart, lint what `helm template` prints.
    ///
    /// ## References
    /// - own
    pub(crate) static RULE = {
        code: "HPA012",
        name: "undecodable",
        summary: "a document that cannot be read as an HPA",
        severity: Severity::Error,
        yields_to: &["HPA009"],
    }
}
