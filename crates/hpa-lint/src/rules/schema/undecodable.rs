//! HPA012 `undecodable`.

use crate::Severity;

crate::declare_rule! {
    /// ## What it does
    /// Flags a document that cannot be read: broken YAML, a Helm template, an HPA with a field of the wrong type, or a
    /// misspelled kind, such as `HorizontalPodAutoScaler`.
    /// It also flags a string without quotes that kubectl reads as a boolean (`on`, `yes`, `n`) or as a number (`0777`,
    /// `1.10`), in HPAs, ScaledObjects, VerticalPodAutoscalers and workloads.
    /// Such strings are labels, annotations, values of `env`, `args`, and `updateMode: Off`.
    /// In files that Kustomize builds, `on` and `yes` are strings, so there they are not flagged.
    /// It is a warning if an HPA is read differently from how it is written: a key that appears twice, or bytes that are
    /// not UTF-8.
    /// Broken documents of other kinds in a directory are only a note.
    ///
    /// ## Why is this bad?
    /// If a document cannot be read, the API server rejects it, and lint cannot check it. The other documents are checked.
    /// If a key appears twice, kubectl takes the last one without a warning, and Kustomize rejects the document.
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
    /// Fix the document where the message points. For a chart, lint the output of `helm template`.
    ///
    /// ## References
    /// - [Linting HPAs](../lint.md)
    pub(crate) static RULE = {
        code: "HPA012",
        name: "undecodable",
        summary: "a document that cannot be read as an HPA",
        severity: Severity::Error,
        reports_rejections: true,
        yields_to: &["HPA009"],
    }
}
