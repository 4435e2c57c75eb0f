//! libFuzzer on the target in `tests/fuzzed/targets/quantity.rs`.
#![no_main]

kubectl_hpa_fuzz::fuzz!("quantity");
