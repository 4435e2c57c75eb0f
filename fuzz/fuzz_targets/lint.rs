//! libFuzzer on the target in `tests/fuzzed/targets/lint.rs`.
#![no_main]

kubectl_hpa_fuzz::fuzz!("lint");
