//! Parses the configuration file.

use kubectl_hpa_yaml::{Entry, Span, YamlNode, YamlValue, parse};

use super::{Config, ConfigError, FailOn, PathConfig, RuleConfigs, paths, threshold};
use crate::{Rule, RuleSelector, Severity, UnknownRule, wrong_letters};

/// Parses a configuration file. Unknown rule names are collected, because a newer version may have them. Anything else
/// that is unknown is an error.
pub fn decode(text: &str) -> Result<Config, ConfigError> {
    let documents = parse(text)
        .into_iter()
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| ConfigError {
            span: error.span,
            path: String::new(),
            problem: error.problem,
        })?;
    let mut decoder = ConfigDecoder {
        text,
        config: Config::default(),
    };
    match &documents[..] {
        [] => {}
        [document] => {
            if let Some(repeated) = document.repeated_keys.first() {
                let path = document.root.path_of_key(repeated.again);
                return Err(ConfigError {
                    span: repeated.again,
                    path: path.unwrap_or_else(|| repeated.key.to_string()),
                    problem: "appears twice".to_owned(),
                });
            }
            decoder.file(&document.root)?;
        }
        [_, second, ..] => {
            return Err(ConfigError {
                span: second.root.span,
                path: String::new(),
                problem: "a second document: use one".to_owned(),
            });
        }
    }
    Ok(decoder.config)
}

pub(super) const KEYS: [&str; 10] = [
    "select",
    "extendSelect",
    "ignore",
    "kubeVersion",
    "complete",
    "strict",
    "failOn",
    "baseline",
    "rules",
    "paths",
];

pub(super) const PATH_KEYS: [&str; 4] = ["files", "ignore", "reason", "rules"];

struct ConfigDecoder<'a> {
    text: &'a str,
    config: Config,
}

/// An entry and its path.
struct Field<'a> {
    entry: &'a Entry,
    path: String,
}

impl ConfigDecoder<'_> {
    fn file(&mut self, root: &YamlNode) -> Result<(), ConfigError> {
        for field in fields(root, "", &KEYS)? {
            match &*field.entry.key {
                "select" => self.config.selection.select = Some(self.selectors(&field)?),
                "extendSelect" => self.config.selection.extend_select = self.selectors(&field)?,
                "ignore" => self.config.selection.ignore = self.selectors(&field)?,
                "kubeVersion" => {
                    let versions = self.raw(&field, "a version such as 1.36 or 1.30-1.36")?;
                    let versions = versions.parse().map_err(|problem| field.error(problem))?;
                    self.config.kube_version = Some(versions);
                }
                "complete" => self.config.is_complete = Some(boolean(&field)?),
                "strict" => self.config.is_strict = Some(boolean(&field)?),
                "failOn" => self.config.fail_on = Some(fail_on(&field)?),
                "baseline" => self.config.baseline = Some(text(&field)?.to_owned()),
                "rules" => self.config.rules = self.rules(&field)?,
                "paths" => self.config.paths = self.paths(&field)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn paths(&mut self, field: &Field<'_>) -> Result<Vec<PathConfig>, ConfigError> {
        let mut sections = Vec::new();
        for (index, item) in items(field, "sections")?.iter().enumerate() {
            let path = format!("{}[{index}]", field.path);
            let mut section = PathConfig::default();
            for field in fields(item, &path, &PATH_KEYS)? {
                match &*field.entry.key {
                    "files" => {
                        for pattern in texts(&field)? {
                            let (span, pattern) = pattern;
                            let pattern = paths::pattern(pattern).map_err(|problem| {
                                let path = field.path.clone();
                                let problem = format!("invalid pattern {pattern:?}: {problem}");
                                ConfigError {
                                    span,
                                    path,
                                    problem,
                                }
                            })?;
                            section.files.push(pattern);
                        }
                    }
                    "ignore" => section.ignore = self.selectors(&field)?,
                    "reason" => section.reason = Some(text(&field)?.to_owned()),
                    "rules" => section.rules = self.rules(&field)?,
                    _ => {}
                }
            }
            if section.files.is_empty() {
                return Err(ConfigError {
                    span: item.span,
                    path,
                    problem: "files is missing: set it to patterns such as [\"charts/dev/**\"]"
                        .to_owned(),
                });
            }
            sections.push(section);
        }
        Ok(sections)
    }

    fn rules(&mut self, field: &Field<'_>) -> Result<RuleConfigs, ConfigError> {
        let mut configs = RuleConfigs::default();
        for entry in mapping(&field.entry.node, &field.path)? {
            let path = format!("{}.{}", field.path, entry.key);
            match RuleSelector::parse(&entry.key) {
                Ok(RuleSelector::Rule(rule)) => self.rule(rule, entry, &path, &mut configs)?,
                Ok(_) => {
                    return Err(ConfigError {
                        span: entry.key_span,
                        path,
                        problem: "names several rules: use the code or name of one".to_owned(),
                    });
                }
                Err(unknown) => self.unknown(entry.key_span, &path, &unknown),
            }
        }
        Ok(configs)
    }

    fn rule(
        &mut self,
        rule: &'static Rule,
        entry: &Entry,
        path: &str,
        configs: &mut RuleConfigs,
    ) -> Result<(), ConfigError> {
        let mut keys = vec!["severity"];
        keys.extend(rule.thresholds.iter().map(|threshold| threshold.name));
        for field in fields(&entry.node, path, &keys)? {
            let threshold = rule
                .thresholds
                .iter()
                .find(|threshold| *threshold.name == *field.entry.key);
            if let Some(threshold) = threshold {
                let value = self.raw(&field, "a number")?;
                let value = threshold::parse(value, threshold.unit)
                    .map_err(|problem| field.error(problem))?;
                configs
                    .thresholds
                    .insert((rule.code, threshold.name), value);
            } else {
                configs.severities.insert(rule.code, severity(&field)?);
            }
        }
        Ok(())
    }

    fn selectors(&mut self, field: &Field<'_>) -> Result<Vec<RuleSelector>, ConfigError> {
        let mut selectors = Vec::new();
        for (span, name) in texts(field)? {
            match RuleSelector::parse(name) {
                Ok(selector) => selectors.push(selector),
                Err(unknown) => self.unknown(span, &field.path, &unknown),
            }
        }
        Ok(selectors)
    }

    fn unknown(&mut self, span: Span, path: &str, unknown: &UnknownRule) {
        let message = format!("{path}: {unknown}");
        self.config.unknown.push((span, message));
    }

    /// A string or a number as written: 1.30 is not 1.3.
    fn raw<'n>(&self, field: &Field<'n>, expected: &str) -> Result<&'n str, ConfigError>
    where
        Self: 'n,
    {
        match &field.entry.node.value {
            YamlValue::Text(text) => Ok(text),
            YamlValue::Number(_) => {
                let span = field.entry.node.span;
                self.text
                    .get(span.start as usize..span.end as usize)
                    .map(str::trim)
                    .ok_or_else(|| field.wrong(expected))
            }
            _ => Err(field.wrong(expected)),
        }
    }
}

impl Field<'_> {
    fn error(&self, problem: String) -> ConfigError {
        ConfigError {
            span: self.entry.node.span,
            path: self.path.clone(),
            problem,
        }
    }

    fn wrong(&self, expected: &str) -> ConfigError {
        self.error(format!(
            "is {}, expected {expected}",
            kind(&self.entry.node.value)
        ))
    }
}

