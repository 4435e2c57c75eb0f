//! The output of `lint -o json`: the contract for programs (docs/schema/lint.json).

use std::rc::Rc;

use hpa_lint::{ObjectRef, Reported, Severity, Suppressed, config::ConfigEffect, parallel, rules};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer, ser::SerializeSeq as _};

use super::view::{Index, LintView};

/// Version of the contract. Fields may be added without a new version; none is removed or changes its meaning.
pub const SCHEMA_VERSION: u32 = 1;

/// What `kubectl hpa lint -o json` prints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "LintOutput")]
pub struct LintOutput<Findings = Vec<LintFinding>> {
    /// Version of this contract.
    pub schema_version: u32,
    /// The number of objects and findings by kind.
    pub summary: LintSummary,
    /// The findings that count, by file and place, then by code.
    pub findings: Findings,
    /// The suppressed findings, in the same order.
    pub suppressed: Findings,
    /// What could not be checked or had to be assumed.
    pub notes: Vec<LintNote>,
    /// Problems with suppressions, such as an unknown rule name.
    pub remarks: Vec<LintRemark>,
    /// What the configuration file takes away; null: nothing, or there is no such file.
    pub configuration: Option<LintConfiguration>,
}

/// What a configuration file takes away from a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LintConfiguration {
    /// The file.
    pub file: String,
    /// Codes of the rules that would run without it.
    pub rules_off: Vec<String>,
    /// Codes of the rules with a lower severity than their own, for some file at least.
    pub lowered: Vec<String>,
    /// Its `failOn`, if it decides and is not `warning`.
    pub fail_on: Option<String>,
}

/// The number of objects and findings by kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LintSummary {
    /// HPAs that were checked.
    pub hpas: usize,
    /// ScaledObjects that were checked.
    pub scaled_objects: usize,
    /// Findings that are errors.
    pub errors: usize,
    /// Findings that are warnings.
    pub warnings: usize,
    /// Findings that are infos.
    pub infos: usize,
    /// Suppressed findings.
    pub suppressed: usize,
    /// Codes of the rules that could not run on at least one object.
    pub not_checked: Vec<String>,
}

/// A finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LintFinding {
    /// Code of the rule, such as `HPA102`.
    pub code: String,
    /// Name of the rule, such as `min-equals-max`.
    pub name: String,
    /// Its severity.
    pub severity: LintSeverity,
    /// The object concerned.
    pub object: ObjectRef,
    /// Other objects that are related to it.
    pub related: Vec<LintRelated>,
    /// Further fields of the object that are related to it.
    pub labels: Vec<LintLabel>,
    /// Path of the file as it was given; null: the object comes from a cluster.
    pub file: Option<String>,
    /// First line, counted from 1; null: `--render` produced the text, or there is no line.
    pub line: Option<usize>,
    /// First column, counted from 1 in characters.
    pub column: Option<usize>,
    /// Last line.
    pub end_line: Option<usize>,
    /// Column after the last character.
    pub end_column: Option<usize>,
    /// The field, in the shape of `autoscaling/v2` whatever the object's version; empty: the whole object.
    pub path: String,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
    /// What it is based on: `manifest`, `related manifest`, `live`, `history` or `assumed flag`.
    pub basis: String,
    /// Stays the same when lines move.
    pub fingerprint: String,
    /// Edits of the file that fix it; empty: there is no unambiguous fix.
    pub fix: Vec<LintEdit>,
    /// How it was suppressed, for findings in `suppressed`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suppression: Option<LintSuppression>,
}

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum LintSeverity {
    /// Rejected by the API server, provably without effect, or two writers in conflict.
    Error,
    /// Probably not intended.
    Warning,
    /// Worth knowing.
    Info,
    /// Not a finding: something could not be checked, or had to be assumed.
    Note,
}

/// Another object that is related to a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LintRelated {
    /// The object.
    pub object: ObjectRef,
    /// The field; empty: the whole object.
    pub path: String,
    /// How it is related to the finding.
    pub note: String,
    /// Path of the file as it was given; null: the object or the field is not in a file.
    pub file: Option<String>,
    /// First line, counted from 1.
    pub line: Option<usize>,
    /// First column, counted from 1 in characters.
    pub column: Option<usize>,
}

/// A further field of the object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LintLabel {
    /// The field.
    pub path: String,
    /// How it is related to the finding.
    pub text: String,
    /// First line, counted from 1; null: the field is not set.
    pub line: Option<usize>,
    /// First column, counted from 1 in characters.
    pub column: Option<usize>,
}

/// An edit of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LintEdit {
    /// First line to replace, counted from 1.
    pub line: usize,
    /// The line after the last one to replace.
    pub end_line: usize,
    /// The replacement, with its line breaks.
    pub text: String,
}

/// How a finding was suppressed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LintSuppression {
    /// `annotation`, `baseline`, `comment` or `configuration`.
    pub by: String,
    /// The reason that was given.
    pub reason: Option<String>,
}

/// What could not be checked or had to be assumed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LintNote {
    /// Code of the rule that reports it, such as `HPA013`.
    pub code: String,
    /// Name of that rule.
    pub name: String,
    /// The object concerned; null: the whole run, or a whole cluster.
    pub object: Option<ObjectRef>,
    /// Context of the cluster in the kubeconfig; missing: the run covers one cluster, or files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// Codes of the rules that did not run, if the note is about that.
    pub rules: Vec<String>,
    /// The message.
    pub message: String,
}

/// A problem with the configuration of the run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LintRemark {
    /// Path of the file as it was given; null: not in a file.
    pub file: Option<String>,
    /// First line, counted from 1.
    pub line: Option<usize>,
    /// First column, counted from 1 in characters.
    pub column: Option<usize>,
    /// The message.
    pub message: String,
}

