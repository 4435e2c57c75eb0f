//! A baseline: findings that are accepted, so that only new ones count.

use std::collections::BTreeSet;

use hpa_objects::recording::path_of_error;
use serde::{Deserialize, Serialize};

use super::{LintInput, LintSettings, ObjectRef, Report, Suppressed, SuppressedBy};
use crate::rules;

/// The version of the file's format.
const SCHEMA_VERSION: u32 = 1;

/// Accepted findings, as stored in a file.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Baseline {
    schema_version: u32,
    findings: Vec<Accepted>,
}

/// An accepted finding. Only the fingerprint is compared; the other fields are for readers of the file.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Accepted {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    context: Option<String>,
    kind: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    namespace: String,
    #[serde(default)]
    name: String,
    code: String,
    #[serde(default)]
    path: String,
    #[serde(default)]
    message: String,
    fingerprint: String,
}

impl Baseline {
    /// The findings of a report, sorted by object, code and field, so that a new one is a single hunk of a diff.
    pub fn of(report: &Report) -> Self {
        let mut findings: Vec<Accepted> = report
            .findings
            .iter()
            .map(|reported| Accepted {
                context: reported.object.context.clone(),
                kind: reported.object.kind.clone(),
                namespace: reported.object.namespace.clone(),
                name: reported.object.name.clone(),
                code: reported.rule.code.to_owned(),
                path: reported.finding.path.to_string(),
                message: reported.finding.message.to_string(),
                fingerprint: reported.fingerprint.to_string(),
            })
            .collect();
        findings.sort();
        Self {
            schema_version: SCHEMA_VERSION,
            findings,
        }
    }

    /// Parses a file.
    ///
    /// # Errors
    /// Names line, column and field, or says that a newer version wrote the file.
    pub fn parse(text: &str) -> Result<Self, String> {
        let baseline: Self = serde_json::from_slice(text.as_bytes()).map_err(|error| {
            match &*path_of_mistake(text) {
                "." => format!("it is not a baseline as --write-baseline writes it: {error}"),
                path => format!("{path}: {error}"),
            }
        })?;
        if baseline.schema_version != SCHEMA_VERSION {
            return Err(format!(
                "schemaVersion is {}, but this version reads {SCHEMA_VERSION}",
                baseline.schema_version
            ));
        }
        Ok(baseline)
    }

    /// The text of the file.
    ///
    /// # Panics
    /// Never: strings and numbers always serialize to JSON.
    pub fn to_text(&self) -> String {
        let text = serde_json::to_string_pretty(self).expect("texts and numbers are JSON");
        text + "\n"
    }

    /// The part for the cluster of one context, if a run covers several clusters.
    #[must_use]
    pub fn of_context(&self, context: &str) -> Self {
        let is_there = |finding: &&Accepted| finding.context.as_deref() == Some(context);
        Self {
            schema_version: self.schema_version,
            findings: self.findings.iter().filter(is_there).cloned().collect(),
        }
    }

    /// Number of accepted findings.
    pub fn len(&self) -> usize {
        self.findings.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.findings.is_empty()
    }

    /// Moves the accepted findings of the report to `suppressed`. Returns accepted findings that no longer occur, as
    /// `CODE of KIND/NAME`. It returns only those that this run looked for: their rule ran and their object was linted.
    pub fn apply(
        &self,
        input: &LintInput,
        settings: &LintSettings,
        report: &mut Report,
    ) -> Vec<String> {
        let accepted: BTreeSet<&str> = self
            .findings
            .iter()
            .map(|finding| finding.fingerprint.as_str())
            .collect();
        let known: BTreeSet<String> = report
            .findings
            .iter()
            .chain(report.suppressed.iter().map(|one| &one.reported))
            .map(|reported| reported.fingerprint.to_string())
            .collect();
        let (old, new) = std::mem::take(&mut report.findings)
            .into_iter()
            .partition(|reported| accepted.contains(&*reported.fingerprint.to_string()));
        report.findings = new;
        let old: Vec<super::Reported> = old;
        report
            .suppressed
            .extend(old.into_iter().map(|reported| Suppressed {
                reported,
                by: SuppressedBy::Baseline,
                reason: None,
            }));
        report
            .suppressed
            .sort_by_key(|one| (one.reported.location, one.reported.rule.code));
        self.findings
            .iter()
            .filter(|finding| !known.contains(&finding.fingerprint))
            .filter(|finding| finding.was_checked(input, settings, report))
            .map(|finding| format!("{} of {}/{}", finding.code, finding.kind, finding.name))
            .collect()
    }
}

impl Accepted {
    fn was_checked(&self, input: &LintInput, settings: &LintSettings, report: &Report) -> bool {
        let is_same = |object: &ObjectRef| {
            (&*object.kind, &*object.namespace, &*object.name)
                == (&*self.kind, &*self.namespace, &*self.name)
        };
        let Some(rule) = rules::find(&self.code) else {
            return false;
        };
        let could_not_run = report.notes.iter().any(|note| {
            note.rules.contains(&rule.code) && note.object.as_ref().is_none_or(is_same)
        });
        let manifests = input.manifests.iter().map(|one| &one.object);
        let scaled_objects = input.scaled_objects.iter().map(|one| &one.object);
        settings.is_enabled(rule)
            && !could_not_run
            && manifests
                .chain(scaled_objects)
                .any(|object| is_same(object))
    }
}

/// The field that cannot be read; `.` is the whole text.
fn path_of_mistake(text: &str) -> String {
    let value = serde_json::from_str(text).unwrap_or_default();
    let path = path_of_error::<Baseline>(&value);
    path.filter(|path| !path.is_empty())
        .unwrap_or_else(|| ".".to_owned())
}
