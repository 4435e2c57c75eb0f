//! How suppressing annotations and comments are recognized.

use crate::Object;

/// Key of the annotation with the rules to ignore.
pub(super) const ANNOTATION: &str = "kubectl-hpa/ignore";

/// Key of the annotation with the reason.
pub(super) const REASON_ANNOTATION: &str = "kubectl-hpa/ignore-reason";

/// The prefix of comments for this program.
pub(super) const PREFIX: &str = "kubectl-hpa:";

/// Whether a text may contain a suppressing comment. Comments are not needed for anything else.
pub(crate) fn may_have_comment(text: &str) -> bool {
    text.contains(PREFIX)
}

/// Whether an object may suppress findings.
pub(crate) fn may_suppress(object: &Object) -> bool {
    let annotations = object.node.at("metadata.annotations");
    let is_annotated = annotations.is_some_and(|all| all.get(ANNOTATION).is_some());
    is_annotated || !object.comments.is_empty()
}
