//! Round numbers.

/// 1, 2, 5, 10, 20, 50, … up to the largest that fits.
pub(super) fn round_numbers() -> impl Iterator<Item = i64> {
    let powers = (0..).map_while(|exponent| 10_i64.checked_pow(exponent));
    powers.flat_map(|power| {
        [1, 2, 5]
            .into_iter()
            .filter_map(move |one| power.checked_mul(one))
    })
}
