//! HPA013 `not-evaluated`.

use crate::Severity;

crate::declare_rule! {
    /// ## What it does
    /// Lists the rules that could not run, and why. It is a note, not a finding.
    ///
    /// ## Why is this bad?
    /// Without the note, a rule that did not run would look like a rule that found nothing.
    ///
    /// ## Fix
    /// Add the missing files with `--with`, or add the missing permissions.
    ///
    /// ## References
    /// - [Linting HPAs](../lint.md)
    pub(crate) static RULE = {
        code: "HPA013",
        name: "not-evaluated",
        summary: "a rule could not run",
        severity: Severity::Note,
    }
}
