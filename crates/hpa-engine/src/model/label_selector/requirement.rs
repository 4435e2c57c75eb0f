//! One requirement of a selector: key, operator, values. Upstream: `labels.Requirement`.

use std::{collections::BTreeMap, fmt};

use super::{
    Wording,
    go_text::{go_list, json_list},
    validation::{invalid, invalid_value, label_key_reasons, label_value_reasons},
};

/// How a label and the values of a requirement relate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    DoesNotExist,
    DoubleEquals,
    Equals,
    Exists,
    GreaterThan,
    In,
    LessThan,
    NotEquals,
    NotIn,
}

/// A condition on one label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Requirement {
    pub(super) key: String,
    operator: Operator,
    values: Vec<String>,
    /// The value as a number, for `GreaterThan` and `LessThan`; otherwise 0.
    bound: i64,
}

impl Requirement {
    /// Key and value, if the requirement allows exactly one value.
    pub(super) fn required_value(&self) -> Option<(&str, &str)> {
        let allows_values = matches!(
            self.operator,
            Operator::DoubleEquals | Operator::Equals | Operator::In
        );
        match &self.values[..] {
            [value] if allows_values => Some((&self.key, value)),
            _ => None,
        }
    }

    /// Validates and builds. Upstream: `labels.NewRequirement`, which reports all errors together.
    pub(super) fn new(
        key: &str,
        operator: Operator,
        values: Vec<String>,
        wording: Wording,
    ) -> Result<Self, String> {
        let mut errors = Vec::new();
        if let Some(reasons) = label_key_reasons(key, wording) {
            errors.push(invalid_value("key", key, &reasons));
        }
        let mut bound = 0;
        match operator {
            Operator::In | Operator::NotIn if values.is_empty() => {
                let reason = "for 'in', 'notin' operators, values set can't be empty";
                errors.push(invalid("values", &list(&values, wording), reason));
            }
            Operator::Exists | Operator::DoesNotExist if !values.is_empty() => {
                let reason = "values set must be empty for exists and does not exist";
                errors.push(invalid("values", &list(&values, wording), reason));
            }
            Operator::GreaterThan | Operator::LessThan => {
                for (index, value) in values.iter().enumerate() {
                    match value.parse() {
                        Ok(number) => bound = number,
                        Err(_) => errors.push(invalid_value(
                            &format!("values[{index}]"),
                            value,
                            "for 'Gt', 'Lt' operators, the value must be an integer",
                        )),
                    }
                }
            }
            _ => {}
        }
        for (index, value) in values.iter().enumerate() {
            if let Some(reasons) = label_value_reasons(value, wording) {
                let path = format!("values[{index}][{key}]");
                errors.push(invalid_value(&path, value, &reasons));
            }
        }
        match errors.as_slice() {
            [] => Ok(Self {
                key: key.to_owned(),
                operator,
                values,
                bound,
            }),
            [error] => Err(error.clone()),
            several => Err(format!("[{}]", several.join(", "))),
        }
    }

    /// Whether `labels` meet the requirement.
    pub(super) fn matches(&self, labels: &BTreeMap<String, String>) -> bool {
        let label = labels.get(self.key.as_str());
        let is_listed = |label: &String| self.values.contains(label);
        let number = |label: &String| label.parse::<i64>();
        match self.operator {
            Operator::DoesNotExist => label.is_none(),
            Operator::DoubleEquals | Operator::Equals | Operator::In => {
                label.is_some_and(is_listed)
            }
            Operator::Exists => label.is_some(),
            Operator::GreaterThan => {
                label.is_some_and(|label| number(label).is_ok_and(|number| self.bound < number))
            }
            Operator::LessThan => {
                label.is_some_and(|label| number(label).is_ok_and(|number| number < self.bound))
            }
            Operator::NotEquals | Operator::NotIn => !label.is_some_and(is_listed),
        }
    }
}

impl fmt::Display for Requirement {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = &self.key;
        let mut values: Vec<&str> = self.values.iter().map(String::as_str).collect();
        values.sort_unstable();
        let values = values.join(",");
        match self.operator {
            Operator::DoesNotExist => write!(formatter, "!{key}"),
            Operator::DoubleEquals => write!(formatter, "{key}=={values}"),
            Operator::Equals => write!(formatter, "{key}={values}"),
            Operator::Exists => write!(formatter, "{key}"),
            Operator::GreaterThan => write!(formatter, "{key}>{values}"),
            Operator::In => write!(formatter, "{key} in ({values})"),
            Operator::LessThan => write!(formatter, "{key}<{values}"),
            Operator::NotEquals => write!(formatter, "{key}!={values}"),
            Operator::NotIn => write!(formatter, "{key} notin ({values})"),
        }
    }
}

fn list(values: &[String], wording: Wording) -> String {
    if wording.lists_as_json {
        json_list(values)
    } else {
        go_list(values)
    }
}
