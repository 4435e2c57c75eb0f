//! The result of a run, before it is written.

use hpa_lint::{LintInput, Report};

/// The result of a run, before it is written.
pub(crate) struct LintRun {
    pub(crate) report: Report,
    pub(crate) input: LintInput,
    pub(crate) remarks: Vec<String>,
    /// Whether standard output has the fixed text, so that findings go to standard error.
    pub(crate) to_stderr: bool,
    /// Whether everything could be read.
    pub(crate) is_whole: bool,
}
