//! Converts between wire types and the model. An invalid quantity, duration or enum value is an [`InvalidField`].
//!
//! [`InvalidField`]: super::InvalidField

mod context;
mod controller;
mod converted;
mod downstream;
mod hpa;
mod hpa_status;
mod metric_source;
mod metrics;
mod observation;
mod outcome;
mod pod;
mod synced;

pub use converted::Converted;
pub use synced::Synced;

use hpa_engine::model::{self, Quantity};
use jiff::SignedDuration;

use super::{InvalidField, invalid_field::Within, wire};

/// Converts seconds of a controller flag. Go's durations end at 292 years.
fn duration(seconds: f64) -> Result<SignedDuration, InvalidField> {
    SignedDuration::try_from_secs_f64(seconds)
        .ok()
        .filter(|duration| i64::try_from(duration.as_nanos()).is_ok())
        .ok_or_else(|| {
            InvalidField::here(format_args!(
                "{seconds} s is too long: use at most 9223372036 s (292 years)"
            ))
        })
}

/// Parses a quantity.
fn quantity(text: &wire::Quantity) -> Result<Quantity, InvalidField> {
    Quantity::parse(&text.0).map_err(InvalidField::here)
}

/// Parses the quantity of an optional field.
fn optional_quantity(
    text: Option<&wire::Quantity>,
    field: &str,
) -> Result<Option<Quantity>, InvalidField> {
    text.map(quantity).transpose().within(field)
}

/// Parses a list of quantities by resource.
fn resources(list: &wire::ResourceList, field: &str) -> Result<model::ResourceList, InvalidField> {
    list.iter()
        .map(|(name, text)| Ok((name.clone(), quantity(text).within(name)?)))
        .collect::<Result<_, _>>()
        .within(field)
}

/// Converts every entry of the list `field`.
fn each<T, U>(
    list: &[T],
    field: &str,
    convert: impl Fn(&T) -> Result<U, InvalidField>,
) -> Result<Vec<U>, InvalidField> {
    // Not collected: collecting results reserves room for four where most lists have one.
    let mut converted = Vec::with_capacity(list.len());
    for (index, item) in list.iter().enumerate() {
        converted.push(convert(item).within_item(field, index)?);
    }
    Ok(converted)
}
