//! A metric in the form of `autoscaling/v2beta1`, and the edits that turn it into the present form.

use kubectl_hpa_yaml::{YamlNode, parse};

use crate::FixStep;

/// The present form of a metric.
pub(super) struct NewForm {
    /// The fields to write, such as `metric: {name: q}, target: {type: Value, value: 5}`.
    pub(super) text: String,
    /// The edits. Everything that can stay keeps its position and comments.
    pub(super) steps: Vec<FixStep>,
}

/// The present form of the metric at `path`. None if it is not in the old form, or if it is ambiguous.
pub(super) fn new_form(metric: &YamlNode, path: &str) -> Option<NewForm> {
    let mut sources = SOURCES
        .into_iter()
        .filter_map(|name| Some((name, metric.get(name)?)));
    let (name, source) = sources.next()?;
    if sources.next().is_some() {
        return None;
    }
    let path = format!("{path}.{name}");
    let mut form = NewForm {
        text: String::new(),
        steps: Vec::new(),
    };
    let (is_object, is_external) = (name == "object", name == "external");
    if is_object && let Some(described) = source.get("target") {
        // There, `target` is the object that the metric describes.
        let is_reference = described.get("kind").is_some() || described.get("name").is_some();
        if !is_reference || source.entry("describedObject").is_some() {
            return None;
        }
        form.write("describedObject", &described.to_json().to_string());
        form.rename(&path, "target", "describedObject");
    }
    if matches!(name, "pods" | "object" | "external") {
        form.identify(
            source,
            &path,
            if is_external {
                "metricSelector"
            } else {
                "selector"
            },
        )?;
    }
    let mut targets = TARGETS
        .into_iter()
        .filter(|(old, _)| source.entry(old).is_some());
    let (old, kind) = targets.next()?;
    if targets.next().is_some() || !is_object && source.entry("target").is_some() {
        return None;
    }
    let number = source.get(old).and_then(scalar)?;
    let field = format!("{}{}", kind[..1].to_lowercase(), &kind[1..]);
    let field = if kind == "Utilization" {
        "averageUtilization"
    } else {
        &*field
    };
    let target = format!("{{type: {kind}, {field}: {number}}}");
    form.rename(&path, old, "target");
    form.set(&path, "target", target);
    Some(form)
}

impl NewForm {
    /// Name and selector become `metric`.
    fn identify(&mut self, source: &YamlNode, path: &str, selector: &str) -> Option<()> {
        if source.entry("metric").is_some() {
            return source.entry("metricName").is_none().then_some(());
        }
        let name = source.get("metricName").and_then(scalar)?;
        let chosen = source.get(selector);
        let metric = match chosen {
            Some(chosen) => format!("{{name: {name}, selector: {}}}", chosen.to_json()),
            None => format!("{{name: {name}}}"),
        };
        if chosen.is_some() {
            self.steps.push(FixStep::Remove {
                path: format!("{path}.{selector}"),
            });
        }
        self.rename(path, "metricName", "metric");
        self.set(path, "metric", metric);
        Some(())
    }

    fn write(&mut self, field: &str, text: &str) {
        if !self.text.is_empty() {
            self.text += ", ";
        }
        self.text += &format!("{field}: {text}");
    }

    fn rename(&mut self, path: &str, old: &str, new: &str) {
        self.steps.push(FixStep::RenameKey {
            path: format!("{path}.{old}"),
            key: new.to_owned(),
        });
    }

    fn set(&mut self, path: &str, field: &str, text: String) {
        self.write(field, &text);
        self.steps.push(FixStep::SetScalar {
            path: format!("{path}.{field}"),
            text,
        });
    }
}

/// A number or a quantity in YAML, quoted only if necessary.
fn scalar(node: &YamlNode) -> Option<String> {
    if let Some(number) = node.as_i64() {
        return Some(number.to_string());
    }
    let text = node.as_str()?;
    let is_plain = text
        .chars()
        .all(|one| one.is_ascii_alphanumeric() || matches!(one, '.' | '_' | '-'))
        && matches!(&parse(text)[..], [Ok(document)] if document.root.as_str() == Some(text));
    Some(if is_plain {
        text.to_owned()
    } else {
        format!("{text:?}")
    })
}

const SOURCES: [&str; 5] = [
    "containerResource",
    "external",
    "object",
    "pods",
    "resource",
];

/// The fields of a target, and its type.
const TARGETS: [(&str, &str); 4] = [
    ("averageValue", "AverageValue"),
    ("targetAverageUtilization", "Utilization"),
    ("targetAverageValue", "AverageValue"),
    ("targetValue", "Value"),
];

#[cfg(test)]
mod tests {
    use kubectl_hpa_yaml::parse_without_comments;

    use super::new_form;

    fn text(metric: &str) -> Option<String> {
        let documents = parse_without_comments(metric);
        let [Ok(document)] = &documents[..] else {
            panic!("{metric}");
        };
        new_form(&document.root, "spec.metrics[0]").map(|form| form.text)
    }

    #[test]
    fn every_source_has_a_present_form() {
        for (old, new) in [
            (
                "{resource: {name: cpu, targetAverageUtilization: 70}}",
                "target: {type: Utilization, averageUtilization: 70}",
            ),
            (
                "{containerResource: {name: cpu, container: main, targetAverageValue: 500m}}",
                "target: {type: AverageValue, averageValue: 500m}",
            ),
            (
                "{pods: {metricName: orders, targetAverageValue: 10}}",
                "metric: {name: orders}, target: {type: AverageValue, averageValue: 10}",
            ),
            (
                "{pods: {metricName: orders, selector: {matchLabels: {a: b}}, targetAverageValue: 10}}",
                "metric: {name: orders, selector: {\"matchLabels\":{\"a\":\"b\"}}}, target: {type: AverageValue, averageValue: 10}",
            ),
            (
                "{external: {metricName: q, targetValue: \"30\"}}",
                "metric: {name: q}, target: {type: Value, value: \"30\"}",
            ),
            (
                "{object: {metricName: hits, target: {kind: Service, name: web}, targetValue: 5}}",
                "describedObject: {\"kind\":\"Service\",\"name\":\"web\"}, metric: {name: hits}, target: {type: Value, value: 5}",
            ),
        ] {
            assert_eq!(text(old).as_deref(), Some(new), "{old}");
        }
        for ambiguous in [
            "{resource: {name: cpu, targetAverageUtilization: 70, targetAverageValue: 1}}",
            "{resource: {name: cpu, targetAverageUtilization: 70, target: {type: Utilization}}}",
            "{pods: {metricName: orders, metric: {name: other}, targetAverageValue: 10}}",
            "{pods: {targetAverageValue: 10}}",
        ] {
            assert_eq!(text(ambiguous), None, "{ambiguous}");
        }
    }
}
