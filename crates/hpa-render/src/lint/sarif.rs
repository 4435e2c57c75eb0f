//! SARIF 2.1.0, for code scanning.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use hpa_lint::{ObjectRef, Report, Reported, Rule, Severity, Suppressed, SuppressedBy, rules};
use hpa_words::sanitize::lines;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::{
    page_address,
    view::{FileRange, Index, LintView, about, named},
};

/// The findings as SARIF 2.1.0. Suppressed ones are included with the reason.
pub fn sarif(view: &LintView<'_>) -> impl Serialize {
    let index = Index::new(view);
    let accepted = view.report.suppressed.iter().map(|one| &one.reported);
    let codes: BTreeSet<&str> = (view.report.findings.iter().chain(accepted))
        .map(|reported| reported.rule.code)
        .chain(view.report.notes.iter().map(|note| note.code))
        .collect();
    // All rules together would be a megabyte.
    let used: Vec<&Rule> = rules::catalogue()
        .filter(|rule| codes.contains(rule.code))
        .collect();
    let indices: BTreeMap<&'static str, usize> = (used.iter().enumerate())
        .map(|(at, rule)| (rule.code, at))
        .collect();
    let configuration = view.report.configuration.as_ref();
    let configuration =
        configuration.map(|effect| json!({ "level": "note", "message": text(&effect.in_words()) }));
    let remarks = (view.report.remarks.iter()).map(|remark| {
        let mut notification = json!({ "level": "warning", "message": text(&remark.message) });
        if let Some(location) = remark.location {
            notification["locations"] =
                json!([{ "physicalLocation": physical(index.place(location)) }]);
        }
        notification
    });
    let remarks: Vec<Value> = remarks.chain(configuration).collect();
    let notifications: Vec<Value> = (view.report.notes.iter())
        .map(|note| {
            let object = about(note).map_or_else(String::new, |object| format!("{object}: "));
            json!({
                "level": "note",
                "message": text(&format!("{object}{}", note.message)),
                "descriptor": { "id": note.code },
            })
        })
        .collect();
    let run = Run {
        column_kind: "unicodeCodePoints",
        invocations: json!([{
            "executionSuccessful": true,
            "toolExecutionNotifications": notifications,
            "toolConfigurationNotifications": remarks,
        }]),
        tool: json!({ "driver": {
            "name": "kubectl-hpa",
            "informationUri": env!("CARGO_PKG_HOMEPAGE"),
            "semanticVersion": env!("CARGO_PKG_VERSION"),
            "rules": used.iter().map(|rule| descriptor(rule)).collect::<Vec<_>>(),
        }}),
        results: Results {
            report: view.report,
            index,
            indices,
        },
    };
    SarifLog {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: [run],
    }
}

#[derive(Serialize)]
struct SarifLog<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    column_kind: &'static str,
    invocations: Value,
    tool: Value,
    results: Results<'a>,
}

/// One result for each finding. Each is built while it is written: all together are many times the input.
struct Results<'a> {
    report: &'a Report,
    index: Index<'a>,
    /// The index of each rule in the rule list, by code.
    indices: BTreeMap<&'static str, usize>,
}

impl Serialize for Results<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let findings = self.report.findings.iter();
        let suppressed = self.report.suppressed.iter();
        serializer.collect_seq(
            (findings.map(|reported| self.result(reported)))
                .chain(suppressed.map(|suppressed| self.suppressed(suppressed))),
        )
    }
}

impl Results<'_> {
    fn result(&self, reported: &Reported) -> Value {
        let mut result = result(reported, &self.index);
        if let Some(at) = self.indices.get(reported.rule.code) {
            result["ruleIndex"] = json!(at);
        }
        result
    }

    fn suppressed(&self, suppressed: &Suppressed) -> Value {
        let mut result = self.result(&suppressed.reported);
        let mut suppression = json!({
            "kind": match suppressed.by {
                SuppressedBy::Annotation | SuppressedBy::Comment => "inSource",
                SuppressedBy::Baseline | SuppressedBy::Configuration => "external",
            },
            "status": "accepted",
        });
        if let Some(reason) = &suppressed.reason {
            suppression["justification"] = json!(lines(reason));
        }
        result["suppressions"] = json!([suppression]);
        result
    }
}

