//! Metric answers that the controller's own client cannot decode.
//!
//! In a file, an invalid quantity is a mistake, and reading fails with the field's path. In a cluster it is a fact: the
//! controller's client fails to decode the whole list, and the controller treats that like a refused request.
//! [`Answer::as_controller_sees`] returns the error that the controller gets, so that one bad sample does not fail the
//! whole report.

use std::sync::Arc;

use hpa_engine::model;

use super::{
    InvalidField,
    wire::{Answer, ApiError, ExternalMetricValue, MetricValue, PodMetrics, Quantity},
};

/// An item of a metrics API.
pub trait MetricItem {
    /// Why a Go client cannot decode the item, in Go's words, and at which field.
    fn undecodable(&self) -> Option<InvalidField>;
}

impl<T: MetricItem> Answer<T> {
    /// The answer as the controller's client decodes it: an item that cannot be decoded turns the whole answer into an
    /// error. The second part is the offending field.
    pub fn as_controller_sees(self) -> (Self, Option<InvalidField>) {
        let found = self.items.iter().enumerate().find_map(|(index, item)| {
            let field = item.undecodable()?;
            Some(field.in_field(&format!("items[{index}]")))
        });
        match found {
            None => (self, None),
            Some(field) => (
                Self::refused(ApiError {
                    message: field.problem.clone(),
                    ..ApiError::default()
                }),
                Some(field),
            ),
        }
    }
}

impl MetricItem for Arc<PodMetrics> {
    fn undecodable(&self) -> Option<InvalidField> {
        let window = self.window.as_ref().and_then(|window| {
            model::go_duration::parse(window).err()?;
            let problem = format!("time: invalid duration {window:?}");
            Some(InvalidField::here(problem).in_field("window"))
        });
        window.or_else(|| {
            self.containers
                .iter()
                .enumerate()
                .find_map(|(index, container)| {
                    container.usage.iter().find_map(|(resource, quantity)| {
                        let path = format!("containers[{index}].usage.{resource}");
                        undecodable_quantity(quantity, &path)
                    })
                })
        })
    }
}

impl MetricItem for MetricValue {
    fn undecodable(&self) -> Option<InvalidField> {
        undecodable_quantity(&self.value, "value")
    }
}

impl MetricItem for ExternalMetricValue {
    fn undecodable(&self) -> Option<InvalidField> {
        undecodable_quantity(&self.value, "value")
    }
}

/// Upstream: `resource.ErrFormatWrong`, `resource.ErrSuffix`.
fn undecodable_quantity(quantity: &Quantity, path: &str) -> Option<InvalidField> {
    let text = quantity.0.as_str();
    model::Quantity::parse(text).err()?;
    let problem = if has_quantity_form(text) {
        "unable to parse quantity's suffix"
    } else {
        "quantities must match the regular expression \
         '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
    };
    Some(InvalidField::here(problem).in_field(path))
}

/// Whether `text` is a number with a possible suffix. Upstream: `resource.parseQuantityString`.
fn has_quantity_form(text: &str) -> bool {
    let rest = skip_digits(text.strip_prefix(['+', '-']).unwrap_or(text));
    let rest = rest.strip_prefix('.').map_or(rest, skip_digits);
    let rest = rest.trim_start_matches(|c| "eEinumkKMGTP".contains(c));
    let rest = skip_digits(rest.strip_prefix(['+', '-']).unwrap_or(rest));
    !text.is_empty() && rest.is_empty()
}

fn skip_digits(text: &str) -> &str {
    text.trim_start_matches(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_sample_that_go_cannot_decode_fails_the_whole_answer_in_go_s_words() {
        let format = "quantities must match the regular expression \
                      '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
        for (text, message) in [
            ("12q", format),
            ("", format),
            (" 5", format),
            ("1K", "unable to parse quantity's suffix"),
            ("1e", "unable to parse quantity's suffix"),
        ] {
            let item = |text: &str| ExternalMetricValue {
                value: Quantity(text.to_owned()),
                ..ExternalMetricValue::default()
            };
            let (answer, field) = Answer::of(vec![item("1"), item(text)]).as_controller_sees();
            assert_eq!(*answer.items, [], "{text:?}");
            assert_eq!(answer.error.unwrap().message, message, "{text:?}");
            assert_eq!(field.unwrap().path, "items[1].value");
        }
        let good = Answer::of(vec![MetricValue {
            value: Quantity("5m".to_owned()),
            ..MetricValue::default()
        }]);
        assert_eq!(good.clone().as_controller_sees(), (good, None));
    }
}
