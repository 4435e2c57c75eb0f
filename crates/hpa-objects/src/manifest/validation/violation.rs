//! A violation of a validation rule.

use std::{cmp::Ordering, fmt};

use hpa_engine::model::{
    self,
    label_selector::{go_quoted, json_quoted},
    quantity::Format,
};

use crate::recording::wire::Quantity;

/// A violation of a validation rule. Upstream: `field.Error`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Path of the field, such as `spec.metrics[0].resource.target.averageUtilization`.
    pub field: String,
    /// The API server's message after the path.
    pub problem: String,
    /// The value as the API server prints it. None: it is missing, or must be.
    pub value: Option<String>,
    /// The violated rule, without the value. Empty: the API server says only that the field is required.
    pub rule: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.field, self.problem)
    }
}

impl Violation {
    /// A number out of bounds.
    pub(super) fn number(field: String, value: i32, detail: &str) -> Self {
        Self::invalid(field, &value.to_string(), detail)
    }

    /// A string with invalid format.
    pub(super) fn text(field: String, value: &str, detail: &str) -> Self {
        Self::invalid(field, &go_quoted(value), detail)
    }

    /// A string of a named type, which upstream prints as JSON.
    pub(super) fn name(field: String, value: &str, detail: &str) -> Self {
        Self::invalid(field, &json_quoted(value), detail)
    }

    /// A quantity out of bounds, in its canonical form.
    pub(super) fn quantity(field: String, value: &model::Quantity, detail: &str) -> Self {
        Self::text(field, &value.to_string(), detail)
    }

    /// A missing or empty field. `detail` can be empty.
    pub(super) fn required(field: String, detail: &str) -> Self {
        let colon = if detail.is_empty() { "" } else { ": " };
        Self {
            field,
            problem: format!("Required value{colon}{detail}"),
            value: None,
            rule: detail.to_owned(),
        }
    }

    /// A field that is not allowed together with others.
    pub(super) fn forbidden(field: String, detail: &str) -> Self {
        Self {
            field,
            problem: format!("Forbidden: {detail}"),
            value: None,
            rule: detail.to_owned(),
        }
    }

    /// A value that is too long to print.
    pub(super) fn too_long(field: String, detail: &str) -> Self {
        Self {
            field,
            problem: format!("Too long: {detail}"),
            value: None,
            rule: detail.to_owned(),
        }
    }

    /// A value that is not one of `supported`, which must be sorted.
    pub(super) fn unsupported(field: String, value: &str, supported: &[&str]) -> Self {
        let supported: Vec<String> = supported.iter().map(|value| go_quoted(value)).collect();
        let displayed = json_quoted(value);
        let rule = format!("supported values: {}", supported.join(", "));
        Self {
            field,
            problem: format!("Unsupported value: {displayed}: {rule}"),
            value: Some(displayed),
            rule,
        }
    }

    fn invalid(field: String, displayed: &str, detail: &str) -> Self {
        Self {
            field,
            problem: format!("Invalid value: {displayed}: {detail}"),
            value: Some(displayed.to_owned()),
            rule: detail.to_owned(),
        }
    }
}

/// The quantity and how it compares with zero, if it can be parsed. An unparsable one is not a violation: the API
/// server cannot even decode it.
pub(super) fn quantity(text: Option<&Quantity>) -> Option<(model::Quantity, Ordering)> {
    let quantity = model::Quantity::parse(&text?.0).ok()?;
    let zero = model::Quantity::from_value(0, Format::DecimalSI);
    let sign = quantity.cmp_value(&zero);
    Some((quantity, sign))
}
