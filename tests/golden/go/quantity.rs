//! How Go reads a text that may be a quantity.

use std::cmp::Ordering;

use hpa_engine::model::{
    Quantity,
    quantity::{Format, Overflow},
};
use serde::Deserialize;

use super::differ;

/// How Go reads a text.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Vector {
    /// The text.
    pub input: String,
    error: Option<String>,
    canonical: Option<String>,
    #[serde(default)]
    value: i64,
    #[serde(default)]
    milli_value: i64,
    approximate_float64: Option<String>,
    format: Option<String>,
    /// A second text, to add and compare.
    other: Option<String>,
    #[serde(default)]
    sum: String,
    #[serde(default)]
    compare: i8,
}

/// The differences between this crate's result and Go's: up to Kubernetes 1.37 (`Wrap`) in everything, from 1.38 on
/// (`Saturate`) in what a decision can depend on, which is whether it is a quantity, its integers, and its order.
pub fn differences(vector: &Vector, overflow: Overflow) -> Vec<String> {
    let (quantity, mut found) = numbers(vector, overflow);
    if let Some(quantity) = quantity.filter(|_| overflow == Overflow::Wrap) {
        texts(vector, &quantity, &mut found);
    }
    found
}

fn numbers(vector: &Vector, overflow: Overflow) -> (Option<Quantity>, Vec<String>) {
    let mut found = Vec::new();
    let quantity = match Quantity::parse(&vector.input) {
        Ok(quantity) if vector.error.is_none() => quantity,
        parsed => {
            let is_error = (vector.error.is_some(), parsed.is_err());
            differ("is an error", is_error.0, is_error.1, &mut found);
            return (None, found);
        }
    };
    let (value, milli) = (quantity.value(overflow), quantity.milli_value(overflow));
    differ("value", vector.value, value, &mut found);
    differ("milli", vector.milli_value, milli, &mut found);
    if let Some(other) = &vector.other {
        let compare = match quantity.cmp_value(&parsed(other)) {
            Ordering::Less => -1,
            Ordering::Equal => 0,
            Ordering::Greater => 1,
        };
        differ("compared", vector.compare, compare, &mut found);
    }
    (Some(quantity), found)
}

fn texts(vector: &Vector, quantity: &Quantity, found: &mut Vec<String>) {
    let canonical = vector.canonical.as_deref().unwrap_or_default();
    differ("canonical", canonical, quantity.to_string().as_str(), found);
    let float = vector.approximate_float64.as_deref().unwrap_or_default();
    let float: Result<f64, _> = float.parse();
    let approximate = quantity.approximate_f64();
    // One NaN is as good as another.
    let bits = |float: f64| {
        if float.is_nan() {
            f64::NAN.to_bits()
        } else {
            float.to_bits()
        }
    };
    differ("float", float.map(bits), Ok(bits(approximate)), found);
    let format = match quantity.format() {
        Format::BinarySI => "BinarySI",
        Format::DecimalExponent => "DecimalExponent",
        Format::DecimalSI => "DecimalSI",
    };
    differ(
        "format",
        vector.format.as_deref().unwrap_or_default(),
        format,
        found,
    );
    if let Some(other) = &vector.other {
        let sum = quantity.plus(&parsed(other)).to_string();
        differ("sum", vector.sum.as_str(), sum.as_str(), found);
    }
}

fn parsed(text: &str) -> Quantity {
    Quantity::parse(text).expect("it is a quantity")
}
