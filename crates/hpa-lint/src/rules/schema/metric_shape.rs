//! HPA005 `metric-shape`.

use std::collections::{BTreeMap, BTreeSet};

use hpa_objects::{manifest::validation::Violation, recording::wire::MetricSpec};

use super::{
    absent::{absent, listed},
    misplaced::{Misplaced, below_metric, misplaced},
    refused::{Reporter, refused},
    wrong_word::corrected,
};
use crate::{
    Check, Cx, Finding, Manifest, Rule, RuleOutcome, Severity, written_path::written_path,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA005",
    name: "metric-shape",
    summary: "a metric whose source or target the API server rejects",
    severity: Severity::Error,
    is_fixable: true,
    reports_rejections: true,
    check: Check::Manifest(check),
    docs: include_str!("metric_shape.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, Manifest>) -> RuleOutcome {
    let violations = refused(cx, Reporter::MetricShape);
    if violations.is_empty() {
        return Ok(Vec::new());
    }
    let misplaced = MisplacedFields::of(cx.subject);
    let absent = AbsentFields::of(cx);
    let mut reported = BTreeSet::new();
    let mut findings = Vec::new();
    for violation in &violations {
        let (index, metric_type) = metric(cx, violation);
        let metric_type = match metric_type {
            "" => "no type",
            metric_type => metric_type,
        };
        let metric = format!("spec.metrics[{index}] ({metric_type})");
        if let Some(one) = misplaced.explaining(violation) {
            if reported.insert(one.path.clone()) {
                findings.push(unknown_word(cx, &metric, one));
            }
            continue;
        }
        if let Some(fields) = absent.with(cx, violation) {
            let finding = of_absent(cx, &metric, fields, violation);
            if reported.insert(finding.path.to_string()) {
                findings.push(finding);
            }
            continue;
        }
        let finding = cx
            .finding(violation.field.clone())
            .message(format!("{metric} {}", problem(violation, index)))
            .help(help(cx, violation));
        let corrected = corrected(cx.subject, &violation.field, finding.clone());
        findings.push(corrected.unwrap_or(finding));
    }
    Ok(findings)
}

/// What to write instead of a rejected value.
fn help(cx: &Cx<'_, Manifest>, violation: &Violation) -> String {
    let written = written_path(cx.subject, &violation.field);
    let key = written.rsplit_once('.').map_or(&*written, |(_, key)| key);
    let field = violation.field.rsplit_once('.');
    match field {
        Some((_, "averageUtilization" | "averageValue" | "value"))
            if violation.value.is_some() && !key.ends_with(']') =>
        {
            format!("set {key} above 0")
        }
        _ => ONE_SOURCE.to_owned(),
    }
}

/// The violations that HPA005 reports together with its own: both have one cause.
pub(super) struct ExplainedByShape {
    /// The unknown fields that explain a violation of HPA005.
    misplaced: MisplacedFields,
    /// The sources of which HPA005 reports what is absent.
    sources: BTreeSet<String>,
}

impl ExplainedByShape {
    pub(super) fn of(cx: &Cx<'_, Manifest>) -> Self {
        let misplaced = MisplacedFields::of(cx.subject);
        let mut explaining = BTreeSet::new();
        let mut sources = BTreeSet::new();
        for shape in refused(cx, Reporter::MetricShape) {
            if let Some(one) = misplaced.explaining(&shape) {
                explaining.insert(one.path.clone());
            } else if absent(cx.subject, &shape.field).is_some() {
                sources.extend(source_of(&shape.field).map(str::to_owned));
            }
        }
        Self {
            misplaced: misplaced.only(|one| explaining.contains(&one.path)),
            sources,
        }
    }

    pub(super) fn has(&self, cx: &Cx<'_, Manifest>, violation: &Violation) -> bool {
        let is_with_shape = source_of(&violation.field)
            .is_some_and(|source| self.sources.contains(source))
            && absent(cx.subject, &violation.field).is_some();
        is_with_shape || self.misplaced.explaining(violation).is_some()
    }
}

/// Unknown fields that explain why others are missing, by the metric that they are about.
struct MisplacedFields {
    by_metric: BTreeMap<Option<String>, Vec<Misplaced>>,
}

impl MisplacedFields {
    fn of(manifest: &Manifest) -> Self {
        let mut by_metric: BTreeMap<Option<String>, Vec<Misplaced>> = BTreeMap::new();
        for one in misplaced(manifest) {
            let metric = metric_of(&one.missing).map(str::to_owned);
            by_metric.entry(metric).or_default().push(one);
        }
        Self { by_metric }
    }

    fn only(mut self, is_wanted: impl Fn(&Misplaced) -> bool) -> Self {
        for of_metric in self.by_metric.values_mut() {
            of_metric.retain(&is_wanted);
        }
        self
    }

    /// The one that is the reason for a violation.
    fn explaining(&self, violation: &Violation) -> Option<&Misplaced> {
        if !is_missing(violation) {
            return None;
        }
        let metric = metric_of(&violation.field).map(str::to_owned);
        let of_all = metric.is_some().then_some(None);
        [Some(metric), of_all]
            .into_iter()
            .flatten()
            .filter_map(|metric| self.by_metric.get(&metric))
            .flatten()
            .find(|one| one.explains_lack_of(&violation.field))
    }
}

/// The fields that are absent and rejected, by source.
struct AbsentFields(BTreeMap<String, Vec<String>>);

impl AbsentFields {
    fn of(cx: &Cx<'_, Manifest>) -> Self {
        let mut by_source: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for violation in &cx.refused.violations {
            if let Some(source) = source_of(&violation.field)
                && let Some(field) = absent(cx.subject, &violation.field)
            {
                let fields = by_source.entry(source.to_owned()).or_default();
                if !fields.contains(&field) {
                    fields.push(field);
                }
            }
        }
        Self(by_source)
    }

    /// Those of the source of a violation, if that is absent.
    fn with(&self, cx: &Cx<'_, Manifest>, violation: &Violation) -> Option<&[String]> {
        absent(cx.subject, &violation.field)?;
        self.0.get(source_of(&violation.field)?).map(Vec::as_slice)
    }
}

/// The metric of a field: `spec.metrics[0]`.
fn metric_of(field: &str) -> Option<&str> {
    let below = field.starts_with("spec.metrics[");
    let end = below.then(|| field.find(']')).flatten()?;
    field.get(..=end)
}

/// One finding for all fields that a source lacks.
fn of_absent(
    cx: &Cx<'_, Manifest>,
    metric: &str,
    fields: &[String],
    violation: &Violation,
) -> Finding {
    let lacks = |fields: &[&str]| format!("{metric} lacks {}, {REJECTED}", listed(fields));
    match fields {
        [field] => cx.finding(field.clone()).message(format!(
            "{}: {}",
            lacks(&[below_metric(field)]),
            violation.rule
        )),
        fields => {
            let below: Vec<&str> = fields.iter().map(|field| below_metric(field)).collect();
            let source = source_of(&violation.field).unwrap_or_default();
            cx.finding(source.to_owned()).message(lacks(&below))
        }
    }
    .help(ONE_SOURCE)
}

/// The path of the source of a metric, such as `spec.metrics[0].pods`.
fn source_of(field: &str) -> Option<&str> {
    let start = field
        .starts_with("spec.metrics[")
        .then(|| field.find("]."))??
        + 2;
    let length = field[start..].find('.').unwrap_or(field.len() - start);
    Some(&field[..start + length])
}

/// Reports a field of another version or in another spelling that explains the missing one.
fn unknown_word(cx: &Cx<'_, Manifest>, metric: &str, misplaced: &Misplaced) -> Finding {
    let fields = &misplaced.fields;
    let version = cx.subject.version();
    let finding = cx
        .finding(misplaced.path.clone())
        .as_written()
        .message(format!(
            "{metric} has {fields}, which autoscaling/{version} does not have, so the API server rejects it"
        ))
        .help(misplaced.help.clone());
    let fix = misplaced.fix.iter().cloned();
    fix.fold(finding, Finding::fix)
}

/// Whether the violation is about a missing field, not about a field that must not exist.
fn is_missing(violation: &Violation) -> bool {
    violation.value.is_none() && !violation.problem.starts_with("Forbidden")
}

/// Index and type of the metric that a violation is about.
fn metric<'a>(cx: &'a Cx<'_, Manifest>, violation: &Violation) -> (usize, &'a str) {
    let index = violation
        .field
        .strip_prefix("spec.metrics[")
        .and_then(|rest| rest.split_once(']'))
        .and_then(|(index, _)| index.parse().ok())
        .unwrap_or_default();
    let spec = cx.subject.defaulted.as_ref();
    let metric = spec.and_then(|spec| spec.metrics.get(index));
    let metric_type = metric.map_or("", |metric: &MetricSpec| metric.metric_type.as_str());
    (index, metric_type)
}

