//! The result of a run.

use std::{borrow::Cow, collections::BTreeSet, sync::Arc};

use hpa_words::sanitize::brief_message;

use super::{Finding, Fingerprint, Location, ObjectRef, Rule, Severity, config::ConfigEffect};

/// The result of a run.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The findings that count, by file and place, then by code.
    pub findings: Vec<Reported>,
    /// The accepted findings, in the same order.
    pub suppressed: Vec<Suppressed>,
    /// What could not be checked or was assumed.
    pub notes: Vec<ReportNote>,
    /// Problems with suppressions and similar settings, such as an unknown rule name.
    pub remarks: Vec<Remark>,
    /// Annotations and comments that suppress nothing.
    pub unused_suppressions: Vec<Remark>,
    /// What the configuration file takes away.
    pub configuration: Option<ConfigEffect>,
    /// Number of HPAs linted.
    pub hpas: usize,
    /// Number of ScaledObjects linted.
    pub scaled_objects: usize,
}

/// A finding with its object and location.
#[derive(Clone, Debug)]
pub struct Reported {
    /// The rule.
    pub rule: &'static Rule,
    /// The object concerned.
    pub object: Arc<ObjectRef>,
    /// The rule's finding.
    // In a box: findings are sorted and filtered by the thousand.
    pub finding: Box<Finding>,
    /// Its location, if the object is from a file.
    pub location: Option<Location>,
    /// Identifies the finding across runs: it stays the same as long as rule, object, field and message do.
    pub fingerprint: Fingerprint,
}

/// An accepted finding.
#[derive(Clone, Debug)]
pub struct Suppressed {
    /// The finding.
    pub reported: Reported,
    /// How it was accepted.
    pub by: SuppressedBy,
    /// Why, in the author's words.
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
    /// The printed name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Annotation => "annotation",
            Self::Baseline => "baseline",
            Self::Comment => "comment",
            Self::Configuration => "configuration",
        }
    }
}

/// What could not be checked or was assumed. Notes never change the exit code.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReportNote {
    /// Code of the reporting rule, such as `HPA013`.
    pub code: &'static str,
    /// Codes of the rules that did not run, if the note is about that.
    pub rules: Vec<&'static str>,
    /// The object concerned. None: the whole run, or a whole cluster.
    pub object: Option<ObjectRef>,
    /// The kubeconfig context of the cluster, if a run covers several.
    pub context: Option<String>,
    /// The text.
    pub message: String,
}

/// A remark on the run itself and its settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// Its location, if it is in a file.
    pub location: Option<Location>,
    /// The text.
    pub message: String,
}

impl Report {
    /// Sets the kubeconfig context of everything in the report, including the fingerprints.
    pub fn set_context(&mut self, context: &str) {
        let suppressed = self.suppressed.iter_mut().map(|one| &mut one.reported);
        for reported in self.findings.iter_mut().chain(suppressed) {
            Arc::make_mut(&mut reported.object).context = Some(context.to_owned());
            for related in &mut reported.finding.related {
                // The related object of a drift is in another context.
                Arc::make_mut(&mut related.object)
                    .context
                    .get_or_insert_with(|| context.to_owned());
            }
            reported.fingerprint = reported.fingerprint.in_context(context);
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

    /// Cuts long texts of the input out of the middle of everything that is said.
    pub(super) fn shorten(&mut self) {
        let suppressed = self.suppressed.iter_mut().map(|one| &mut one.reported);
        for reported in self.findings.iter_mut().chain(suppressed) {
            reported.shorten();
        }
        for one in &mut self.suppressed {
            one.reason.iter_mut().for_each(cut);
        }
        for note in &mut self.notes {
            cut(&mut note.message);
            note.object.iter_mut().for_each(ObjectRef::shorten);
        }
        let remarks = self.remarks.iter_mut().chain(&mut self.unused_suppressions);
        remarks.for_each(|remark| cut(&mut remark.message));
    }

    /// Adds the report of another cluster.
    pub fn append(&mut self, other: Self) {
        self.findings.extend(other.findings);
        self.suppressed.extend(other.suppressed);
        self.notes.extend(other.notes);
        self.remarks.extend(other.remarks);
        self.unused_suppressions.extend(other.unused_suppressions);
        self.hpas += other.hpas;
        self.scaled_objects += other.scaled_objects;
    }

    /// The highest severity of the findings.
    pub fn worst(&self) -> Option<Severity> {
        self.findings
            .iter()
            .map(|reported| reported.finding.severity)
            .max()
    }

    /// Number of findings with a severity.
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

impl Reported {
    fn shorten(&mut self) {
        shorten(&mut self.object);
        let finding = &mut self.finding;
        let texts = [&mut finding.path, &mut finding.message, &mut finding.help];
        let labels = finding.labels.iter_mut();
        let labels = labels.flat_map(|(path, text)| [path, text]);
        let related = finding.related.iter_mut();
        let related = related.flat_map(|one| [&mut one.path, &mut one.note]);
        for text in texts.into_iter().chain(labels).chain(related) {
            if let Cow::Owned(text) = text {
                cut(text);
            }
        }
        for related in &mut finding.related {
            shorten(&mut related.object);
        }
    }
}

impl ObjectRef {
    fn is_long(&self) -> bool {
        let mut texts = [&self.kind, &self.namespace, &self.name].into_iter();
        texts.any(|text| matches!(brief_message(text), Cow::Owned(_)))
    }

    fn shorten(&mut self) {
        for text in [&mut self.kind, &mut self.namespace, &mut self.name] {
            cut(text);
        }
    }
}

/// Shortens an object that others may share.
fn shorten(object: &mut Arc<ObjectRef>) {
    if object.is_long() {
        Arc::make_mut(object).shorten();
    }
}

fn cut(text: &mut String) {
    if let Cow::Owned(short) = brief_message(text) {
        *text = short;
    }
}