/// The entries of a section. Every key must be known and appear only once.
fn fields<'a>(
    node: &'a YamlNode,
    path: &str,
    keys: &[&'static str],
) -> Result<Vec<Field<'a>>, ConfigError> {
    let mut fields: Vec<Field<'a>> = Vec::new();
    for entry in mapping(node, path)? {
        let path = if path.is_empty() {
            entry.key.to_string()
        } else {
            format!("{path}.{}", entry.key)
        };
        let at_key = |problem| ConfigError {
            span: entry.key_span,
            path: path.clone(),
            problem,
        };
        if !keys.contains(&&*entry.key) {
            let likeness =
                |key: &&&str| wrong_letters(&key.to_lowercase(), &entry.key.to_lowercase());
            let nearest = keys
                .iter()
                .min_by_key(likeness)
                .filter(|key| likeness(key) <= 1 + key.len() / 3)
                .map_or_else(
                    || format!("use {}", keys.join(", ")),
                    |key| format!("did you mean {key}?"),
                );
            return Err(at_key(format!("unknown key: {nearest}")));
        }
        fields.push(Field { entry, path });
    }
    Ok(fields)
}

fn mapping<'a>(node: &'a YamlNode, path: &str) -> Result<&'a [Entry], ConfigError> {
    match &node.value {
        YamlValue::Mapping(entries) => Ok(entries),
        YamlValue::Null => Ok(&[]),
        other => Err(ConfigError {
            span: node.span,
            path: path.to_owned(),
            problem: format!("is {}, expected a mapping", kind(other)),
        }),
    }
}

fn items<'a>(field: &Field<'a>, of: &str) -> Result<&'a [YamlNode], ConfigError> {
    match &field.entry.node.value {
        YamlValue::Sequence(items) => Ok(items),
        YamlValue::Null => Ok(&[]),
        _ => Err(field.wrong(&format!("a list of {of}"))),
    }
}

fn texts<'a>(field: &Field<'a>) -> Result<Vec<(Span, &'a str)>, ConfigError> {
    items(field, "strings, such as [HPA104]")?
        .iter()
        .map(|item| {
            let text = item.as_str().ok_or_else(|| ConfigError {
                span: item.span,
                path: field.path.clone(),
                problem: format!("contains {}, expected strings", kind(&item.value)),
            })?;
            Ok((item.span, text))
        })
        .collect()
}

fn text<'a>(field: &Field<'a>) -> Result<&'a str, ConfigError> {
    let text = field.entry.node.as_str();
    text.ok_or_else(|| field.wrong("a string"))
}

