//! What `lint -o json` prints: the contract for programs (docs/schema/lint.json).

use std::rc::Rc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer, ser::SerializeSeq as _};

use super::view::{Index, LintView};
use crate::{
    lint::{ObjectRef, Reported, Severity, Suppressed, parallel},
    rules,
};

/// Version of the contract. Fields may be added without a new version; none is removed or changes its meaning.
pub const SCHEMA_VERSION: u32 = 1;

/// What `kubectl hpa lint -o json` prints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "LintOutput")]
pub struct LintOutput<Findings = Vec<LintFinding>> {
    /// Version of this contract.
    pub schema_version: u32,
    /// How many there are of each.
    pub summary: LintSummary,
    /// The findings that count, by file and place, then by code.
    pub findings: Findings,
    /// The findings that somebody accepted, in the same order.
    pub suppressed: Findings,
    /// What could not be checked or had to be assumed.
    pub notes: Vec<LintNote>,
    /// What is odd about suppressions, such as the name of a rule that there is not.
    pub remarks: Vec<LintRemark>,
}

/// How many there are of each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LintSummary {
    /// HPAs that were looked at.
    pub hpas: usize,
    /// ScaledObjects that were looked at.
    pub scaled_objects: usize,
    /// Findings that are errors.
    pub errors: usize,
    /// Findings that are warnings.
    pub warnings: usize,
    /// Findings that are infos.
    pub infos: usize,
    /// Findings that somebody accepted.
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
    /// How bad it is.
    pub severity: LintSeverity,
    /// The object concerned.
    pub object: ObjectRef,
    /// Other objects that have to do with it.
    pub related: Vec<LintRelated>,
    /// Further fields of the object that have to do with it.
    pub labels: Vec<LintLabel>,
    /// Path of the file as it was given; null: the object is from a cluster.
    pub file: Option<String>,
    /// First line, counted from 1; null: `--render` made the text of the file, or there is none.
    pub line: Option<usize>,
    /// First column, counted from 1 in characters.
    pub column: Option<usize>,
    /// Last line.
    pub end_line: Option<usize>,
    /// Column behind the last character.
    pub end_column: Option<usize>,
    /// The field, in the shape of `autoscaling/v2` whatever the object's version; empty: the object as a whole.
    pub path: String,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
    /// What it rests on: `manifest`, `related manifest`, `live`, `history` or `assumed flag`.
    pub basis: String,
    /// What stays the same when lines move.
    pub fingerprint: String,
    /// Edits of the file that put it right; empty: there are none without doubt.
    pub fix: Vec<LintEdit>,
    /// Who accepted it, for those in `suppressed`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suppression: Option<LintSuppression>,
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum LintSeverity {
    /// Rejected, provably without effect, or two writers that fight.
    Error,
    /// Likely not what was meant.
    Warning,
    /// Worth knowing.
    Info,
    /// No finding: what could not be checked, or had to be assumed.
    Note,
}

/// Another object that has to do with a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LintRelated {
    /// The object.
    pub object: ObjectRef,
    /// The field; empty: all of it.
    pub path: String,
    /// What it has to do with the finding.
    pub note: String,
    /// Path of the file as it was given; null: the object or the field is in none.
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
    /// What it has to do with the finding.
    pub text: String,
    /// First line, counted from 1; null: it is not written.
    pub line: Option<usize>,
    /// First column, counted from 1 in characters.
    pub column: Option<usize>,
}

/// An edit of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LintEdit {
    /// First line that is replaced, counted from 1.
    pub line: usize,
    /// The line behind the last that is replaced.
    pub end_line: usize,
    /// What stands there instead, with its line breaks.
    pub text: String,
}

/// Who accepted a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LintSuppression {
    /// `annotation`, `baseline`, `comment` or `configuration`.
    pub by: String,
    /// Why, in the words of whoever accepted it.
    pub reason: Option<String>,
}

/// What could not be checked or had to be assumed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LintNote {
    /// Code of the rule that says so, such as `HPA013`.
    pub code: String,
    /// Name of that rule.
    pub name: String,
    /// The object concerned; null: the whole run, or all of a cluster.
    pub object: Option<ObjectRef>,
    /// Context of the kubeconfig whose cluster it is about; missing: the run looked at one cluster, or at files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// Codes of the rules that did not run, if that is what it says.
    pub rules: Vec<String>,
    /// What it says.
    pub message: String,
}

/// Something about the run itself, for whoever set it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LintRemark {
    /// Path of the file as it was given; null: it stands in none.
    pub file: Option<String>,
    /// First line, counted from 1.
    pub line: Option<usize>,
    /// First column, counted from 1 in characters.
    pub column: Option<usize>,
    /// What it says.
    pub message: String,
}

/// The findings for programs. Each is made while it is written.
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
    }
}

struct Findings<'a> {
    /// Who accepted it, too.
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

/// As many findings are made at a time: enough for all cores, and little beside what is written.
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
            object: related.object.clone(),
            path: related.path.clone(),
            note: related.note.clone(),
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
        object: reported.object.clone(),
        related: related.collect(),
        labels: labels.collect(),
        file: place.map(|place| place.file.to_owned()),
        line: lines.map(|place| place.start.0),
        column: lines.map(|place| place.start.1),
        end_line: lines.map(|place| place.end.0),
        end_column: lines.map(|place| place.end.1),
        path: finding.path.clone(),
        message: finding.message.clone(),
        help: finding.help.clone(),
        basis: finding.basis.as_str().to_owned(),
        fingerprint: reported.fingerprint.clone(),
        fix: index
            .fix(reported)
            .into_iter()
            .map(|(location, text)| {
                let place = index.place(location);
                LintEdit {
                    line: place.start.0,
                    // Without a line break at its end the last line is whole, too.
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
