//! What came of a run.

use super::{Finding, Location, ObjectRef, Rule, Severity};

/// What came of a run.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The findings that count, by file and place, then by code.
    pub findings: Vec<Reported>,
    /// What could not be checked or had to be assumed.
    pub notes: Vec<Note>,
    /// HPAs that were looked at.
    pub hpas: usize,
    /// ScaledObjects that were looked at.
    pub scaled_objects: usize,
}

/// A finding, whose it is and where it stands.
#[derive(Clone, Debug)]
pub struct Reported {
    /// The rule.
    pub rule: &'static Rule,
    /// The object concerned.
    pub object: ObjectRef,
    /// What the rule says.
    pub finding: Finding,
    /// Where that is, if the object is from a file.
    pub location: Option<Location>,
    /// What it is recognized by in other runs: the same as long as rule, object, field and words are.
    pub fingerprint: String,
}

/// What could not be checked or had to be assumed. Notes never change the exit code.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Note {
    /// Code of the rule that says so, such as `HPA013`.
    pub code: &'static str,
    /// The object concerned; none: the whole run.
    pub object: Option<ObjectRef>,
    /// What it says.
    pub message: String,
}

impl Report {
    /// The worst severity, if there is any finding.
    pub fn worst(&self) -> Option<Severity> {
        self.findings
            .iter()
            .map(|reported| reported.finding.severity)
            .max()
    }
}
