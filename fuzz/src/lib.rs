//! Setup of libFuzzer. The targets, and the mutations of inputs, are in `tests/fuzzed`, where ordinary tests use them
//! as well.

use std::{env, fs, path::Path};

#[path = "../../tests/fuzzed/go.rs"]
pub mod go;
#[path = "../../tests/fuzzed/mutate.rs"]
pub mod mutate;
#[path = "../../tests/lint/rules/repeated.rs"]
mod repeated;
#[path = "../../tests/fuzzed/seeds.rs"]
pub mod seeds;
#[path = "../../tests/fuzzed/targets/mod.rs"]
pub mod targets;
#[path = "../../tests/golden/go/mod.rs"]
pub mod vectors;
#[path = "../../tests/faults/world.rs"]
#[allow(
    dead_code,
    clippy::needless_pass_by_value,
    reason = "the tests of faults use the rest of it"
)]
mod world;

/// Writes the seeds of a target into the folder that `FUZZ_SEEDS` names, before libFuzzer reads it.
pub fn write_seeds(target: &str) {
    let Some(folder) = env::var_os("FUZZ_SEEDS") else {
        return;
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for (number, seed) in (1..).zip(seeds::seeds(target, &root)) {
        let path = Path::new(&folder).join(format!("seed-{number}"));
        fs::write(path, seed).expect("the seed can be written");
    }
}

/// The target of this name; its mutations alternate with libFuzzer's own.
#[macro_export]
macro_rules! fuzz {
    ($name:literal) => {
        libfuzzer_sys::fuzz_target!(
            init: $crate::write_seeds($name),
            |bytes: &[u8]| $crate::targets::target($name)(bytes)
        );

        libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, limit: usize, seed: u32| {
            if seed.is_multiple_of(4) {
                return libfuzzer_sys::fuzzer_mutate(data, size, limit);
            }
            let mut random = $crate::mutate::Random(u64::from(seed));
            let changed = $crate::mutate::mutate($name, &data[..size], &mut random);
            let length = changed.len().min(limit);
            data[..length].copy_from_slice(&changed[..length]);
            length
        });
    };
}
