//! Helm chart templates: the only source that is inspected before it is rendered, and only for one question.

/// A Helm chart template.
#[derive(Clone, Debug)]
pub struct ChartTemplate {
    /// The file.
    pub name: String,
    /// Kinds of its objects, unless they are templated.
    pub kinds: Vec<String>,
    /// Whether it sets `replicas:` without checking whether autoscaling is enabled.
    pub sets_replicas_always: bool,
}

impl ChartTemplate {
    /// Whether a file is a chart template: it is in a folder `templates` and contains template actions.
    pub fn is_one(name: &str, text: &str) -> bool {
        Self::is_in_chart(name) && text.contains("{{")
    }

    /// Whether a file is in a folder `templates`.
    pub fn is_in_chart(name: &str) -> bool {
        let name = name.replace('\\', "/");
        let mut folders = name.split('/').rev().skip(1);
        folders.any(|folder| folder == "templates")
    }

    /// The chart folder of a template.
    pub fn chart_of(name: &str) -> String {
        let name = name.replace('\\', "/");
        match name.rsplit_once("/templates/") {
            Some((chart, _)) => chart.to_owned(),
            None => ".".to_owned(),
        }
    }

    /// Reads a template.
    pub fn of(name: &str, text: &str) -> Self {
        let mut template = Self {
            name: name.to_owned(),
            kinds: Vec::new(),
            sets_replicas_always: false,
        };
        // For each open block: whether it checks for autoscaling.
        let mut blocks: Vec<bool> = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("{{") {
            template.take(before, &blocks);
            let (action, after) = after.split_once("}}").unwrap_or((after, ""));
            let action = action.trim_matches(|one: char| one == '-' || one.is_whitespace());
            match action.split_whitespace().next().unwrap_or_default() {
                "if" | "with" => blocks.push(needs_autoscaler(action)),
                "range" | "define" | "block" => blocks.push(false),
                "end" => {
                    blocks.pop();
                }
                _ => {}
            }
            rest = after;
        }
        template.take(rest, &blocks);
        template
    }

    /// Processes the text between two actions.
    fn take(&mut self, text: &str, blocks: &[bool]) {
        for line in text.lines() {
            if let Some(kind) = line.strip_prefix("kind:") {
                self.kinds.push(kind.trim().to_owned());
            }
            let is_guarded = blocks.contains(&true);
            if line.trim_start().starts_with("replicas:") && !is_guarded {
                self.sets_replicas_always = true;
            }
        }
    }
}

fn needs_autoscaler(condition: &str) -> bool {
    let condition = condition.to_lowercase();
    ["autoscal", "hpa", "keda", "scaledobject"]
        .iter()
        .any(|word| condition.contains(word))
}

#[cfg(test)]
mod tests {
    use super::ChartTemplate;

    fn always(text: &str) -> bool {
        ChartTemplate::of("chart/templates/web.yaml", text).sets_replicas_always
    }

    #[test]
    fn only_a_switch_of_an_autoscaler_is_a_guard() {
        assert!(always(
            "kind: Deployment\nspec:\n  replicas: {{ .Values.replicas }}\n"
        ));
        assert!(always(
            "spec:\n{{- if .Values.replicas }}\n  replicas: 1\n{{- end }}\n"
        ));
        assert!(!always(
            "spec:\n{{- if not .Values.autoscaling.enabled }}\n  replicas: 1\n{{- end }}\n"
        ));
        assert!(!always(
            "spec:\n  {{ if not .Values.hpa }}replicas: 1{{ end }}\n"
        ));
        assert!(always(
            "{{ if .Values.autoscaling.enabled }}a: b{{ end }}\nspec:\n  replicas: 2\n"
        ));
        assert!(!always("spec:\n  minReplicas: {{ .Values.min }}\n"));
    }

    #[test]
    fn rendered_files_and_files_elsewhere_are_no_templates() {
        assert!(ChartTemplate::is_one(
            "chart/templates/web.yaml",
            "a: {{ b }}"
        ));
        assert!(!ChartTemplate::is_one("chart/templates/web.yaml", "a: b"));
        assert!(!ChartTemplate::is_one("chart/web.yaml", "a: {{ b }}"));
    }
}
