//! Powers of ten: as int64, as an integer of any size, and as Go's `math.Pow10`.

use num_bigint::BigInt;

/// 10^0 … 10^18: all that int64 holds.
const INTEGERS: [i64; 19] = {
    let mut table = [1; 19];
    let mut exponent = 1;
    while exponent < table.len() {
        table[exponent] = table[exponent - 1] * 10;
        exponent += 1;
    }
    table
};

/// 10^0 … 10^31 as doubles.
const FINE: [f64; 32] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22, 1e23, 1e24, 1e25, 1e26, 1e27, 1e28, 1e29, 1e30, 1e31,
];

/// 10^0, 10^32 … 10^288 as doubles.
const COARSE: [f64; 10] = [
    1e0, 1e32, 1e64, 1e96, 1e128, 1e160, 1e192, 1e224, 1e256, 1e288,
];

/// 10^0, 10^−32 … 10^−320 as doubles.
const COARSE_NEGATIVE: [f64; 11] = [
    1e0, 1e-32, 1e-64, 1e-96, 1e-128, 1e-160, 1e-192, 1e-224, 1e-256, 1e-288, 1e-320,
];

/// 10^`exponent`, unless int64 cannot hold it.
pub(super) fn as_i64(exponent: u32) -> Option<i64> {
    INTEGERS.get(exponent as usize).copied()
}

/// 10^`exponent`, exact.
pub(super) fn as_big(exponent: u32) -> BigInt {
    as_i64(exponent).map_or_else(|| BigInt::from(10).pow(exponent), BigInt::from)
}

/// 10^`exponent` with the rounding of Go's `math.Pow10`, which is not always the nearest double.
pub(super) fn as_f64(exponent: i32) -> f64 {
    let (coarse, fine) = (
        (exponent.unsigned_abs() / 32) as usize,
        (exponent.unsigned_abs() % 32) as usize,
    );
    match exponent {
        ..-323 => 0.0,
        -323..0 => COARSE_NEGATIVE[coarse] / FINE[fine],
        0..=308 => COARSE[coarse] * FINE[fine],
        309.. => f64::INFINITY,
    }
}
