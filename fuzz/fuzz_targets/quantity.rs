//! libFuzzer on what `tests/fuzzed/targets/quantity.rs` says.
#![no_main]

kubectl_hpa_fuzz::fuzz!("quantity");