/// The problem, with the path below the metric.
fn problem(violation: &Violation, index: usize) -> String {
    let metric = format!("spec.metrics[{index}].");
    let field = violation
        .field
        .strip_prefix(&metric)
        .unwrap_or(&violation.field);
    let rule = &violation.rule;
    match &violation.value {
        Some(value) => format!("has {field} {value}, {REJECTED}: {rule}"),
        None if is_missing(violation) => format!("lacks {field}, {REJECTED}: {rule}"),
        None => format!("has {field}, {REJECTED}: {rule}"),
    }
}

/// The shape of every metric.
const ONE_SOURCE: &str = "give it the one source that its type names, with one target above 0";

/// What the API server does; its own message follows.
const REJECTED: &str = "so the API server rejects it";

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{HPA_V1, hpa_with_metric, report_with, table, table_of};

    #[test]
    fn sources_and_targets_are_reported_with_path_and_type() {
        table(
            &RULE,
            |[metric]| hpa_with_metric("v2", &format!("{{type: {metric}}}")),
            r#"
no source | Pods => error spec.metrics[0].pods: spec.metrics[0] (Pods) lacks pods, so the API server rejects it: must populate information for the given metric source
no average | Pods, pods: {metric: {name: rps}, target: {type: Value, value: 1}}
  error spec.metrics[0].pods.target.averageValue: spec.metrics[0] (Pods) lacks pods.target.averageValue, so the API server rejects it: must specify a positive target averageValue
two targets | External, external: {metric: {name: q}, target: {type: Value, value: 1, averageValue: 1}}
  error spec.metrics[0].external.target.value: spec.metrics[0] (External) has external.target.value, so the API server rejects it: may not set both a target value for metric and a per-pod target
zero | Resource, resource: {name: cpu, target: {type: AverageValue, averageValue: 0}}
  error spec.metrics[0].resource.target.averageValue: spec.metrics[0] (Resource) has resource.target.averageValue "0", so the API server rejects it: must be positive
the source does not match an unknown type, but the mistake is in the type | Memory, resource: {name: cpu, target: {type: Utilization, averageUtilization: 5}}
a name is left to the general rule | External, external: {metric: {name: ''}, target: {type: Value, value: 1}}
"#,
        );
        table(
            &RULE,
            |[percent]| {
                format!("{HPA_V1}  maxReplicas: 3\n  targetCPUUtilizationPercentage: {percent}\n")
            },
            r"
a percentage of zero in v1 is found at its place | 0
  error spec.metrics[0].resource.target.averageUtilization: spec.metrics[0] (Resource) has resource.target.averageUtilization 0, so the API server rejects it: must be greater than 0
  help: set targetCPUUtilizationPercentage above 0
",
        );
    }

    #[test]
    fn one_wrong_word_is_one_finding_with_its_fix() {
        table_of(
            |[version, source]| {
                let metric = format!("{{type: Resource, resource: {{name: cpu, {source}}}}}");
                report_with(&RULE, &hpa_with_metric(version, &metric), |settings| {
                    settings.enabled = ["HPA004", "HPA005", "HPA010"].into();
                })
            },
            r"
a field of an old version | v2 | targetAverageUtilization: 70
  error …: spec.metrics[0] (Resource) has resource.targetAverageUtilization, which autoscaling/v2 does not have, so the API server rejects it
  help: write target: {type: Utilization, averageUtilization: 70}
  fix: […
a field of a new version | v2beta1 | target: {type: Utilization, averageUtilization: 70}
  error …: spec.metrics[0] (Resource) has resource.target, which autoscaling/v2beta1 does not have, so the API server rejects it
  help: write apiVersion: autoscaling/v2, which has it
  fix: […
British spelling | v2 | target: {type: Utilization, averageUtilisation: 70}
  error …: spec.metrics[0] (Resource) has resource.target.averageUtilisation, which autoscaling/v2 does not have, so the API server rejects it
  help: write averageUtilization
  fix: […
",
        );
    }
}
