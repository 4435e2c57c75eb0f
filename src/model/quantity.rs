//! Quantities with the arithmetic, the rounding and the overflow of Go's `resource.Quantity`.

use std::{cmp::Ordering, fmt};

/// How a quantity is written. Upstream: `resource.Format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Suffixes `Ki`, `Mi`, …
    BinarySI,
    /// `e6` and the like.
    DecimalExponent,
    /// Suffixes `m`, `k`, `M`, …
    DecimalSI,
}

/// What happens outside int64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overflow {
    /// Saturates; negative numbers of the big form round correctly (1.38 and later).
    Saturate,
    /// Wraps, or becomes 0, as Go did up to 1.37.
    Wrap,
}

/// A text that is no quantity.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is no quantity ({why})")]
pub struct ParseQuantityError {
    /// The text.
    pub text: String,
    /// What is wrong with it and what would be right.
    pub why: &'static str,
}

/// A number with a unit suffix. Equality compares values.
#[derive(Clone, Debug)]
pub struct Quantity {}

impl Quantity {
    /// Parses the string form. Upstream: `resource.ParseQuantity`.
    pub fn parse(_text: &str) -> Result<Self, ParseQuantityError> {
        Ok(Self {})
    }

    /// So many thousandths. Upstream: `resource.NewMilliQuantity`.
    pub fn from_milli(_milli: i64, _format: Format) -> Self {
        Self {}
    }

    /// So many units. Upstream: `resource.NewQuantity`.
    pub fn from_value(_value: i64, _format: Format) -> Self {
        Self {}
    }

    /// Thousandths, rounded up away from zero. Upstream: `MilliValue`.
    pub fn milli_value(&self, _overflow: Overflow) -> i64 {
        0
    }

    /// Units, rounded up away from zero. Upstream: `Value`.
    pub fn value(&self, _overflow: Overflow) -> i64 {
        0
    }

    /// As a float. Upstream: `AsApproximateFloat64`.
    pub fn approximate_f64(&self) -> f64 {
        0.0
    }

    /// The exact sum, in the format of `self`. Upstream: `Add`.
    #[must_use]
    pub fn plus(&self, _other: &Self) -> Self {
        Self {}
    }

    /// Compares values. Upstream: `Cmp`.
    pub fn cmp_value(&self, _other: &Self) -> Ordering {
        Ordering::Equal
    }

    /// How it is written.
    pub fn format(&self) -> Format {
        Format::DecimalSI
    }

    /// The quantity as a client reads it after it went through its string form once.
    #[must_use]
    pub fn as_read_back(&self) -> Self {
        Self {}
    }
}

impl PartialEq for Quantity {
    fn eq(&self, other: &Self) -> bool {
        self.cmp_value(other) == Ordering::Equal
    }
}

impl fmt::Display for Quantity {
    /// The canonical string. Upstream: `String`.
    fn fmt(&self, _formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}