fn descriptor(rule: &Rule) -> Value {
    let page = rules::page(rule);
    json!({
        "id": rule.code,
        "name": rule.name,
        "shortDescription": text(rule.summary),
        "fullDescription": text(&rules::section(rule, "What it does")),
        "help": { "text": page, "markdown": page },
        "helpUri": page_address(rule),
        "defaultConfiguration": {
            "enabled": !rule.is_opt_in,
            "level": level(rule.severity),
        },
        "properties": { "tags": ["kubernetes", "autoscaling", rules::family(rule)] },
    })
}

fn result(reported: &Reported, index: &Index<'_>) -> Value {
    let finding = &reported.finding;
    let mut location = json!({ "logicalLocations": [logical(&reported.object, &finding.path)] });
    let place = index.place_of(reported);
    if let Some(place) = place {
        location["physicalLocation"] = physical(place);
    }
    let mut message = format!(
        "{}: {}\n{}",
        named(&reported.object),
        finding.message,
        finding.help
    );
    if let Some(place) = place.filter(|place| place.is_rendered) {
        let line = place.start.0;
        message += &format!(
            "\nThe finding is on line {line} of what renders from this file. Line 1 is there for the whole file."
        );
    }
    let mut result = json!({
        "ruleId": reported.rule.code,
        "level": level(finding.severity),
        "message": text(&message),
        "locations": [location],
        "partialFingerprints": { "kubectlHpa/v1": reported.fingerprint.to_string() },
        "properties": { "basis": finding.basis.as_str() },
    });
    let mut related = Vec::new();
    for label in index.labels(reported) {
        if let Some(location) = label.location {
            related.push(json!({
                "id": related.len() + 1,
                "message": text(label.text),
                "physicalLocation": physical(index.place(location)),
                "logicalLocations": [logical(&reported.object, label.path)],
            }));
        }
    }
    for other in &finding.related {
        let mut location = json!({
            "id": related.len() + 1,
            "message": text(&format!("{}: {}", named(&other.object), other.note)),
            "logicalLocations": [logical(&other.object, &other.path)],
        });
        if let Some(found) = index.locate(&other.object, &other.path) {
            location["physicalLocation"] = physical(index.place(found));
        }
        related.push(location);
    }
    let fixes = index.fix(reported);
    if let Some(place) = place.filter(|_| !fixes.is_empty()) {
        let replacements: Vec<Value> = (fixes.into_iter())
            .map(|(location, text)| {
                json!({
                    "deletedRegion": region(index.place(location)),
                    "insertedContent": { "text": text },
                })
            })
            .collect();
        result["fixes"] = json!([{
            "description": text(&finding.help),
            "artifactChanges": [{
                "artifactLocation": { "uri": uri(place.file) },
                "replacements": replacements,
            }],
        }]);
    }
    if !related.is_empty() {
        result["relatedLocations"] = json!(related);
    }
    result
}

fn physical(place: FileRange<'_>) -> Value {
    json!({ "artifactLocation": { "uri": uri(place.file) }, "region": region(place) })
}

/// The region of a finding, which code scanning requires. For a rendered file only the path is known: its region is
/// the empty start of the file.
fn region(place: FileRange<'_>) -> Value {
    let (start, end) = if place.is_rendered {
        ((1, 1), (1, 1))
    } else {
        (place.start, place.end)
    };
    json!({
        "startLine": start.0,
        "startColumn": start.1,
        "endLine": end.0,
        "endColumn": end.1,
    })
}

fn logical(object: &ObjectRef, path: &str) -> Value {
    let namespace = if object.namespace.is_empty() {
        String::new()
    } else {
        format!("{}/", object.namespace)
    };
    let path = if path.is_empty() {
        String::new()
    } else {
        format!("#{path}")
    };
    let context = object.context.as_ref();
    let context = context.map_or_else(String::new, |context| format!("{context}/"));
    let name = format!("{context}{}/{namespace}{}{path}", object.kind, object.name);
    json!({
        "name": lines(&object.name),
        "fullyQualifiedName": lines(&name),
        "kind": "resource",
    })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info | Severity::Note => "note",
    }
}

/// A message.
fn text(text: &str) -> Value {
    json!({ "text": lines(text) })
}

/// Characters that are not escaped in the path of a URI.
const PATH: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// A file as a reference relative to the repository, or as a `file` URI if its path is absolute.
fn uri(name: &str) -> String {
    let is_absolute = Path::new(name).is_absolute();
    let name = name.replace('\\', "/");
    let encoded = utf8_percent_encode(name.trim_start_matches("./"), PATH).to_string();
    match (is_absolute, encoded.strip_prefix('/')) {
        (true, Some(path)) => format!("file:///{path}"),
        (true, None) => format!("file:///{encoded}"),
        (false, _) => encoded,
    }
}
