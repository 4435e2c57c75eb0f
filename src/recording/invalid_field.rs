//! A field whose value makes no sense.

use std::fmt::Display;

/// A field of a snapshot whose value makes no sense, with its path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {problem}")]
pub struct InvalidField {
    /// Where: `podMetrics.items[3].containers[0].usage.cpu`.
    pub path: String,
    /// What is wrong, and what would be right.
    pub problem: String,
}

impl InvalidField {
    /// A problem with the value that is being converted; [`Within`] adds the path on the way out.
    pub(super) fn here(problem: impl Display) -> Self {
        Self {
            path: String::new(),
            problem: problem.to_string(),
        }
    }

    fn in_field(self, field: &str) -> Self {
        let path = match self.path.as_str() {
            "" => field.to_owned(),
            path => format!("{field}.{path}"),
        };
        Self { path, ..self }
    }
}

/// Adds the path to an error on its way out, so that a good file costs no path.
pub(super) trait Within<T> {
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
