//! libFuzzer on what `tests/fuzzed/targets/lint.rs` says.
#![no_main]

kubectl_hpa_fuzz::fuzz!("lint");
