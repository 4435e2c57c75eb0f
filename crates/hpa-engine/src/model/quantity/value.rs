//! The quantity itself: its number, its format, and the conversions that the controller makes.

use std::{borrow::Cow, cmp::Ordering, sync::Arc};

use num_bigint::Sign;

use super::{Overflow, big::Big, pow10, small::Small, text::QuantityText};

/// Thousandths.
const MILLI: i32 = -3;
const NANO: i32 = -9;

/// How a quantity is written. Upstream: `resource.Format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Suffixes `Ki`, `Mi`, …
    BinarySI,
    /// Exponents such as `e6`.
    DecimalExponent,
    /// Suffixes `m`, `k`, `M`, …
    DecimalSI,
}

/// A number with a unit suffix. Equality compares values.
///
/// A number of up to 18 digits needs no allocation, and cloning never copies digits.
#[derive(Clone, Debug)]
pub struct Quantity {
    pub(super) amount: Amount,
    pub(super) format: Format,
    /// The text to print instead of the canonical string.
    pub(super) text: Option<QuantityText>,
}

/// The number in one of upstream's two forms.
#[derive(Clone, Debug)]
pub(super) enum Amount {
    Big(Arc<Big>),
    Small(Small),
}

impl Quantity {
    /// `milli` thousandths. Upstream: `resource.NewMilliQuantity`.
    pub fn from_milli(milli: i64, format: Format) -> Self {
        Self::from_small(milli, MILLI, format)
    }

    /// `nano` billionths. Upstream: `resource.NewScaledQuantity` with `Nano`.
    #[doc(hidden)]
    pub fn from_nano(nano: i64, format: Format) -> Self {
        Self::from_small(nano, NANO, format)
    }

    /// `value` units. Upstream: `resource.NewQuantity`.
    pub fn from_value(value: i64, format: Format) -> Self {
        Self::from_small(value, 0, format)
    }

    /// Thousandths, rounded up away from zero. Upstream: `MilliValue`.
    pub fn milli_value(&self, overflow: Overflow) -> i64 {
        self.scaled_value(MILLI, overflow)
    }

    /// Units, rounded up away from zero. Upstream: `Value`.
    pub fn value(&self, overflow: Overflow) -> i64 {
        self.scaled_value(0, overflow)
    }

    /// As a float: the mantissa times a power of ten. Not always the nearest double; infinite if out of range.
    /// Upstream: `AsApproximateFloat64`.
    pub fn approximate_f64(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "rounds to nearest as Go does")]
        let (mantissa, exponent) = match &self.amount {
            Amount::Big(big) => (big.unscaled_as_f64(), big.scale),
            Amount::Small(small) => (small.value as f64, small.scale),
        };
        if exponent == 0 {
            mantissa
        } else {
            mantissa * pow10::as_f64(exponent)
        }
    }

    /// The exact sum, in the format of `self`, or of `other` if `self` is zero. Upstream: `Add`.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let sum = match (&self.amount, &other.amount) {
            (Amount::Small(left), Amount::Small(right)) => left.plus(*right).map(Amount::Small),
            _ => None,
        };
        Self {
            amount: sum
                .unwrap_or_else(|| Amount::Big(Arc::new(self.as_big().plus(&other.as_big())))),
            format: if self.is_zero() {
                other.format
            } else {
                self.format
            },
            text: None,
        }
    }

    /// Compares values. Upstream: `Cmp`.
    pub fn cmp_value(&self, other: &Self) -> Ordering {
        match (&self.amount, &other.amount) {
            (Amount::Small(left), Amount::Small(right)) => left.cmp_value(*right),
            _ => self.as_big().cmp_value(&other.as_big()),
        }
    }

    /// How it is written.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The quantity as a client reads it after a round trip through its string form.
    ///
    /// A number of `BinarySI` that prints without a suffix comes back as `DecimalSI`.
    #[must_use]
    pub fn as_read_back(&self) -> Self {
        // Only a sum near the limit of `parse` prints a text that cannot be parsed.
        Self::parse(&self.to_string()).unwrap_or_else(|_| self.clone())
    }

    pub(super) fn is_zero(&self) -> bool {
        match &self.amount {
            Amount::Big(big) => big.unscaled.sign() == Sign::NoSign,
            Amount::Small(small) => small.value == 0,
        }
    }

    pub(super) fn as_big(&self) -> Cow<'_, Big> {
        match &self.amount {
            Amount::Big(big) => Cow::Borrowed(big),
            Amount::Small(small) => Cow::Owned((*small).into()),
        }
    }

    fn from_small(value: i64, scale: i32, format: Format) -> Self {
        Self {
            amount: Amount::Small(Small { value, scale }),
            format,
            text: None,
        }
    }

    fn scaled_value(&self, scale: i32, overflow: Overflow) -> i64 {
        match &self.amount {
            Amount::Big(big) => big.scaled_value(scale, overflow),
            Amount::Small(small) => small.scaled_value(scale, overflow),
        }
    }
}

impl PartialEq for Quantity {
    fn eq(&self, other: &Self) -> bool {
        self.cmp_value(other) == Ordering::Equal
    }
}
