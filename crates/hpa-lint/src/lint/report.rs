//! What came of a run.

use std::collections::BTreeSet;

use super::{Finding, Location, ObjectRef, Rule, Severity, fingerprint};

/// What came of a run.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The findings that count, by file and place, then by code.
    pub findings: Vec<Reported>,
    /// The accepted findings, in the same order.
    pub suppressed: Vec<Suppressed>,
    /// What could not be checked or had to be assumed.
    pub notes: Vec<ReportNote>,
    /// What is odd about suppressions and the like, such as the name of a rule that there is not.
    pub remarks: Vec<Remark>,
    /// Annotations and comments that suppress nothing.
    pub unused_suppressions: Vec<Remark>,
    /// HPAs that were looked at.
    pub hpas: usize,
    /// ScaledObjects that were looked at.
    pub scaled_objects: usize,
}

/// A finding, its object and its place.
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

/// An accepted finding.
#[derive(Clone, Debug)]
pub struct Suppressed {
    /// The finding.
    pub reported: Reported,
    /// How it was accepted.
    pub by: SuppressedBy,
    /// Why, in the words of its author.
    pub reason: Option<String>,
}

/// How a finding is accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SuppressedBy {
    /// The annotation `kubectl-hpa/ignore`.
    Annotation,
    /// A baseline.
    Baseline,
    /// A comment in the file.
    Comment,
    /// A configuration file.
    Configuration,
}

impl SuppressedBy {
    /// As it is printed.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Annotation => "annotation",
            Self::Baseline => "baseline",
            Self::Comment => "comment",
            Self::Configuration => "configuration",
        }
    }
}

/// What could not be checked or had to be assumed. Notes never change the exit code.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReportNote {
    /// Code of the rule that says so, such as `HPA013`.
    pub code: &'static str,
    /// Codes of the rules that did not run, if that is what it says.
    pub rules: Vec<&'static str>,
    /// The object concerned; none: the whole run, or all of a cluster.
    pub object: Option<ObjectRef>,
    /// Context of the kubeconfig whose cluster it is about, if a run looks at several clusters.
    pub context: Option<String>,
    /// What it says.
    pub message: String,
}

/// Something about the run itself and its settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// Where it is, if that is a file.
    pub location: Option<Location>,
    /// What it says.
    pub message: String,
}

impl Report {
    /// Says of everything in it which context of the kubeconfig it is from; fingerprints are those of that context then.
    pub fn set_context(&mut self, context: &str) {
        let suppressed = self.suppressed.iter_mut().map(|one| &mut one.reported);
        for reported in self.findings.iter_mut().chain(suppressed) {
            reported.object.context = Some(context.to_owned());
            for related in &mut reported.finding.related {
                // Drift is about an object of another context.
                related
                    .object
                    .context
                    .get_or_insert_with(|| context.to_owned());
            }
            reported.fingerprint = fingerprint::in_context(&reported.fingerprint, context);
        }
        for note in &mut self.notes {
            note.context = Some(context.to_owned());
            if let Some(object) = &mut note.object {
                object.context = Some(context.to_owned());
            }
        }
        let remarks = self.remarks.iter_mut().chain(&mut self.unused_suppressions);
        for remark in remarks {
            remark.message = format!("context {context}: {}", remark.message);
        }
    }

    /// Adds what came of another cluster.
    pub fn append(&mut self, other: Self) {
        self.findings.extend(other.findings);
        self.suppressed.extend(other.suppressed);
        self.notes.extend(other.notes);
        self.remarks.extend(other.remarks);
        self.unused_suppressions.extend(other.unused_suppressions);
        self.hpas += other.hpas;
        self.scaled_objects += other.scaled_objects;
    }

    /// The worst severity, if there is any finding.
    pub fn worst(&self) -> Option<Severity> {
        self.findings
            .iter()
            .map(|reported| reported.finding.severity)
            .max()
    }

    /// How many findings are of a severity.
    pub fn count(&self, severity: Severity) -> usize {
        let of_severity = |reported: &&Reported| reported.finding.severity == severity;
        self.findings.iter().filter(of_severity).count()
    }

    /// Codes of the rules that could not run on at least one object.
    pub fn not_checked(&self) -> BTreeSet<&'static str> {
        let codes = self.notes.iter().flat_map(|note| &note.rules);
        codes.copied().collect()
    }
}
