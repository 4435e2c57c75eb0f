//! Parsing, and the choice between the small and the big form.

use std::sync::Arc;

use num_bigint::{BigInt, Sign};

use super::{Format, Quantity, big::Big, small::Small, suffix, text::QuantityText, value::Amount};

/// The finest scale a quantity has.
const NANO: i32 = -9;

/// Digits that always fit int64. Upstream: `maxInt64Factors`.
const SMALL_DIGITS: usize = 18;

/// Limit of digits and of exponents. Upstream has none and would compute for minutes on values far beyond it.
const LIMIT: usize = 10_000;

/// A text that is not a quantity.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid quantity {text:?} ({why})")]
pub struct ParseQuantityError {
    /// The text.
    pub text: String,
    /// What is wrong with it and what is valid.
    pub why: &'static str,
}

impl Quantity {
    /// Parses the string form. Upstream: `resource.ParseQuantity`.
    ///
    /// Rejects numbers of more than 10,000 digits, whether written out or given by an exponent.
    pub fn parse(text: &str) -> Result<Self, ParseQuantityError> {
        parse(text).map_err(|why| ParseQuantityError {
            text: text.to_owned(),
            why,
        })
    }
}

/// A text split into its parts.
struct Literal<'a> {
    is_negative: bool,
    /// Digits before the point without leading zeros; may be empty.
    integer: &'a str,
    /// Digits after the point.
    fraction: &'a str,
    /// Whether there is a digit. Without one the number is 0.
    has_digits: bool,
    format: Format,
    /// Of two for `BinarySI`, otherwise of ten.
    exponent: i32,
}

fn parse(text: &str) -> Result<Quantity, &'static str> {
    let literal = Literal::split(text)?;
    let Some((small, is_canonical)) = literal.small() else {
        return literal.big();
    };
    Ok(Quantity {
        amount: Amount::Small(small),
        format: literal.format,
        text: is_canonical.then(|| QuantityText::new(text)),
    })
}

impl<'a> Literal<'a> {
    fn split(text: &'a str) -> Result<Self, &'static str> {
        if text.is_empty() {
            return Err("it is empty; wanted: a number such as 250m, 1.5 or 64Mi");
        }
        let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
        let (whole, rest) = split_digits(unsigned);
        let (fraction, suffix) = rest.strip_prefix('.').map_or(("", rest), split_digits);
        let (format, exponent) = suffix::interpret(suffix)?;
        let zeros = whole.bytes().take_while(|byte| *byte == b'0').count();
        let literal = Self {
            is_negative: text.starts_with('-'),
            integer: &whole[zeros..],
            fraction,
            has_digits: !whole.is_empty() || !fraction.is_empty(),
            format,
            exponent,
        };
        if LIMIT < literal.digits().max(exponent.unsigned_abs() as usize) {
            return Err("it has more than 10000 digits, or an exponent beyond 10000");
        }
        Ok(literal)
    }

    /// Upstream counts an empty integer part as the digit 0, and trailing zeros of the fraction as digits.
    fn digits(&self) -> usize {
        self.integer.len().max(1) + self.fraction.len()
    }

    /// The small form, if the number has one, and whether it keeps its text. The text can differ from the canonical
    /// string.
    fn small(&self) -> Option<(Small, bool)> {
        let (factor, scale) = match self.format {
            Format::BinarySI => {
                // Three decimal digits for ten binary ones.
                let digits = self.digits() + self.exponent.unsigned_abs() as usize * 3 / 10;
                let is_small = self.fraction.is_empty() && digits < 15;
                (is_small.then_some(1 << self.exponent)?, 0)
            }
            Format::DecimalExponent | Format::DecimalSI => {
                let is_small = self.digits() <= SMALL_DIGITS;
                (is_small.then_some(1)?, self.decimal_scale())
            }
        };
        if scale < NANO {
            return None;
        }
        let mantissa = appended(appended(0, self.integer), self.fraction);
        let is_canonical = match self.format {
            Format::BinarySI => mantissa % 8 != 0,
            Format::DecimalExponent | Format::DecimalSI => {
                scale % 3 == 0 && !self.integer.is_empty() && mantissa % 1000 != 0
            }
        };
        let sign = if self.is_negative { -1 } else { 1 };
        let value = mantissa.checked_mul(factor)? * sign;
        Some((Small { value, scale }, is_canonical))
    }

    /// The exponent of ten for the digits without their point.
    fn decimal_scale(&self) -> i32 {
        let decimals = i32::try_from(self.fraction.len()).expect("digits are limited");
        match self.format {
            Format::BinarySI => -decimals,
            Format::DecimalExponent | Format::DecimalSI => self.exponent - decimals,
        }
    }

    /// The big form: in billionths, rounded away from zero, and capped at int64 if it is binary.
    fn big(&self) -> Result<Quantity, &'static str> {
        if !self.has_digits {
            return Err("it has no digits");
        }
        let digits = self.integer.bytes().chain(self.fraction.bytes());
        let digits: Vec<u8> = digits.map(|digit| digit - b'0').collect();
        let sign = if self.is_negative {
            Sign::Minus
        } else {
            Sign::Plus
        };
        let mut unscaled = BigInt::from_radix_be(sign, &digits, 10).unwrap_or_default();
        if self.format == Format::BinarySI {
            unscaled <<= self.exponent;
        }
        let mut number = Big {
            unscaled,
            scale: self.decimal_scale(),
        };
        let mut format = self.format;
        if number.unscaled.sign() != Sign::NoSign {
            number = Big {
                unscaled: number.at_scale(NANO).0,
                scale: NANO,
            };
            if format == Format::BinarySI {
                let magnitude = BigInt::from(number.unscaled.magnitude().clone());
                let one = BigInt::from(1_000_000_000);
                if magnitude < one {
                    format = Format::DecimalSI;
                } else if one * i64::MAX < magnitude {
                    let limit = if self.is_negative {
                        -i64::MAX
                    } else {
                        i64::MAX
                    };
                    number = Big {
                        unscaled: limit.into(),
                        scale: 0,
                    };
                }
            }
        }
        Ok(Quantity {
            amount: Amount::Big(Arc::new(number)),
            format,
            text: None,
        })
    }
}

/// Splits after the leading ASCII digits.
fn split_digits(text: &str) -> (&str, &str) {
    let end = text.bytes().position(|byte| !byte.is_ascii_digit());
    text.split_at(end.unwrap_or(text.len()))
}

/// `value` with `digits` appended. Up to 18 digits in all do not overflow.
fn appended(value: i64, digits: &str) -> i64 {
    digits
        .bytes()
        .fold(value, |value, digit| value * 10 + i64::from(digit - b'0'))
}
