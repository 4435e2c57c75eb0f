//! The small form: an int64 and a power of ten. Upstream: `int64Amount`.

use std::cmp::Ordering;

use super::pow10;

/// What happens outside int64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overflow {
    /// Saturates; negative numbers of the big form round correctly (1.38 and later).
    Saturate,
    /// Wraps, or becomes 0, as Go did up to 1.37.
    Wrap,
}

/// `value` × 10^`scale`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Small {
    pub(super) value: i64,
    /// At least −9.
    pub(super) scale: i32,
}

impl Small {
    /// As an integer at `scale`, rounded away from zero if that is coarser. Upstream: `AsScaledInt64`.
    pub(super) fn scaled_value(self, scale: i32, overflow: Overflow) -> i64 {
        if self.scale < scale {
            return divide_away_from_zero(self.value, self.scale.abs_diff(scale));
        }
        let exponent = self.scale.abs_diff(scale);
        match (self.multiplied(exponent), overflow) {
            (Some(value), _) => value,
            (None, Overflow::Saturate) if self.value < 0 => i64::MIN,
            (None, Overflow::Saturate) => i64::MAX,
            // Upstream multiplies by these five powers in one step and returns the product even after an overflow. It
            // reaches other powers step by step and gives up on overflow.
            (None, Overflow::Wrap) => match exponent {
                1 | 2 | 3 | 6 | 9 => self
                    .value
                    .wrapping_mul(pow10::as_i64(exponent).expect("the exponent is at most 9")),
                _ => 0,
            },
        }
    }

    /// The sum at the finer of the two scales, unless int64 cannot hold it. Upstream: `int64Amount.Add`.
    pub(super) fn plus(self, other: Self) -> Option<Self> {
        if other.value == 0 {
            return Some(self);
        }
        if self.value == 0 {
            return Some(other);
        }
        let scale = self.scale.min(other.scale);
        let value = self
            .multiplied(self.scale.abs_diff(scale))?
            .checked_add(other.multiplied(other.scale.abs_diff(scale))?)?;
        Some(Self { value, scale })
    }

    /// Compares values, exactly.
    pub(super) fn cmp_value(self, other: Self) -> Ordering {
        if self.scale < other.scale {
            return other.cmp_value(self).reverse();
        }
        match pow10::as_i64(self.scale.abs_diff(other.scale)) {
            Some(factor) => {
                (i128::from(self.value) * i128::from(factor)).cmp(&i128::from(other.value))
            }
            // From 10^19 on, anything but zero is larger than every int64.
            None if self.value == 0 => 0.cmp(&other.value),
            None => self.value.cmp(&0),
        }
    }

    /// The mantissa times 10^`exponent`, unless int64 cannot hold it.
    pub(super) fn multiplied(self, exponent: u32) -> Option<i64> {
        if self.value == 0 {
            return Some(0);
        }
        self.value.checked_mul(pow10::as_i64(exponent)?)
    }
}

fn divide_away_from_zero(value: i64, exponent: u32) -> i64 {
    match pow10::as_i64(exponent) {
        Some(divisor) => value / divisor + (value % divisor).signum(),
        None => value.signum(),
    }
}
