//! Properties of quantities, and what the recorded vectors (`tests/golden/vectors.rs`) do not contain.

use std::cmp::Ordering;

use proptest::prelude::*;

use super::{Format, Overflow, Quantity};

/// Numbers of both forms and all formats, small enough to keep their suffix when printed.
fn texts() -> &'static str {
    "[+-]?[0-9]{0,24}[1-9](\\.[0-9]{0,12})?([numkMGTPE]|[KMGTPE]i|[eE][+-]?[0-9]{1,2})?"
}

fn quantities() -> impl Strategy<Value = Quantity> {
    texts().prop_map(|text| quantity(&text))
}

fn quantity(text: &str) -> Quantity {
    Quantity::parse(text).unwrap()
}

proptest! {
    #[test]
    fn printing_and_parsing_keeps_the_value(quantity in quantities()) {
        prop_assert_eq!(quantity.as_read_back(), quantity);
    }

    #[test]
    fn a_canonical_string_stays_as_it_is(quantity in quantities()) {
        let once = quantity.as_read_back();
        let again = once.as_read_back();
        prop_assert_eq!(again.to_string(), once.to_string());
        prop_assert_eq!(again.format(), once.format());
    }

    #[test]
    fn a_sum_does_not_depend_on_the_order(
        left in quantities(),
        middle in quantities(),
        right in quantities(),
    ) {
        prop_assert_eq!(left.plus(&right), right.plus(&left));
        prop_assert_eq!(left.plus(&middle).plus(&right), left.plus(&middle.plus(&right)));
    }

    #[test]
    fn a_sum_is_ordered_as_what_is_added(left in quantities(), right in quantities()) {
        let zero = Quantity::from_value(0, Format::DecimalSI);
        prop_assert_eq!(left.plus(&right).cmp_value(&left), right.cmp_value(&zero));
        prop_assert_eq!(left.cmp_value(&right), right.cmp_value(&left).reverse());
    }

    #[test]
    fn saturated_values_are_ordered_as_the_quantities(left in quantities(), right in quantities()) {
        let (low, high) = match left.cmp_value(&right) {
            Ordering::Greater => (right, left),
            Ordering::Equal | Ordering::Less => (left, right),
        };
        let (milli, value) = (Quantity::milli_value, Quantity::value);
        prop_assert!(milli(&low, Overflow::Saturate) <= milli(&high, Overflow::Saturate));
        prop_assert!(value(&low, Overflow::Saturate) <= value(&high, Overflow::Saturate));
    }

    #[test]
    fn every_integer_survives_its_string(number in any::<i64>()) {
        for format in [Format::BinarySI, Format::DecimalExponent, Format::DecimalSI] {
            let value = Quantity::from_value(number, format);
            prop_assert_eq!(value.as_read_back().value(Overflow::Saturate), number);
            let milli = Quantity::from_milli(number, format);
            prop_assert_eq!(milli.as_read_back().milli_value(Overflow::Saturate), number);
        }
    }

    #[test]
    fn any_text_is_a_quantity_or_an_error(
        text in prop_oneof![any::<String>(), "[-+.0-9eEinumkKMGTP ]{0,30}", "[0-9]{1,30}[eE]-?[0-9]{1,12}"],
    ) {
        if let Ok(quantity) = Quantity::parse(&text) {
            let sum = quantity.plus(&quantity);
            for quantity in [quantity, sum] {
                for overflow in [Overflow::Saturate, Overflow::Wrap] {
                    let _ = (quantity.milli_value(overflow), quantity.value(overflow));
                }
                let _ = (quantity.approximate_f64(), quantity.as_read_back());
            }
        }
    }
}

#[test]
fn an_error_says_what_would_be_right() {
    for (text, advice) in [
        ("", "wanted: a number such as 250m"),
        ("1K", "for thousands write k, for 1024 write Ki"),
        ("64MiB", "leave out the B"),
        ("1g", "case-sensitive"),
        ("1µ", "the suffix for millionths is u"),
        ("5e", "after e comes a whole number"),
        ("1 Gi", "remove the spaces"),
        ("1,5", "the decimal separator is a point"),
        ("0x10", "wanted: a number and one of the suffixes"),
        (".e-12", "it has no digits"),
        ("1e10001", "more than 10000 digits"),
    ] {
        let error = Quantity::parse(text).unwrap_err().to_string();
        assert!(error.starts_with(&format!("invalid quantity {text:?} (")));
        assert!(error.contains(advice), "{error}");
    }
}

#[test]
fn saturation_rounds_away_from_zero_and_stops_at_int64() {
    for (text, milli, value) in [
        ("10P", i64::MAX, 10_000_000_000_000_000),
        ("-10P", i64::MIN, -10_000_000_000_000_000),
        ("8Ei", i64::MAX, i64::MAX),
        ("-1000E", i64::MIN, i64::MIN),
        ("-0.0000000001", -1, -1),
        ("-0.0015000000000000000000", -2, -1),
        ("0.0015", 2, 1),
    ] {
        let quantity = quantity(text);
        let found = (
            quantity.milli_value(Overflow::Saturate),
            quantity.value(Overflow::Saturate),
        );
        assert_eq!(found, (milli, value), "{text}");
    }
}

#[test]
fn constructed_numbers_print_as_go_prints_them() {
    use Format::{BinarySI, DecimalExponent, DecimalSI};
    for (quantity, text) in [
        (Quantity::from_value(52_428_800, BinarySI), "50Mi"),
        (Quantity::from_value(1_023, BinarySI), "1023"),
        (
            Quantity::from_value(i64::MIN, BinarySI),
            "-9223372036854775808",
        ),
        (Quantity::from_milli(1_500, BinarySI), "1500m"),
        (Quantity::from_milli(2_000, DecimalSI), "2"),
        (Quantity::from_milli(-12_000_000, DecimalSI), "-12k"),
        (Quantity::from_milli(2_500_000, DecimalExponent), "2500"),
        (Quantity::from_milli(1, DecimalExponent), "1e-3"),
    ] {
        assert_eq!(quantity.to_string(), text);
    }
}

#[test]
fn binary_number_without_a_suffix_comes_back_as_a_decimal() {
    let written = Quantity::from_value(81_344_000, Format::BinarySI);
    assert_eq!(written.to_string(), "81344000");
    let read = written.as_read_back();
    assert_eq!(read.format(), Format::DecimalSI);
    assert_eq!(read.to_string(), "81344k");
}

#[test]
fn a_sum_has_the_format_of_its_first_number_unless_that_is_zero() {
    let sum = |left: &str, right: &str| quantity(left).plus(&quantity(right)).to_string();
    assert_eq!(sum("1Gi", "1024Mi"), "2Gi");
    assert_eq!(sum("1G", "1Gi"), "2073741824");
    assert_eq!(sum("0", "1Gi"), "1Gi");
    assert_eq!(sum("9223372036854775807n", "1n"), "9223372036854775808n");
    assert_eq!(sum("100m", "1500u"), "101500u");
}
