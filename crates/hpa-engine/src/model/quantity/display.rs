//! The canonical string of a quantity.

use std::fmt;

use num_bigint::{BigInt, Sign};

use super::{
    Format, Quantity,
    suffix::{binary_suffix, decimal_suffix},
    value::Amount,
};

impl fmt::Display for Quantity {
    /// The canonical string, or the parsed text if upstream counts that as canonical already. Upstream: `String`, which
    /// up to 1.37 drops the exponent of a number too large for a suffix (`1000E` prints `1`).
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.text {
            Some(text) => formatter.pad(text.as_str()),
            None if self.is_zero() => formatter.pad("0"),
            None => formatter.pad(&self.canonical()),
        }
    }
}

impl Quantity {
    fn canonical(&self) -> String {
        if let (Format::BinarySI, Some(units)) = (self.format, self.binary_units()) {
            let (mantissa, times) = self.without_factors(units, 1024);
            return format!("{mantissa}{}", binary_suffix(times * 10));
        }
        let (mantissa, exponent) = self.decimal();
        match (self.format, exponent) {
            (Format::DecimalExponent, 0) => mantissa.to_string(),
            (Format::DecimalExponent, exponent) => format!("{mantissa}e{exponent}"),
            (Format::BinarySI | Format::DecimalSI, exponent) => {
                format!("{mantissa}{}", decimal_suffix(exponent))
            }
        }
    }

    /// The number of units, if a binary suffix applies: whole and at least 1024 in magnitude.
    fn binary_units(&self) -> Option<BigInt> {
        let (units, is_exact) = self.as_big().at_scale(0);
        let is_below_suffixes = BigInt::from(-1024) < units && units < BigInt::from(1024);
        (is_exact && !is_below_suffixes).then_some(units)
    }

    /// Mantissa and exponent. The exponent is the largest multiple of three that keeps the mantissa whole.
    fn decimal(&self) -> (BigInt, i32) {
        let number = self.as_big();
        let (mantissa, times) = self.without_factors(number.unscaled.clone(), 10);
        let exponent = number.scale + times;
        let surplus = exponent.rem_euclid(3);
        (
            mantissa * BigInt::from(10).pow(surplus.unsigned_abs()),
            exponent - surplus,
        )
    }

    /// `number` divided by `factor` as often as that is exact, and how often that was. Upstream: `removeInt64Factors`,
    /// `removeBigIntFactors`.
    fn without_factors(&self, mut number: BigInt, factor: i64) -> (BigInt, i32) {
        // Upstream first makes the number positive, which fails for int64's minimum.
        let is_stuck = matches!(self.amount, Amount::Small(_)) && number == i64::MIN.into();
        let mut times = 0;
        while !is_stuck && (&number % factor).sign() == Sign::NoSign {
            number /= factor;
            times += 1;
        }
        (number, times)
    }
}
