//! HPA013 `not-evaluated`.

use crate::lint::Severity;

crate::lint::declare_rule! {
    /// ## What it does
    /// Says which rules could not run, and why. It is a note, no finding.
    ///
    /// ## Why is this bad?
    /// Silence would look like a pass.
    ///
    /// ## Fix
    /// Give the files that are missing with `--with`, or the rights to read them.
    ///
    /// ## References
    /// - own
    pub(crate) static RULE = {
        code: "HPA013",
        name: "not-evaluated",
        summary: "a rule could not run",
        severity: Severity::Note,
    }
}