/// The findings as JSON. Each is built while it is written.
pub fn json(view: &LintView<'_>) -> LintOutput<impl Serialize> {
    let index = Rc::new(Index::new(view));
    let report = view.report;
    let findings = report.findings.iter().map(|reported| (reported, None));
    let suppressed = report.suppressed.iter();
    let suppressed = suppressed.map(|suppressed| (&suppressed.reported, Some(suppressed)));
    LintOutput {
        schema_version: SCHEMA_VERSION,
        summary: LintSummary {
            hpas: report.hpas,
            scaled_objects: report.scaled_objects,
            errors: report.count(Severity::Error),
            warnings: report.count(Severity::Warning),
            infos: report.count(Severity::Info),
            suppressed: report.suppressed.len(),
            not_checked: report
                .not_checked()
                .into_iter()
                .map(str::to_owned)
                .collect(),
        },
        findings: Findings {
            all: findings.collect(),
            index: Rc::clone(&index),
        },
        suppressed: Findings {
            all: suppressed.collect(),
            index: Rc::clone(&index),
        },
        notes: report
            .notes
            .iter()
            .map(|note| LintNote {
                code: note.code.to_owned(),
                name: rules::find(note.code)
                    .map_or("", |rule| rule.name)
                    .to_owned(),
                object: note.object.clone(),
                context: note.context.clone(),
                rules: note.rules.iter().map(|&rule| rule.to_owned()).collect(),
                message: note.message.clone(),
            })
            .collect(),
        remarks: report
            .remarks
            .iter()
            .map(|remark| {
                let place = remark.location.map(|location| index.place(location));
                let lines = place.filter(|place| !place.is_rendered);
                LintRemark {
                    file: place.map(|place| place.file.to_owned()),
                    line: lines.map(|place| place.start.0),
                    column: lines.map(|place| place.start.1),
                    message: remark.message.clone(),
                }
            })
            .collect(),
        configuration: report.configuration.as_ref().map(configuration),
    }
}

fn configuration(effect: &ConfigEffect) -> LintConfiguration {
    let owned = |codes: &[&str]| codes.iter().map(|&code| code.to_owned()).collect();
    LintConfiguration {
        file: effect.file.clone(),
        rules_off: owned(&effect.rules_off),
        lowered: owned(&effect.lowered),
        fail_on: effect.fail_on.map(|fail_on| fail_on.as_str().to_owned()),
    }
}

struct Findings<'a> {
    /// Findings, with their suppression if they have one.
    all: Vec<(&'a Reported, Option<&'a Suppressed>)>,
    index: Rc<Index<'a>>,
}

impl Serialize for Findings<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let index = &*self.index;
        let mut list = serializer.serialize_seq(Some(self.all.len()))?;
        for part in self.all.chunks(AT_ONCE) {
            for finding in parallel::map(part, |(reported, by)| finding(reported, *by, index)) {
                list.serialize_element(&finding)?;
            }
        }
        list.end()
    }
}

/// The number of findings built at a time: enough for all cores, and small next to the output.
const AT_ONCE: usize = 1_000;

fn finding(reported: &Reported, suppressed: Option<&Suppressed>, index: &Index<'_>) -> LintFinding {
    let finding = &reported.finding;
    let place = index.place_of(reported);
    let lines = place.filter(|place| !place.is_rendered);
    let related = finding.related.iter().map(|related| {
        let place = index
            .locate(&related.object, &related.path)
            .map(|location| index.place(location));
        let lines = place.filter(|place| !place.is_rendered);
        LintRelated {
            object: ObjectRef::clone(&related.object),
            path: related.path.to_string(),
            note: related.note.to_string(),
            file: place.map(|place| place.file.to_owned()),
            line: lines.map(|place| place.start.0),
            column: lines.map(|place| place.start.1),
        }
    });
    let labels = index.labels(reported).into_iter().map(|label| {
        let place = label.location.map(|location| index.place(location));
        let place = place.filter(|place| !place.is_rendered);
        LintLabel {
            path: label.path.to_owned(),
            text: label.text.to_owned(),
            line: place.map(|place| place.start.0),
            column: place.map(|place| place.start.1),
        }
    });
    LintFinding {
        code: reported.rule.code.to_owned(),
        name: reported.rule.name.to_owned(),
        severity: match finding.severity {
            Severity::Error => LintSeverity::Error,
            Severity::Warning => LintSeverity::Warning,
            Severity::Info => LintSeverity::Info,
            Severity::Note => LintSeverity::Note,
        },
        object: ObjectRef::clone(&reported.object),
        related: related.collect(),
        labels: labels.collect(),
        file: place.map(|place| place.file.to_owned()),
        line: lines.map(|place| place.start.0),
        column: lines.map(|place| place.start.1),
        end_line: lines.map(|place| place.end.0),
        end_column: lines.map(|place| place.end.1),
        path: finding.path.to_string(),
        message: finding.message.to_string(),
        help: finding.help.to_string(),
        basis: finding.basis.as_str().to_owned(),
        fingerprint: reported.fingerprint.to_string(),
        fix: index
            .fix(reported)
            .into_iter()
            .map(|(location, text)| {
                let place = index.place(location);
                LintEdit {
                    line: place.start.0,
                    // Without a final line break the last line is still whole.
                    end_line: place.end.0 + usize::from(place.end.1 != 1),
                    text,
                }
            })
            .collect(),
        suppression: suppressed.map(|suppressed| LintSuppression {
            by: suppressed.by.as_str().to_owned(),
            reason: suppressed.reason.clone(),
        }),
    }
}
