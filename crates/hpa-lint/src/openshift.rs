//! OpenShift Templates: a list of objects with parameters, of which each may have a default.

use std::collections::BTreeMap;

use kubectl_hpa_yaml::{YamlNode, YamlValue, parse_without_comments};

use super::world::text_at;

/// The parameters of a Template and their defaults.
pub(super) struct Parameters {
    /// None: without a default.
    defaults: BTreeMap<String, Option<String>>,
}

impl Parameters {
    /// The parameters of a document. None if it is not a Template.
    pub(super) fn of(document: &YamlNode) -> Option<Self> {
        let api_version = text_at(document, "apiVersion");
        let is_template = text_at(document, "kind") == "Template"
            && (api_version == "v1" || api_version.starts_with("template.openshift.io/"))
            && document.entry("objects").is_some();
        if !is_template {
            return None;
        }
        let parameters = document.get("parameters").map(YamlNode::items);
        let parameters = parameters.unwrap_or_default().iter();
        Some(Self {
            defaults: parameters
                .map(|one| (text_at(one, "name"), one.get("value").and_then(scalar)))
                .collect(),
        })
    }

    /// Replaces the parameters in an object by their defaults. `${X}` is part of a text, and `${{X}}` is a whole value
    /// of any type.
    pub(super) fn fill_in(&self, node: &mut YamlNode) {
        match &mut node.value {
            YamlValue::Mapping(entries) => {
                for entry in entries {
                    self.fill_in(&mut entry.node);
                }
            }
            YamlValue::Sequence(items) => {
                for item in items {
                    self.fill_in(item);
                }
            }
            YamlValue::Text(text) if text.contains("${") => {
                let whole = text
                    .strip_prefix("${{")
                    .and_then(|rest| rest.strip_suffix("}}"));
                let whole = whole.and_then(|name| self.defaults.get(name)?.as_deref());
                node.value = match whole {
                    Some(value) => value_of(value),
                    None => YamlValue::Text(self.in_text(text).into()),
                };
            }
            YamlValue::Bool(_) | YamlValue::Null | YamlValue::Number(_) | YamlValue::Text(_) => {}
        }
    }

    /// The first parameter in an object that has no default.
    pub(super) fn without_default(&self, node: &YamlNode) -> Option<String> {
        match &node.value {
            YamlValue::Mapping(entries) => {
                let mut nodes = entries.iter().map(|entry| &entry.node);
                nodes.find_map(|node| self.without_default(node))
            }
            YamlValue::Sequence(items) => items.iter().find_map(|item| self.without_default(item)),
            YamlValue::Text(text) => {
                let mut names = self.defaults.iter().filter(|(_, value)| value.is_none());
                let is_in = |name: &str| {
                    text.contains(&format!("${{{name}}}"))
                        || text.contains(&format!("${{{{{name}}}}}"))
                };
                names
                    .find(|(name, _)| is_in(name))
                    .map(|(name, _)| name.clone())
            }
            YamlValue::Bool(_) | YamlValue::Null | YamlValue::Number(_) => None,
        }
    }

    fn in_text(&self, text: &str) -> String {
        let mut filled = text.to_owned();
        for (name, value) in &self.defaults {
            if let Some(value) = value {
                filled = filled.replace(&format!("${{{name}}}"), value);
            }
        }
        filled
    }
}

/// A default, quoted or not.
fn scalar(node: &YamlNode) -> Option<String> {
    match &node.value {
        YamlValue::Text(text) => Some(text.to_string()),
        YamlValue::Bool(_) | YamlValue::Number(_) => Some(node.to_json().to_string()),
        YamlValue::Mapping(_) | YamlValue::Null | YamlValue::Sequence(_) => None,
    }
}

/// The value that a text means without quotes.
fn value_of(text: &str) -> YamlValue {
    let documents = parse_without_comments(text);
    match documents.into_iter().next() {
        Some(Ok(document)) => document.root.value,
        Some(Err(_)) | None => YamlValue::Text(text.into()),
    }
}

#[cfg(test)]
mod tests {
    use crate::{Severity, testing::report_of_files};

    fn template(parameters: &str, min: &str) -> String {
        format!(
            "apiVersion: template.openshift.io/v1
kind: Template
metadata: {{name: web}}
parameters: [{parameters}]
objects:
- apiVersion: v1
  kind: List
  items:
  - apiVersion: apps/v1
    kind: Deployment
    metadata: {{name: \"${{NAME}}\"}}
    spec:
      selector: {{matchLabels: {{app: \"${{NAME}}\"}}}}
      template: {{metadata: {{labels: {{app: \"${{NAME}}\"}}}}, spec: {{containers: [{{name: main, image: \"${{IMAGE}}\"}}]}}}}
- apiVersion: autoscaling/v2
  kind: HorizontalPodAutoscaler
  metadata: {{name: \"${{NAME}}\"}}
  spec:
    scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: \"${{NAME}}\"}}
    minReplicas: {min}
    maxReplicas: 3
"
        )
    }

    /// Findings that are errors or warnings, with their lines, and the notes that name the file.
    fn found(text: &str) -> (Vec<String>, Vec<String>) {
        let report = report_of_files(&[("web.yaml".to_owned(), text.to_owned())]);
        let serious = report
            .findings
            .iter()
            .filter(|one| Severity::Warning <= one.finding.severity);
        let findings = serious.map(|one| {
            let start = one.location.map_or(0, |location| location.start as usize);
            let line = text[..start].matches('\n').count() + 1;
            format!("{line} {} {}", one.rule.code, one.object)
        });
        let notes = report.notes.iter().map(|note| note.message.clone());
        (
            findings.collect(),
            notes.filter(|note| note.contains("oc process")).collect(),
        )
    }

    #[test]
    fn parameters_are_their_defaults_and_findings_are_at_their_lines() {
        let parameters = "{name: NAME, value: web}, {name: MIN, value: '6'}, {name: IMAGE}";
        let request = "19 HPA202 HorizontalPodAutoscaler/web";
        let (findings, notes) = found(&template(parameters, "${{MIN}}"));
        assert!(notes.is_empty(), "{notes:?}");
        assert!(
            findings
                .iter()
                .any(|one| one == "21 HPA101 HorizontalPodAutoscaler/web"),
            "{findings:?}"
        );
        assert!(
            findings.iter().any(|one| one.ends_with(&request[3..])),
            "{findings:?}"
        );
        // A text is no number.
        let (findings, _) = found(&template(parameters, "${MIN}"));
        assert!(
            findings
                .iter()
                .any(|one| one == "20 HPA009 HorizontalPodAutoscaler/web"),
            "{findings:?}"
        );
    }

    #[test]
    fn a_parameter_without_a_default_is_a_note() {
        let (findings, notes) = found(&template("{name: NAME, required: true}", "2"));
        assert!(findings.is_empty(), "{findings:?}");
        assert_eq!(
            notes,
            [
                "web.yaml is an OpenShift Template without a value for NAME, and its HPA is not checked; lint what it \
                 produces: oc process -f web.yaml --local -p NAME=VALUE | kubectl hpa lint -f -"
            ]
        );
    }
}
