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
        Self {
            path: String::new(),
            problem: shortened(problem.to_string()),
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
                path,
                problem: shortened(problem),
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
