//! A field with an invalid value.

use std::fmt::Display;

/// A field of a snapshot with an invalid value, and its path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{problem}", self.place())]
pub struct InvalidField {
    /// Its path: `podMetrics.items[3].containers[0].usage.cpu`.
    pub path: String,
    /// What is wrong, and what is valid.
    pub problem: String,
    /// The type that the value must have, if it has another one.
    pub expected: Option<ExpectedType>,
}

/// A type of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpectedType {
    /// A string.
    String,
    /// An integer.
    Integer,
}

impl InvalidField {
    /// The start of the message: the path, if it is not the object itself.
    fn place(&self) -> String {
        match self.path.as_str() {
            "" => String::new(),
            path => format!("{path}: "),
        }
    }

    /// A problem with the value being converted; [`Within`] adds the path.
    pub fn here(problem: impl Display) -> Self {
        Self::at("", shortened(problem.to_string()))
    }

    /// A problem with the value at `path`.
    pub fn at(path: impl Into<String>, problem: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            problem: problem.into(),
            expected: None,
        }
    }

    /// A serde error at `path`. For an absent field, that is the path of the enclosing object.
    pub fn decoding(path: String, problem: String) -> Self {
        // The path of the whole line.
        let path = if path == "." { String::new() } else { path };
        let missing = problem
            .strip_prefix("missing field `")
            .and_then(|rest| rest.strip_suffix('`'));
        match missing {
            Some(field) => Self::here("missing field").in_field(field).in_field(&path),
            None => Self {
                expected: expected(&problem),
                ..Self::at(path, shortened(in_plain_words(problem)))
            },
        }
    }

    /// Adds `field` to the front of the path.
    #[must_use]
    pub fn in_field(self, field: &str) -> Self {
        let path = match (field, self.path.as_str()) {
            ("", path) => path.to_owned(),
            (field, "") => field.to_owned(),
            (field, path) => format!("{field}.{path}"),
        };
        Self { path, ..self }
    }
}

/// The type that a message of serde expects.
fn expected(problem: &str) -> Option<ExpectedType> {
    let (_, expected) = problem.rsplit_once(", expected ")?;
    match expected {
        "a string" => Some(ExpectedType::String),
        "i8" | "i16" | "i32" | "i64" => Some(ExpectedType::Integer),
        _ => None,
    }
}

/// A message of serde without the names of Rust types, which say nothing to a reader of the file.
fn in_plain_words(problem: String) -> String {
    if problem.contains("untagged enum IntOrString") {
        return "wrong type, expected an integer or a string".to_owned();
    }
    // The found value can contain these words, and comes first.
    let Some((found, expected)) = problem.rsplit_once(", expected ") else {
        return problem;
    };
    let expected = match expected {
        "a map" => "a mapping",
        "a sequence" => "a list",
        // Only its size is wrong.
        "i32" if found.starts_with("invalid value") => "an integer from -2147483648 to 2147483647",
        "i8" | "i16" | "i32" | "i64" => "an integer",
        "u8" | "u16" | "u32" | "u64" | "usize" => "an integer from 0 up",
        "f32" | "f64" => "a number",
        other if other.starts_with("struct ") => "a mapping",
        other => other,
    };
    let found = match found {
        "invalid type: map" => "invalid type: mapping",
        "invalid type: sequence" => "invalid type: list",
        // A list is also read as the fields of a struct in their order.
        found if expected == "a mapping" && found.starts_with("invalid length ") => {
            "invalid type: list"
        }
        found => found,
    };
    let found = found.replacen("floating point `", "number `", 1);
    format!("{found}, expected {expected}")
}

/// Cuts a long value out of the middle of a message. The start names the field, the end says what is valid.
pub fn shortened(problem: String) -> String {
    let letters = problem.chars().count();
    if letters <= 2 * KEPT {
        return problem;
    }
    let begin: String = problem.chars().take(KEPT).collect();
    let end: String = problem.chars().skip(letters - KEPT).collect();
    format!("{begin} … {end}")
}

/// Characters kept from the start and the end of a long message.
const KEPT: usize = 140;

/// Adds the path to an error on its way out, so that valid files need no paths.
pub trait Within<T> {
    /// The value is that of `field`.
    fn within(self, field: &str) -> Result<T, InvalidField>;

    /// The value is entry `index` of the list `field`.
    fn within_item(self, field: &str, index: usize) -> Result<T, InvalidField>;
}

impl<T> Within<T> for Result<T, InvalidField> {
    fn within(self, field: &str) -> Self {
        self.map_err(|error| error.in_field(field))
    }

    fn within_item(self, field: &str, index: usize) -> Self {
        self.map_err(|error| error.in_field(&format!("{field}[{index}]")))
    }
}

#[cfg(test)]
mod tests {
    use super::in_plain_words;

    #[test]
    fn types_have_the_words_of_the_file() {
        for (problem, plain) in [
            (
                "invalid type: string \"a, expected i32\", expected struct Container",
                "invalid type: string \"a, expected i32\", expected a mapping",
            ),
            (
                "invalid length 0, expected struct Hpa with 3 elements",
                "invalid type: list, expected a mapping",
            ),
            (
                "invalid type: map, expected a sequence",
                "invalid type: mapping, expected a list",
            ),
            (
                "invalid type: floating point `3.5`, expected i32",
                "invalid type: number `3.5`, expected an integer",
            ),
            (
                "invalid value: integer `9999999999`, expected i32",
                "invalid value: integer `9999999999`, expected an integer from -2147483648 to 2147483647",
            ),
            (
                "invalid value: integer `-1`, expected usize",
                "invalid value: integer `-1`, expected an integer from 0 up",
            ),
            (
                "invalid type: string \"a\", expected f64",
                "invalid type: string \"a\", expected a number",
            ),
            (
                "unknown field `a`, expected `b`",
                "unknown field `a`, expected `b`",
            ),
            ("", ""),
        ] {
            assert_eq!(in_plain_words(problem.to_owned()), plain);
        }
    }
}
