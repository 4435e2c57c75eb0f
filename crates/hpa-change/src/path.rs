//! Paths of fields as users write them: `spec.metrics[0].resource.target.averageUtilization`.

use std::{fmt, str::FromStr};

use super::ParseAssignmentError;

/// A path of a field below `spec`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldPath {
    /// Its steps, without `spec`.
    pub(super) steps: Vec<PathStep>,
}

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PathStep {
    /// A field, or a key of a map.
    Field(String),
    /// An entry of a list.
    Index(usize),
    /// The entry of a list in which a field has that value.
    Matching(String, String),
}

impl fmt::Display for FieldPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("spec")?;
        self.steps.iter().try_for_each(|step| step.fmt(formatter))
    }
}

impl fmt::Display for PathStep {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(name) if name.contains(['.', '/', '[']) => write!(formatter, "[{name:?}]"),
            Self::Field(name) => write!(formatter, ".{name}"),
            Self::Index(index) => write!(formatter, "[{index}]"),
            Self::Matching(key, value) => write!(formatter, "[{key}={value}]"),
        }
    }
}

impl FromStr for FieldPath {
    type Err = ParseAssignmentError;

    /// Parses a path with or without `spec`; `scaleUp` and `scaleDown` are short for the fields in `spec.behavior`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fail = |problem: &str| ParseAssignmentError {
            text: text.to_owned(),
            problem: problem.to_owned(),
        };
        let mut steps = Vec::new();
        let mut rest = text.strip_prefix('.').unwrap_or(text);
        let mut wants_name = true;
        while !rest.is_empty() {
            if let Some(inner) = rest.strip_prefix('[') {
                let end = closing(inner).ok_or_else(|| fail("a bracket is not closed"))?;
                steps.push(bracket(&inner[..end]).ok_or_else(|| fail(BRACKET))?);
                rest = &inner[end + 1..];
                wants_name = false;
                continue;
            }
            if let Some(after) = rest.strip_prefix('.').filter(|_| !wants_name) {
                rest = after;
                wants_name = true;
                continue;
            }
            let end = rest.find(['.', '[', ']']).unwrap_or(rest.len());
            let name = &rest[..end];
            let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric());
            if !wants_name || !is_name {
                return Err(fail(&format!(
                    "{rest:?} does not start with the name of a field"
                )));
            }
            steps.push(PathStep::Field(name.to_owned()));
            rest = &rest[end..];
            wants_name = false;
        }
        if wants_name {
            return Err(fail("the name of a field is missing"));
        }
        let top = match steps.first() {
            Some(PathStep::Field(name)) => name.clone(),
            _ => return Err(fail("it does not start with a field")),
        };
        match top.as_str() {
            "spec" => {
                steps.remove(0);
            }
            "scaleDown" | "scaleUp" => steps.insert(0, PathStep::Field("behavior".to_owned())),
            "apiVersion" | "kind" | "metadata" | "status" => {
                return Err(fail("only fields of the spec can be set"));
            }
            _ => {}
        }
        if steps.is_empty() {
            return Err(fail("to replace the whole spec, use --with FILE"));
        }
        Ok(Self { steps })
    }
}

/// The position of the closing bracket, outside quotes.
fn closing(inner: &str) -> Option<usize> {
    let quote = inner
        .chars()
        .next()
        .filter(|first| matches!(first, '"' | '\''));
    match quote {
        Some(quote) => {
            let end = inner[1..].find(quote)? + 2;
            inner[end..].starts_with(']').then_some(end)
        }
        None => inner.find(']'),
    }
}

/// Parses the content of brackets: an index, a quoted key, or `field=value`.
fn bracket(inner: &str) -> Option<PathStep> {
    if let Ok(index) = inner.parse() {
        return Some(PathStep::Index(index));
    }
    for quote in ['"', '\''] {
        let quoted = inner.strip_prefix(quote);
        if let Some(key) = quoted.and_then(|rest| rest.strip_suffix(quote)) {
            return Some(PathStep::Field(key.to_owned()));
        }
    }
    let (key, value) = inner.split_once('=')?;
    let value = value.trim_matches(['"', '\'']);
    (!key.is_empty() && !value.is_empty())
        .then(|| PathStep::Matching(key.to_owned(), value.to_owned()))
}

const BRACKET: &str =
    "use an index such as [0], a choice such as [name=cpu], or a key in quotes in brackets";

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, canonical: &str) {
        assert_eq!(text.parse::<FieldPath>().unwrap().to_string(), canonical);
    }

    #[track_caller]
    fn fails(text: &str, problem: &str) {
        let error = text.parse::<FieldPath>().unwrap_err().to_string();
        assert!(error.contains(problem), "{text}: {error}");
    }

    #[test]
    fn full_and_short_paths_mean_the_same() {
        check("spec.maxReplicas", "spec.maxReplicas");
        check(".spec.maxReplicas", "spec.maxReplicas");
        check("maxReplicas", "spec.maxReplicas");
        check(
            "scaleUp.policies[1].value",
            "spec.behavior.scaleUp.policies[1].value",
        );
        check(
            "spec.behavior.scaleDown.selectPolicy",
            "spec.behavior.scaleDown.selectPolicy",
        );
    }

    #[test]
    fn brackets_hold_an_index_a_choice_or_a_key() {
        check(
            "metrics[name=cpu].resource.target",
            "spec.metrics[name=cpu].resource.target",
        );
        check("metrics[0]", "spec.metrics[0]");
        check(
            "metrics[0].pods.metric.selector.matchLabels['app.kubernetes.io/name']",
            "spec.metrics[0].pods.metric.selector.matchLabels[\"app.kubernetes.io/name\"]",
        );
    }

    #[test]
    fn broken_paths_say_what_is_wrong() {
        fails("", "the name of a field is missing");
        fails("spec.", "the name of a field is missing");
        fails(
            "spec..maxReplicas",
            "does not start with the name of a field",
        );
        fails("metrics[0", "a bracket is not closed");
        fails("metrics['a]", "a bracket is not closed");
        fails("metrics[]", "use an index such as [0]");
        fails("metrics[-1]", "use an index such as [0]");
        fails(
            "metrics[0]resource",
            "does not start with the name of a field",
        );
        fails("[0].resource", "it does not start with a field");
        fails("spec", "--with FILE");
        fails("metadata.name", "only fields of the spec");
        fails("status.desiredReplicas", "only fields of the spec");
        fails("max replicas", "does not start with the name of a field");
    }
}