fn boolean(field: &Field<'_>) -> Result<bool, ConfigError> {
    let value = field.entry.node.as_bool();
    value.ok_or_else(|| field.wrong("true or false"))
}

fn severity(field: &Field<'_>) -> Result<Severity, ConfigError> {
    match field.entry.node.as_str() {
        Some("error") => Ok(Severity::Error),
        Some("warning") => Ok(Severity::Warning),
        Some("info") => Ok(Severity::Info),
        _ => Err(field.wrong("error, warning or info (to turn a rule off, list it in ignore)")),
    }
}

fn fail_on(field: &Field<'_>) -> Result<FailOn, ConfigError> {
    match field.entry.node.as_str() {
        Some("error") => Ok(FailOn::Error),
        Some("warning") => Ok(FailOn::Warning),
        Some("info") => Ok(FailOn::Info),
        Some("never") => Ok(FailOn::Never),
        _ => Err(field.wrong("error, warning, info or never")),
    }
}

fn kind(value: &YamlValue) -> String {
    match value {
        YamlValue::Bool(value) => value.to_string(),
        YamlValue::Mapping(_) => "a mapping".to_owned(),
        YamlValue::Null => "empty".to_owned(),
        YamlValue::Number(_) => "a number".to_owned(),
        YamlValue::Sequence(_) => "a list".to_owned(),
        YamlValue::Text(text) => format!("{text:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::schema;

    #[test]
    fn every_key_is_in_the_schema_and_no_other() {
        let schema = schema().to_value();
        let keys = |of: &serde_json::Value| -> Vec<String> {
            let properties = of["properties"].as_object().unwrap();
            let mut keys: Vec<String> = properties.keys().cloned().collect();
            keys.sort();
            keys
        };
        let sorted = |known: &[&str]| {
            let mut known: Vec<String> = known.iter().map(|&key| key.to_owned()).collect();
            known.sort();
            known
        };
        assert_eq!(keys(&schema), sorted(&KEYS));
        assert_eq!(keys(&schema["$defs"]["PathConfig"]), sorted(&PATH_KEYS));
    }

    #[test]
    fn a_version_is_read_as_it_is_written() {
        for text in [
            "kubeVersion: 1.30",
            "kubeVersion: '1.30'",
            "{\"kubeVersion\": 1.30}",
        ] {
            let versions = decode(text).unwrap().kube_version.unwrap();
            assert_eq!(versions.as_slice()[0].minor, 30, "{text}");
        }
    }

    #[test]
    fn what_is_not_understood_is_an_error_at_its_place() {
        for (text, start, path, problem) in [
            (
                "\nselct: []",
                1,
                "selct",
                "unknown key: did you mean select?",
            ),
            ("xyz: 1", 0, "xyz", "unknown key: use select, "),
            ("ignore: HPA1", 8, "ignore", "is \"HPA1\", expected a list"),
            (
                "ignore: [1]",
                9,
                "ignore",
                "contains a number, expected strings",
            ),
            ("strict: maybe", 8, "strict", "expected true or false"),
            (
                "failOn: note",
                8,
                "failOn",
                "expected error, warning, info or never",
            ),
            ("kubeVersion: 1.2", 13, "kubeVersion", "not supported"),
            ("rules: {HPA1: {}}", 8, "rules.HPA1", "several rules"),
            (
                "rules: {HPA102: {severity: off}}",
                27,
                "rules.HPA102.severity",
                "ignore",
            ),
            (
                "rules: {HPA102: {sevrity: info}}",
                17,
                "rules.HPA102.sevrity",
                "severity",
            ),
            (
                "paths: [{ignore: [HPA102]}]",
                8,
                "paths[0]",
                "files is missing",
            ),
            (
                "paths: [{files: ['a***']}]",
                17,
                "paths[0].files",
                "invalid pattern",
            ),
            ("ignore: []\nignore: []", 11, "ignore", "twice"),
            ("- a", 0, "", "is a list, expected a mapping"),
            ("a: 1\n---\nb: 1", 9, "", "a second document"),
        ] {
            let error = decode(text).unwrap_err();
            assert_eq!(
                (error.span.start, &*error.path),
                (start, path),
                "{text}: {error:?}"
            );
            assert!(error.problem.contains(problem), "{text}: {error:?}");
        }
    }

    #[test]
    fn a_rule_that_there_is_not_is_no_error() {
        let config =
            decode("ignore: [HPA102, min-equal-max]\nrules: {later-rule: {x: 1}}").unwrap();
        assert_eq!(config.selection.ignore.len(), 1);
        let messages: Vec<&str> = config.unknown.iter().map(|(_, text)| &**text).collect();
        assert!(messages[0].contains("did you mean HPA102"), "{messages:?}");
        assert!(
            messages[1].starts_with("rules.later-rule: unknown rule"),
            "{messages:?}"
        );
    }

    #[test]
    fn a_file_without_anything_says_nothing() {
        assert!(
            decode("# nothing yet\n")
                .unwrap()
                .rules
                .severities
                .is_empty()
        );
    }
}
