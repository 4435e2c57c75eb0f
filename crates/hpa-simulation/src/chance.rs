//! Random numbers from a seed.

use oorandom::Rand64;

use crate::Millis;

/// The random numbers for one purpose. Each purpose has its own stream: a variant that draws more numbers of one kind
/// keeps all others, so two variants differ only in what was changed.
pub(crate) struct Chance(Rand64);

impl Chance {
    /// The stream for `purpose`: any number, such as the index of a pod.
    pub(crate) fn new(seed: u64, purpose: u64) -> Self {
        // Neighboring seeds must not give similar streams: SplitMix64's mixing.
        let mixed = mix(seed ^ mix(purpose));
        Self(Rand64::new(u128::from(mixed)))
    }

    /// A number in [0, 1).
    pub(crate) fn unit(&mut self) -> f64 {
        self.0.rand_float()
    }

    /// A whole number of milliseconds from `low` up to `high`, both included.
    pub(crate) fn between(&mut self, low: Millis, high: Millis) -> Millis {
        if high <= low {
            return low;
        }
        low + (self.unit() * (high - low + 1) as f64) as Millis
    }

    /// One of the items.
    pub(crate) fn one_of<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get((self.unit() * items.len() as f64) as usize)
    }

    /// A log-normal factor with median 1. `libm` computes the same on every platform.
    pub(crate) fn factor(&mut self, sigma: f64) -> f64 {
        if sigma <= 0.0 {
            return 1.0;
        }
        let radius = libm::sqrt(-2.0 * libm::log(1.0 - self.unit()));
        let normal = radius * libm::cos(2.0 * std::f64::consts::PI * self.unit());
        libm::exp(sigma * normal)
    }
}

fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
