//! One `--set`.

use std::{fmt, str::FromStr};

use super::{FieldPath, path::PathStep};

/// One `--set`: a field and what happens to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// The field.
    pub path: FieldPath,
    /// What happens to it.
    pub operation: Operation,
}

/// What happens to a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// It is removed; the API server may set a default.
    Remove,
    /// It is set to this value, in JSON or YAML.
    Set(String),
}

impl Assignment {
    /// Parses several, separated by commas.
    pub fn several(text: &str) -> Result<Vec<Self>, ParseAssignmentError> {
        pieces(text).iter().map(|piece| piece.parse()).collect()
    }

    /// Name and value, if it sets a field of the spec itself.
    pub(super) fn as_top_level(&self) -> Option<(&str, &str)> {
        match (&self.path.steps[..], &self.operation) {
            ([PathStep::Field(name)], Operation::Set(value)) => Some((name, value)),
            _ => None,
        }
    }
}

impl fmt::Display for Assignment {
    /// As in the flag: `maxReplicas=30`, `behavior-`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.to_string();
        let path = path.strip_prefix("spec.").unwrap_or(&path);
        match &self.operation {
            Operation::Remove => write!(formatter, "{path}-"),
            Operation::Set(value) => write!(formatter, "{path}={value}"),
        }
    }
}

/// A text that is not an assignment.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?}: {problem}")]
pub struct ParseAssignmentError {
    /// The text.
    pub text: String,
    /// What is wrong, and what is valid.
    pub problem: String,
}

impl FromStr for Assignment {
    type Err = ParseAssignmentError;

    /// Parses `PATH=VALUE`, or `PATH=` and `PATH-`, which remove the field.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (path, value) = match equals_sign(text) {
            Some(position) => (&text[..position], &text[position + 1..]),
            None => match text.strip_suffix('-') {
                Some(path) => (path, ""),
                None => {
                    return Err(ParseAssignmentError {
                        text: text.to_owned(),
                        problem: "use PATH=VALUE, or PATH- to remove a field".to_owned(),
                    });
                }
            },
        };
        Ok(Self {
            path: path.trim().parse()?,
            operation: match value.trim() {
                "" | "null" => Operation::Remove,
                value => Operation::Set(value.to_owned()),
            },
        })
    }
}

/// The first equals sign outside brackets.
fn equals_sign(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    text.char_indices().find_map(|(position, character)| {
        match character {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            '=' if depth == 0 => return Some(position),
            _ => {}
        }
        None
    })
}

/// Splits at commas outside brackets, braces and quotes. A piece without an equals sign belongs to the one before.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    let mut depth = 0_i32;
    let mut piece = String::new();
    for character in text.chars() {
        match character {
            '[' | '{' => depth += 1,
            ']' | '}' => depth -= 1,
            _ => {}
        }
        if character == ',' && depth == 0 {
            pieces.push(std::mem::take(&mut piece));
        } else {
            piece.push(character);
        }
    }
    pieces.push(piece);
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, path: &str, operation: &Operation) {
        let assignment: Assignment = text.parse().unwrap();
        assert_eq!(assignment.path.to_string(), path);
        assert_eq!(&assignment.operation, operation);
    }

    #[test]
    fn value_begins_at_the_first_equals_sign_outside_brackets() {
        let set = |text: &str, path: &str, value: &str| {
            check(text, path, &Operation::Set(value.to_owned()));
        };
        set("maxReplicas=30", "spec.maxReplicas", "30");
        set(
            "metrics[name=cpu].type=Pods",
            "spec.metrics[name=cpu].type",
            "Pods",
        );
        set(
            r#"metrics[0]={"type": "a=b"}"#,
            "spec.metrics[0]",
            r#"{"type": "a=b"}"#,
        );
    }

    #[test]
    fn nothing_behind_the_path_removes_the_field() {
        for text in ["behavior-", "behavior=", "spec.behavior=null"] {
            check(text, "spec.behavior", &Operation::Remove);
        }
    }

    #[test]
    fn text_without_a_value_says_what_is_wanted() {
        let error = "maxReplicas".parse::<Assignment>().unwrap_err();
        assert!(error.to_string().contains("use PATH=VALUE"), "{error}");
    }

    #[test]
    fn commas_inside_brackets_do_not_separate() {
        assert_eq!(
            pieces("maxReplicas=30,minReplicas=2"),
            ["maxReplicas=30", "minReplicas=2"]
        );
        let policies = "behavior.scaleUp.policies=[{type: Pods, value: 4, periodSeconds: 60}]";
        assert_eq!(
            pieces(&format!("{policies},maxReplicas=3")),
            [policies, "maxReplicas=3"]
        );
    }
}
