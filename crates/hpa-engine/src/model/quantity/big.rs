//! The big form: an integer of any size and a power of ten. Upstream: `infDecAmount`.

use std::cmp::Ordering;

use num_bigint::{BigInt, Sign};

use super::{Overflow, pow10, small::Small};

/// `unscaled` × 10^`scale`.
#[derive(Clone, Debug)]
pub(super) struct Big {
    pub(super) unscaled: BigInt,
    /// −9 after parsing, except for zero and for a number capped at int64.
    pub(super) scale: i32,
}

impl Big {
    /// As an integer at `scale`. Upstream: `scaledValue`.
    pub(super) fn scaled_value(&self, scale: i32, overflow: Overflow) -> i64 {
        match overflow {
            Overflow::Wrap => self.wrapped_value(scale),
            Overflow::Saturate => saturated(&self.at_scale(scale).0),
        }
    }

    /// The number at `scale`, rounded away from zero, and whether that is exact.
    pub(super) fn at_scale(&self, scale: i32) -> (BigInt, bool) {
        let power = pow10::as_big(self.scale.abs_diff(scale));
        if scale <= self.scale {
            return (&self.unscaled * power, true);
        }
        let (quotient, remainder) = (&self.unscaled / &power, &self.unscaled % &power);
        match remainder.sign() {
            Sign::Minus => (quotient - 1, false),
            Sign::NoSign => (quotient, true),
            Sign::Plus => (quotient + 1, false),
        }
    }

    /// The exact sum at the finer of the two scales.
    pub(super) fn plus(&self, other: &Self) -> Self {
        let scale = self.scale.min(other.scale);
        Self {
            unscaled: self.at_scale(scale).0 + other.at_scale(scale).0,
            scale,
        }
    }

    /// Compares values, exactly.
    pub(super) fn cmp_value(&self, other: &Self) -> Ordering {
        let scale = self.scale.min(other.scale);
        self.at_scale(scale).0.cmp(&other.at_scale(scale).0)
    }

    /// The mantissa as the nearest double; infinite if out of range.
    pub(super) fn unscaled_as_f64(&self) -> f64 {
        self.unscaled
            .to_string()
            .parse()
            .expect("decimal digits are a double")
    }

    /// Upstream's value up to 1.37: the low 64 bits. Any remainder adds one, even for a negative number.
    fn wrapped_value(&self, scale: i32) -> i64 {
        let exponent = self.scale.abs_diff(scale);
        if scale <= self.scale {
            // Upstream converts a double to int64; out of range, that is the minimum on amd64.
            let factor = pow10::as_i64(exponent).unwrap_or(i64::MIN);
            return low_bits(&self.unscaled).wrapping_mul(factor);
        }
        // Signed: every negative number counts as fitting.
        let counts_as_int64 = self.unscaled < BigInt::from(i64::MAX);
        if let (true, Some(divisor)) = (counts_as_int64, pow10::as_i64(exponent)) {
            let value = low_bits(&self.unscaled);
            return value / divisor + i64::from(value % divisor != 0);
        }
        let power = pow10::as_big(exponent);
        let remainder = &self.unscaled % &power;
        let mut floor = &self.unscaled / &power;
        if remainder.sign() == Sign::Minus {
            floor -= 1;
        }
        low_bits(&floor).wrapping_add(i64::from(remainder.sign() != Sign::NoSign))
    }
}

impl From<Small> for Big {
    fn from(small: Small) -> Self {
        Self {
            unscaled: small.value.into(),
            scale: small.scale,
        }
    }
}

/// The low 64 bits in two's complement.
fn low_bits(number: &BigInt) -> i64 {
    let magnitude = number.iter_u64_digits().next().unwrap_or(0).cast_signed();
    match number.sign() {
        Sign::Minus => magnitude.wrapping_neg(),
        Sign::NoSign | Sign::Plus => magnitude,
    }
}

fn saturated(number: &BigInt) -> i64 {
    i64::try_from(number).unwrap_or(match number.sign() {
        Sign::Minus => i64::MIN,
        Sign::NoSign | Sign::Plus => i64::MAX,
    })
}
