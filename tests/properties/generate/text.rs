//! Names and quantities.

use hpa_engine::model::Quantity;
use proptest::prelude::*;

/// One of few names, so that names often match.
pub(crate) fn name() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["a", "b", "c", "app", ""]).prop_map(str::to_owned)
}

/// A resource that the controller treats specially, or any other.
pub(crate) fn resource() -> impl Strategy<Value = String> {
    let other = prop::sample::select(vec!["hugepages-2Mi", "gpu"]);
    prop_oneof![4 => Just("cpu"), 3 => Just("memory"), 1 => other].prop_map(str::to_owned)
}

/// Any quantity: ordinary ones, and all kinds of overflow.
pub(crate) fn quantity() -> impl Strategy<Value = Quantity> + Clone {
    let suffixes = vec![
        "", "n", "u", "m", "k", "M", "G", "P", "E", "Ki", "Mi", "Ei", "e3", "e-9",
    ];
    let extreme = vec![
        "0",
        "-1",
        "8Ei",
        "-8Ei",
        "10P",
        "1.5Gi",
        "0.1n",
        "-0.5n",
        "9223372036854775807m",
        "-9223372036854775808",
        "123456789012345678901234567890",
        "-123456789012345678901234567890",
    ];
    let ordinary = 0..2_000_i64;
    let any = (any::<i64>(), prop::sample::select(suffixes));
    prop_oneof![
        4 => ordinary.prop_map(|milli| format!("{milli}m")),
        2 => any.prop_map(|(number, suffix)| format!("{number}{suffix}")),
        1 => prop::sample::select(extreme).prop_map(str::to_owned),
    ]
    .prop_map(|text| Quantity::parse(&text).unwrap())
}
