//! Comparisons in filters. As in Go's templates, only values of the same kind are comparable.

use std::cmp::Ordering;

use serde_json::{Number, Value};

use super::node::FilterOperator;

/// Compares two values.
pub(super) fn compare(
    left: &Value,
    operator: &FilterOperator,
    right: &Value,
) -> Result<bool, String> {
    let (left, right) = (Comparable::of(left)?, Comparable::of(right)?);
    match operator {
        FilterOperator::Equal => left.is_equal(&right),
        FilterOperator::NotEqual => left.is_equal(&right).map(|is_equal| !is_equal),
        FilterOperator::Less => left.is_less(&right),
        FilterOperator::GreaterEqual => left.is_less(&right).map(|is_less| !is_less),
        FilterOperator::LessEqual => Ok(left.is_less(&right)? || left.is_equal(&right)?),
        FilterOperator::Greater => Ok(!(left.is_less(&right)? || left.is_equal(&right)?)),
        FilterOperator::Unknown(other) => Err(format!("unrecognized filter operator {other}")),
    }
}

/// A comparable value.
enum Comparable<'v> {
    Bool(bool),
    Float(f64),
    Integer(i64),
    Text(&'v str),
}

impl<'v> Comparable<'v> {
    fn of(value: &'v Value) -> Result<Self, String> {
        match value {
            Value::Bool(value) => Ok(Self::Bool(*value)),
            Value::Number(number) => Ok(Self::of_number(number)),
            Value::String(text) => Ok(Self::Text(text)),
            Value::Array(_) | Value::Null | Value::Object(_) => {
                Err("invalid type for comparison".to_owned())
            }
        }
    }

    fn of_number(number: &Number) -> Self {
        match number.as_i64() {
            Some(integer) => Self::Integer(integer),
            None => Self::Float(number.as_f64().unwrap_or(f64::NAN)),
        }
    }

    fn is_equal(&self, other: &Self) -> Result<bool, String> {
        match (self, other) {
            (Self::Bool(left), Self::Bool(right)) => Ok(left == right),
            _ => Ok(self.ordering(other)? == Some(Ordering::Equal)),
        }
    }

    fn is_less(&self, other: &Self) -> Result<bool, String> {
        match (self, other) {
            (Self::Bool(_), Self::Bool(_)) => Err("invalid type for comparison".to_owned()),
            _ => Ok(self.ordering(other)? == Some(Ordering::Less)),
        }
    }

    /// None: not even equal, such as nothing and a number.
    fn ordering(&self, other: &Self) -> Result<Option<Ordering>, String> {
        match (self, other) {
            (Self::Float(left), Self::Float(right)) => Ok(left.partial_cmp(right)),
            (Self::Integer(left), Self::Integer(right)) => Ok(Some(left.cmp(right))),
            (Self::Text(left), Self::Text(right)) => Ok(Some(left.cmp(right))),
            _ => Err("incompatible types for comparison".to_owned()),
        }
    }
}
