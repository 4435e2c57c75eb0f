//! HPA012 `undecodable`.

use crate::lint::Severity;

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags a document that cannot be read: broken YAML, or an HPA with a field of the wrong type.
    ///
    /// ## Why is this bad?
    /// Nothing in it can be checked, and the API server will reject it. All other documents are still checked.
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
    /// Put the document right where the message says.
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
